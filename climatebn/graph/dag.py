"""A directed acyclic graph over named nodes, held as the parents of each node."""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from climatebn.errors import ClimateBNError, unknown

Arc = tuple[str, str]


def node_numbers(names: Sequence[str], pairs: Iterable[Sequence[str | int]]) -> list[tuple[int, int]]:
    """Pairs of names (or of column numbers) as pairs of column numbers."""
    number = {name: i for i, name in enumerate(names)}
    if len(number) != len(names):
        raise ClimateBNError("names of nodes must differ from each other")
    pairs = list(pairs)
    plain = np.array(pairs)
    if plain.dtype.kind == "i" and plain.min() >= 0 and plain.max() < len(names):  # the usual case, without a loop
        return [(a, b) for a, b in plain.tolist()]

    def find(node: str | int) -> int:
        if isinstance(node, str):
            if node not in number:
                raise unknown("node", node, names)
            return number[node]
        if not 0 <= node < len(names):
            raise ClimateBNError(f"node number {node} is outside 0 … {len(names) - 1}")
        return int(node)

    return [(find(a), find(b)) for a, b in pairs]


@dataclass(frozen=True)
class Dag:
    """A DAG. ``parents[i]`` holds the column numbers of the parents of node i, ascending.

    >>> dag = Dag.from_arcs(["rain", "soil", "flood"], [("rain", "soil"), ("soil", "flood")])
    >>> dag.arcs
    [('rain', 'soil'), ('soil', 'flood')]
    """

    names: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if len(self.order) < len(self.names):  # an ordering exists exactly when there is no cycle
            stuck = sorted(set(range(len(self.names))) - set(self.order))
            raise ClimateBNError(f"arcs form a cycle among: {', '.join(self.names[i] for i in stuck[:10])}")

    @classmethod
    def from_arcs(cls, names: Sequence[str], arcs: Iterable[Sequence[str | int]] = ()) -> "Dag":
        """A DAG from (from, to) pairs of names or of column numbers."""
        parents: list[set[int]] = [set() for _ in names]
        for parent, child in node_numbers(names, arcs):
            if parent == child:
                raise ClimateBNError(f"arc {names[parent]} → {names[child]} leads from a node to itself")
            parents[child].add(parent)
        return cls(tuple(names), tuple(tuple(sorted(p)) for p in parents))

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def edges(self) -> np.ndarray:
        """Column numbers (from, to), one row an arc, sorted by from, then to."""
        pairs = sorted((p, child) for child, ps in enumerate(self.parents) for p in ps)
        array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        array.flags.writeable = False
        return array

    @property
    def arcs(self) -> list[Arc]:
        """(from, to) names, sorted by column of from, then of to."""
        return [(self.names[a], self.names[b]) for a, b in self.edges.tolist()]

    @property
    def skeleton(self) -> list[Arc]:
        """Adjacent pairs of names, each once, the earlier column first."""
        pairs = sorted((min(a, b), max(a, b)) for a, b in self.edges.tolist())
        return [(self.names[a], self.names[b]) for a, b in pairs]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Column numbers of the children of each node, ascending."""
        lists: list[list[int]] = [[] for _ in self.names]
        for parent, child in self.edges.tolist():
            lists[parent].append(child)
        return tuple(map(tuple, lists))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """A topological order of the column numbers (the smallest available number first)."""
        waiting = [len(ps) for ps in self.parents]
        children: list[list[int]] = [[] for _ in self.names]
        for child, ps in enumerate(self.parents):
            for p in ps:
                children[p].append(child)
        ready = [i for i, count in enumerate(waiting) if count == 0]
        order = []
        while ready:
            node = heapq.heappop(ready)
            order.append(node)
            for child in children[node]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    heapq.heappush(ready, child)
        return tuple(order)
