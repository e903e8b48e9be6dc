"""A Gaussian local score from scratch: Cholesky factor of the parents' block, in ascending order of the parents.

The result depends on the set of parents only, to the last bit: searches check their steps against it.
"""

from collections.abc import Sequence

import numpy as np

from climatebn.errors import require_nodes
from climatebn.kernels.constants import COLLINEAR
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.jit import jit


def local_score(form: GaussianForm, node: int, parents: Sequence[int]) -> float:
    """a[k] + b[k]·log v + c[k]·log|M_ΠΠ|; −inf for more parents than the form admits."""
    require_nodes(len(form.matrix), [node], parents)
    table = np.stack([form.a, form.b, form.c])
    return float(local_value(form.matrix, table, node, np.array(sorted(parents), dtype=np.int64)))


def local_scores(form: GaussianForm, starts: np.ndarray, items: np.ndarray) -> np.ndarray:
    """`local_score` of every node; ``items[starts[i]:starts[i + 1]]`` are the parents of node i, ascending."""
    return _local_values(form.matrix, np.stack([form.a, form.b, form.c]), starts, items)


@jit
def _local_values(matrix: np.ndarray, table: np.ndarray, starts: np.ndarray, items: np.ndarray) -> np.ndarray:
    found = np.empty(len(starts) - 1)
    for node in range(len(found)):
        found[node] = local_value(matrix, table, node, items[starts[node] : starts[node + 1]])
    return found


@jit
def local_value(matrix: np.ndarray, table: np.ndarray, node: int, parents: np.ndarray) -> float:
    """`local_score` for kernels: ``table`` holds a, b, c; ``parents`` ascend.

    A parent that is collinear with earlier ones explains nothing.
    """
    k = len(parents)
    if k >= table.shape[1]:
        return -np.inf
    factor = np.zeros((k + 1, k))
    variance, least, log_determinant = 0.0, 0.0, 0.0
    for row in range(k + 1):  # the last row is the node itself
        member = parents[row] if row < k else node
        variance, least = matrix[member, member], COLLINEAR * matrix[member, member]
        for column in range(row):
            if factor[column, column] > 0:
                product = matrix[member, parents[column]]
                for m in range(column):
                    product -= factor[row, m] * factor[column, m]
                factor[row, column] = product / factor[column, column]
                variance -= factor[row, column] ** 2
        if row < k:
            factor[row, row] = np.sqrt(variance) if variance > least else 0.0
            if table[2, k] != 0:
                log_determinant += np.log(max(variance, least))
    return table[0, k] + table[1, k] * np.log(max(variance, least)) + table[2, k] * log_determinant
