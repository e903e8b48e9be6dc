"""Annealing: the exact optimum of small cases, moves against a fresh look-up, knowledge, seeds, interrupts."""

from dataclasses import dataclass
from itertools import chain, combinations, permutations
from math import comb
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame, numbers

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.kernels.ordering import Tables, choose, propose, worth_having
from climatebn.learning.api import to_stats
from climatebn.learning.problem import Problem
from climatebn.learning.score import annealing as module
from climatebn.learning.score.differences import Differences
from climatebn.learning.score.parent_tables import parent_table


@dataclass(frozen=True)
class LaterParentsCost:
    """A score by hand that is not the same for equivalent DAGs: an arc against the column order costs extra."""

    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian"})
    equivalent: ClassVar[bool] = False

    def local(self, stats, node, parents):
        return cb.BIC().local(stats, node, parents) - 3 * sum(parent > node for parent in parents)


def subsets(items, largest):
    return chain.from_iterable(combinations(items, size) for size in range(largest + 1))


def total(score, stats, dag):
    return sum(score.local(stats, node, parents) for node, parents in enumerate(dag.numbered_parents))


def optimum(score, stats, most=4):
    """The best score over all orderings and all sets of earlier parents."""
    nodes = range(len(stats.names))
    local = {
        (i, s): score.local(stats, i, s) for i in nodes for s in map(tuple, subsets([j for j in nodes if j != i], most))
    }
    return max(
        sum(max(local[i, s] for s in subsets(sorted(order[:k]), most)) for k, i in enumerate(order))
        for order in permutations(nodes)
    )


def gaussian(seed, nodes=5, n=60):
    rng = np.random.default_rng(seed)
    return cb.GaussianStats.of(rng.normal(size=(n, nodes)) @ rng.normal(size=(nodes, nodes)))


def discrete(seed, n=300):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 2, size=(n, 3))
    last = (first[:, [0, 1]] + first[:, [1, 2]] + rng.integers(0, 2, size=(n, 2))) % 3
    return cb.DiscreteStats(np.hstack([last, first]), [3, 3, 2, 2, 2])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("score", "data"),
    [(cb.BIC(), gaussian), (cb.BGe(), gaussian), (LaterParentsCost(), gaussian), (cb.BDeu(), discrete)],
    ids=["BIC", "BGe", "not equivalent", "BDeu"],
)
def test_exact_optimum_of_five_nodes(score, data, seed):
    stats = data(seed)
    result = cb.learn(stats, "annealing", score, seed=seed, sweeps=100, progress=False)
    assert total(score, stats, result.dag) == pytest.approx(optimum(score, stats), abs=1e-8)


def test_gauss25_within_one_percent_of_the_best_known():
    stats = to_stats(frame("gauss25"))
    best = max(
        total(cb.BIC(), stats, cb.Dag.from_arcs(stats.names, run["directed"]))
        for run in numbers("gauss25")["runs"]
        if run["algorithm"] in ("hc", "tabu")
    )
    found = total(cb.BIC(), stats, cb.learn(stats, "annealing", seed=1, progress=False).dag)
    assert found > best - 0.01 * abs(best)


@st.composite
def random_tables(draw):
    """Tables of random scores over random candidates; every node also has the empty set."""
    nodes = draw(st.integers(2, 7))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    bit = np.full((nodes, nodes), -1, np.int8)
    masks, scores, starts = [], [], [0]
    for node in range(nodes):
        candidates = rng.permutation([j for j in range(nodes) if j != node])[: rng.integers(1, nodes)]
        bit[node, candidates] = np.arange(len(candidates))
        own = np.append(rng.permutation(2 ** len(candidates))[:6], 0)
        values = np.append(np.sort(rng.uniform(0, 10, len(own) - 1))[::-1], 0)
        masks += own.tolist()
        scores += values.tolist()
        starts.append(len(masks))
    related = (bit >= 0) | (bit >= 0).T
    return Tables(np.array(starts), np.array(masks), np.array(scores), bit, related), rng


@given(drawn=random_tables(), hot=st.booleans())
@settings(deadline=None, max_examples=60)
def test_moves_keep_what_a_fresh_look_up_gives(drawn, hot):
    tables, rng = drawn
    nodes = len(tables.bit)
    order = rng.permutation(nodes)
    state = np.empty(nodes, np.int64), np.empty(nodes, np.int64)
    scores = (choose(tables, order, *state),) * 2
    best_order = order.copy()
    for _ in range(30):
        at, to = rng.choice(nodes, 2, replace=False)
        moved = [*np.delete(order, at)]
        moved.insert(to, order[at])
        before = order.copy()
        least = np.array([-np.inf if hot else 0.0])
        scores = propose(tables, order, state, np.array([[at, to]]), least, scores, best_order)
        assert order.tolist() in (np.array(moved).tolist(), before.tolist())
        fresh = np.empty(nodes, np.int64), np.empty(nodes, np.int64)
        assert choose(tables, order, *fresh) == pytest.approx(scores[0])
        assert np.array_equal(fresh, state)
        assert choose(tables, best_order, *fresh) == pytest.approx(scores[1])
        assert scores[1] >= scores[0] - 1e-9
        if not hot:
            assert scores[0] == pytest.approx(scores[1])


@given(seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=30)
def test_worth_having_keeps_the_best_subset_of_every_set(seed):
    rng = np.random.default_rng(seed)
    masks, scores = rng.permutation(32), rng.integers(0, 6, 32).astype(float)
    kept = worth_having(masks, scores)
    for available in range(32):
        fitting = [place for place in range(32) if masks[place] & ~available == 0]
        first = next(place for place in kept if masks[place] & ~available == 0)
        assert scores[first] == max(scores[fitting])
    assert len(kept) < 32


@pytest.mark.parametrize("score", [cb.BIC(), cb.BGe()], ids=repr)
def test_table_scores_are_differences_of_local_scores(score):
    stats = gaussian(3, nodes=9)
    differences = Differences(Problem(stats, score, None, cb.Knowledge(max_parents=3)))
    table = parent_table(differences, 4, [7], [0, 1, 2, 3, 5, 6, 8], max_candidates=5)
    assert table.candidates[0] == 7
    assert len(table.candidates) == 6
    for mask, value in zip(table.masks.tolist(), table.scores, strict=True):
        parents = [node for bit, node in enumerate(table.candidates) if mask >> bit & 1]
        assert 7 in parents
        assert len(parents) <= 3
        assert score.local(stats, 4, parents) - score.local(stats, 4, [7]) == pytest.approx(value, abs=1e-8)


def test_candidates_hold_what_matters_only_beside_another():
    rng = np.random.default_rng(0)
    x, hidden, noise = rng.normal(size=(3, 2000))
    crowd = x[:, None] + 0.5 * rng.normal(size=(2000, 20))  # twenty echoes of x hide the other parent
    y = x + 0.1 * hidden + 0.05 * noise
    stats = cb.GaussianStats.of(np.column_stack([y, crowd, x, hidden]))
    differences = Differences(Problem(stats, cb.BIC(), None, cb.Knowledge(max_parents=2)))
    table = parent_table(differences, 0, [], list(range(1, 23)), max_candidates=6)
    assert {21, 22} <= set(table.candidates)


def test_knowledge_and_candidates_hold():
    data = frame("gauss8")
    a, b, c = data.columns[:3]
    knowledge = cb.Knowledge(required=[(c, a), (b, c)], forbidden=[(a, data.columns[4])], max_parents=2)
    candidates = np.ones((8, 8), bool)
    candidates[5, 6] = False
    result = cb.learn(data, "annealing", knowledge=knowledge, candidates=candidates, seed=3, sweeps=50, progress=False)
    assert {(c, a), (b, c)} <= set(result.dag.arcs)
    assert (a, data.columns[4]) not in result.dag.arcs
    assert (data.columns[5], data.columns[6]) not in result.dag.arcs
    assert max(map(len, result.dag.numbered_parents)) <= 2
    assert len(result.dag.arcs) > 2


def test_same_seed_same_network():
    data = frame("gauss60")
    options = {"sweeps": 30, "restarts": 0, "max_candidates": 8, "progress": False}
    first, again, other = (cb.learn(data, "annealing", seed=seed, **options) for seed in (1, 1, 2))
    assert first.dag == again.dag
    assert first.dag != other.dag


def test_restarts_find_more():
    stats = to_stats(frame("gauss60"))
    options = {"seed": 1, "sweeps": 30, "max_candidates": 8, "progress": False}
    few, more = (cb.learn(stats, "annealing", restarts=count, **options).dag for count in (0, 5))
    assert total(cb.BIC(), stats, more) > total(cb.BIC(), stats, few)


def test_temperature_falls_geometrically_to_a_thousandth(monkeypatch):
    seen = []
    sweep = module._Walk.sweep

    def noted(self, rng, temperature, moves=None):
        seen.append(temperature)
        sweep(self, rng, temperature, moves)

    monkeypatch.setattr(module._Walk, "sweep", noted)
    cb.learn(frame("gauss25"), "annealing", seed=5, sweeps=7, restarts=0, progress=False)
    assert seen[:100] == [np.inf] * 100
    cooling = np.array(seen[100:])
    assert len(cooling) == 7
    assert cooling[1:] / cooling[:-1] == pytest.approx(1000 ** (-1 / 6))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_candidates": 63}, "1 … 62"),
        ({"sweeps": 0}, "sweeps must be a whole number, 1 … "),
        ({"restarts": -1}, "restarts must be a whole"),
    ],
)
def test_wrong_options_are_said(options, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.learn(frame("gauss8"), "annealing", seed=1, progress=False, **options)


def test_one_node():
    assert cb.learn(np.random.default_rng(1).normal(size=(9, 1)), "annealing", seed=1, progress=False).dag.arcs == []


def test_no_time_and_interrupts_give_the_best_so_far(monkeypatch):
    data = frame("gauss25")
    required = cb.Knowledge(required=[(data.columns[3], data.columns[1])])
    late = cb.learn(data, "annealing", seed=1, max_seconds=0, knowledge=required, progress=False)
    assert "max_seconds" in late.notes[0]
    assert (data.columns[3], data.columns[1]) in late.dag.arcs
    assert len(late.dag.arcs) > 10  # hill climbing has been there
    count = iter(range(10))
    sweep = module._Walk.sweep

    def interrupted(self, rng, temperature, moves=None):
        if moves is None and next(count) == 5:
            raise KeyboardInterrupt
        sweep(self, rng, temperature, moves)

    monkeypatch.setattr(module._Walk, "sweep", interrupted)
    broken = cb.learn(data, "annealing", seed=1, progress=False)
    assert "interrupted" in broken.notes[0]
    assert (late.stopped, broken.stopped) == ("time", "interrupted")
    assert len(broken.dag.arcs) > 10


def test_never_worse_than_hill_climbing_and_the_limit_on_parents_is_said():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 30))
    x[:, 0] = x[:, 1:13].sum(axis=1) + rng.normal(size=300)
    stats = cb.GaussianStats.of(x)
    score = cb.BIC()
    climbed = cb.learn(stats, "hill_climbing", score, progress=False)
    assert max(map(len, climbed.dag.numbered_parents)) == 12
    free = cb.learn(stats, "annealing", score, seed=1, sweeps=20, restarts=0, progress=False)
    assert total(score, stats, free.dag) >= total(score, stats, climbed.dag) - 1e-6
    assert "allow 8 parents here; reached by X1" in " ".join(free.notes)
    assert "hill climbing scores higher" in " ".join(free.notes)
    chosen = cb.learn(
        stats, "annealing", score, seed=1, sweeps=20, knowledge=cb.Knowledge(max_parents=3), progress=False
    )
    assert chosen.notes == ()


@pytest.mark.parametrize("nodes", [2, 5, 17, 60, 648])
def test_the_limit_on_parents_follows_from_what_can_be_scored(nodes):
    most = module.most_parents(nodes, 16, 1_500_000)
    assert most == min(nodes - 1, most)
    assert most >= min(4, nodes - 1)
    sets = nodes * sum(comb(min(nodes - 1, 16), size) for size in range(most + 1))
    assert sets <= 1_500_000 or most == 4
