"""Tests of discrete data that share a conditioning set are made together, with the answers and counts of one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn.criterion import bound_test, discrete_bound_test, subset_likelihoods
from climatebn.criterion.bound_test import Session, bind
from climatebn.criterion.bridge import as_test
from climatebn.kernels.discrete import lattice

SCORES = [cb.BIC(), cb.BDeu(prior="vsp"), cb.AIC()]
TESTS = [
    *map(as_test, SCORES),
    *(test(0.05, df=df) for test in (cb.G2, cb.ChiSquare) for df in ("nominal", "adjusted")),
]


def chained(seed, nodes=12, n=150, most=4):
    """Columns of 2 to ``most`` levels, each following one before it more or less closely."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(2, most + 1, nodes)
    codes = rng.integers(0, levels, (n, nodes))
    for column in range(1, nodes):
        copied = rng.random(n) < rng.uniform(0, 0.8)
        codes[copied, column] = codes[copied, rng.integers(column)] % levels[column]
    return cb.DiscreteStats(codes, levels)


@pytest.mark.parametrize("test", TESTS, ids=repr)
@drawn(st.integers(0, 10**6), st.sampled_from([(), (1,), (1, 4), (2, 5, 7)]), st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_rows_and_scans(test, seed, some, together):
    stats = chained(seed)
    session = bind(test, stats)
    rest = [j for j in np.random.default_rng(seed).permutation(12).tolist() if j not in (0, *some)]
    one_by_one = np.array([test.evidence(stats, 0, y, some) for y in rest])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "_at_once", together)
        row = session.row(0, rest, some)
        assert ((row > 0) == (one_by_one > 0)).all()
        assert row[row > 0] == pytest.approx(one_by_one[row > 0], rel=1e-9, abs=1e-9)
        assert session.around(0, rest, some) == pytest.approx(one_by_one, rel=1e-9, abs=1e-9)
        session.calls -= len(rest)
        assert session.calls == len(rest)
        first = next((i for i, evidence in enumerate(one_by_one) if evidence > 0), None)
        assert session.first_dependent(0, rest, some) == first
        assert session.calls == len(rest) + (len(rest) if first is None else first + 1)


@pytest.mark.parametrize("test", TESTS, ids=repr)
def test_a_node_among_its_own_set(test):
    stats = chained(3)
    session = bind(test, stats)
    session.row = session.around  # exact also where there is none
    assert session.row(0, [0, 1, 2], [1])[[0, 2]] == pytest.approx([np.inf, test.evidence(stats, 0, 2, [1])])
    assert session.row(0, [1, 2], [1])[0] == pytest.approx(test.evidence(stats, 0, 1, []))
    assert session.row(0, [2, 3], [0, 1]) == pytest.approx([test.evidence(stats, 0, y, [1]) for y in (2, 3)])


def test_the_clock_is_looked_at():
    with pytest.raises(bound_test.OutOfTime):
        bind(TESTS[0], chained(1), lambda: True).row(0, [1, 2], [])


@pytest.fixture
def long_searches(monkeypatch):
    """Every search is a long one: the likelihoods of all subsets are made, however unlike the rows."""
    monkeypatch.setattr(discrete_bound_test, "SLICE", 0)
    monkeypatch.setattr(discrete_bound_test, "MANY", 0)
    monkeypatch.setattr(subset_likelihoods, "SLICE", 0)
    monkeypatch.setattr(lattice, "LIKE", 1)
    made, walk = [], subset_likelihoods.walk
    monkeypatch.setattr(subset_likelihoods, "walk", lambda *arguments: made.append(1) or walk(*arguments))
    return made


@pytest.mark.parametrize("test", TESTS, ids=repr)
@drawn(st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_compiled_answers_are_those_of_one_test_at_a_time(test, seed):
    """All questions of a session, in a random order, beside the plain session that asks the test itself."""
    compare_all_questions(test, seed)


@pytest.mark.parametrize("test", TESTS, ids=repr)
def test_so_are_those_of_long_searches(test, long_searches):
    for seed in range(4):
        compare_all_questions(test, seed)
    assert bool(long_searches) == ("ChiSquare" not in repr(test) and "adjusted" not in repr(test))


@pytest.mark.parametrize("test", TESTS[:4], ids=repr)
def test_a_long_search_with_the_ends_of_the_pair_in_the_pool(test, long_searches):
    stats = chained(2, nodes=8)
    compiled, plain = bind(test, stats), Session(test, stats, lambda: False)
    for x, y in combinations(range(8), 2):
        rest = [z for z in range(8) if z not in (x, y)]
        for pool in ([x, *rest[:3]], [*rest[:3], y], [x, *rest[:2], y]):
            for fixed in ([], rest[4:5]):
                ours, theirs = (one.search(x, y, fixed, pool) for one in (compiled, plain))
                assert ours.given == theirs.given
                assert ours.given is not None or ours.evidence == pytest.approx(theirs.evidence)
    assert compiled.calls == plain.calls
    assert long_searches


@pytest.mark.parametrize("test", TESTS[:4], ids=repr)
@pytest.mark.parametrize("most", [lattice.MOST_COLUMNS, 4])
def test_a_long_search_for_several_nodes(test, most, long_searches, monkeypatch):
    """Also where the pool is too large for some of them: with a fixed node of its own."""
    monkeypatch.setattr(lattice, "MOST_COLUMNS", most)
    stats = chained(4, nodes=10, n=400)
    compiled, plain = bind(test, stats), Session(test, stats, lambda: False)
    for fixed in ([], [8], [1]):
        asked = [1, 2, 3, 4], 0, fixed, [5, 6, 7, *fixed[:1]]
        each, likewise = (one.search_each(*asked, np.full(4, np.inf)) for one in (compiled, plain))
        assert ((each > 0) == (likewise > 0)).all()
        assert each[each > 0] == pytest.approx(likewise[each > 0])
        assert (compiled.calls, compiled.bare_tests) == (plain.calls, plain.bare_tests)
    assert bool(long_searches) or most == 4


def compare_all_questions(test, seed):
    stats, rng = chained(seed, nodes=8), np.random.default_rng(seed)
    compiled, plain = bind(test, stats), Session(test, stats, lambda: False)
    assert type(compiled) is not Session
    for _ in range(12):
        x, y, *others = rng.permutation(8).tolist()
        pool, fixed = others[:3], others[3 : 3 + rng.integers(2)]
        smallest = int(rng.integers(2))
        for ceiling in (0, np.inf):
            ours, theirs = (one.search(x, y, fixed, pool, smallest, ceiling=ceiling) for one in (compiled, plain))
            assert ours.given == theirs.given
            if ours.given is None:
                assert ours.evidence == pytest.approx(theirs.evidence, rel=1e-9, abs=1e-9)
        each, likewise = (one.search_each(others, y, [x], [], np.full(6, np.inf)) for one in (compiled, plain))
        assert ((each > 0) == (likewise > 0)).all()
        assert compiled.first_independent(x, others, 1, 4) == plain.first_independent(x, others, 1, 4)
        children = [one.beside(x, others[1:], [-1, y, -1, y, -1], others[0]) for one in (compiled, plain)]
        assert ((children[0] > 0) == (children[1] > 0)).all()
        first = rng.integers(1, 4, 6).astype(float)  # with ties
        for evidences, given in ((None, [y]), (first, [])):
            ours, theirs = (one.thin(x, others, given, evidences) for one in (compiled, plain))
            assert ours[:2] == theirs[:2]
            assert ours[2] == pytest.approx(theirs[2], rel=1e-9, abs=1e-9)
        assert (compiled.calls, compiled.bare_tests) == (plain.calls, plain.bare_tests)


@pytest.mark.parametrize("test", TESTS, ids=repr)
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize(("threads", "known"), [(1, discrete_bound_test.KNOWN), (3, 0)])
def test_a_level_of_pc(test, size, threads, known, monkeypatch):
    """By sets of one more that serve several tests at once, and by one test after the other."""
    monkeypatch.setattr(discrete_bound_test, "KNOWN", known)
    stats = chained(5, nodes=14, n=60)
    rng = np.random.default_rng(size)
    pairs = np.array([(a, b) for a in range(14) for b in range(a + 1, 14) if rng.random() < 0.6])
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    around = np.searchsorted(both[:, 0], np.arange(15)), np.ascontiguousarray(both[:, 1])
    compiled, plain = bind(test, stats), Session(test, stats, lambda: False)
    ours, theirs = compiled.level(size, pairs, *around, threads), plain.level(size, pairs, *around)
    assert ours.sets == theirs.sets
    for mine, other in zip(ours[1:], theirs[1:], strict=True):
        assert mine.tolist() == other.tolist()
    assert compiled.calls == plain.calls


def level_of_both(test, stats, size):
    """The sets that one level of PC on the complete graph finds, compiled and plain alike."""
    nodes = range(len(stats.names))
    pairs = np.array(list(combinations(nodes, 2)))
    around = np.arange(len(nodes) + 1) * (len(nodes) - 1), np.array([b for a in nodes for b in nodes if a != b])
    compiled, plain = bind(test, stats), Session(test, stats, lambda: False)
    ours, theirs = compiled.level(size, pairs, *around), plain.level(size, pairs, *around)
    assert ours.sets == theirs.sets
    for mine, other in zip(ours[1:], theirs[1:], strict=True):
        assert mine.tolist() == other.tolist()
    assert compiled.calls == plain.calls
    return ours.sets


@pytest.mark.parametrize("test", TESTS[:4], ids=repr)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_long_level_of_pc(test, size, long_searches, monkeypatch):
    """By the likelihoods of all subsets."""
    monkeypatch.setattr(discrete_bound_test, "BY_PAIRS", 99)
    apart = level_of_both(test, chained(7, nodes=9, n=3000), size)
    assert long_searches
    assert len(apart) > 0


@pytest.mark.parametrize("test", TESTS, ids=repr)
@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("by_pairs", [0, 99])
def test_a_level_of_pc_on_many_rows(test, size, by_pairs, monkeypatch):
    """The last two of a set counted beside the others (not for Pearson's, nor where cells have few rows), and not."""
    monkeypatch.setattr(discrete_bound_test, "BY_PAIRS", by_pairs)
    apart = level_of_both(test, chained(11, nodes=8, n=3000), size)
    assert 0 < len(apart) < 28 + (size == 4)


@pytest.mark.parametrize("test", TESTS[:4], ids=repr)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(("most", "planes"), [(discrete_bound_test.MOST_LEVELS, 512), (20, 512), (9, 30)])
def test_a_level_of_pc_on_columns_of_many_levels(test, size, most, planes, monkeypatch):
    """As many levels as pairs are counted with; more in a column than that; more in all than there is room for."""
    monkeypatch.setattr(discrete_bound_test, "MOST_PLANES", planes)
    assert len(level_of_both(test, chained(5, nodes=7, n=6000, most=most), size)) > 0


def test_time_may_be_over_within_one_node(monkeypatch):
    """Pairs of a visit that was cut short were not examined, also where the second node has no sets to try."""
    monkeypatch.setattr(discrete_bound_test, "SLICE", 0)
    monkeypatch.setattr(discrete_bound_test, "KNOWN", 0)
    looks = iter([False])
    pairs, around = (
        np.array([(0, b) for b in range(1, 8)]),
        (np.array([0, *range(7, 15)]), np.array([*range(1, 8)] + [0] * 7)),
    )
    level = bind(TESTS[0], chained(1, nodes=8), lambda: next(looks, True)).level(1, pairs, *around)
    assert not level.visited[~level.separated].any()


def test_a_level_without_time_examines_nothing():
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    around = np.array([0, 2, 4, 6]), np.array([1, 2, 0, 2, 0, 1])
    stats = chained(1, nodes=3)
    assert not bind(TESTS[0], stats, lambda: True).level(1, pairs, *around).visited.all()
