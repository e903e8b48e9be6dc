"""The walk of a search, step by step, against a slow one that looks at every legal move of every network anew."""

import math
from collections import deque
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame

import climatebn as cb

TAU = math.sqrt(np.finfo(float).eps)


def bic(data, gamma):
    """The local score of a node, its parents a frozenset: BIC_γ with unbiased variances, from the covariance."""
    n, nodes = data.shape
    cov, price = data.cov().to_numpy(), math.log(n) / 2 + gamma * math.log(nodes)

    def local(node, parents):
        chosen, freedom = sorted(parents), n - len(parents) - 1
        slopes = np.linalg.solve(cov[np.ix_(chosen, chosen)], cov[chosen, node])
        squares = (n - 1) * (cov[node, node] - cov[node, chosen] @ slopes)
        return -n / 2 * math.log(2 * math.pi * squares / freedom) - freedom / 2 - price * (len(chosen) + 2)

    return local


class Slow:
    """The rules of the searches written out; nothing is kept from step to step but values of pure functions."""

    def __init__(self, nodes, local):
        self.nodes, self.local, self.differences = nodes, cache(local), cache(self._differences)

    def _differences(self, node, parents):
        """What it is worth that each other node joins the parents, or leaves them."""
        here = self.local(node, parents)
        gains = [0.0 if x == node else self.local(node, parents ^ {x}) - here for x in range(self.nodes)]
        return [gain if abs(gain) >= TAU else 0.0 for gain in gains]

    def total(self, arcs):
        return sum(self.local(node, parents) for node, parents in enumerate(self.parents(arcs)))

    def parents(self, arcs):
        return [frozenset(x for x, y in arcs if y == node) for node in range(self.nodes)]

    def moves(self, arcs):
        """Every legal move (kind, from, to, gain) in the order of the rule."""
        adjacent = np.zeros((self.nodes, self.nodes), dtype=bool)
        adjacent[tuple(zip(*arcs, strict=True)) or ((), ())] = True
        reach = reachable(adjacent)
        gain = [self.differences(node, parents) for node, parents in enumerate(self.parents(arcs))]
        free = [(x, y) for x, y in permutations(range(self.nodes), 2) if (x, y) not in arcs and not reach[y, x]]
        yield from (("add", x, y, gain[y][x]) for x, y in free)
        yield from (("delete", x, y, gain[y][x]) for x, y in sorted(arcs))
        yield from (
            ("reverse", x, y, gain[y][x] + gain[x][y]) for x, y in sorted(arcs) if not (reach[:, y] & adjacent[x]).any()
        )

    def choice(self, arcs, tabu_list, baseline):
        """The move that the full scan ends with, or None."""
        chosen, incumbent = None, baseline
        for move in self.moves(arcs):
            if move[3] - incumbent > TAU and made(arcs, move) not in tabu_list:
                chosen, incumbent = move, move[3]
        return chosen

    def walk(self, list_size, max_losses):
        """Tabu search written plainly; hill climbing is the one without a list and without losses."""
        arcs, tabu_list, losses, steps = frozenset(), deque(maxlen=list_size), 0, []
        best, best_score = arcs, self.total(arcs)
        while True:
            if self.total(arcs) - best_score > TAU:
                best, best_score = arcs, self.total(arcs)
            tabu_list.append(arcs)
            move = self.choice(arcs, tabu_list, 0.0)
            if move is None:
                if losses == max_losses:
                    return steps, best
                losses += 1
                move = self.choice(arcs, tabu_list, -math.inf)
            elif self.total(arcs) + move[3] - best_score > TAU:
                losses = 0
            steps.append(move)
            arcs = made(arcs, move)


def made(arcs, move):
    """The network that a move leads to."""
    kind, x, y, _ = move
    return {"add": arcs | {(x, y)}, "delete": arcs - {(x, y)}, "reverse": arcs - {(x, y)} | {(y, x)}}[kind]


def reachable(adjacent):
    """[x, y]: a directed path leads from x to y."""
    reach = adjacent.copy()
    for middle in range(len(reach)):
        reach |= np.outer(reach[:, middle], reach[middle])
    return reach


def learned(data, algorithm, score, **options):
    """The steps and arcs of the engine, in column numbers."""
    result = cb.learn(data, algorithm, score, progress=False, **options)
    place = {name: number for number, name in enumerate(result.graph.names)}
    steps = [(step.move, place[step.source], place[step.target], step.gain) for step in result.trace]
    return steps, frozenset((place[x], place[y]) for x, y in result.dag.arcs)


def assert_same_walk(steps, slow_steps):
    for number, (step, wanted) in enumerate(zip(steps, slow_steps, strict=False)):
        assert step[:3] == wanted[:3], f"step {number}"
        assert step[3] == pytest.approx(wanted[3], rel=0, abs=1e-6), f"step {number}"
    assert len(steps) == len(slow_steps)


@pytest.mark.parametrize("gamma", [0.5, 2])
def test_every_step_of_hill_climbing_on_ncep72(gamma):
    data = frame("ncep72")
    slow = Slow(72, bic(data, gamma))
    slow_steps, slow_arcs = slow.walk(list_size=0, max_losses=0)
    steps, arcs = learned(data, "hill_climbing", cb.BIC(gamma, variance="unbiased"))
    assert_same_walk(steps, slow_steps)
    assert arcs == slow_arcs
    assert max(gain for *_, gain in slow.moves(arcs)) <= TAU
    assert {"add", "delete", "reverse"} == {step[0] for step in steps}


@pytest.mark.parametrize("gamma", [0, 0.5])
def test_every_step_of_tabu_on_gauss25(gamma):
    data = frame("gauss25")
    slow_steps, slow_arcs = Slow(25, bic(data, gamma)).walk(list_size=10, max_losses=10)
    steps, arcs = learned(data, "tabu", cb.BIC(gamma, variance="unbiased"))
    assert_same_walk(steps, slow_steps)
    assert arcs == slow_arcs
    assert sum(step[3] <= TAU for step in steps) >= 10


@pytest.mark.parametrize(("list_size", "max_losses"), [(1, 3), (3, 40), (25, 12), (0, 4)])
def test_other_lists_and_losses_on_gauss8(list_size, max_losses):
    data = frame("gauss8")
    slow_steps, slow_arcs = Slow(8, bic(data, 0)).walk(list_size, max_losses)
    steps, arcs = learned(data, "tabu", cb.BIC(variance="unbiased"), list_size=list_size, max_losses=max_losses)
    assert_same_walk(steps, slow_steps)
    assert arcs == slow_arcs


@dataclass(frozen=True)
class Table:
    """A score by hand: every parent is worth what the table says."""

    worth: tuple[tuple[float, ...], ...]

    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian"})
    equivalent: ClassVar[bool] = False

    def local(self, stats, node, parents):
        return math.fsum(self.worth[node][x] for x in parents)


@given(
    st.lists(st.tuples(st.sampled_from([0, 1, -1]), st.integers(-6, 6)), min_size=25, max_size=25),
    st.sampled_from([("hill_climbing", 0, 0, 0.6), ("tabu", 10, 10, 3.0)]),
)
@settings(max_examples=60, deadline=None)
def test_moves_that_are_equal_or_nearly_so(worths, search):
    """Hill climbing: gains 0.6 τ apart, a later move wins only by more than τ over the incumbent. Tabu: exact ties."""
    algorithm, list_size, max_losses, apart = search
    numbers = [whole + near * apart * TAU for whole, near in worths]
    score = Table(tuple(tuple(numbers[5 * node : 5 * node + 5]) for node in range(5)))
    slow_steps, slow_arcs = Slow(5, lambda node, parents: score.local(None, node, parents)).walk(list_size, max_losses)
    steps, arcs = learned(cb.GaussianStats(9, np.eye(5)), algorithm, score)
    assert_same_walk(steps, slow_steps)
    assert arcs == slow_arcs
