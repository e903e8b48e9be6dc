"""What is known before learning: arcs that must be there, arcs that must not, and how many parents a node may have."""

from collections.abc import Sequence
from dataclasses import dataclass

from climatebn.errors import ClimateBNError
from climatebn.graph import Dag
from climatebn.graph.numbering import node_numbers


@dataclass(frozen=True)
class Knowledge:
    """Constraints on the network.

    Parameters
    ----------
    required, forbidden : (from, to) pairs, of names where the user gives them, of column numbers inside algorithms.
    max_parents : largest number of parents of any node; no limit when None.

    >>> Knowledge(required=[("a", "b")]).numbered(["a", "b"]).required
    ((0, 1),)
    """

    required: Sequence[tuple[str | int, str | int]] = ()
    forbidden: Sequence[tuple[str | int, str | int]] = ()
    max_parents: int | None = None

    def directions(self) -> list[tuple[int, int]]:
        """The arcs (from, to), in column numbers, as which an edge has to be directed if it is there."""
        return [(int(a), int(b)) for a, b in (*self.required, *((b, a) for a, b in self.forbidden))]

    def numbered(self, names: Sequence[str]) -> "Knowledge":
        """The same knowledge in column numbers, checked: nothing both required and forbidden, no required cycle."""
        required = tuple(sorted(set(node_numbers(names, self.required))))
        forbidden = tuple(sorted(set(node_numbers(names, self.forbidden))))
        both = sorted(set(required) & set(forbidden))
        if both:
            arcs = ", ".join(f"{names[a]} → {names[b]}" for a, b in both)
            raise ClimateBNError(f"arcs both required and forbidden: {arcs}")
        if self.max_parents is not None and self.max_parents < 0:
            raise ClimateBNError(f"max_parents must be 0 or more; got {self.max_parents}")
        crowded = max((len(p) for p in Dag.from_arcs(names, required).numbered_parents), default=0)
        if self.max_parents is not None and crowded > self.max_parents:
            raise ClimateBNError(f"required arcs give a node {crowded} parents; max_parents is {self.max_parents}")
        return Knowledge(required, forbidden, self.max_parents)
