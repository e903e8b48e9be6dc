"""What is known before learning: arcs that must be there or must not, tiers of nodes, how many parents there may be."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from climatebn.errors import MANY, ClimateBNError, public, short, whole
from climatebn.graph import Dag
from climatebn.graph.numbering import node_numbers
from climatebn.ingest.grid.region import Region
from climatebn.ingest.nodes.node_weights import node_at, region_weights
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.learning.time_order import TimeOrder

Pairs = Sequence[tuple[Any, Any]]


@public
@dataclass(frozen=True)
class Knowledge:
    """Constraints on the network. Nodes are given by name, or by place (lat, lon) where the data has places.

    Parameters
    ----------
    required, forbidden : (from, to) pairs of nodes; of column numbers inside algorithms.
    max_parents : largest number of parents of any node; no limit when None.
    tiers : groups of nodes, the first ones first: no arc leads from a later tier to an earlier one. A `Region` stands
        for its nodes. A node in no tier is free.

    Examples
    --------
    >>> known = Knowledge(required=[("a", "b")], tiers=[["a"], ["b", "c"]]).numbered(["a", "b", "c"])
    >>> known.required, known.barred(2, 0), known.barred(0, 2)
    (((0, 1),), True, False)
    """

    required: Pairs = ()
    forbidden: Pairs = ()
    max_parents: int | None = None
    tiers: Sequence[Sequence[Any] | Region] = ()
    time: TimeOrder | None = field(default=None, repr=False)  # set by `learn` for networks in time

    @property
    def bars(self) -> bool:
        """Whether some arcs are forbidden, by themselves, by tiers or by time."""
        return bool(self.forbidden or self.tiers) or self.time is not None

    def directions(self, edges: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
        """The arcs (from, to), in column numbers, as which an edge has to be directed; of tiers for ``edges`` alone.

        Parameters
        ----------
        edges : pairs of column numbers.

        Returns
        -------
        list of (from, to).

        Examples
        --------
        >>> Knowledge(forbidden=[("a", "b")]).numbered(["a", "b"]).directions([(0, 1)])
        [(1, 0)]
        """
        try:
            pairs = [(int(a), int(b)) for a, b in edges]
        except (TypeError, ValueError):
            raise ClimateBNError(f"edges must be pairs of column numbers; got {short(edges)}") from None
        known = [(int(a), int(b)) for a, b in (*self.required, *((b, a) for a, b in self.forbidden))]
        if self.time is not None:
            known = known + self.time.directions(pairs)
        if not self.tiers:
            return known
        tier = self._tier
        ranked = [(a, b) for a, b in pairs if a in tier and b in tier and tier[a] != tier[b]]
        ranked = [(a, b) if tier[a] < tier[b] else (b, a) for a, b in ranked]
        return known + ranked

    def barred(self, source: int, target: int) -> bool:
        """Whether the arc between two columns is forbidden, by itself or by tiers.

        Parameters
        ----------
        source, target : column numbers.

        Returns
        -------
        bool.

        Examples
        --------
        >>> Knowledge(forbidden=[("a", "b")]).numbered(["a", "b"]).barred(0, 1)
        True
        """
        later = self._tier.get(source, -1) > self._tier.get(target, len(self.tiers))
        later = later or (self.time is not None and self.time.barred(source, target))
        return later or (source, target) in self._forbidden

    def barred_table(self, size: int) -> np.ndarray:
        """Whether each arc [from, to] is forbidden (size × size).

        Parameters
        ----------
        size : number of columns.

        Returns
        -------
        array of booleans.

        Examples
        --------
        >>> Knowledge(forbidden=[("a", "b")]).numbered(["a", "b"]).barred_table(2).tolist()
        [[False, True], [False, False]]
        """
        arcs = np.array(self.forbidden, dtype=np.int64).reshape(-1, 2)
        whole("size", size, max(int(arcs.max(initial=-1)), *self._tier, -1) + 1, MANY)
        table = np.zeros((size, size), dtype=bool)
        if self.tiers:
            tier = np.full(size, -1)
            tier[list(self._tier)] = list(self._tier.values())
            table = (tier[:, None] > tier[None, :]) & (tier[None, :] >= 0)
        if self.time is not None:
            table |= self.time.barred_table()
        table[tuple(arcs.T)] = True
        return table

    def numbered(self, names: Sequence[str], nodes: Nodes | None = None) -> "Knowledge":
        """The same knowledge in column numbers, checked: nothing both required and forbidden, no required cycle.

        Parameters
        ----------
        names : names of the columns.
        nodes : places of the columns, where nodes are given by place.

        Returns
        -------
        Knowledge in column numbers.

        Raises
        ------
        ClimateBNError where it contradicts itself, or names a node that is not there.

        Examples
        --------
        >>> Knowledge(required=[("a", "b")]).numbered(["a", "b"]).required
        ((0, 1),)
        """
        required, forbidden = (
            tuple(sorted(set(node_numbers(names, _named(pairs, what, nodes)))))
            for pairs, what in ((self.required, "required"), (self.forbidden, "forbidden"))
        )
        known = Knowledge(required, forbidden, self.max_parents, _numbered_tiers(self.tiers, names, nodes), self.time)
        both = [(a, b) for a, b in required if known.barred(a, b)]
        if both:
            arcs = ", ".join(f"{names[a]} → {names[b]}" for a, b in both)
            against = "; arcs run forward in time" if self.time is not None else ""
            raise ClimateBNError(f"arcs both required and forbidden: {arcs}{against}")
        if self.max_parents is not None:
            whole("max_parents", self.max_parents)
        crowded = max((len(p) for p in Dag.from_arcs(names, required).numbered_parents), default=0)
        if self.max_parents is not None and crowded > self.max_parents:
            raise ClimateBNError(f"required arcs give a node {crowded} parents; max_parents is {self.max_parents}")
        return known

    @cached_property
    def _tier(self) -> dict[int, int]:
        """The tier of each column that has one."""
        groups: Any = self.tiers
        return {node: rank for rank, group in enumerate(groups) for node in group}

    @cached_property
    def _forbidden(self) -> frozenset[tuple[int, int]]:
        return frozenset((int(a), int(b)) for a, b in self.forbidden)


def _numbered_tiers(tiers: Any, names: Sequence[str], nodes: Nodes | None) -> tuple[tuple[int, ...], ...]:
    """Column numbers of each tier."""
    seen: set[int] = set()
    groups = []
    for group in tiers:
        if isinstance(group, str) or not isinstance(group, Region | Iterable):
            raise ClimateBNError(f"tiers must be groups of nodes, e.g. [['a'], ['b', 'c']]; got {group!r}")
        members = _members([group] if isinstance(group, Region) else group, nodes)
        found = sorted(node for node, _ in node_numbers(names, [(node, node) for node in members]))
        again = [names[node] for node in found if node in seen]
        if again or len(set(found)) < len(found):
            raise ClimateBNError(f"tiers must have each node once; {(again or ['one'])[0]} comes again")
        seen.update(found)
        groups.append(tuple(found))
    return tuple(groups)


def _members(group: Iterable[Any], nodes: Nodes | None) -> list[str | int]:
    """Names or numbers of the nodes of a group, in which a region stands for all of its nodes."""
    found: list[str | int] = []
    for node in group:
        if isinstance(node, Region):
            found += region_weights(node, nodes, "tiers")
        else:
            found.append(_node(node, "tiers", nodes))
    return found


def _named(pairs: Any, what: str, nodes: Nodes | None) -> list[tuple[str | int, str | int]]:
    """Pairs in which places have become names."""
    try:
        both = [(a, b) for a, b in pairs]
    except (TypeError, ValueError):
        raise ClimateBNError(f"{what} must be (from, to) pairs of nodes, e.g. [('X1', 'X2')]; got {pairs!r}") from None
    return [(_node(a, what, nodes), _node(b, what, nodes)) for a, b in both]


def _node(node: Any, what: str, nodes: Nodes | None) -> str | int:
    if isinstance(node, int | np.integer):
        return int(node)
    return node if isinstance(node, str) else node_at(node, nodes, what)
