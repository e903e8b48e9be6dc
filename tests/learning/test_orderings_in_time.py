"""Searches over orderings with lags: nodes of the present month are ordered, the past stands before all of them."""

import signal
from itertools import chain, combinations, permutations

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.learning.score import boss as module
from climatebn.learning.score.order_forest import OrderForest

CRITERIA = [cb.BIC(), cb.BIC(gamma=1), cb.BGe()]


def record(seed: int, size: int, n: int = 120) -> np.ndarray:
    """Months of ``size`` series that act on each other in the same month and in the next."""
    rng = np.random.default_rng(seed)
    now = np.tril(rng.normal(size=(size, size)) * (rng.random((size, size)) < 0.6), -1)
    order = rng.permutation(size)
    later = rng.uniform(-0.5, 0.5, (size, size)) * (rng.random((size, size)) < 0.5)
    x = np.zeros((n, size))
    for t in range(1, n):
        for i in range(size):
            x[t, i] = x[t] @ now[i] + x[t - 1] @ later[i] + rng.normal()
    return x[:, order]


def optimum(x: np.ndarray, criterion, lags) -> float:
    """The highest score of all networks in time, by every order of the present and every set of parents."""
    table = cb.lagged(x, lags)
    stats, size = cb.GaussianStats.of(table.to_numpy(), list(table.columns)), x.shape[1]
    past = range(size, table.shape[1])
    local = {
        (child, parents): criterion.local(stats, child, parents)
        for child in range(size)
        for parents in _sets([j for j in (*range(size), *past) if j != child])
        if 0 in lags or all(j >= size for j in parents)
    }
    roots = sum(criterion.local(stats, node, ()) for node in past)
    best = -np.inf
    for order in permutations(range(size)):
        before = set(past)
        score = roots
        for node in order:
            score += max(value for (child, parents), value in local.items() if child == node and before >= set(parents))
            before.add(node)
        best = max(best, score)
    return best


def _sets(nodes):
    return chain.from_iterable(combinations(nodes, size) for size in range(len(nodes) + 1))


@pytest.mark.parametrize("lags", [(0, 1), (1,)])
@pytest.mark.parametrize("algorithm", ["exact", "best", "boss", "annealing"])
def test_the_optimum_of_all_small_networks_in_time(algorithm, lags):
    reached = []
    for seed in range(12):
        x, criterion = record(seed, 2 + seed % 2), CRITERIA[seed % 3]
        most = optimum(x, criterion, lags)
        found = cb.learn(x, algorithm, criterion, lags=lags, seed=1, progress=False).score
        assert found <= most + 1e-7
        reached.append(found >= most - 1e-7)
    assert all(reached) if algorithm != "boss" else np.mean(reached) >= 0.9


@pytest.mark.parametrize(("size", "lags"), [(3, (0, 1)), (8, (0, 1, 2)), (8, (1,))])
def test_discrete_series(size, lags):
    """Three series have an optimum that is known; eight with lags are more columns than backward elimination takes."""
    for seed in range(3):
        levels = {
            f"v{i}": pd.Categorical(pd.qcut(v, 2 + i % 2, labels=False))
            for i, v in enumerate(record(seed, size, 300).T)
        }
        least = "exact" if size == 3 else "tabu"
        found, other = (
            cb.learn(pd.DataFrame(levels), algorithm, cb.BIC(), lags=lags, seed=1, progress=False)
            for algorithm in ("boss", least)
        )
        assert found.score >= other.score - 1e-7
        assert not [arc for arc in found.dag.arcs if "@" in arc[1]]
        assert 0 in lags or all("@" in source for source, _ in found.dag.arcs)


@pytest.fixture(scope="module")
def places():
    return cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 4))))


def learned(data, algorithm="boss", **options):
    return cb.learn(data, algorithm, cb.BIC(gamma=0.5), lags=(0, 1, 2), seed=1, progress=False, **options)


def test_boss_is_above_tabu_and_repeats_itself(places):
    first, again = learned(places), learned(places)
    assert first.dag == again.dag
    assert first.calls == again.calls
    assert first.score > learned(places, "tabu").score + 1
    assert {"search", "boss"} == first.phase_calls.keys()


def test_best_goes_on_from_boss(places):
    single, found = learned(places), learned(places, "best", patience=3)
    assert found.score >= single.score - 1e-7
    assert {"search", "boss", "forward"} <= found.phase_calls.keys()


def test_chains_restarts_and_the_end_of_time(places):
    single = learned(places)
    assert learned(places, then="ges").score >= single.score - 1e-7
    more, again = (learned(places, restarts=2, rounds=1) for _ in range(2))
    assert more.dag == again.dag
    assert more.score >= learned(places, rounds=1).score - 1e-7
    cut = learned(places, max_seconds=0.0)
    assert cut.stopped == "time"
    assert cut.valid


@pytest.mark.parametrize("moment", ["after tabu", "in the trees", "in the first sweep", "in a later round"])
def test_ctrl_c_hands_back_the_best_so_far(places, monkeypatch, moment):
    """A real SIGINT: what tabu has found is not lost before the first ordering, nor what orderings have gained."""
    least, whole = learned(places, "tabu").score, learned(places).score
    owner, name, number = {
        "after tabu": (module, "limits", 1),
        "in the trees": (OrderForest, "__init__", 1),
        "in the first sweep": (OrderForest, "ordering", 1),
        "in a later round": (OrderForest, "ordering", 3),
    }[moment]
    wanted, calls = getattr(owner, name), []

    def then_ctrl_c(*given):
        found = wanted(*given)
        calls.append(name)
        if len(calls) == number:
            signal.raise_signal(signal.SIGINT)
        return found

    monkeypatch.setattr(owner, name, then_ctrl_c)
    cut = learned(places)
    assert cut.stopped == "interrupted"
    assert cut.notes[0] == "interrupted: the best network so far"
    assert cut.valid
    assert least <= cut.score <= whole + 1e-7
    assert (cut.score > least + 1) == (moment == "in a later round")


def test_knowledge_holds_in_time(places):
    known = cb.Knowledge(
        required=[("X5@-2", "X9"), ("X9", "X2")], forbidden=[("X1@-1", "X1")], max_parents=3, tiers=[["X3"], ["X4"]]
    )
    for algorithm in ("boss", "best"):
        arcs = learned(places, algorithm, knowledge=known, **({"patience": 3} if algorithm == "best" else {})).dag
        assert {("X5@-2", "X9"), ("X9", "X2")} <= set(arcs.arcs)
        assert not {("X1@-1", "X1"), ("X4", "X3")} & set(arcs.arcs)
        assert max(map(len, arcs.numbered_parents)) <= 3


def test_the_result_does_not_depend_on_the_room_of_trees(places, monkeypatch):
    once = learned(places, rounds=3)
    monkeypatch.setattr("climatebn.learning.score.order_forest.MOST_BYTES", 5_000)
    often = learned(places, rounds=3)
    assert often.dag == once.dag
    assert often.calls > once.calls
