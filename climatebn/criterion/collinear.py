"""Nodes that repeat each other exactly: refused by name, because no criterion can tell them apart.

Nearly collinear nodes are normal in climate fields and pass; where a variance had to be floored, a note names them.
With N close to n or above, every column is a combination of the others (a fact of the sample size, not of the nodes),
so then only exact duplicates are looked for.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import lapack, solve

from climatebn.blas import few_threads
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import ClimateBNError
from climatebn.kernels.constants import COLLINEAR, FREEDOM_OF_ANOMALIES, ROUNDING_OF_VARIANCES
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.local_score import local_scores


def require_distinct(stats: GaussianStats) -> None:
    """Raise an error that names duplicated nodes, and exactly collinear ones where n is large enough to tell.

    >>> require_distinct(GaussianStats(50, [[1.0, 2.0], [2.0, 4.0]], ["a", "b"]))
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: nodes repeat each other: b = a; keep one of each (to_nodes: degenerate='drop')
    """
    scale = 1 / np.sqrt(np.diag(stats.cov))
    pairs = _duplicates(stats.cov, scale)
    if pairs:
        shown = ", ".join(f"{stats.names[b]} = {stats.names[a]}" for a, b in pairs[:5])
        raise ClimateBNError(f"nodes repeat each other: {shown}; keep one of each (to_nodes: degenerate='drop')")
    if len(stats.names) <= stats.distinct - FREEDOM_OF_ANOMALIES:
        correlation = stats.cov * scale * scale[:, None]
        with few_threads(len(correlation)):
            _, pivots, rank, _ = lapack.dpstrf(correlation, tol=ROUNDING_OF_VARIANCES, lower=1)
        if rank < len(correlation):
            kept, extra = pivots[:rank] - 1, pivots[rank] - 1
            weights = solve(correlation[np.ix_(kept, kept)], correlation[kept, extra], assume_a="pos")
            parts = ", ".join(stats.names[i] for i in sorted(kept[np.abs(weights) > 1e-6]))
            raise ClimateBNError(
                f"exactly collinear nodes: {stats.names[extra]} is a linear combination of {parts}; drop one of them"
            )


def floored(stats: GaussianStats, parents: Sequence[Sequence[int]]) -> list[str]:
    """A note for nodes of a network whose parents leave less of their variance than scores can tell; else nothing.

    >>> floored(GaussianStats(50, [[1.0, 1 - 1e-12], [1 - 1e-12, 1.0]], ["a", "b"]), [[], [0]])
    ['nearly collinear nodes: a leave less than 1e-10 of the variance of b, which then counts as that share; drop one']
    """
    matrix, room = stats.balanced()[0], max(map(len, parents), default=0) + 1
    share = GaussianForm(matrix, np.zeros(room), np.ones(room), np.zeros(room))
    least = np.log(COLLINEAR * np.diag(matrix)) + 1e-9
    met = [node for node in np.flatnonzero(local_scores(share, parents) <= least).tolist() if parents[node]]
    if not met:
        return []
    names = stats.names
    shown = ", ".join(names[parent] for parent in parents[met[0]][:10])
    others = f" (likewise {', '.join(names[node] for node in met[1:10])})" if len(met) > 1 else ""
    return [
        f"nearly collinear nodes: {shown} leave less than {COLLINEAR:g} of the variance of {names[met[0]]}, which then "
        f"counts as that share{others}; drop one"
    ]


def _duplicates(cov: np.ndarray, scale: np.ndarray, block: int = 512) -> list[tuple[int, int]]:
    """Pairs with correlation ±1, block by block so that a large grid needs no second matrix."""
    found = []
    for start in range(0, len(cov), block):
        rows = slice(start, start + block)
        correlation = np.abs(cov[rows] * scale[rows, None] * scale)
        first, second = np.nonzero(correlation > 1 - ROUNDING_OF_VARIANCES)
        found += [(int(a) + start, int(b)) for a, b in zip(first, second, strict=True) if a + start < b]
    return found
