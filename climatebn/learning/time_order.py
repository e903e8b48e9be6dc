"""What may join what in a network in time: arcs run forward or within the present month; the past has no parents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class TimeOrder:
    """``lag`` of each column in months before the present, and whether arcs within the present month may be.

    >>> order = TimeOrder((0, 0, 1), same_month=True)
    >>> order.barred(2, 0), order.barred(0, 2), order.barred(0, 1)
    (False, True, False)
    """

    lag: tuple[int, ...]
    same_month: bool = True

    @classmethod
    def of(cls, lag: Iterable[int], lags: Sequence[int]) -> "TimeOrder":
        """Of columns with these lags, in a network with ``lags``."""
        return cls(tuple(map(int, lag)), 0 in lags)

    @cached_property
    def past(self) -> np.ndarray:
        """Whether each column is of a month before the present: it has no parents."""
        return np.array(self.lag) > 0

    def barred(self, source: int, target: int) -> bool:
        """Whether the arc may not be."""
        return bool(self.past[target]) or not (self.same_month or self.past[source])

    def barred_table(self) -> np.ndarray:
        """Whether each arc [from, to] may not be."""
        table = np.repeat(self.past[None, :], len(self.lag), axis=0)
        if not self.same_month:
            table[~self.past] = True
        return table

    def directions(self, edges: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
        """Those of the edges that join past and present, as arcs forward in time."""
        past = self.past
        mixed = [(int(a), int(b)) for a, b in edges if past[a] != past[b]]
        return [(a, b) if past[a] else (b, a) for a, b in mixed]
