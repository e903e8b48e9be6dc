"""Discrete tests: bnlearn's statistics and p-values, plain twins, and the matched pairs."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame, numbers
from scipy.special import log_ndtr
from scipy.stats import chi2, chi2_contingency
from test_discrete_scores import families

import climatebn as cb
from climatebn.criterion import discrete
from climatebn.criterion.bound_test import bind
from climatebn.criterion.bridge import as_test
from climatebn.errors import ClimateBNError
from climatebn.kernels.chi_square_tail import log_chi_square_tail
from climatebn.kernels.discrete import grouping
from climatebn.learning.api import to_stats

TESTS = {"mi": cb.G2(0.05), "x2": cb.ChiSquare(0.05)}


@pytest.mark.parametrize("name", ["alarm_800", "child_600"])
@pytest.mark.parametrize("key", TESTS)
def test_statistics_and_p_values_equal_bnlearn(name, key):
    stats = to_stats(frame(name))
    number = {node: i for i, node in enumerate(stats.names)}
    for case in numbers(name)["tests"]:
        x, y, given = number[case["x"]], number[case["y"]], [number[z] for z in case["z"]]
        statistic, df = discrete.statistics(stats, x, [y], given, pearson=key == "x2")[0]
        assert statistic == pytest.approx(case[key]["statistic"], rel=1e-8)
        assert df == case[key]["parameter"]
        log_p = TESTS[key].log_p(stats, x, y, given)
        assert math.exp(log_p) == pytest.approx(case[key]["p"], rel=1e-7, abs=1e-300)
        assert TESTS[key].dependent(stats, x, y, given) == (case[key]["p"] < 0.05)


@given(families())
@settings(max_examples=60, deadline=None)
def test_statistics_equal_sums_over_strata(family):
    stats, x, (y, *given) = family
    expected = {"log-likelihood": 0.0, "pearson": 0.0}
    for stratum in product(*(range(stats.levels[z]) for z in given)):
        rows = stats.codes[(stats.codes[:, given] == stratum).all(axis=1)]
        table = np.zeros(stats.levels[[x, y]])
        np.add.at(table, (rows[:, x], rows[:, y]), 1)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        for kind in expected:
            if min(table.shape) > 1:
                expected[kind] += chi2_contingency(table, correction=False, lambda_=kind).statistic
    for kind, value in expected.items():
        ((got, _),) = discrete.statistics(stats, x, [y], given, pearson=kind == "pearson")
        assert got == pytest.approx(value, rel=1e-9, abs=1e-9)


def test_adjusted_p_values_equal_bnlearn():
    fewer = 0
    for case in numbers("adjusted_degrees"):
        *columns, counts = np.array(case["cells"]).T
        stats = cb.DiscreteStats(np.repeat(np.column_stack(columns), counts, axis=0), case["levels"])
        given = range(2, len(columns))
        for key, test in {"mi-adf": cb.G2, "x2-adf": cb.ChiSquare}.items():
            adjusted, nominal = (
                math.exp(test(0.05, df=df).log_p(stats, 0, 1, given)) for df in ("adjusted", "nominal")
            )
            assert adjusted == pytest.approx(case[key], rel=1e-9)
            fewer += nominal > adjusted * 1.01
    assert fewer == 12  # of 16: elsewhere every level was seen in every configuration


@given(families(), st.sampled_from([0, 480]))
@settings(max_examples=100, deadline=None)
def test_adjusted_degrees_are_those_of_levels_seen(family, few):
    """Counted with bit sets or row by row, beside sums over strata; the two entries agree."""
    stats, x, (y, *given) = family
    expected = 0
    for stratum in product(*(range(stats.levels[z]) for z in given)):
        rows = stats.codes[(stats.codes[:, given] == stratum).all(axis=1)]
        if len(rows):
            expected += (len(set(rows[:, x])) - 1) * (len(set(rows[:, y])) - 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "FEW_WORDS", few)
        for pearson in (False, True):
            ((_, df),) = discrete.statistics(stats, x, [y], given, pearson=pearson, df="adjusted")
            assert df == expected
        for test in (cb.G2(0.05, df="adjusted"), cb.ChiSquare(0.05, df="adjusted")):
            assert bind(test, stats).evidence(x, y, given) == test.evidence(stats, x, y, given)


def test_degrees_of_freedom_have_two_names():
    for test in (cb.G2, cb.ChiSquare):
        with pytest.raises(ClimateBNError, match="unknown df 'adjust'; did you mean 'adjusted'"):
            test(0.05, df="adjust")


@given(families())
@settings(max_examples=60, deadline=None)
def test_x_and_y_may_change_places(family):
    stats, x, (y, *given) = family
    for test in (*TESTS.values(), cb.G2(0.05, df="adjusted"), as_test(cb.BIC(gamma=0.5))):
        assert test.evidence(stats, x, y, given) == test.evidence(stats, y, x, given)
    log_bayes_factor = as_test(cb.BDeu(prior="vsp"))
    there, back = (log_bayes_factor.evidence(stats, *pair, given) for pair in ((x, y), (y, x)))
    assert there == pytest.approx(back, rel=1e-9, abs=1e-8)


@given(families(), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_equal_tables_give_equal_bits(family, seed):
    """Levels, rows and columns in another order, x and y exchanged: the same numbers to the last bit."""
    stats, x, (y, *given) = family
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(stats.names))
    codes = np.column_stack([rng.permutation(stats.levels[c])[stats.codes[:, c]] for c in order])
    other = cb.DiscreteStats(rng.permutation(codes), stats.levels[order])
    place = {int(c): i for i, c in enumerate(order)}
    a, b, moved = place[x], place[y], [place[z] for z in rng.permutation(given).astype(int).tolist()]
    for test in (*TESTS.values(), as_test(cb.BIC()), as_test(cb.BDeu(prior="vsp"))):
        here, there = bind(test, stats), bind(test, other)
        assert here.again(x, y, given) == there.again(a, b, moved) == there.again(b, a, moved)
    for form in (discrete.DiscreteForm(), discrete.DiscreteForm(iss=1.0)):
        assert discrete.gains(stats, x, given, [y], form) == discrete.gains(other, a, moved, [b], form)


@given(families())
@settings(max_examples=60, deadline=None)
def test_matched_test_is_the_score_difference(family):
    stats, x, (y, *given) = family
    for score in (cb.BIC(gamma=0.5), cb.BIC(), cb.BDeu(), cb.BDeu(prior="vsp")):
        gain = score.local(stats, x, [*given, y]) - score.local(stats, x, given)
        if abs(gain) > 1e-6:
            assert as_test(score).dependent(stats, x, y, given) == (gain > 0)
    statistic, df = discrete.statistics(stats, x, [y], given, pearson=False)[0]
    threshold = df * (math.log(stats.n) + math.log(len(stats.names)))
    if abs(statistic - threshold) > 1e-6:
        assert as_test(cb.BIC(gamma=0.5)).dependent(stats, x, y, given) == (statistic > threshold)


def test_tail_of_chi_square_beyond_the_smallest_double():
    for t in (0.5, 30.0, 1400.0, 1500.0, 1e5):
        assert log_chi_square_tail(t, 1) == pytest.approx(math.log(2) + log_ndtr(-math.sqrt(t)), rel=1e-12)
        assert log_chi_square_tail(t, 2) == pytest.approx(-t / 2, rel=1e-12)
    assert log_chi_square_tail(700.0, 400) == pytest.approx(chi2.logsf(700.0, 400), rel=1e-12)
    for df in (3, 50, 5000):  # no step where the continued fraction takes over
        ts = np.linspace(df + 1200, df + 30000, 3000)
        logs = np.array([log_chi_square_tail(t, df) for t in ts])
        assert (np.diff(logs) < 0).all()
        assert np.abs(np.diff(logs, 2)).max() < 0.1
    assert log_chi_square_tail(0.0, 0) == 0.0
