"""Tests of discrete data that share a conditioning set are made together, with the answers and counts of one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn.criterion import bound_test
from climatebn.criterion.bound_test import bind
from climatebn.criterion.bridge import as_test

TESTS = [as_test(cb.BIC()), as_test(cb.BDeu(prior="vsp")), as_test(cb.AIC()), cb.G2(0.05), cb.ChiSquare(0.05)]


def chained(seed, nodes=12, n=150):
    """Columns of 2 to 4 levels, each following one before it more or less closely."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(2, 5, nodes)
    codes = rng.integers(0, levels, (n, nodes))
    for column in range(1, nodes):
        copied = rng.random(n) < rng.uniform(0, 0.8)
        codes[copied, column] = codes[copied, rng.integers(column)] % levels[column]
    return cb.DiscreteStats(codes, levels)


@pytest.mark.parametrize("test", TESTS, ids=repr)
@given(st.integers(0, 10**6), st.sampled_from([(), (1,), (1, 4), (2, 5, 7)]), st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_rows_and_scans(test, seed, some, together):
    stats = chained(seed)
    session = bind(test, stats)
    rest = [j for j in np.random.default_rng(seed).permutation(12).tolist() if j not in (0, *some)]
    one_by_one = np.array([test.evidence(stats, 0, y, some) for y in rest])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bound_test, "TOGETHER", together)
        assert session.row(0, rest, some) == pytest.approx(one_by_one, rel=1e-9, abs=1e-9)
        assert session.calls == len(rest)
        first = next((i for i, evidence in enumerate(one_by_one) if evidence > 0), None)
        assert session.first_dependent(0, rest, some) == first
        assert session.calls == len(rest) + (len(rest) if first is None else first + 1)


@pytest.mark.parametrize("test", TESTS, ids=repr)
def test_a_node_among_its_own_set(test):
    stats = chained(3)
    session = bind(test, stats)
    assert session.row(0, [0, 1, 2], [1])[[0, 2]] == pytest.approx([np.inf, test.evidence(stats, 0, 2, [1])])
    assert session.row(0, [1, 2], [1])[0] == pytest.approx(test.evidence(stats, 0, 1, []))
    assert session.row(0, [2, 3], [0, 1]) == pytest.approx([test.evidence(stats, 0, y, [1]) for y in (2, 3)])


def test_the_clock_is_looked_at():
    with pytest.raises(bound_test.OutOfTime):
        bind(TESTS[0], chained(1), lambda: True).row(0, [1, 2], [])
