"""Draw one discrete node for all rows: its parents' values pick a row of the table, a uniform number the level."""

import numpy as np

from climatebn.kernels.jit import jit


@jit
def configurations(codes: np.ndarray, columns: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The mixed-radix number of each row's values in ``columns`` (the last one counts fastest)."""
    numbers = np.zeros(codes.shape[0], np.int64)
    for k in range(len(columns)):
        column = codes[:, columns[k]]
        for row in range(len(numbers)):
            numbers[row] = numbers[row] * sizes[k] + column[row]
    return numbers


@jit
def draw(numbers: np.ndarray, cumulative: np.ndarray, uniforms: np.ndarray, out: np.ndarray) -> None:
    """Fill ``out`` with levels; ``cumulative`` holds running sums of each table row, the last entry 1 or more."""
    for row in range(len(numbers)):
        sums = cumulative[numbers[row]]
        level = 0
        while uniforms[row] >= sums[level]:
            level += 1
        out[row] = level
