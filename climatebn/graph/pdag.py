"""A partially directed graph: what constraint-based learning returns, and the shape of a CPDAG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError, public
from climatebn.graph.dag import Arc, Dag, named, sorted_pairs, unordered
from climatebn.graph.numbering import node_numbers


@public
@dataclass(frozen=True, eq=False, repr=False)
class Pdag:
    """Directed and undirected edges over named nodes; cycles are allowed (see `extension` for validity).

    ``arcs`` (the directed edges), ``undirected`` and ``skeleton`` speak names, the same words after ``numbered_``
    column numbers from 0.

    Parameters
    ----------
    names : names of the nodes.
    numbered_arcs, numbered_undirected : pairs of column numbers, a row an edge; `Pdag.from_edges` takes names.

    Examples
    --------
    >>> pdag = Pdag.from_edges("abc", directed=[("a", "b")], undirected=[("c", "b")])
    >>> pdag.arcs, pdag.undirected, pdag.numbered_undirected.tolist()
    ([('a', 'b')], [('b', 'c')], [[1, 2]])
    """

    names: tuple[str, ...]
    numbered_arcs: np.ndarray  # (from, to), one row an arc, sorted by from, then to
    numbered_undirected: np.ndarray  # one row an edge, the smaller number first, sorted

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        undirected = unordered(sorted_pairs(self.numbered_undirected, len(self.names)))
        object.__setattr__(self, "numbered_arcs", sorted_pairs(self.numbered_arcs, len(self.names)))
        object.__setattr__(self, "numbered_undirected", sorted_pairs(undirected, len(self.names)))

    @classmethod
    def from_edges(
        cls,
        names: Sequence[str],
        directed: Iterable[Sequence[str | int]] = (),
        undirected: Iterable[Sequence[str | int]] = (),
    ) -> "Pdag":
        """A PDAG from pairs of names or of column numbers.

        Parameters
        ----------
        names : names of the nodes, each once.
        directed : (from, to) pairs of names or of column numbers.
        undirected : pairs without direction.

        Returns
        -------
        Pdag.

        Raises
        ------
        ClimateBNError where two nodes are joined twice, or a node with itself.

        Examples
        --------
        >>> Pdag.from_edges("abc", undirected=[("a", "b")]).undirected
        [('a', 'b')]
        """
        graph = cls(tuple(names), np.array(node_numbers(names, directed)), np.array(node_numbers(names, undirected)))
        pairs = [*unordered(graph.numbered_arcs).tolist(), *graph.numbered_undirected.tolist()]
        if len(graph.numbered_skeleton) < len(pairs):
            a, b = next(pair for pair in pairs if pairs.count(pair) > 1)
            raise ClimateBNError(f"{names[a]} and {names[b]} are joined by more than one edge")
        if any(a == b for a, b in pairs):
            raise ClimateBNError("an edge leads from a node to itself")
        return graph

    @classmethod
    def from_dag(cls, dag: Dag) -> "Pdag":
        """The same arcs, all directed.

        Parameters
        ----------
        dag : a DAG.

        Returns
        -------
        Pdag.

        Examples
        --------
        >>> Pdag.from_dag(Dag.from_arcs("ab", [("b", "a")])).directed
        [('b', 'a')]
        """
        return cls(dag.names, dag.numbered_arcs, np.zeros((0, 2)))

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        arcs, lines = len(self.numbered_arcs), len(self.numbered_undirected)
        return f"Pdag({len(self)} nodes, {arcs} directed and {lines} undirected edges)"

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Pdag):
            return NotImplemented
        ours, theirs = ((g.numbered_arcs, g.numbered_undirected) for g in (self, other))
        return self.names == other.names and all(map(np.array_equal, ours, theirs))

    def __hash__(self) -> int:
        return hash((self.names, self.numbered_arcs.tobytes(), self.numbered_undirected.tobytes()))

    @property
    def arcs(self) -> list[Arc]:
        """(from, to) names of the directed edges; `directed` is the same."""
        return named(self.names, self.numbered_arcs)

    @property
    def directed(self) -> list[Arc]:
        """(from, to) names of the directed edges."""
        return self.arcs

    @property
    def undirected(self) -> list[Arc]:
        """Pairs of names of the undirected edges, the earlier column first."""
        return named(self.names, self.numbered_undirected)

    @property
    def skeleton(self) -> list[Arc]:
        """All adjacent pairs of names, each once, the earlier column first."""
        return named(self.names, self.numbered_skeleton)

    @cached_property
    def numbered_skeleton(self) -> np.ndarray:
        """All adjacent pairs of column numbers, the smaller first, sorted."""
        both = np.concatenate([unordered(self.numbered_arcs), self.numbered_undirected])
        return sorted_pairs(both, len(self))
