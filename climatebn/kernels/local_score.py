"""A Gaussian local score from scratch: Cholesky factor of the parents' block, in ascending order of the parents.

The result depends on the set of parents only, to the last bit: searches check their steps against it.
"""

from collections.abc import Sequence

import numpy as np

from climatebn.kernels.form import COLLINEAR, GaussianForm
from climatebn.kernels.jit import jit


def local_score(form: GaussianForm, node: int, parents: Sequence[int]) -> float:
    """a[k] + b[k]·log v + c[k]·log|M_ΠΠ|; −inf for more parents than the form admits."""
    return float(local_value(form.matrix, form.a, form.b, form.c, node, np.array(sorted(parents), dtype=np.int64)))


@jit
def local_value(
    matrix: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray, node: int, parents: np.ndarray
) -> float:
    """`local_score` for kernels; ``parents`` ascend. A parent that is collinear with earlier ones explains nothing."""
    k = len(parents)
    if k >= len(a):
        return -np.inf
    factor = np.zeros((k + 1, k))
    log_determinant = 0.0
    for row in range(k + 1):
        member = parents[row] if row < k else node
        variance = matrix[member, member]
        for column in range(row):
            if factor[column, column] > 0:
                product = matrix[member, parents[column]]
                for m in range(column):
                    product -= factor[row, m] * factor[column, m]
                factor[row, column] = product / factor[column, column]
                variance -= factor[row, column] ** 2
        least = COLLINEAR * matrix[member, member]
        if row == k:
            return a[k] + b[k] * np.log(max(variance, least)) + c[k] * log_determinant
        if variance > least:
            factor[row, row] = np.sqrt(variance)
        log_determinant += np.log(max(variance, least))
    return -np.inf
