"""Questions that learning from six nodes does not reach, small enough for kernels that run as Python.

Deep searches for a separating set, counts of two columns at once, paths that share no node and solves with a DAG: each
against plain enumeration or dense algebra. NUMBA_DISABLE_JIT=1 runs the kernels themselves under a debugger.
"""

from itertools import combinations

import numpy as np
import pytest

import climatebn as cb
from climatebn.criterion import compiled_bound_test, discrete_bound_test
from climatebn.criterion.bound_test import Session, bind
from climatebn.criterion.bridge import as_test

NODES = 6
PAIRS = np.array(list(combinations(range(NODES), 2)))
AROUND = (
    np.arange(NODES + 1) * (NODES - 1),
    np.array([other for node in range(NODES) for other in range(NODES) if other != node]),
)


def dense_values(n):
    """All columns follow two common ones; the last two also each other."""
    random = np.random.default_rng(5)
    values = random.normal(size=(n, NODES)) + random.normal(size=(n, 2)) @ random.normal(size=(2, NODES))
    values[:, 5] += 0.5 * values[:, 4]
    return values


def sessions(test, stats):
    """One test at a time, and compiled."""
    return Session(test, stats, lambda: False), bind(test, stats)


def same_level(plain, fast, size):
    slow, quick = (one.level(size, PAIRS, *AROUND) for one in (plain, fast))
    assert quick.sets == slow.sets
    assert (quick.separated == slow.separated).all()
    assert fast.calls == plain.calls
    return slow


@pytest.mark.parametrize("test", [cb.FisherZ(0.2), as_test(cb.BGe())], ids=repr)
@pytest.mark.parametrize("slices", [1, None])
def test_deep_sets_of_gaussian_nodes(test, slices, monkeypatch):
    if slices:
        monkeypatch.setattr(compiled_bound_test, "SLICE", slices)
    plain, fast = sessions(test, cb.GaussianStats.of(dense_values(60)))
    for size in (3, 4):
        assert 0 < len(same_level(plain, fast, size).sets) < len(PAIRS)
    for x, y, ceiling in ((0, 1, np.inf), (4, 5, 0.0), (2, 3, np.inf)):
        pool = [node for node in range(NODES) if node not in (x, y)]
        slow, quick = (one.search(x, y, (), pool, 0, None, ceiling) for one in (plain, fast))
        assert quick.given == slow.given
        if slow.given is None:
            assert quick.evidence == pytest.approx(slow.evidence, rel=1e-6)


@pytest.mark.filterwarnings("ignore:overflow encountered")  # the last bit of a word is its sign: word − 1 wraps
@pytest.mark.parametrize("test", [cb.G2(0.05), as_test(cb.BDeu())], ids=repr)
def test_deep_sets_of_discrete_nodes(test, monkeypatch):
    monkeypatch.setattr(discrete_bound_test, "BY_PAIRS", 0)
    codes = np.digitize(dense_values(500), [0.0])
    codes[:, 2] += dense_values(500)[:, 2] > 1  # three levels
    plain, fast = sessions(test, cb.DiscreteStats(codes, [2, 2, 3, 2, 2, 2]))
    assert 0 < len(same_level(plain, fast, 3).sets) < len(PAIRS)


def network():
    arcs = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("c", "e"), ("d", "f"), ("e", "f"), ("a", "f")]
    return cb.fit(cb.Dag.from_arcs(list("abcdef"), arcs), cb.GaussianStats.of(dense_values(60), list("abcdef")))


def test_solves_are_those_of_dense_algebra():
    bn = network()
    covariance = bn.covariance()
    np.testing.assert_allclose(bn.precision().toarray() @ covariance, np.eye(NODES), atol=1e-9)
    given = bn.condition({"c": 1.0, "f": -1.0})
    known, rest = [2, 5], [0, 1, 3, 4]
    weights = np.linalg.solve(covariance[np.ix_(known, known)], covariance[np.ix_(known, rest)]).T
    expected = bn.mean[rest] + weights @ (np.array([1.0, -1.0]) - bn.mean[known])
    np.testing.assert_allclose(given.mean[rest], expected, atol=1e-9)


def test_paths_sum_to_the_covariance_and_the_first_are_the_strongest():
    bn = network()
    all_of_them = bn.paths("b", "f", top=None)
    assert all_of_them["share"].sum() == pytest.approx(bn.covariance()[1, 5], abs=1e-10)
    two = bn.paths("b", "f", top=2)
    assert two["nodes"].tolist() == all_of_them["nodes"].tolist()[:2]
    assert len(all_of_them) == 4  # b→d→f, and by a: a→f, a→c→e→f (a→c→d→f too)
