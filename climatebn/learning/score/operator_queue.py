"""The steps of one kind in the order of their gains, kept while the graph changes under them.

The gain of a step depends on the neighbourhood of its target only, so it is computed anew just where that has
changed. Whether the step is legal may depend on paths far away, so that is asked only when it is the best one left;
if a path forbids it, it waits until a link of that path is lost. (The idea is XGES's: Nazaret, Blei 2024.)
"""

import heapq
from collections import defaultdict
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import bit_rows, put
from climatebn.kernels.constants import TAU
from climatebn.kernels.equivalence.legality import legal
from climatebn.kernels.equivalence.operators import DELETE, MOST_CLIQUES, TURN, families, steps, turned_families
from climatebn.learning.score.differences import Differences
from climatebn.learning.score.equivalence_class import EquivalenceClass


class Operator(NamedTuple):
    """One step of a search over equivalence classes (see `kernels.operators`)."""

    gain: float
    source: int
    target: int
    clique: np.ndarray


class Steps(NamedTuple):
    """The steps into one target that raise the score, best first; ``which`` numbers the cliques (starts, items)."""

    starts: np.ndarray
    items: np.ndarray
    which: np.ndarray
    source: np.ndarray
    gain: np.ndarray


class _Entry(NamedTuple):
    """The step of some rank into a target; after it comes the next rank, unless it was woken from waiting."""

    target: int
    stamp: int
    rank: int
    woken: bool = False


class OperatorQueue:
    """The steps of one ``kind``; equal gains go by source, then target, then clique."""

    def __init__(self, kind: int, graph: EquivalenceClass, differences: Differences, allowed: np.ndarray) -> None:
        self.kind, self.graph, self.differences, self.allowed = kind, graph, differences, allowed
        self._steps: list[Steps] = []
        self._stamp = [0] * len(allowed)  # of each target; an entry with an older stamp is void
        self._heap: list[tuple[float, int, _Entry]] = []  # (−gain, source, …)
        self._waiting: dict[int, _Entry] = {}  # steps that a path forbids, by number
        self._links: defaultdict[tuple[int, int], list[int]] = defaultdict(list)  # their numbers, by links of the path
        self._numbers = count()
        for target in range(len(allowed)):
            self._steps.append(self._found(target, allowed[target]))
            self._offer(_Entry(target, 0, 0))

    def best(self) -> Operator | None:
        """The best legal step; None when no legal step raises the score."""
        while self._heap:
            _, source, entry = self._heap[0]
            if entry.stamp != self._stamp[entry.target]:
                heapq.heappop(self._heap)
                continue
            own = self._steps[entry.target]
            c = own.which[entry.rank]
            clique = own.items[own.starts[c] : own.starts[c + 1]]
            free, path = legal(self.kind, source, entry.target, clique, *self.graph.graph[1:])
            if free:
                return Operator(float(own.gain[entry.rank]), source, entry.target, clique)
            heapq.heappop(self._heap)
            if len(path):
                number = next(self._numbers)
                self._waiting[number] = entry._replace(woken=True)
                for link in pairwise(path.tolist()):
                    self._links[link].append(number)
            if not entry.woken:
                self._offer(entry._replace(rank=entry.rank + 1))
        return None

    def update(self) -> None:
        """The graph has taken a step, of this kind or another."""
        targets, pairs, lost = self.graph.touched(self.kind)
        for target in targets.tolist():
            self._steps[target] = self._found(target, self.allowed[target])
        row = bit_rows(1, len(self.allowed))[0]
        for target, source in pairs.tolist():
            row[:] = 0
            put(row, source)
            fresh = self._found(target, row & self.allowed[target])
            own = self._steps[target]
            rest = own.source != source
            joined = [np.append(old[rest], new) for old, new in zip(own[2:], fresh[2:], strict=True)]
            self._steps[target] = _sorted(fresh.starts, fresh.items, *joined)
        for target in {*targets.tolist(), *pairs[:, 0].tolist()}:
            self._stamp[target] += 1
            self._offer(_Entry(target, self._stamp[target], 0))
        for link in map(tuple, lost.tolist()):
            for number in self._links.pop(link, ()):
                if number in self._waiting:
                    self._offer(self._waiting.pop(number))

    def _offer(self, entry: _Entry) -> None:
        own = self._steps[entry.target]
        if entry.stamp == self._stamp[entry.target] and entry.rank < len(own.gain):
            heapq.heappush(self._heap, (-float(own.gain[entry.rank]), int(own.source[entry.rank]), entry))

    def _found(self, target: int, among: np.ndarray) -> Steps:
        """The steps into ``target`` from ``among`` that raise the score."""
        most_parents = self.differences.most_parents
        starts, items, which, source = steps(self.kind, target, among, *self.graph.graph, most_parents)
        if len(starts) > MOST_CLIQUES:
            self.graph.crowded.add(target)
        sets, held, own = families(self.kind, target, starts, items, which, source, self.graph.parents)
        gain = self.differences.additions(np.full(len(sets) - 1, target), sets, held, own, source)
        if self.kind == DELETE:
            gain = -gain
        elif self.kind == TURN:  # what target gains, less what source loses
            parents, neighbours, _, adjacent = self.graph.graph
            sets, held = turned_families(target, starts, items, which, source, parents, neighbours, adjacent)
            each = np.arange(len(which))
            gain -= self.differences.additions(source, sets, held, each, np.full(len(which), target))
        gain = np.round(gain / self.differences.unit, 8) * self.differences.unit  # equal but for rounding is equal
        up = np.flatnonzero(gain > TAU * self.differences.unit)  # not where it is NaN
        return _sorted(starts, items, which[up], source[up], gain[up])


def _sorted(starts: np.ndarray, items: np.ndarray, which: np.ndarray, source: np.ndarray, gain: np.ndarray) -> Steps:
    order = np.lexsort((which, source, -gain))
    return Steps(starts, items, which[order], source[order], gain[order])
