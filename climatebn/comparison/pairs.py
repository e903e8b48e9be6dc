r"""Bhattacharyya distances of many centred networks at once: ½ log|(Σ + T)/2| − ¼ log|Σ| − ¼ log|T|.

log|Σ| is the sum of the logarithms of the residual variances; only the middle matrix is factored, in a thread a core.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from climatebn.blas import few_threads
from climatebn.uncertainty.member import Member

MOST = 2**23  # numbers in the matrices that are factored together


@dataclass(frozen=True)
class Normals:
    """Covariances of networks and their log-determinants; NaN where there is no network."""

    covariances: np.ndarray
    log_determinants: np.ndarray

    @classmethod
    def of(cls, members: Sequence[Member | None], size: int) -> "Normals":
        """The distributions of networks with ``size`` nodes."""
        covariances = np.empty((len(members), size, size))
        logs = np.full(len(members), np.nan)
        for number, member in enumerate(members):
            if member is None:
                covariances[number] = np.eye(size)
                continue
            root = member.triangle.down(np.diag(np.sqrt(member.residual_variances)))
            covariances[number] = root @ root.T
            logs[number] = np.log(member.residual_variances).sum()
        return cls(covariances, logs)


def distances(first: Normals, second: Normals, pairs: np.ndarray) -> np.ndarray:
    """The distance of network ``pairs[k, 0]`` of the first from network ``pairs[k, 1]`` of the second, for each k."""
    size = first.covariances.shape[1]
    batch = max(1, MOST // size**2)
    parts = [pairs[start : start + batch] for start in range(0, len(pairs), batch)]

    def apart(part: np.ndarray) -> np.ndarray:
        a, b = part.T
        roots = np.linalg.cholesky((first.covariances[a] + second.covariances[b]) / 2)
        middle = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)  # half of its log-determinant
        result: np.ndarray = middle - (first.log_determinants[a] + second.log_determinants[b]) / 4
        return result

    with few_threads(size), ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        found = list(threads.map(apart, parts))
    return np.concatenate(found) if found else np.zeros(0)
