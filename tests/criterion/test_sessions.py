"""Compiled sessions answer and count exactly as the plain ones, which make every test one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_gaussian_tests import random_stats

import climatebn as cb
from climatebn.criterion import compiled_bound_test
from climatebn.criterion.bound_test import OutOfTime, Session, bind
from climatebn.criterion.bridge import as_test
from climatebn.kernels.gaussian import combinations as combinations_kernel

TESTS = [cb.G2(0.05), cb.FisherZ(0.2), cb.StudentT(0.05), as_test(cb.BIC(0.5)), as_test(cb.BGe())]
kinds = pytest.mark.parametrize("test", TESTS, ids=repr)
seeds = st.integers(0, 10**6)


def two(test, stats):
    """The plain and the compiled session of a test."""
    plain, fast = Session(test, stats, lambda: False), bind(test, stats)
    assert isinstance(fast, compiled_bound_test.CompiledSession)
    return plain, fast


def dense_stats(seed, nodes=9, n=60):
    """Data in which most nodes depend on each other given any set, and some do not."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 2))
    return cb.GaussianStats.of(rng.normal(size=(n, nodes)) + common @ rng.normal(size=(2, nodes)) * rng.uniform(0, 2))


def same_counts(plain, fast):
    return (plain.calls, plain.bare_tests, plain.capped) == (fast.calls, fast.bare_tests, fast.capped)


@kinds
@given(seeds)
@settings(max_examples=25, deadline=None)
def test_rows_and_scans(test, seed):
    plain, fast = two(test, dense_stats(seed))
    for some in ((), (1,), (1, 4), (1, 4, 7), (1, 5)):
        rest = [j for j in range(9) if j not in (0, *some)]
        assert fast.row(0, rest, some) == pytest.approx(plain.row(0, rest, some), rel=1e-7, abs=1e-7)
        assert fast.first_dependent(0, rest, some) == plain.first_dependent(0, rest, some)
    members = [1, 4, 7, 2, 8]
    for _ in range(3):
        ys = [3, 4, 1, 5]
        found = fast.around(0, ys, members)
        assert found == pytest.approx(plain.around(0, ys, members), rel=1e-7, abs=1e-7)
        assert fast.log_p(found, 0, ys, members) == pytest.approx(plain_log_p(plain, found, ys, members), rel=1e-6)
        for start in (0, 1):
            place = fast.first_independent(0, members, start, len(members))
            assert place == plain.first_independent(0, members, start, len(members))
        members.pop(place or 0)
    separators = np.array([1, 4, -1])
    assert fast.beside(0, [2, 3, 5], separators, 7) == pytest.approx(
        plain.beside(0, [2, 3, 5], separators, 7), abs=1e-7
    )
    assert same_counts(plain, fast)


@kinds
@given(seeds, st.integers(0, 8), st.permutations(range(9)), st.sampled_from([None, 2, 4]))
@settings(max_examples=40, deadline=None)
def test_blankets(test, seed, target, nodes, limit):
    """The inner IAMB of HPC: same members in the same order, same number of tests, also where it goes in circles."""
    plain, fast = two(test, dense_stats(seed))
    plain.log_alpha, plain.log_p = fast.log_alpha, fast.log_p  # also for a test that has no level of its own
    for session in (plain, fast):
        session.restrict(limit)
    for region, first in ((nodes, nodes[:2]), (nodes[:6], nodes[1:3]), (nodes[:3], nodes[2:3])):
        assert fast.blanket(target, region, first) == plain.blanket(target, region, first)
    assert same_counts(plain, fast)


def plain_log_p(plain, found, ys, members):
    """log p test by test, also for a test that has no level of its own."""
    return [plain.test.log_p(plain.stats, 0, y, [z for z in members if z != y]) for y in ys]


@kinds
@given(seeds, st.integers(0, 3), st.sampled_from([None, 1, 2, 3, 4]), st.sampled_from([(), (8,), (7, 8)]))
@settings(max_examples=60, deadline=None)
def test_subset_searches(test, seed, smallest, largest, fixed):
    """First separating set, least evidence, number of tests: branch and bound against plain enumeration."""
    plain, fast = two(test, dense_stats(seed))
    pool = [int(j) for j in np.random.default_rng(seed).permutation([2, 3, 4, 5, 6])]
    for x, y, ceiling in ((0, 1, np.inf), (1, 0, 0.0)):
        slow, quick = (one.search(x, y, fixed, pool, smallest, largest, ceiling) for one in (plain, fast))
        assert quick.given == slow.given
        if slow.given is None:
            assert quick.evidence == pytest.approx(slow.evidence, rel=1e-6)
    assert same_counts(plain, fast)


@kinds
@given(seeds)
@settings(max_examples=15, deadline=None)
def test_searches_in_slices(test, seed):
    stats = dense_stats(seed)
    plain, fast = two(test, stats)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled_bound_test, "SLICE", 1)
        assert fast.search(0, 1, (), [2, 3, 4, 5, 6]).given == plain.search(0, 1, (), [2, 3, 4, 5, 6]).given
        pairs = np.array(list(combinations(range(9), 2)))
        starts, items = np.arange(10) * 8, np.array([j for i in range(9) for j in range(9) if j != i])
        for size in (1, 2, 3, 4):
            slow, quick = (one.level(size, pairs, starts, items) for one in (plain, fast))
            assert quick.sets == slow.sets
            assert (quick.separated == slow.separated).all()
            assert (quick.bounds == slow.bounds).all()
            assert quick.visited.all()
    assert same_counts(plain, fast)


@kinds
@given(seeds, st.sampled_from([(), (8,)]), st.booleans())
@settings(max_examples=30, deadline=None)
def test_thinning(test, seed, fixed, ranked):
    plain, fast = two(test, dense_stats(seed))
    ys = [3, 1, 5, 2, 7, 4]
    evidences = plain.row(0, ys, ()) if ranked else None
    slow, quick = (one.thin(0, ys, fixed, evidences) for one in (plain, fast))
    assert quick[:2] == slow[:2]
    assert quick[2] == pytest.approx(slow[2], rel=1e-7, abs=1e-7)
    assert fast.calls == plain.calls - len(ys) * ranked


@kinds
def test_a_node_in_its_own_set_has_no_effect(test):
    plain, fast = two(test, dense_stats(5))
    for session in (plain, fast):
        assert session.search(0, 0, (), [1, 2]).given is None
        assert session.calls == 4
    for y in range(1, 9):
        slow, quick = (session.search(0, y, (), [3 - y % 2, 0, 5, 6]) for session in (plain, fast))
        assert quick.given == slow.given
        assert quick.given is not None or quick.evidence == pytest.approx(slow.evidence, rel=1e-6)
    assert fast.around(0, [1, 2], [0, 1]) == pytest.approx(plain.around(0, [1, 2], [0, 1]), rel=1e-6)
    assert same_counts(plain, fast)


@kinds
def test_searches_over_collinear_nodes(test):
    """Repeated information in the pool changes no answer and makes no NaN."""
    values = np.random.default_rng(1).normal(size=(60, 4)) + np.random.default_rng(2).normal(size=(60, 1))
    values = np.column_stack([values, values[:, 2] + values[:, 3], values[:, 2] - values[:, 3]])
    _, fast = two(test, cb.GaussianStats.of(values))
    answer = fast.search(0, 1, (), [2, 3, 4, 5])
    assert np.isfinite(answer.evidence)
    assert np.isfinite(fast.around(0, [1, 2, 3], [2, 3, 4, 5])).all()
    assert np.isfinite(fast.row(0, [1, 3], [2, 4, 5])).all()


def test_time_is_asked_for_within_a_search(monkeypatch):
    monkeypatch.setattr(compiled_bound_test, "SLICE", 1)
    stats = dense_stats(0, nodes=14)
    fast = bind(cb.G2(0.5), stats, lambda: True)
    with pytest.raises(OutOfTime):
        [fast.search(0, y, (), [z for z in range(1, 14) if z != y]) for y in range(1, 14)]


@given(st.integers(0, 12), st.integers(0, 5))
def test_places_in_the_enumeration(n, size):
    for number, places in enumerate(combinations(range(n), size)):
        assert combinations_kernel.rank(n, np.array(places, dtype=np.int64)) == number
    assert combinations_kernel.count(n, 0, size) == sum(len(list(combinations(range(n), k))) for k in range(size + 1))


def test_small_samples_limit_the_sets():
    fast = bind(cb.G2(), random_stats(1, nodes=9, n=7))
    assert fast.limit == 3
    fast.search(0, 1, (), [2, 3, 4, 5, 6])
    assert fast.full([2, 3, 4, 5])
    assert fast.capped
