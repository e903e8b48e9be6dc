"""Orderings and what they are worth: every node has the parents that grow-shrink finds among its predecessors.

The trees of `kernels.order_search` keep what was asked, whatever the ordering. A Gaussian score looks at a set of
parents inside the kernel; any other is asked through `Differences`. Growing from nothing misses parents that explain
a node only together; where nodes are few, all predecessors without the superfluous ones are tried as well.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from climatebn.errors import OutOfTime
from climatebn.kernels.constants import TAU
from climatebn.kernels.gaussian.grow_shrink import room, shrink
from climatebn.kernels.order_search.best_place import DONE, best_place, evaluate
from climatebn.kernels.order_search.forest import (
    BRANCHES,
    FULL,
    SETS,
    SHRUNK,
    UP,
    Forest,
    memory,
    passed_over,
    path,
    planted,
    reachable,
    store,
    with_room,
)
from climatebn.kernels.order_search.sweep import evaluate_gaussian, sweep_gaussian
from climatebn.learning.problem import Budget, Problem
from climatebn.learning.score.differences import Differences
from climatebn.learning.score.limits import Limits

FEW = 20  # nodes up to which backward elimination is tried for every set of predecessors
AT_ONCE = 8  # nodes that a kernel moves before time is looked at
MOST_BYTES = 1_500_000_000  # of trees; beyond, they are planted anew. A move to larger arrays takes as much again


class Ordering:
    """One ordering of the nodes that are ordered, with what each node's parents are worth in it.

    Nodes of past months are not in it: they have no parents and come before all others.
    """

    def __init__(self, order: np.ndarray, worth: np.ndarray) -> None:
        self.order, self.worth = order, worth

    @property
    def score(self) -> float:
        """The sum over all nodes, up to a constant of the problem."""
        return float(self.worth.sum())


class OrderForest:
    """The trees of one problem; ``asked`` counts the score differences."""

    def __init__(self, problem: Problem, where: Limits) -> None:
        self._differences = Differences(problem)
        self._budget = problem.budget
        self._form = self._differences.form
        self._barred = where.barred
        time = problem.knowledge.time
        self.standing = np.zeros(len(where.barred), dtype=np.bool_) if time is None else time.past
        needed = [np.flatnonzero(row) for row in where.kept]
        self._required = np.full((len(needed), max(map(len, needed)) + 1), -1, np.int64)
        for row, parents in zip(self._required, needed, strict=True):
            row[: len(parents)] = parents
        self._most = self._differences.most_parents
        self._calls = np.zeros(1, np.int64)
        if self._form is not None:
            self._form = self._form._replace(**{name: getattr(self._form, name)[: self._most + 1] for name in "abc"})
            self._rows = room(self._form.matrix, self._most)
        self._forest = self._planted()
        self._few = len(self._barred) <= FEW
        self._backward: dict[tuple[int, int], tuple[float, list[int]]] = {}  # by target and word of predecessors

    @property
    def asked(self) -> int:
        """Score differences asked for."""
        return int(self._calls[0]) + self._differences.asked

    def _planted(self) -> Forest:
        return planted(np.zeros(len(self._barred)))

    def ordering(self, order: np.ndarray) -> Ordering:
        """An ordering from scratch."""
        last, worth = order[-1], np.zeros(len(self._barred))
        found = self._worth(last, order[:-1], np.full((3, len(order)), np.nan))
        worth[order[:-1]], worth[last] = found[0, :-1], found[2, -1]
        return Ordering(order.copy(), worth)

    def improve_each(self, here: Ordering, nodes: np.ndarray) -> Iterator[bool]:
        """`improve` one node after the other; says now and then whether any was moved."""
        if self._form is None or self._few:
            yield from (self.improve(here, v) for v in nodes.tolist())
            return
        for some in np.array_split(nodes, -(-len(nodes) // AT_ONCE)):
            done, any_moved = 0, False
            while done < len(some):
                if self._budget.spent():
                    raise OutOfTime
                if memory(self._forest) > MOST_BYTES:
                    self._forest = self._planted()
                done, moved = sweep_gaussian(
                    self._form, self._forest, some, done, here.order, here.worth, *self._known()
                )
                any_moved |= moved
                if done < len(some):
                    self._make_room()
            yield any_moved

    def improve(self, here: Ordering, v: int) -> bool:
        """Move node v to its best place; whether that raised the score."""
        order, worth = here.order, here.worth
        now = int(np.flatnonzero(order == v)[0])
        others = np.delete(order, now)
        known = np.full((3, len(order)), np.nan)
        known[0, :now], known[1, now:-1], known[2, now] = worth[others[:now]], worth[others[now:]], worth[v]
        found = self._worth(v, others, known)
        rank = self._rank(others)
        before = self._required[v][self._required[v] >= 0]
        behind = np.flatnonzero((self._required == v).any(axis=1))
        first = int(rank[before].max(initial=-1)) + 1
        last = int(rank[behind].min(initial=len(others)))
        place, gain = best_place(found, now, first, last, TAU)
        if gain <= 0:
            return False
        here.order = np.insert(others, place, v)
        worth[others[:place]], worth[others[place:]], worth[v] = found[0, :place], found[1, place:-1], found[2, place]
        return True

    def arcs(self, here: Ordering) -> list[tuple[int, int]]:
        """The DAG of an ordering, also where time is over."""
        self._budget = Budget()
        self.ordering(here.order)  # looks at its sets, should the trees have been planted anew since it was met
        rank = self._rank(here.order)
        return sorted((int(parent), node) for node in here.order.tolist() for parent in self._parents(node, rank))

    def _rank(self, order: np.ndarray) -> np.ndarray:
        """Places in an ordering, of all nodes: standing ones before it, those that it lacks behind it."""
        rank = np.where(self.standing, -1, len(order) + 1)
        rank[order] = np.arange(len(order))
        return rank

    def _known(self) -> tuple[Any, ...]:
        """What kernels are told beside trees and orderings."""
        return self._barred, self._required, self.standing, self._rows, TAU, self._calls

    def _make_room(self) -> None:
        """Twice the room for what has none left."""
        forest = self._forest
        sets = len(forest.sets) if forest.used[SETS] == len(forest.sets) else 0
        full = forest.used[BRANCHES] + len(self._barred) > len(forest.branches)
        self._forest = with_room(forest, sets, len(forest.branches) if full else 0)

    def _worth(self, v: int, others: np.ndarray, worth: np.ndarray) -> np.ndarray:
        """`evaluate` of node v to the end."""
        if memory(self._forest) > MOST_BYTES:
            self._forest = self._planted()
        worth[:2, -1] = 0.0
        rank = self._rank(others)
        at = np.zeros(2, np.int64)
        while True:
            if self._budget.spent():
                raise OutOfTime
            if self._form is not None:
                status = evaluate_gaussian(self._form, self._forest, v, others, rank, worth, at, *self._known())
            else:
                status = evaluate(self._forest, v, others, rank, worth, at)
            if status == DONE:
                return self._raised(v, others, worth) if self._few else worth
            if status == FULL:
                self._make_room()
            else:
                self._look(status)

    def _raised(self, v: int, others: np.ndarray, worth: np.ndarray) -> np.ndarray:
        """``worth`` where backward elimination finds no better parents, else what those are worth."""
        word, own = sum(1 << j for j in np.flatnonzero(self.standing).tolist()), 1 << v
        for k, node in enumerate([*others.tolist(), v]):
            if node != v:
                worth[0, k] = max(worth[0, k], self._eliminated(node, word)[0])
                worth[1, k] = max(worth[1, k], self._eliminated(node, word | own)[0])
            worth[2, k] = max(worth[2, k], self._eliminated(v, word)[0])
            word |= 1 << node
        return worth

    def _eliminated(self, target: int, word: int) -> tuple[float, list[int]]:
        """Score and parents when superfluous predecessors (bits of ``word``) are taken out one by one."""
        if (target, word) not in self._backward:
            required = self._required[target][self._required[target] >= 0].tolist()
            free = [j for j in range(len(self._barred)) if word >> j & 1 and not self._barred[target, j]]
            members = [*required, *free]
            if len(members) > self._most or not free:
                self._backward[target, word] = -np.inf, []
            elif self._form is not None:
                left, value = shrink(self._form, target, np.array(members, np.int64), len(required), TAU)
                self._calls[0] += sum(range(len(left), len(members) + 1))
                self._backward[target, word] = float(value), left.tolist()
            else:
                full = self._local(target, members) - self._local(target, required)
                rest, gone = self._shrunk(target, members, len(required))
                self._backward[target, word] = float(full + gone), rest
        return self._backward[target, word]

    def _members(self, which: int) -> tuple[int, list[int], int]:
        """Target of a set, its members, and how many of them are required and come first."""
        target = which
        while self._forest.sets[target, UP] >= 0:
            target = int(self._forest.sets[target, UP])
        required = self._required[target][self._required[target] >= 0].tolist()
        return target, [*required, *path(self._forest, which).tolist()], len(required)

    def _look(self, which: int) -> None:
        """Ask the score about a set: who raises it, and what is left without superfluous members."""
        target, members, fixed = self._members(which)
        closed = self._barred[target].copy()
        passed_over(self._forest, which, closed)
        closed[members] = True
        sources, gains = np.flatnonzero(~closed), np.empty(0)
        if len(members) < self._most and len(sources):
            gains = self._gains(target, members, sources)
            best = np.argsort(-gains, kind="stable")[: np.sum(gains > TAU)]
            best = best[: reachable(sources[best], self.standing)]
            sources, gains = sources[best], gains[best]
        else:
            sources = sources[:0]
        gone = self._shrunk(target, members, fixed)[1]
        self._forest = with_room(self._forest, 0, len(sources))
        store(self._forest, which, sources, gains, float(self._forest.scores[which, 0] + gone))

    def _gains(self, target: int, members: list[int], sources: np.ndarray) -> np.ndarray:
        """What each source adds to the parents ``members``; −inf where the score cannot tell."""
        ends, which = np.array([0, len(members)]), np.zeros(len(sources), np.int64)
        gains = self._differences.additions(np.array([target]), ends, np.array(members, np.int64), which, sources)
        return np.nan_to_num(gains, nan=-np.inf)

    def _shrunk(self, target: int, members: list[int], fixed: int) -> tuple[list[int], float]:
        """The members that are left when superfluous ones are taken out, and by how much the score rose."""
        rest, gone = list(members), 0.0
        value = self._local(target, rest)
        while len(rest) > fixed:
            without = [self._local(target, rest[:i] + rest[i + 1 :]) for i in range(fixed, len(rest))]
            self._calls[0] += len(without)
            best = max(without)
            if not best - value > TAU:
                break
            gone, value = gone + best - value, best
            del rest[fixed + without.index(best)]
        return rest, gone

    def _local(self, target: int, members: list[int]) -> float:
        return float(self._differences.score.local(self._differences.stats, target, sorted(members)))

    def _parents(self, node: int, rank: np.ndarray) -> list[int]:
        which = self._set_of(node, rank)
        if self._few:
            word = sum(1 << j for j in np.flatnonzero(rank < rank[node]).tolist())
            value, parents = self._eliminated(node, word)
            if value > self._forest.scores[which, SHRUNK] + TAU:
                return parents
        target, members, fixed = self._members(which)
        if self._form is not None:
            found: list[int] = shrink(self._form, target, np.array(members, np.int64), fixed, TAU)[0].tolist()
            return found
        return self._shrunk(target, members, fixed)[0]

    def _set_of(self, node: int, rank: np.ndarray) -> int:
        """The set of a node among its predecessors, which an evaluation has looked at."""
        which, forest = node, self._forest
        while True:
            first, count = forest.sets[which, :2]
            branches = forest.branches[first : first + max(count, 0)]
            open_ = np.flatnonzero(rank[branches[:, 0]] < rank[node])
            if len(open_) == 0:
                return which
            which = int(branches[open_[0], 1])
