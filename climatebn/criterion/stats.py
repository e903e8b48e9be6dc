"""What a criterion reads of Gaussian data: n and the covariance, never edited; and whether its nodes are distinct."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy.linalg import lapack, solve

from climatebn.blas import few_threads
from climatebn.errors import ClimateBNError, public, real_array, require_finite, require_nodes, short, whole
from climatebn.kernels.constants import FREEDOM_OF_ANOMALIES, ROUNDING_OF_VARIANCES
from climatebn.kernels.gaussian.covariance import least_share, products

EPSILON = float(np.finfo(np.float64).eps)
LEAST, MOST = 1e-304, 1e304  # variances that double precision holds with all digits
INDEFINITE = 1e-9  # how far below 0 rounding may take an eigenvalue of a correlation matrix
CLEARLY_DISTINCT = 1e-7  # of the variance: far above what rounding leaves of a column that others determine
BALANCED = 1e60  # variances beyond this, or below its inverse, are scaled before they are multiplied


@public
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
        self.n = whole("n, the number of observations,", n, least=3)
        self.distinct = self.n if distinct is None else whole("distinct", distinct, least=0)
        matrix = real_array("cov", cov)  # a copy: inputs are never edited
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ClimateBNError(f"cov must be a square matrix; its shape is {matrix.shape}")
        if not len(matrix):
            raise ClimateBNError("cov must have one node or more; it has none")
        if not np.isfinite(matrix).all():
            raise ClimateBNError("cov holds missing or infinite values; drop or fill those columns first")
        near = 1e-12 * np.abs(matrix).max(initial=0)
        if not (np.array_equal(matrix, matrix.T) or np.allclose(matrix, matrix.T, rtol=1e-8, atol=near)):
            raise ClimateBNError("cov must be symmetric")
        self.names = column_names(names, len(matrix))
        constant = [self.names[i] for i in np.flatnonzero(np.diag(matrix) == 0)]
        if constant:
            raise _constant(constant)
        self._keep((matrix + matrix.T) / 2)
        _require_covariance(self.cov, self.names)

    def _keep(self, cov: np.ndarray) -> None:
        variances = np.diag(cov)
        outside = np.flatnonzero(~((variances > LEAST) & (variances < MOST)) & ~(variances < 0))
        if len(outside):
            raise ClimateBNError(
                f"the variance of {self.names[outside[0]]} is outside {LEAST:g} … {MOST:g}, what double precision "
                "holds; multiply that column by a constant"
            )
        self.cov = cov
        self.cov.flags.writeable = False
        self.memo: dict[Any, Any] = {}  # compiled forms of criteria, by criterion

    @classmethod
    def of(
        cls, values: np.ndarray, names: Sequence[str] | None = None, *, distinct: int | None = None
    ) -> "GaussianStats":
        """From an (observations × nodes) array.

        Parameters
        ----------
        values : (observations × nodes) array of numbers, 3 observations or more.
        names : names of the columns; X1 … XN when left out.
        distinct : number of observations that differ, where some are counted twice; all when left out.

        Returns
        -------
        GaussianStats.

        Raises
        ------
        ClimateBNError where values are missing, or a column is constant.

        Examples
        --------
        >>> import numpy as np
        >>> GaussianStats.of(np.random.default_rng(1).normal(size=(20, 2))).n
        20
        """
        array = real_array("values", values)
        if array.ndim != 2 or not array.shape[1]:
            raise ClimateBNError(f"values must be observations × nodes; their shape is {array.shape}")
        if len(array) < 3:
            raise ClimateBNError(f"learning needs at least 3 observations; got {len(array)}")
        stats = cls.__new__(cls)
        stats.n, stats.names = len(array), column_names(names, array.shape[1])
        require_finite(array, stats.names)
        stats.distinct = stats.n if distinct is None else whole("distinct", distinct, least=0)
        top, bottom = array.max(axis=0), array.min(axis=0)
        same = top / 2 - bottom / 2 <= 4 * EPSILON * np.maximum(np.abs(top), np.abs(bottom))  # halves: no overflow
        if same.any():
            constant = [stats.names[i] for i in np.flatnonzero(same)]
            raise _constant(constant)
        with np.errstate(over="ignore", invalid="ignore"):
            array -= np.asfortranarray(array).mean(axis=0)  # a sum that does not depend on how the rows lie in memory
            cov = products(np.ascontiguousarray(array))
            cov /= len(array) - 1
            stats._keep(cov)
        return stats

    def balanced(self) -> tuple[np.ndarray, np.ndarray]:
        """The covariance of columns scaled by powers of 2 so that no product over- or underflows, and by how much.

        The second is log(variance here) − log(variance there) of each node: 0 unless variances are extreme.

        Returns
        -------
        (covariance, shifts): the matrix, and for each node log(variance here) − log(variance there).

        Examples
        --------
        >>> cov, shift = GaussianStats(10, [[1.0, 0.5], [0.5, 2.0]]).balanced()
        >>> shift.tolist()
        [0.0, 0.0]
        """
        if "balanced" not in self.memo:
            variances, cov = np.diag(self.cov), self.cov
            power = np.zeros(len(variances), dtype=np.int64)
            if variances.max() > BALANCED or variances.min() < 1 / BALANCED:
                power = np.frexp(np.sqrt(variances))[1].astype(np.int64)
                cov = np.ldexp(np.ldexp(cov, -power), -power[:, None])
                cov.flags.writeable = False
            self.memo["balanced"] = cov, 2 * np.log(2) * power
        found: tuple[np.ndarray, np.ndarray] = self.memo["balanced"]
        return found

    def permuted(self, order: np.ndarray) -> "GaussianStats":
        """The same statistics with column ``order[k]`` in place k.

        Parameters
        ----------
        order : column numbers, each once.

        Returns
        -------
        GaussianStats.

        Examples
        --------
        >>> import numpy as np
        >>> GaussianStats(10, [[1.0, 0.5], [0.5, 2.0]]).permuted(np.array([1, 0])).names
        ('X2', 'X1')
        """
        order = np.asarray(order)
        if order.ndim != 1 or not order.size:
            raise ClimateBNError(f"order must be a list of column numbers; its shape is {order.shape}")
        require_nodes(len(self.names), order)
        stats = GaussianStats.__new__(GaussianStats)
        stats.n, stats.distinct, stats.names = self.n, self.distinct, tuple(self.names[i] for i in order)
        stats._keep(self.cov[np.ix_(order, order)])
        return stats


def column_names(names: Any, size: int) -> tuple[str, ...]:
    """A name for each of ``size`` nodes; X1 … when there are none."""
    if names is None:
        return tuple(f"X{i + 1}" for i in range(size))
    if not isinstance(names, Iterable):
        raise ClimateBNError(f"names must be a list of names; got {short(names)}")
    found = tuple(names)
    if not all(isinstance(name, str) for name in found):
        raise ClimateBNError(
            f"each name must be a string; got {short(next(x for x in found if not isinstance(x, str)))}"
        )
    if len(found) != size:
        raise ClimateBNError(f"names must have one name for each column: {size} columns, {len(found)} names")
    if len(set(found)) < size:
        raise ClimateBNError("names of nodes must differ from each other")
    return found


def _constant(names: Sequence[str]) -> ClimateBNError:
    more = " …" if len(names) > 10 else ""
    return ClimateBNError(
        f"constant nodes carry no information: {', '.join(names[:10])}{more}. Leave them out: of a field with "
        "to_nodes(…, degenerate='drop'), which takes months= too, since a place may be constant in one season alone"
    )


def _require_covariance(cov: np.ndarray, names: tuple[str, ...]) -> None:
    """Refuse a matrix that is the covariance of no data."""
    variances = np.diag(cov)
    if (variances < 0).any():
        raise ClimateBNError(
            f"cov is not a covariance matrix: the variance of {names[int(np.argmin(variances))]} is negative"
        )
    scale = 1 / np.sqrt(variances)
    correlation = cov * scale * scale[:, None]
    worst = np.unravel_index(np.argmax(np.abs(correlation)), correlation.shape)
    if abs(correlation[worst]) > 1 + INDEFINITE:
        first, second = (names[i] for i in worst)
        raise ClimateBNError(
            f"cov is not a covariance matrix: {first} and {second} would have the correlation {correlation[worst]:.6g}"
        )
    try:
        np.linalg.cholesky(correlation + len(cov) * INDEFINITE * np.eye(len(cov)))
    except np.linalg.LinAlgError:
        raise ClimateBNError(
            "cov is not a covariance matrix: it is not positive semidefinite (pairs of columns with different missing "
            "months can do that); compute it from rows without missing values"
        ) from None


def require_distinct(stats: GaussianStats) -> None:
    """Raise an error that names duplicated nodes, and exactly collinear ones where n is large enough to tell.

    >>> require_distinct(GaussianStats(50, [[1.0, 2.0], [2.0, 4.0]], ["a", "b"]))
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: nodes repeat each other: b = a; keep one of each (to_nodes: degenerate='drop')
    """
    scale = 1 / np.sqrt(np.diag(stats.cov))
    tellable = len(stats.names) <= stats.distinct - FREEDOM_OF_ANOMALIES
    if tellable and least_share(stats.cov) > CLEARLY_DISTINCT:
        return  # then no pair is correlated by ±1 either: what one leaves of the other is 1 − ρ² = (1 − |ρ|)(1 + |ρ|)
    pairs = _duplicates(stats.cov, scale)
    if pairs:
        shown = ", ".join(f"{stats.names[b]} = {stats.names[a]}" for a, b in pairs[:5])
        raise ClimateBNError(f"nodes repeat each other: {shown}; keep one of each (to_nodes: degenerate='drop')")
    if tellable:
        correlation = stats.cov * scale * scale[:, None]
        rank, pivots = _rank(correlation, ROUNDING_OF_VARIANCES)
        if rank < len(correlation):
            kept, extra = pivots[:rank], pivots[rank]
            weights = solve(correlation[np.ix_(kept, kept)], correlation[kept, extra], assume_a="pos")
            parts = ", ".join(stats.names[i] for i in sorted(kept[np.abs(weights) > 1e-6]))
            raise ClimateBNError(
                f"exactly collinear nodes: {stats.names[extra]} is a linear combination of {parts}; drop one of them"
            )


def _rank(correlation: np.ndarray, least: float) -> tuple[int, np.ndarray]:
    """How many nodes leave more than ``least`` of each other's variance, and all nodes, those first."""
    with few_threads(len(correlation)):
        _, pivots, rank, _ = lapack.dpstrf(correlation.T, tol=least, lower=1)  # symmetric; the order that LAPACK reads
    return int(rank), pivots - 1


def _duplicates(cov: np.ndarray, scale: np.ndarray, block: int = 512) -> list[tuple[int, int]]:
    """Pairs with correlation ±1, block by block so that a large grid needs no second matrix."""
    found = []
    for start in range(0, len(cov), block):
        rows = slice(start, start + block)
        correlation = np.abs(cov[rows] * scale[rows, None] * scale)
        first, second = np.nonzero(correlation > 1 - ROUNDING_OF_VARIANCES)
        found += [(int(a) + start, int(b)) for a, b in zip(first, second, strict=True) if a + start < b]
    return found
