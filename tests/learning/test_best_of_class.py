"""BOSS, the exact optimum, chains, restarts and the portfolio."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.learning.api import to_stats
from climatebn.learning.problem import Problem
from climatebn.learning.score.limits import limits
from climatebn.learning.score.order_forest import OrderForest
from climatebn.learning.time_order import TimeOrder

CRITERIA = {"gaussian": [cb.BIC(), cb.BGe()], "discrete": [cb.BIC(), cb.BDeu()]}


def total(data, criterion, dag):
    stats = to_stats(data)
    return sum(criterion.local(stats, i, parents) for i, parents in enumerate(dag.numbered_parents))


def learned(data, algorithm, criterion, **options):
    return cb.learn(data, algorithm, criterion, progress=False, **options)


def random_data(seed, nodes, n=300, discrete=False):
    """A sample of a random sparse linear network, its columns shuffled; cut into two or three levels if discrete."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.random((nodes, nodes)) < 3 / nodes, 1) * rng.normal(size=(nodes, nodes))
    values = np.zeros((n, nodes))
    for i in range(nodes):
        values[:, i] = values @ weights[:, i] + rng.normal(size=n)
    values = values[:, rng.permutation(nodes)]
    if not discrete:
        return values
    return pd.DataFrame({f"v{i}": pd.Categorical(pd.qcut(v, 2 + i % 2, labels=False)) for i, v in enumerate(values.T)})


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
@given(seed=st.integers(0, 2**32 - 1), which=st.integers(0, 1))
@settings(max_examples=15, deadline=None)
def test_exact_is_the_best_of_all_dags(kind, seed, which):
    """Brute force over the 543 DAGs of four nodes: all orders, all sets of parents."""
    data, criterion = random_data(seed, 4, 60, kind == "discrete"), CRITERIA[kind][which]
    stats = to_stats(data)
    local = {
        (i, mask): criterion.local(stats, i, [j for j in range(4) if mask >> j & 1])
        for i in range(4)
        for mask in range(16)
        if not mask >> i & 1
    }
    best = max(_order_score(local, order) for order in permutations(range(4)))
    assert total(data, criterion, learned(data, "exact", criterion).dag) == pytest.approx(best, abs=1e-8)


def _order_score(local, order):
    score, before = 0.0, 0
    for node in order:
        score += max(value for (i, mask), value in local.items() if i == node and mask & ~before == 0)
        before |= 1 << node
    return score


@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
def test_boss_reaches_the_optimum_of_small_problems(kind):
    reached = []
    for seed in range(12):
        data = random_data(seed, 6 + seed % 4, 200, kind == "discrete")
        criterion = CRITERIA[kind][seed % 2]
        optimum = total(data, criterion, learned(data, "exact", criterion).dag)
        for algorithm in ("boss", "best"):
            found = total(data, criterion, learned(data, algorithm, criterion, seed=1).dag)
            assert found <= optimum + 1e-7
            reached.append(found >= optimum - 1e-7)
    assert np.mean(reached) >= 0.9


def test_boss_finds_the_class_of_the_truth_in_a_large_sample():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        weights = np.triu(rng.random((10, 10)) < 0.25, 1) * rng.uniform(0.5, 1.0, (10, 10))
        covariance = np.linalg.inv((np.eye(10) - weights) @ (np.eye(10) - weights).T)
        names = [f"X{i + 1}" for i in range(10)]
        truth = cb.Dag.from_arcs(names, list(zip(*np.nonzero(weights), strict=True)))
        found = learned(cb.GaussianStats(10**6, covariance, names), "boss", cb.BIC(), seed=1)
        assert cb.shd(found.dag, truth) == 0


def test_boss_is_above_tabu_and_ges_on_the_tropics_and_repeats_itself():
    data = frame("ncep72")
    first, again = (learned(data, "boss", cb.BIC(), seed=1, rounds=3) for _ in range(2))
    assert first.dag == again.dag
    scores = {name: total(data, cb.BIC(), learned(data, name, cb.BIC()).dag) for name in ("tabu", "ges")}
    assert total(data, cb.BIC(), first.dag) > 10_380 > max(scores.values())


@pytest.mark.parametrize("algorithm", ["boss", "exact", "best"])
def test_knowledge_holds(algorithm):
    data = random_data(3, 8)
    known = cb.Knowledge(required=[("X2", "X1")], forbidden=[("X3", "X4"), ("X4", "X3")], max_parents=2)
    dag = learned(data, algorithm, cb.BIC(), knowledge=known).dag
    assert ("X2", "X1") in dag.arcs
    assert not {("X3", "X4"), ("X4", "X3")} & set(dag.arcs)
    assert max(map(len, dag.numbered_parents)) <= 2


def test_exact_refuses_many_nodes_with_the_memory_it_would_need():
    with pytest.raises(ClimateBNError, match=r"20 nodes or fewer; 25 nodes would need 5 GB"):
        cb.learn(random_data(1, 25), "exact")


def test_a_chain_goes_on_from_the_network_before():
    data = frame("gauss25")
    alone = learned(data, "annealing", cb.BIC(), seed=1, sweeps=5)
    both = learned(data, "annealing", cb.BIC(), seed=1, sweeps=5, then="ges")
    assert both.algorithm == "annealing, then ges"
    assert total(data, cb.BIC(), both.dag) >= total(data, cb.BIC(), alone.dag) - 1e-8
    assert both.calls > alone.calls
    with pytest.raises(ClimateBNError, match="then must name searches that take a start"):
        cb.learn(data, "tabu", then="mmhc")
    with pytest.raises(ClimateBNError, match="pc_stable is constraint-based"):
        cb.learn(data, "pc_stable", then="tabu")
    with pytest.raises(ClimateBNError, match=r"then must name .*; got array\(\[1"):
        cb.learn(data, "tabu", then=np.eye(3))
    assert cb.learn(data, "tabu", then=np.array([])).dag == cb.learn(data, "tabu").dag


@pytest.mark.parametrize("algorithm", ["hill_climbing", "tabu", "ges", "boss"])
def test_restarts_are_never_worse_and_the_same_in_workers(algorithm):
    data = random_data(5, 12)
    one = learned(data, algorithm, cb.BIC(), seed=3)
    more, again = (learned(data, algorithm, cb.BIC(), seed=3, restarts=4) for _ in range(2))
    assert more.dag == again.dag
    assert total(data, cb.BIC(), more.dag) >= total(data, cb.BIC(), one.dag) - 1e-8
    if algorithm == "tabu":
        assert learned(data, algorithm, cb.BIC(), seed=3, restarts=4, workers=2).dag == more.dag


def test_best_always_has_an_answer():
    data = frame("ncep72")
    cut = learned(data, "best", cb.BIC(), max_seconds=0.0)
    assert cut.stopped == "time"
    assert cut.valid
    whole = learned(frame("gauss25"), "best", cb.BIC(), patience=3)
    assert {"search", "boss", "forward"} <= whole.phase_calls.keys()
    assert not whole.stopped
    with pytest.raises(ClimateBNError, match="restarts must be a whole number"):
        cb.learn(data, "tabu", restarts=-1)


def test_best_ends_as_high_as_each_of_its_climbs():
    sample = cb.reference_network("alarm").sample_stats(2000, np.random.default_rng(1))
    score = {name: learned(sample, name, cb.BIC(), seed=1).score for name in ("boss", "annealing", "best")}
    assert score["best"] >= score["annealing"] - 1e-8 > score["boss"]
    fields = frame("ncep72")
    ordered, highest = (learned(fields, name, cb.BIC(), seed=1, patience=3).score for name in ("boss", "best"))
    assert highest >= ordered > learned(fields, "annealing", cb.BIC(), seed=1).score


@pytest.mark.parametrize("required", [(), ((3, 1), (1, 7), (20, 4))], ids=["free", "required"])
@pytest.mark.parametrize("past", [0, 6], ids=["one month", "in time"])
def test_compiled_sweep_moves_as_node_after_node(required, past):
    time = TimeOrder((0,) * (25 - past) + (1,) * past) if past else None
    known = cb.Knowledge(required=required, time=time)
    problem = Problem(cb.GaussianStats.of(frame("gauss25").to_numpy()), cb.BIC(), None, known)
    where = limits(problem, None, None)
    rng = np.random.default_rng(3)
    for _ in range(3):
        begin = np.array(cb.Dag.from_arcs(problem.stats.names, where.start).numbered_order, dtype=np.int64)
        begin = begin[begin < 25 - past]
        nodes = rng.permutation(25 - past)
        swept, stepwise = OrderForest(problem, where), OrderForest(problem, where)
        here, there = swept.ordering(begin), stepwise.ordering(begin)
        for _ in range(3):
            moved = list(swept.improve_each(here, nodes))
            steps = [stepwise.improve(there, v) for v in nodes.tolist()]
            assert any(moved) == any(steps)
            assert here.order.tolist() == there.order.tolist()
            assert here.worth.tolist() == there.worth.tolist()
        assert swept.asked == stepwise.asked > 0


def test_trees_planted_anew_change_nothing(monkeypatch):
    data = frame("ncep72").iloc[:, ::2]
    once = learned(data, "boss", cb.BIC(), seed=1, rounds=1)
    monkeypatch.setattr("climatebn.learning.score.order_forest.MOST_BYTES", 5_000)
    often = learned(data, "boss", cb.BIC(), seed=1, rounds=1)
    assert often.dag == once.dag
    assert often.calls > 2 * once.calls


def test_boss_takes_a_node_that_may_have_no_parents():
    first = cb.Knowledge(tiers=[["X1"], [f"X{i}" for i in range(2, 26)]])
    stats = cb.GaussianStats.of(frame("gauss25").to_numpy())
    result = learned(stats, "boss", cb.BIC(), seed=1, rounds=1, knowledge=first, max_seconds=60)
    assert not result.stopped
    assert not [arc for arc in result.dag.arcs if arc[1] == "X1"]
