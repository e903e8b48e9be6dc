"""Ensembles: what is resampled, what the mean answers, how sure it says it is, and what is counted."""

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from made_data import chain, node_data
from scipy.special import ndtr

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.rng import generator
from climatebn.uncertainty.arc_support import averaged, data_driven_threshold
from climatebn.uncertainty.resampling import blocks_of, resampled_rows

QUIET = {"progress": False}
CLIMB = ("hill_climbing", cb.BIC())
BOX = {"lat": (-5, 5), "lon": (-170, -140)}


@pytest.fixture(scope="module")
def data():
    return node_data(chain(240, 6, 3))


@pytest.fixture(scope="module")
def ens(data):
    return cb.ensemble(data, *CLIMB, resamples=12, seed=1, **QUIET)


@settings(deadline=None)
@given(st.integers(24, 100), st.integers(1, 12), st.integers(0, 9))
def test_a_resample_is_made_of_whole_years(months, first, seed):
    record = node_data(np.zeros((months, 1)), f"1981-{first:02d}")
    blocks = blocks_of(record, months, "year")
    assert sorted(np.concatenate(blocks)) == list(range(months))
    years = record.time.astype("datetime64[Y]").astype(int)
    assert all(len(np.unique(years[block])) == 1 for block in blocks)
    rows = resampled_rows(blocks, generator(seed))
    counts = np.bincount(rows, minlength=months)
    assert all(len(np.unique(counts[block])) == 1 for block in blocks)


def test_all_blocks_are_equally_likely():
    blocks = blocks_of(None, 60, 12)
    counts = sum(np.bincount(resampled_rows(blocks, generator(seed)), minlength=60) for seed in range(600))
    assert abs(counts / 600 - 1).max() < 5 / np.sqrt(600)


def test_equal_years_leave_nothing_to_resample_and_one_member_is_the_network():
    years = node_data(np.tile(chain(12, 4, 1), (20, 1)))
    answer = cb.ensemble(years, *CLIMB, resamples=3, **QUIET).propagate({"X1": 2.0})
    assert answer["difference_sd"].max() < 1e-12
    assert abs(answer["difference_high"] - answer["difference_low"]).max() < 1e-12
    one = cb.ensemble(years, *CLIMB, resamples=1, **QUIET)
    bn = cb.fit(cb.learn(years, *CLIMB, **QUIET).dag, years, scale="sd")
    alone = one.propagate({"X1": 2.0})
    expected = cb.propagate(bn, {"X1": 2.0}, marginals="sample")["difference"]
    np.testing.assert_allclose(alone["difference"], expected, atol=1e-12)
    np.testing.assert_allclose(alone["difference_single"], cb.propagate(bn, {"X1": 2.0})["difference"], atol=1e-12)
    assert alone["difference_low"].isnull().all()  # one member has no interval
    assert np.isnan(one.region_mean({"X1": 2.0}, **BOX)["sd"])


def test_the_answer_is_that_of_the_mean_correlation(ens):
    each = np.array([member.product(np.eye(6)) for member in ens.members])
    np.testing.assert_allclose(ens.covariance(), each.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(np.diagonal(each, axis1=1, axis2=2), 1, atol=1e-12)

    def rise(r):
        return np.delete(ndtr((2 * r - 1) / np.sqrt(np.maximum(1 - r**2, 1e-30))) - ndtr(-1), 1, axis=-1)

    answer = ens.propagate({"X2": 2.0}).isel(lat=0, lon=[0, 2, 3, 4, 5])
    sd = rise(each[:, 1]).std(axis=0, ddof=1)
    np.testing.assert_allclose(answer["difference"], rise(each.mean(axis=0)[1]), atol=1e-9)
    np.testing.assert_allclose(answer["difference_sd"], sd, atol=1e-9)
    np.testing.assert_allclose(answer["difference_high"] - answer["difference"], 1.645 * sd, atol=1e-9)


def test_members_imply_the_correlations_of_their_networks(ens):
    cov = ens.network(3).covariance()
    sd = np.sqrt(np.diag(cov))
    np.testing.assert_allclose(ens.members[3].correlations(), cov / np.outer(sd, sd), atol=1e-12)


def test_agreement_is_told_only_beyond_five_hundredths(ens):
    answer = ens.propagate({"X1": 2.0})
    told = (abs(answer["difference"]) > 0.05).values
    assert (answer["agreement"].notnull().values == told).all()
    assert answer["agreement"].values[0, 1] == 1


def test_both_tails_have_everything_twice(ens):
    answer = ens.propagate({"X1": 2.0}, tail="both")
    for side in ("upper", "lower"):
        alone = ens.propagate({"X1": 2.0}, tail=side)
        for name in ("difference", "difference_sd", "difference_low", "difference_high", "difference_single"):
            assert (answer[name.replace("difference", f"difference_{side}")].values == alone[name].values).all()
        assert f"agreement_{side}" in answer


def test_units_of_the_data(ens, data):
    at = data.values[:, 0].mean() + 2 * data.values[:, 0].std(ddof=1)
    in_sd, in_data = ens.condition({"X1": 2.0}), ens.condition({"X1": at}, "data")
    expected = data.values.mean(axis=0) + in_sd.mean * data.values.std(axis=0, ddof=1)
    np.testing.assert_allclose(in_data.mean, expected, atol=1e-9)


def test_samples_have_the_mean_correlation(ens):
    draws = ens.sample(20_000, seed=1)
    np.testing.assert_allclose(np.corrcoef(draws.T), ens.covariance(), atol=0.05)
    assert list(draws.columns) == list(ens.names)


def test_propagate_takes_an_ensemble(ens):
    xr.testing.assert_equal(cb.propagate(ens, {"X1": 2.0}), ens.propagate({"X1": 2.0}))


def test_region_means_are_means_of_the_map(ens):
    answer, found = ens.propagate({"X1": 2.0}), ens.region_mean({"X1": 2.0}, **BOX)
    assert found["mean"] == pytest.approx(cb.region_mean(answer["difference"], **BOX).item())
    assert found["single"] == pytest.approx(cb.region_mean(answer["difference_single"], **BOX).item())
    assert found["high"] - found["mean"] == pytest.approx(1.645 * found["sd"])
    assert set(found) == {"mean", "sd", "low", "high", "single"}


def test_intervals_of_independent_white_data_cover_zero():
    covered = []
    for seed in range(15):
        white = node_data(np.random.default_rng(seed).normal(size=(240, 12)))
        answer = cb.ensemble(white, *CLIMB, resamples=20, **QUIET).propagate({"X1": 2.0}).isel(lon=slice(1, None))
        covered.append(((answer["difference_low"] <= 0) & (answer["difference_high"] >= 0)).mean().item())
    assert np.mean(covered) >= 0.9


def test_a_file_brings_it_all_back(ens, tmp_path):
    path = tmp_path / "ensemble.nc"
    ens.save(path)
    found = cb.Ensemble.load(path)
    assert repr(found) == repr(ens)
    assert found.arcs().equals(ens.arcs())
    xr.testing.assert_equal(found.propagate({"X1": 2.0}), ens.propagate({"X1": 2.0}))
    with pytest.raises(ClimateBNError, match="reads schema 1, GaussianBN or DiscreteBN"):
        cb.load_network(path)


def test_supports_of_a_chain(ens):
    table = ens.arcs()
    pairs = [(f"X{i}", f"X{i + 1}") for i in range(1, 6)]
    always = table.loc[table["support"] == 1, ["source", "target"]].to_numpy()
    assert {tuple(sorted(pair)) for pair in always} == set(pairs)
    assert ens.consensus().skeleton == pairs
    assert len(ens.consensus(0.0).arcs) == len(table)


def test_links_between_regions_count_members(ens):
    near = ens.links_between(((-5, 5), (-180, -160)), ((-5, 5), (-160, -150)))
    assert near.support == 1
    assert near.mean_arcs >= 1
    far = ens.links_between({"lat": (-5, 5), "lon": (-180, -170)}, ((-5, 5), (-130, -120)))
    assert far.support < 0.5
    long = ens.teleconnections(min_km=1000)
    assert (long["km"] > 1000).all()
    assert {"source_lat", "target_lon", "support"} <= set(long)


def test_graphs_that_are_not_valid_are_counted_and_never_repaired():
    noise = np.random.default_rng(4).normal(size=(240, 8))
    mixed = node_data(noise @ np.random.default_rng(5).normal(size=(8, 8)))
    found = cb.ensemble(mixed, "pc_stable", cb.G2(alpha=0.1), resamples=12, **QUIET)
    assert found.invalid > 0
    assert found.invalid + len(found) == len(found.graphs) == 12


def test_gamma_of_the_members_is_its_own_argument(data):
    found = cb.ensemble(data, "hill_climbing", cb.BIC(gamma=1), gamma=0.0, resamples=2, **QUIET)
    assert "gamma=0.0" in found.criterion
    assert "gamma=1" in found.single_criterion
    dense = cb.ensemble(data, "hill_climbing", cb.BIC(gamma=0), resamples=2, **QUIET)
    assert all(np.array_equal(a.weights, b.weights) for a, b in zip(found.members, dense.members, strict=True))
    with pytest.raises(ClimateBNError, match="gamma= is for a criterion with γ"):
        cb.ensemble(data, "hill_climbing", cb.AIC(), gamma=0.5, **QUIET)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60))
def test_the_threshold_minimises_the_distance_to_an_ideal_network(counts):
    p = np.sort(np.array(counts) / 20)
    x = (np.arange(40_000) + 0.5) / 40_000
    cdf = np.searchsorted(p, x, side="right") / len(p)

    def distance(t):
        return np.abs(cdf - t).mean()

    share_of_zeros = (p <= data_driven_threshold(p)).mean()
    assert distance(share_of_zeros) <= min(distance(t) for t in np.linspace(0, 1, 101)) + 1e-9


def test_an_arc_that_would_close_a_cycle_is_turned():
    dag = averaged(("a", "b", "c"), [("a", "b"), ("b", "c"), ("c", "a")])
    assert dag.arcs == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"resamples": 0}, "resamples must be a whole number ≥ 1"),
        ({"block": 0}, "block must be 'year' or a whole number of rows"),
        ({"block": 240}, "two blocks of 240 rows; the data has 240 rows"),
        ({"block": "month"}, "block must be 'year'"),
        ({"workers": "all"}, "workers must be a number of processes or an executor"),
        ({"workers": 0}, "workers must be 1 or more"),
        ({"seed": "x"}, "seed must be a whole number, 0 or more; got 'x'"),
    ],
)
def test_wrong_arguments(data, arguments, message):
    with pytest.raises(ClimateBNError, match=message):
        cb.ensemble(data, *CLIMB, **arguments)


def test_what_cannot_be_asked(data, ens):
    with pytest.raises(ClimateBNError, match="two years; the data has 1"):
        cb.ensemble(node_data(chain(12, 3, 1)), *CLIMB)
    with pytest.raises(ClimateBNError, match="block='year' needs dates"):
        cb.ensemble(data.values, *CLIMB)
    with pytest.raises(ClimateBNError, match="X99"):
        ens.propagate({"X99": 1.0})
    for member in (12, -1, 1.5):
        with pytest.raises(ClimateBNError, match=f"member must be a whole number, 0 … 11; got {member}"):
            ens.network(member)
    with pytest.raises(ClimateBNError, match="region_a holds no node"):
        ens.links_between(((50, 60), (0, 10)), ((-5, 5), (-180, 180)))
    with pytest.raises(ClimateBNError, match="must not overlap"):
        ens.links_between(((-5, 5), (-180, 180)), ((-5, 5), (-180, 180)))


def test_a_resample_with_fewer_distinct_months_than_places_is_no_collinear_data():
    values = np.random.default_rng(1).normal(size=(120, 72))
    found = cb.ensemble(node_data(values), *CLIMB, resamples=3, **QUIET)
    assert len(found) == 3
