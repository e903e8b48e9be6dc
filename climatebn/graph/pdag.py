"""A partially directed graph: what constraint-based learning returns, and the shape of a CPDAG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from climatebn.errors import ClimateBNError
from climatebn.graph.dag import Arc, Dag, node_numbers


@dataclass(frozen=True)
class Pdag:
    """Directed and undirected edges over named nodes; cycles are allowed (see `extension` for validity).

    ``arcs`` are (from, to), ``lines`` the undirected pairs (smaller number first): column numbers, sorted.

    >>> Pdag.from_edges("abc", directed=[("a", "b")], undirected=[("c", "b")]).undirected
    [('b', 'c')]
    """

    names: tuple[str, ...]
    arcs: tuple[tuple[int, int], ...]
    lines: tuple[tuple[int, int], ...]

    @classmethod
    def from_edges(
        cls,
        names: Sequence[str],
        directed: Iterable[Sequence[str | int]] = (),
        undirected: Iterable[Sequence[str | int]] = (),
    ) -> "Pdag":
        """A PDAG from pairs of names or of column numbers."""
        arcs = sorted(set(node_numbers(names, directed)))
        lines = sorted({(min(a, b), max(a, b)) for a, b in node_numbers(names, undirected)})
        pairs = [(min(a, b), max(a, b)) for a, b in arcs] + lines
        if len(set(pairs)) != len(pairs):
            twice = next(pair for pair in pairs if pairs.count(pair) > 1)
            raise ClimateBNError(f"{names[twice[0]]} and {names[twice[1]]} are joined by more than one edge")
        if any(a == b for a, b in pairs):
            raise ClimateBNError("an edge leads from a node to itself")
        return cls(tuple(names), tuple(arcs), tuple(lines))

    @classmethod
    def from_dag(cls, dag: Dag) -> "Pdag":
        """The same arcs, all directed."""
        return cls(dag.names, tuple(map(tuple, dag.edges.tolist())), ())

    def __len__(self) -> int:
        return len(self.names)

    @property
    def directed(self) -> list[Arc]:
        """(from, to) names of the directed edges."""
        return [(self.names[a], self.names[b]) for a, b in self.arcs]

    @property
    def undirected(self) -> list[Arc]:
        """Pairs of names of the undirected edges, the earlier column first."""
        return [(self.names[a], self.names[b]) for a, b in self.lines]

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All adjacent pairs of column numbers, the smaller first, sorted."""
        return tuple(sorted({(min(a, b), max(a, b)) for a, b in self.arcs} | set(self.lines)))

    @property
    def skeleton(self) -> list[Arc]:
        """All adjacent pairs of names, each once, the earlier column first."""
        return [(self.names[a], self.names[b]) for a, b in self.pairs]
