"""Gaussian tests: bnlearn's numbers, scipy as oracle, matched pairs, and hard cases."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame, numbers
from scipy import stats as oracle

import climatebn as cb
from climatebn.criterion.bridge import as_test
from climatebn.errors import ClimateBNError
from climatebn.learning.api import to_stats

TESTS = {"mi-g": cb.G2(0.05), "zf": cb.FisherZ(0.05), "cor": cb.StudentT(0.05)}
ALL = [*TESTS.values(), as_test(cb.BIC(0.5)), as_test(cb.BIC(0.5, variance="unbiased")), as_test(cb.BGe())]


def random_stats(seed, nodes=6, n=40):
    """Gaussian data with chained dependence."""
    values = np.random.default_rng(seed).normal(size=(n, nodes))
    for i in range(1, nodes):
        values[:, i] += values[:, i - 1] * (i % 3)
    return cb.GaussianStats.of(values)


def partial_correlation(stats, x, y, z):
    """From the inverse of the covariance of x, y and z."""
    precision = np.linalg.inv(stats.cov[np.ix_([x, y, *z], [x, y, *z])])
    return -precision[0, 1] / math.sqrt(precision[0, 0] * precision[1, 1])


@pytest.mark.parametrize("name", ["gauss8", "gauss25", "ncep72"])
@pytest.mark.parametrize("key", TESTS)
def test_p_values_equal_bnlearn(name, key):
    stats = to_stats(frame(name))
    number = {node: i for i, node in enumerate(stats.names)}
    for case in numbers(name)["tests"]:
        x, y, z = number[case["x"]], number[case["y"]], [number[node] for node in case["z"]]
        assert math.exp(TESTS[key].log_p(stats, x, y, z)) == pytest.approx(case[key]["p"], rel=1e-7, abs=1e-300)
        assert TESTS[key].dependent(stats, x, y, z) == (case[key]["p"] < 0.05)
        if key == "mi-g":
            critical = oracle.chi2.isf(0.05, 1)
            statistic = TESTS[key].evidence(stats, x, y, z) + critical
            assert statistic == pytest.approx(case[key]["statistic"], rel=1e-8)


@given(st.integers(0, 10**6), st.sampled_from([(), (2,), (3, 5), (2, 3, 4, 5)]), st.floats(0.001, 0.5))
@settings(max_examples=40, deadline=None)
def test_p_values_by_the_textbook(seed, z, alpha):
    stats = random_stats(seed)
    rho = partial_correlation(stats, 0, 1, z)
    n, k = stats.n, len(z)
    expected = {
        cb.G2(alpha): oracle.chi2.logsf(-n * math.log1p(-(rho**2)), 1),
        cb.FisherZ(alpha): math.log(2) + oracle.norm.logsf(abs(math.atanh(rho)) * math.sqrt(n - k - 3)),
        cb.StudentT(alpha): math.log(2) + oracle.t.logsf(abs(rho) * math.sqrt((n - k - 2) / (1 - rho**2)), n - k - 2),
    }
    for test, log_p in expected.items():
        assert test.log_p(stats, 0, 1, z) == pytest.approx(log_p, rel=1e-8, abs=1e-10)
        if abs(log_p - math.log(alpha)) > 1e-9:
            assert test.dependent(stats, 0, 1, z) == (log_p < math.log(alpha))


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_nodes_may_change_places_and_names(seed):
    stats = random_stats(seed)
    order = np.random.default_rng(seed).permutation(6)
    moved = stats.permuted(order)
    place = {int(node): i for i, node in enumerate(order)}
    for test in ALL:
        here = test.evidence(stats, 0, 3, [1, 4])
        assert test.evidence(stats, 3, 0, [4, 1]) == pytest.approx(here, rel=1e-7, abs=1e-7)
        assert test.evidence(moved, place[0], place[3], [place[4], place[1]]) == pytest.approx(here, rel=1e-7, abs=1e-7)


@given(
    st.integers(0, 10**6),
    st.sampled_from([(), (2,), (2, 4, 5)]),
    st.sampled_from([0.0, 0.5, 3.0]),
    st.sampled_from([1.0, 2.0]),
)
@settings(max_examples=40, deadline=None)
def test_matched_pair_of_bic(seed, z, gamma, weight):
    stats = random_stats(seed)
    rho = partial_correlation(stats, 0, 1, z)
    expected = -stats.n * math.log1p(-(rho**2)) - weight * (math.log(stats.n) + 2 * gamma * math.log(6))
    score = cb.BIC(gamma, weight=weight)
    difference = score.local(stats, 0, [*z, 1]) - score.local(stats, 0, z)
    for variance in ("ml", "unbiased"):
        assert as_test(replace(score, variance=variance)).evidence(stats, 0, 1, z) == pytest.approx(expected, rel=1e-8)
    assert as_test(score).evidence(stats, 0, 1, z) == pytest.approx(2 * difference, rel=1e-8, abs=1e-8)


def test_other_scores_decide_by_the_sign_of_their_gain():
    stats = random_stats(1)
    for score in (cb.BGe(), cb.BGe(prior="vsp")):
        test = as_test(score)
        gain = score.local(stats, 2, [0, 1]) - score.local(stats, 2, [0])
        assert test.evidence(stats, 2, 1, [0]) == pytest.approx(gain)
        assert test.log_p(stats, 2, 1, [0]) == (-math.inf if gain > 0 else 0.0)
    assert as_test(cb.AIC()).evidence(stats, 0, 1, []) == pytest.approx(
        2 * (cb.AIC().local(stats, 0, [1]) - cb.AIC().local(stats, 0, []))
    )


def test_a_test_is_its_own_test():
    assert as_test(cb.FisherZ(0.01)) == cb.FisherZ(0.01)


def test_far_tails_do_not_underflow():
    stats = cb.GaussianStats(5000, [[1.0, 0.9], [0.9, 1.0]])
    for test in TESTS.values():
        assert -10_000 < test.log_p(stats, 0, 1, []) < -3000
    strong = cb.GaussianStats(5000, [[1.0, 0.95], [0.95, 1.0]])
    for test in TESTS.values():
        assert test.evidence(strong, 0, 1, []) > test.evidence(stats, 0, 1, []) > 0


def test_a_set_that_explains_a_node_leaves_no_dependence():
    """Node 3 is node 0 plus node 1; rounding errors must not become evidence, and nothing is NaN."""
    values = np.random.default_rng(3).normal(size=(50, 5))
    values[:, 3] = values[:, 0] + values[:, 1]
    values[:, 4] += values[:, 2] + values[:, 3]
    stats = cb.GaussianStats.of(values)
    for test in ALL:
        assert test.evidence(stats, 3, 4, [0, 1]) < 0
        assert test.evidence(stats, 4, 3, [0, 1]) < 0
        without = test.evidence(stats, 4, 2, [0, 1])
        if "BGe" not in repr(test) and not isinstance(test, cb.FisherZ | cb.StudentT):  # they count the set's nodes
            assert test.evidence(stats, 4, 2, [0, 1, 3]) == pytest.approx(without, rel=1e-6)


@pytest.mark.parametrize("test", [cb.G2, cb.FisherZ, cb.StudentT])
@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, math.nan])
def test_levels_lie_between_0_and_1(test, alpha):
    with pytest.raises(ClimateBNError, match="alpha must be a finite number, above 0 and below 1"):
        test(alpha)


def test_a_set_too_large_for_the_data_is_refused():
    stats = random_stats(1, nodes=9, n=6)
    with pytest.raises(ClimateBNError, match="not possible with n = 6"):
        cb.StudentT().evidence(stats, 0, 1, [2, 3, 4, 5])
    assert math.isfinite(cb.StudentT().evidence(stats, 0, 1, [2, 3, 4]))
    with pytest.raises(ClimateBNError, match="needs at least 4 observations; the data has 3"):
        cb.FisherZ().evidence(random_stats(1, nodes=4, n=3), 0, 1, [])


def test_an_empty_set_may_be_an_array_of_any_shape():
    stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
    assert cb.StudentT().evidence(stats, 0, 1, np.zeros((0, 3))) == cb.StudentT().evidence(stats, 0, 1, [])
