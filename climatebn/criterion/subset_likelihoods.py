"""L of a node given the subsets of a small pool of columns, told size by size as searches ask for them."""

from collections.abc import Callable

import numpy as np

from climatebn.errors import OutOfTime
from climatebn.kernels.discrete.evidence import Form
from climatebn.kernels.discrete.grouping import Sample
from climatebn.kernels.discrete.lattice import Lattice, lattice, walk
from climatebn.kernels.discrete.values import Values

SLICE = 10_000_000  # entries between two looks at the clock


class SubsetLikelihoods:
    """``told[mask]`` is L of ``node`` given the columns of ``pool`` whose bits are set, of sizes that were made.

    Who comes back for larger sizes will come again: each time more of them are made ahead. `of` gives None where the
    pool is too large.
    """

    def __init__(self, walker: Lattice, node: int, pool: np.ndarray) -> None:
        self.node, self.pool, self.told = node, pool, walker.told
        self._lattice = walker
        self._made, self._ahead = np.zeros(len(pool) + 1, np.bool_), 0  # by size; how many sizes to make ahead

    @classmethod
    def of(cls, sample: Sample, node: int, pool: np.ndarray) -> "SubsetLikelihoods | None":
        """Of a node and a pool of other columns, ascending."""
        walker = lattice(sample.codes, sample.levels, node, pool)
        return None if walker is None else cls(walker, node, pool)

    @property
    def nbytes(self) -> int:
        return self.told.nbytes + self._lattice.keys.nbytes + self._lattice.counts.nbytes

    def make(self, smallest: int, largest: int, values: Values, form: Form, spent: Callable[[], bool]) -> None:
        """Tell all sets of these sizes."""
        missing = np.flatnonzero(~self._made[smallest : largest + 1]) + smallest
        if len(missing) == 0:
            return
        first, last = int(missing[0]), min(int(missing[-1]) + self._ahead, len(self.pool))
        while not walk(self._lattice, values, form.iss, form.scale, first, last, SLICE):
            if spent():
                raise OutOfTime
        self._made[first : last + 1], self._ahead = True, 2 * self._ahead + 1
