"""What a criterion reads of discrete data: integer codes and numbers of levels, never edited."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from climatebn.criterion.stats import column_names
from climatebn.errors import ClimateBNError, public, require_nodes, short

LEVELS = 1 << 16  # levels of a discrete column
CELLS = 1 << 26  # cells of a table of two columns: 512 MB


@public
class DiscreteStats:
    """Discrete data as integer codes.

    Parameters
    ----------
    codes : (n, N) integers, column i in 0 … levels[i] − 1.
    levels : number of levels of each column.
    names : names of the columns; X1 … XN when left out.

    Raises
    ------
    ClimateBNError where codes are no whole numbers, or lie outside the levels.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.DiscreteStats([[0, 0], [1, 2], [0, 1]], levels=[2, 3], names=["rain", "soil"]).names
    ('rain', 'soil')
    """

    kind = "discrete"

    def __init__(self, codes: Any, levels: Sequence[int], names: Sequence[str] | None = None) -> None:
        if np.ma.is_masked(codes):
            raise ClimateBNError("codes holds masked values; drop or fill them first")
        array = _integers(codes, "codes")
        counts = _integers(levels, "levels")
        if array.ndim != 2 or not array.shape[1] or counts.ndim != 1:
            raise ClimateBNError(
                f"codes must be observations × nodes and levels a list; their shapes are {array.shape}, {counts.shape}"
            )
        if array.shape[1] != len(counts):
            raise ClimateBNError(
                f"levels must have one number for each column: {array.shape[1]} columns, {len(counts)} numbers"
            )
        self.n, self.names = len(array), column_names(names, array.shape[1])
        if ((counts < 1) | (counts > LEVELS)).any():
            raise ClimateBNError(f"levels must be 1 … {LEVELS} for each column; got {short(counts.tolist())}")
        self.levels = counts.astype(np.int64)
        _require_room(self.levels, self.n, self.names)
        if self.n < 3:
            raise ClimateBNError(f"learning needs at least 3 observations; got {self.n}")
        wrong = [
            name
            for name, column, count in zip(self.names, array.T, self.levels, strict=True)
            if column.min() < 0 or column.max() >= count
        ]
        if wrong:
            raise ClimateBNError(f"codes outside 0 … levels − 1 in: {', '.join(wrong[:10])}")
        self.codes = np.array(array, dtype=np.int32, order="F")  # a copy; one variable, one contiguous run
        self.codes.flags.writeable = False
        self.levels.flags.writeable = False
        self.memo: dict[Any, Any] = {}

    def permuted(self, order: np.ndarray) -> "DiscreteStats":
        """The same data with column ``order[k]`` in place k.

        Parameters
        ----------
        order : column numbers, each once.

        Returns
        -------
        DiscreteStats.

        Examples
        --------
        >>> import numpy as np
        >>> DiscreteStats([[0, 0], [1, 2], [0, 1]], levels=[2, 3]).permuted(np.array([1, 0])).names
        ('X2', 'X1')
        """
        order = np.asarray(order)
        if order.ndim != 1 or not order.size:
            raise ClimateBNError(f"order must be a list of column numbers; its shape is {order.shape}")
        require_nodes(len(self.names), order)
        return DiscreteStats(self.codes[:, order], self.levels[order], [self.names[i] for i in order])


def _require_room(levels: np.ndarray, n: int, names: tuple[str, ...]) -> None:
    """Refuse columns of so many levels that their tables do not fit into memory, before memory is taken."""
    largest = np.argsort(-levels, kind="stable")[:2]
    cells = float(np.prod(levels[largest].astype(float)))
    if cells > CELLS or float(levels.sum()) * n > 8 * CELLS * 64:
        shown = " and ".join(f"{names[i]} has {levels[i]}" for i in largest)
        raise ClimateBNError(f"too many levels: {shown}; their tables would not fit into memory. Merge levels")


def _integers(values: Any, name: str) -> np.ndarray:
    """An array of whole numbers, as wide as they came."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        array = np.array("")
    if array.dtype.kind not in "iu":
        raise ClimateBNError(f"{name} must be an array of whole numbers; got {short(values)}")
    return array
