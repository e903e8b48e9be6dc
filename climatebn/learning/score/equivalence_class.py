"""A class of Markov-equivalent DAGs that a search walks through: its CPDAG, one of its DAGs, what a step touches."""

from collections.abc import Iterable

import numpy as np

from climatebn.kernels.bitset import bit_rows, members, put
from climatebn.kernels.equivalence import cpdag as equivalence


class EquivalenceClass:
    """The class of a DAG with these (from, to) ``arcs``; arrays of node sets as in `kernels.equivalence`.

    Arcs out of nodes that are known to come ``first`` have one direction only.
    """

    def __init__(self, nodes: int, arcs: Iterable[tuple[int, int]] = (), first: np.ndarray | None = None) -> None:
        self.first = np.zeros(nodes, dtype=np.bool_) if first is None else first
        self.dag, self.parents, self.neighbours, self.children = (bit_rows(nodes, nodes) for _ in range(4))
        self.adjacent = bit_rows(nodes, nodes)
        self.crowded: set[int] = set()  # nodes with more cliques around them than a search has looked at
        for source, target in arcs:
            put(self.dag[target], source)
        self._complete()

    @property
    def graph(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(parents, neighbours, children, adjacent) of the CPDAG, as `kernels.operators` reads them."""
        return self.parents, self.neighbours, self.children, self.adjacent

    def apply(self, kind: int, source: int, target: int, clique: np.ndarray) -> None:
        """Take a step."""
        self._last = source, target, (self.parents.copy(), self.neighbours.copy(), self.children.copy())
        equivalence.change(self.dag, self.neighbours, kind, source, target, clique)
        self._complete()

    def touched(self, kind: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What the last step has changed for steps of a kind (see `kernels.equivalence.touched`)."""
        return equivalence.touched(kind, *self._last, (self.parents, self.neighbours, self.children))

    def edges(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Directed (from, to) and undirected (smaller, larger) pairs, sorted."""
        self._complete()  # a step may have been broken off
        nodes = range(len(self.dag))
        directed = sorted((int(parent), node) for node in nodes for parent in members(self.parents[node]))
        lines = [(node, int(other)) for node in nodes for other in members(self.neighbours[node]) if node < other]
        return directed, lines

    def _complete(self) -> None:
        equivalence.complete(self.dag, self.first, self.parents, self.neighbours, self.children)
        np.bitwise_or(self.parents | self.neighbours, self.children, out=self.adjacent)
