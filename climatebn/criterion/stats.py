"""What a criterion reads: n and the covariance of Gaussian data, integer codes of discrete data. Never edited."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError


class GaussianStats:
    """Sufficient statistics of Gaussian data.

    Parameters
    ----------
    n : number of observations, at least 3.
    cov : (N, N) sample covariance with divisor n − 1 (as `numpy.cov` and `DataFrame.cov` give it).
    names : names of the columns; X1 … XN when left out.
    distinct : number of observations that differ, where some are counted twice (resamples); n when left out.

    >>> GaussianStats(10, [[1.0, 0.5], [0.5, 2.0]]).names
    ('X1', 'X2')
    """

    kind = "gaussian"

    def __init__(self, n: int, cov: Any, names: Sequence[str] | None = None, *, distinct: int | None = None) -> None:
        matrix = np.array(cov, dtype=np.float64)  # a copy: inputs are never edited
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ClimateBNError(f"cov must be a square matrix; its shape is {matrix.shape}")
        if n < 3:
            raise ClimateBNError(f"n must be at least 3 observations; got {n}")
        if not np.isfinite(matrix).all():
            raise ClimateBNError("cov holds missing or infinite values; drop or fill those columns first")
        near = 1e-12 * np.abs(matrix).max(initial=0)
        if not (np.array_equal(matrix, matrix.T) or np.allclose(matrix, matrix.T, rtol=1e-8, atol=near)):
            raise ClimateBNError("cov must be symmetric")
        self.n = int(n)
        self.distinct = self.n if distinct is None else int(distinct)
        self.cov = (matrix + matrix.T) / 2
        self.cov.flags.writeable = False
        self.names = tuple(names) if names is not None else tuple(f"X{i + 1}" for i in range(len(matrix)))
        if len(self.names) != len(matrix):
            raise ClimateBNError(f"names must name each column of cov: {len(matrix)} columns, {len(self.names)} names")
        constant = [self.names[i] for i in np.flatnonzero(np.diag(matrix) <= 0)]
        if constant:
            raise ClimateBNError(f"constant nodes carry no information: {', '.join(constant[:10])}; drop them first")
        self.memo: dict[Any, Any] = {}  # compiled forms of criteria, by criterion

    @classmethod
    def of(
        cls, values: np.ndarray, names: Sequence[str] | None = None, *, distinct: int | None = None
    ) -> "GaussianStats":
        """From an (observations × nodes) array."""
        array = np.asarray(values, dtype=np.float64)
        if len(array) < 3:
            raise ClimateBNError(f"learning needs at least 3 observations; got {len(array)}")
        centred = array - array.mean(axis=0)
        return cls(len(array), centred.T @ centred / (len(array) - 1), names, distinct=distinct)

    def permuted(self, order: np.ndarray) -> "GaussianStats":
        """The same statistics with column ``order[k]`` in place k."""
        names = [self.names[i] for i in order]
        return GaussianStats(self.n, self.cov[np.ix_(order, order)], names, distinct=self.distinct)


class DiscreteStats:
    """Discrete data as integer codes.

    Parameters
    ----------
    codes : (n, N) integers, column i in 0 … levels[i] − 1.
    levels : number of levels of each column.
    names : names of the columns; X1 … XN when left out.
    """

    kind = "discrete"

    def __init__(self, codes: Any, levels: Sequence[int], names: Sequence[str] | None = None) -> None:
        array = np.array(codes)
        if array.ndim != 2 or not np.issubdtype(array.dtype, np.integer):
            raise ClimateBNError("codes must be a two-dimensional array of integers")
        self.codes = np.asfortranarray(array, dtype=np.int32)  # one variable, one contiguous run
        self.levels = np.array(levels, dtype=np.int64)
        self.n = len(array)
        self.names = tuple(names) if names is not None else tuple(f"X{i + 1}" for i in range(array.shape[1]))
        if not len(self.levels) == len(self.names) == array.shape[1]:
            raise ClimateBNError("codes, levels and names must have the same number of columns")
        if self.n < 3:
            raise ClimateBNError(f"learning needs at least 3 observations; got {self.n}")
        wrong = [
            name
            for name, column, count in zip(self.names, self.codes.T, self.levels, strict=True)
            if column.min() < 0 or column.max() >= count
        ]
        if wrong:
            raise ClimateBNError(f"codes outside 0 … levels − 1 in: {', '.join(wrong[:10])}")
        self.codes.flags.writeable = False
        self.levels.flags.writeable = False
        self.memo: dict[Any, Any] = {}

    def permuted(self, order: np.ndarray) -> "DiscreteStats":
        """The same data with column ``order[k]`` in place k."""
        return DiscreteStats(self.codes[:, order], self.levels[order], [self.names[i] for i in order])


Stats = GaussianStats | DiscreteStats
