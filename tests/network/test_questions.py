"""Joint events, interventions, conditional samples, neighbourhoods and d-separation by name and place."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import dense, networks, placed_network, random_network
from scipy.stats import multivariate_normal, norm

import climatebn as cb
from climatebn.errors import ClimateBNError

BOX = cb.Region(lat=(0, 60), lon=(120, -120), name="box")


@pytest.fixture(scope="module")
def bn():
    return random_network(5, 6, density=0.7)


@pytest.fixture(scope="module")
def placed():
    return placed_network(3)


def test_one_and_two_events_equal_scipy(bn):
    mean, covariance = dense(bn)
    sd = np.sqrt(np.diag(covariance))
    assert bn.probability({"X2": (0.3, None)}) == pytest.approx(norm.sf((0.3 - mean[1]) / sd[1]), abs=1e-14)
    pair = multivariate_normal(mean[[1, 4]], covariance[np.ix_([1, 4], [1, 4])])
    pair.abseps = pair.releps = 1e-12
    expected = pair.cdf([2.0, 0.5], lower_limit=[0.3, -np.inf])
    assert bn.probability({"X2": (0.3, 2.0), "X5": (None, 0.5)}) == pytest.approx(expected, abs=1e-10)


def test_joint_events_agree_with_a_million_samples(bn):
    draws = bn.sample(1_000_000, seed=2)
    events = {"X1": (bn.mean[0], None), "X2": (None, bn.mean[1] + 0.5), "X3": (bn.mean[2] - 1, bn.mean[2] + 1)}
    events |= {"X4": (bn.mean[3] - 0.2, None), "X6": (None, bn.mean[5])}
    happened = np.ones(len(draws), dtype=bool)
    for name, (low, high) in events.items():
        happened &= draws[name].between(-np.inf if low is None else low, np.inf if high is None else high)
    assert bn.probability(events) == pytest.approx(happened.mean(), abs=5 * 0.5 / 1000)
    assert bn.probability(events) == bn.probability(events)
    condition = draws["X1"] >= bn.mean[0]
    both = bn.probability({"X2": events["X2"]}, given={"X1": events["X1"]})
    assert both == pytest.approx((draws["X2"] <= events["X2"][1])[condition].mean(), abs=5 * 0.5 / 700)


def test_events_given_values_are_those_of_the_conditional(bn):
    known = {"X3": float(bn.mean[2]) + 1.0}
    after = bn.condition(known)
    assert bn.probability({"X5": (0.5, None)}, given=known) == pytest.approx(after.probability(0.5)[4], abs=1e-12)
    interval = {"X3": (float(bn.mean[2]), None)}
    expected = bn.condition(interval).probability(0.5)[4]
    assert bn.probability({"X5": (0.5, None)}, given=interval) == pytest.approx(expected, abs=1e-10)
    assert bn.probability({"X3": (float(bn.mean[2]), None)}, given=known) == 1.0
    assert bn.probability({"X3": (None, float(bn.mean[2]))}, given=known) == 0.0


def test_events_on_regions(placed):
    assert placed.probability({BOX: (1, None)}) == pytest.approx(norm.sf(1), abs=1e-12)
    expected = placed.condition({BOX: (1, None)}).probability(1.0)[4]
    assert placed.probability({"X5": (1, None)}, given={BOX: (1, None)}) == pytest.approx(expected, abs=1e-10)


@given(networks, st.data())
@settings(deadline=None, max_examples=40)
def test_do_equals_graph_surgery(bn, data):
    at = sorted(data.draw(st.sets(st.integers(0, len(bn.names) - 1), min_size=1, max_size=3)))
    values = bn.mean[at] + 0.5
    coefficients, residual, intercepts = bn.coefficients.toarray(), bn.residual_variances.copy(), bn.intercepts.copy()
    coefficients[:, at], residual[at], intercepts[at] = 0.0, 0.0, values
    inverse = np.linalg.inv(np.eye(len(bn.names)) - coefficients.T)
    post = bn.do({bn.names[i]: value for i, value in zip(at, values, strict=True)})
    np.testing.assert_allclose(post.mean, inverse @ intercepts, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(post.sd**2, np.diag(inverse @ np.diag(residual) @ inverse.T), rtol=1e-9, atol=1e-10)


def test_do_says_that_arcs_are_not_causes_and_takes_units(placed):
    post = placed.do({(-30, -180): 2.0})
    assert post.evidence == {"X1": 2.0}
    assert repr(post) == "Conditional(24 nodes given do(X1 = 2 sd); units: sd)"
    assert "not causes" in post.to_xarray().attrs["note"]
    assert "not causes" in cb.GaussianBN.do.__doc__
    kelvin = placed.do({"X1": placed.centre[0] + 2 * placed.spread[0]}, units="data")
    np.testing.assert_allclose(kelvin.mean, post.mean * placed.spread + placed.centre, rtol=1e-10)
    with pytest.raises(ClimateBNError, match="single nodes only"):
        placed.do({BOX: 1.0})


def test_conditional_samples_have_the_conditional_moments(placed):
    evidence = {BOX: 1.5, "X5": -1.0}
    draws = placed.sample(40_000, given=evidence, seed=1)
    post = placed.condition(evidence)
    error = post.sd / np.sqrt(len(draws))
    np.testing.assert_array_less(np.abs(draws.mean() - post.mean), 5 * error + 1e-12)
    np.testing.assert_allclose(draws.std(), post.sd, rtol=5 / np.sqrt(2 * len(draws)))
    assert (draws["X5"] == -1.0).all()
    (fact,) = post.about
    values = (draws * placed.spread + placed.centre)[fact["nodes"]].to_numpy() @ fact["weights"]
    np.testing.assert_allclose(values, fact["mean"] + 1.5 * fact["sd"], rtol=1e-9)
    _, covariance = dense(placed)
    rows = np.zeros((2, 24))
    rows[0, [placed.names.index(name) for name in fact["nodes"]]] = fact["weights"]
    rows[0] *= placed.spread
    rows[1, 4] = 1.0
    gain = covariance @ rows.T @ np.linalg.inv(rows @ covariance @ rows.T)
    expected = covariance - gain @ rows @ covariance
    scale = np.outer(post.sd, post.sd) + 1e-12
    np.testing.assert_allclose(draws.cov() / scale, expected / scale, atol=6 / np.sqrt(len(draws)))
    assert placed.sample(5, given=evidence, seed=1).equals(placed.sample(5, given=evidence, seed=1))


def test_samples_given_an_interval(placed):
    evidence = {"X2": (1.0, 2.0), "X5": 0.5}
    draws = placed.sample(40_000, given=evidence, seed=1)
    post = placed.condition(evidence)
    assert draws["X2"].between(1.0, 2.0).all()
    np.testing.assert_array_less(np.abs(draws.mean() - post.mean), 5 * post.sd / np.sqrt(len(draws)) + 1e-12)
    np.testing.assert_allclose(draws.std(), post.sd, rtol=6 / np.sqrt(2 * len(draws)), atol=1e-12)
    np.testing.assert_allclose((draws >= 0.7).mean(), post.probability(0.7), atol=5 * 0.5 / np.sqrt(len(draws)))


def test_samples_are_the_same_in_blocks_of_any_size(placed, monkeypatch):
    asked = [{}, {"X2": 1.0}, {"X2": (0.5, None)}, {"X2": 1.0, "X3": (None, 0.0)}]
    whole = [placed.sample(40, given=evidence, seed=3).to_numpy() for evidence in asked]
    monkeypatch.setattr("climatebn.network.sampling.BLOCK", 7)
    for evidence, draws in zip(asked, whole, strict=True):
        assert np.allclose(placed.sample(40, given=evidence, seed=3).to_numpy(), draws, rtol=0, atol=1e-12)


def test_maps_of_samples(placed):
    draws = placed.sample(3, seed=1, units="data")
    maps = placed.to_maps(draws)
    assert maps.dims == ("sample", "lat", "lon")
    assert maps.attrs["units"] == "K"
    assert float(maps.sel(sample=2, lat=0, lon=-180)) == draws["X2"][2]
    np.testing.assert_array_equal(placed.to_maps(draws.to_numpy()), maps)
    with pytest.raises(ClimateBNError, match="needs nodes with lat and lon"):
        random_network(1, 3).to_maps(np.zeros((2, 3)))


@given(networks)
@settings(deadline=None, max_examples=30)
def test_the_markov_blanket_separates_a_node_from_all_others(bn):
    blanket = bn.markov_blanket("X1")
    assert set(bn.parents("X1")) | set(bn.children("X1")) <= set(blanket)
    assert "X1" not in blanket
    others = set(bn.names) - set(blanket) - {"X1"}
    assert all(cb.d_separated(bn, "X1", other, blanket) for other in others)
    for member in blanket:
        assert not cb.d_separated(bn, "X1", member, set(blanket) - {member})


def test_nodes_by_place(placed):
    assert placed.parents((-28, 184)) == placed.parents("X1")
    assert placed.markov_blanket((-28, 184)) == placed.markov_blanket("X1")
    assert cb.d_separated(placed, (-30, -180), "X7", [(0, 180)]) == cb.d_separated(placed.dag, "X1", "X7", ["X2"])
    with pytest.raises(ClimateBNError, match="must be one node"):
        placed.children(BOX)
    with pytest.raises(ClimateBNError, match="needs nodes with lat and lon"):
        cb.d_separated(placed.dag, (0, 0), "X1")
    with pytest.raises(ClimateBNError, match="must be a list of nodes"):
        cb.d_separated(placed, "X1", "X2", (-5.0, 225.0))
    for holding in (["X1"], ["X7", (-28, 184)]):
        with pytest.raises(ClimateBNError, match="given must not hold a or b themselves"):
            cb.d_separated(placed, (-28, 184), "X6", holding)
    with pytest.raises(ClimateBNError, match="got int"):
        cb.d_separated(3, "X1", "X2")
    with pytest.raises(ClimateBNError, match="unknown node 'X99'"):
        placed.parents("X99")


@pytest.mark.parametrize(
    ("events", "evidence", "words"),
    [
        ({}, {}, "events must map nodes to intervals"),
        ({"X1": 1.0}, {}, "an event is an interval"),
        ({f"X{i}": (0, None) for i in range(1, 5)}, {f"X{i}": (0, None) for i in (7, 8)}, "up to 5 intervals.*got 6"),
        ({"X1": (9, None)}, {}, "begins 9.0 standard deviations"),
    ],
)
def test_wrong_events_are_said(placed, events, evidence, words):
    with pytest.raises(ClimateBNError, match=words):
        placed.probability(events, given=evidence)
