"""GaussianBN against dense linear algebra, scipy's multivariate normal, and its own samples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import dense, networks, random_network
from scipy.stats import multivariate_normal

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.network.triangle import BLOCK


@given(networks)
@settings(deadline=None, max_examples=60)
def test_moments_equal_dense_algebra(bn):
    mean, covariance = dense(bn)
    np.testing.assert_allclose(bn.mean, mean, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(bn.covariance(), covariance, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(bn.variances(), np.diag(covariance), rtol=1e-10)
    np.testing.assert_allclose(bn.covariance(["X2"]), covariance[:, [1]], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(bn.precision().toarray() @ covariance, np.eye(len(bn.names)), atol=1e-9)


@given(networks, st.data())
@settings(deadline=None, max_examples=100)
def test_condition_equals_dense_conditioning(bn, data):
    mean, covariance = dense(bn)
    size = len(bn.names)
    known = sorted(data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=min(4, size))))
    values = np.array([mean[i] + np.sqrt(covariance[i, i]) * data.draw(st.floats(-3, 3)) for i in known])
    post = bn.condition({bn.names[i]: value for i, value in zip(known, values, strict=True)})
    gain = covariance[:, known] @ np.linalg.inv(covariance[np.ix_(known, known)])
    expected = mean + gain @ (values - mean[known])
    variance = np.diag(covariance - gain @ covariance[known])
    rest = np.setdiff1d(np.arange(size), known)
    np.testing.assert_allclose(post.mean[rest], expected[rest], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(post.sd[rest], np.sqrt(variance[rest]), rtol=1e-9, atol=1e-10)
    assert post.mean[known].tolist() == values.tolist()
    assert not post.sd[known].any()


@given(networks, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=40)
def test_order_of_evidence_does_not_matter(bn, random):
    keys = [bn.names[0], bn.names[-1]]
    random.shuffle(keys)
    evidence = {key: float(bn.mean[bn.names.index(key)]) + 0.5 for key in keys}
    again = dict(reversed(evidence.items()))
    np.testing.assert_allclose(bn.condition(evidence).mean, bn.condition(again).mean, rtol=1e-10, atol=1e-12)


def test_variances_need_more_than_one_block_of_columns():
    bn = random_network(3, 2 * BLOCK + 7, density=0.02)
    np.testing.assert_allclose(bn.variances(), np.diag(dense(bn)[1]), rtol=1e-12)


def test_samples_agree_with_conditioning():
    bn = random_network(5, 6, density=0.7)
    draws = bn.sample(1_000_000, seed=1)
    assert list(draws.columns) == list(bn.names)
    centre, width = bn.mean[2], 0.02 * np.sqrt(bn.variances()[2])
    near = draws[(draws["X3"] - centre - 1.0).abs() < width].to_numpy()
    post = bn.condition({"X3": centre + 1.0})
    rest = [i for i in range(6) if i != 2]
    error = post.sd[rest] / np.sqrt(len(near))
    np.testing.assert_array_less(np.abs(near.mean(axis=0) - post.mean)[rest], 5 * error + width)
    np.testing.assert_allclose(near.std(axis=0)[rest], post.sd[rest], rtol=5 / np.sqrt(2 * len(near)))
    share = (near >= 0.5).mean(axis=0)
    np.testing.assert_allclose(share[rest], post.probability(0.5)[rest], atol=5 / np.sqrt(4 * len(near)) + width)


def test_sample_is_repeated_by_its_seed():
    bn = random_network(5, 6)
    assert bn.sample(5, seed=3).equals(bn.sample(5, seed=3))
    assert not bn.sample(5, seed=3).equals(bn.sample(5, seed=4))


@given(networks)
@settings(deadline=None, max_examples=20)
def test_loglik_is_that_of_the_joint_normal(bn):
    mean, covariance = dense(bn)
    data = bn.sample(7, seed=2)
    expected = multivariate_normal(mean, covariance).logpdf(data.to_numpy())
    np.testing.assert_allclose(bn.loglik(data, by="time"), expected, rtol=1e-9)
    assert bn.loglik(data) == pytest.approx(expected.sum(), rel=1e-9)
    assert float(bn.loglik(data, by="node").sum()) == pytest.approx(expected.sum(), rel=1e-9)


@given(networks)
@settings(deadline=None, max_examples=20)
def test_partial_correlations_are_those_of_the_inverse(bn):
    precision = np.linalg.inv(dense(bn)[1])
    scale = np.sqrt(np.diag(precision))
    expected = -precision / np.outer(scale, scale)
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(bn.partial_correlations().toarray(), expected, atol=1e-9)


def test_probability_of_both_tails_and_of_a_known_value():
    bn = cb.GaussianBN.from_parameters(("a", "b"), {}, {"a": 0, "b": 0}, {"a": 1, "b": 4})
    post = bn.condition({"a": 1.0})
    np.testing.assert_allclose(post.probability(1.0), [1.0, 0.3085375387], rtol=1e-9)
    np.testing.assert_allclose(post.probability(1.0, "lower"), [0.0, 0.3085375387], rtol=1e-9)
    assert post["b"] == (0.0, 2.0)


TWINS = cb.GaussianBN.from_parameters(
    ("north", "south", "far"), {("north", "south"): 1.0}, dict.fromkeys(("north", "south", "far"), 0.0),
    {"north": 1.0, "south": 1e-14, "far": 1.0},
)  # fmt: skip


def test_evidence_that_contradicts_itself_is_refused_and_agreeing_evidence_is_not():
    with pytest.raises(ClimateBNError, match=r"jointly impossible.*(north|south).*drop one"):
        TWINS.condition({"north": 2.0, "south": -2.0})
    assert TWINS.condition({"north": 2.0, "south": 2.0})["far"] == (0.0, 1.0)


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({"nort": 1.0}, "unknown evidence node 'nort'; did you mean 'north'"),
        ({"north": 8.5}, r"\+8.5 standard deviations"),
        ({"north": float("nan")}, "must be finite; the value of north"),
        ({"north": "warm"}, "must be numbers"),
        ({(0, 0): 1.0}, "needs nodes with lat and lon"),
        ({0: 1.0}, r"names or places \(lat, lon\); got 0"),
        ("north", "must map nodes to values"),
    ],
)
def test_wrong_evidence_is_said(evidence, words):
    with pytest.raises(ClimateBNError, match=words):
        TWINS.condition(evidence)


def test_wrong_settings_are_said():
    with pytest.raises(ClimateBNError, match="unknown units 'kelvin'"):
        TWINS.condition({}, units="kelvin")
    with pytest.raises(ClimateBNError, match="unknown by 'month'"):
        TWINS.loglik(np.zeros((3, 3)), by="month")
    with pytest.raises(ClimateBNError, match="n must be a whole number, 1 or more"):
        TWINS.sample(0)
    with pytest.raises(ClimateBNError, match="unknown node 'nord'"):
        TWINS.covariance(["nord"])
    with pytest.raises(ClimateBNError, match="node number 3 is outside 0 … 2"):
        TWINS.covariance([3])
    with pytest.raises(ClimateBNError, match="must be positive"):
        cb.GaussianBN.from_parameters(("a",), {}, {"a": 0.0}, {"a": 0.0})
    with pytest.raises(ValueError, match="read-only"):
        TWINS.intercepts[0] = 1.0
