"""A directed acyclic graph over named nodes."""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError, public
from climatebn.graph.numbering import node_numbers, number_of

Arc = tuple[str, str]


@public
@dataclass(frozen=True, eq=False, repr=False)
class Dag:
    """A DAG: ``arcs`` and ``parents`` speak names, ``numbered_arcs`` and ``numbered_parents`` column numbers from 0.

    Parameters
    ----------
    names : names of the nodes.
    numbered_arcs : (from, to) column numbers, a row an arc; `Dag.from_arcs` takes names.

    Examples
    --------
    >>> dag = Dag.from_arcs(["rain", "soil", "flood"], [("rain", "soil"), ("soil", "flood")])
    >>> dag.arcs
    [('rain', 'soil'), ('soil', 'flood')]
    >>> dag.parents("flood"), dag.numbered_arcs.tolist()
    (('soil',), [[0, 1], [1, 2]])
    """

    names: tuple[str, ...]
    numbered_arcs: np.ndarray  # (from, to), one row an arc, sorted by from, then to

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "numbered_arcs", sorted_pairs(self.numbered_arcs, len(self.names)))
        if len(self.numbered_order) < len(self.names):  # an ordering exists exactly when there is no cycle
            stuck = sorted(set(range(len(self.names))) - set(self.numbered_order))
            raise ClimateBNError(f"arcs form a cycle among: {', '.join(self.names[i] for i in stuck[:10])}")

    @classmethod
    def from_arcs(cls, names: Sequence[str], arcs: Iterable[Sequence[str | int]] = ()) -> "Dag":
        """A DAG from (from, to) pairs of names or of column numbers.

        Parameters
        ----------
        names : names of the nodes, each once.
        arcs : (from, to) pairs of names or of column numbers.

        Returns
        -------
        Dag.

        Raises
        ------
        ClimateBNError where an arc closes a cycle, or names a node that is not there.

        Examples
        --------
        >>> Dag.from_arcs("abc", [("a", "b"), (1, 2)]).arcs
        [('a', 'b'), ('b', 'c')]
        """
        pairs = node_numbers(names, arcs)
        for parent, child in pairs:
            if parent == child:
                raise ClimateBNError(f"arc {names[parent]} → {names[child]} leads from a node to itself")
        return cls(tuple(names), np.array(pairs))

    @classmethod
    def from_string(cls, model: str) -> "Dag":
        """A DAG from a model string of bnlearn; its nodes keep their order.

        Parameters
        ----------
        model : text such as "[rain][soil|rain]".

        Returns
        -------
        Dag.

        Raises
        ------
        ClimateBNError where the text is no model string, or its arcs close a cycle.

        Examples
        --------
        >>> Dag.from_string("[rain][soil|rain][flood|rain:soil]").arcs
        [('rain', 'soil'), ('rain', 'flood'), ('soil', 'flood')]
        """
        from climatebn.graph.model_string import from_string

        return from_string(model)

    def to_string(self) -> str:
        """The model string of bnlearn, nodes in column order; `from_string` reads it back.

        Returns
        -------
        text; a name with a bracket, bar, colon or outer space is refused.

        Examples
        --------
        >>> Dag.from_arcs("ab", [("b", "a")]).to_string()
        '[a|b][b]'
        """
        from climatebn.graph.model_string import to_string

        return to_string(self)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Dag({len(self)} nodes, {len(self.numbered_arcs)} arcs)"

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Dag):
            return NotImplemented
        return self.names == other.names and np.array_equal(self.numbered_arcs, other.numbered_arcs)

    def __hash__(self) -> int:
        return hash((self.names, self.numbered_arcs.tobytes()))

    @property
    def arcs(self) -> list[Arc]:
        """(from, to) names, sorted by column of from, then of to."""
        return named(self.names, self.numbered_arcs)

    @property
    def skeleton(self) -> list[Arc]:
        """Adjacent pairs of names, each once, the earlier column first."""
        return named(self.names, self.numbered_skeleton)

    @cached_property
    def numbered_skeleton(self) -> np.ndarray:
        """Adjacent pairs of column numbers, the smaller first, sorted."""
        return sorted_pairs(unordered(self.numbered_arcs), len(self))

    def parents(self, name: str) -> tuple[str, ...]:
        """Names of the parents of a node, in column order.

        Parameters
        ----------
        name : of a node.

        Returns
        -------
        tuple of names.

        Examples
        --------
        >>> Dag.from_arcs("abc", [("a", "c"), ("b", "c")]).parents("c")
        ('a', 'b')
        """
        return tuple(self.names[i] for i in self.numbered_parents[number_of(self.names, name)])

    def children(self, name: str) -> tuple[str, ...]:
        """Names of the children of a node, in column order.

        Parameters
        ----------
        name : of a node.

        Returns
        -------
        tuple of names.

        Examples
        --------
        >>> Dag.from_arcs("abc", [("a", "c"), ("b", "c")]).children("a")
        ('c',)
        """
        return tuple(self.names[i] for i in self.numbered_children[number_of(self.names, name)])

    @cached_property
    def numbered_parents(self) -> tuple[tuple[int, ...], ...]:
        """Column numbers of the parents of each node, ascending."""
        return _split(*self.parent_rows)

    @cached_property
    def numbered_children(self) -> tuple[tuple[int, ...], ...]:
        """Column numbers of the children of each node, ascending."""
        sources, targets = self.numbered_arcs.T
        return _split(_starts(sources, len(self)), targets)

    @cached_property
    def parent_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """For compiled code, (starts, items): the parents of node i are items[starts[i]:starts[i + 1]], ascending."""
        sources, targets = self.numbered_arcs.T
        return _starts(targets, len(self)), sources[np.argsort(targets, kind="stable")]

    @cached_property
    def numbered_order(self) -> tuple[int, ...]:
        """A topological order of the column numbers (the smallest available number first)."""
        if not len(self.numbered_arcs):
            return tuple(range(len(self)))
        waiting = np.bincount(self.numbered_arcs[:, 1], minlength=len(self)).tolist()
        ready = [i for i, count in enumerate(waiting) if count == 0]
        order = []
        while ready:
            node = heapq.heappop(ready)
            order.append(node)
            for child in self.numbered_children[node]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    heapq.heappush(ready, child)
        return tuple(order)


def _starts(nodes: np.ndarray, size: int) -> np.ndarray:
    """Where each of ``size`` nodes begins in a list of nodes that ascends; at its end, the length of the list."""
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(nodes, minlength=size), out=starts[1:])
    return starts


def _split(starts: np.ndarray, items: np.ndarray) -> tuple[tuple[int, ...], ...]:
    bounds, others = starts.tolist(), items.tolist()
    return tuple(tuple(others[start:end]) for start, end in pairwise(bounds))


def sorted_pairs(pairs: Any, size: int) -> np.ndarray:
    """Pairs of column numbers as a read-only array, one row a pair, sorted by the first, then the second, each once."""
    found = np.array(pairs, dtype=np.int64, order="C")
    if found.size % 2 or (found.size and found.shape[-1] != 2):
        raise ClimateBNError(f"arcs must be (from, to) pairs of column numbers; their shape is {found.shape}")
    rows = found.reshape(-1, 2)
    if rows.size and not (rows.min() >= 0 and rows.max() < size):
        raise ClimateBNError(f"numbers of nodes must be 0 … {size - 1}; got {rows.min()} … {rows.max()}")
    keys = rows[:, 0] * size + rows[:, 1]
    in_order = (keys[1:] > keys[:-1]).all()  # the usual case
    found = rows if in_order else np.stack(np.divmod(np.unique(keys), max(size, 1)), axis=1)
    found.flags.writeable = False
    return found


def named(names: Sequence[str], pairs: np.ndarray) -> list[Arc]:
    """Pairs of column numbers as pairs of names."""
    return [(names[a], names[b]) for a, b in pairs.tolist()]


def unordered(pairs: np.ndarray) -> np.ndarray:
    """The same pairs, in each the smaller number first."""
    return np.sort(pairs, axis=1)
