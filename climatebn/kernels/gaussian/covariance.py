"""Sums of products of columns, the same bits on every machine; and whether columns are distinct.

BLAS adds in an order that depends on the processor. Where places outnumber months, searches meet choices that rounding
decides, so that another processor would find another network. Here each sum runs over the rows in their order, one
product and one addition at a time; tiles only decide which sums are under way together.
"""

import numpy as np

from climatebn.kernels.jit import jit

HEIGHT, WIDTH = 8, 32  # sums under way together: what fits the nearest cache


@jit
def products(rows: np.ndarray) -> np.ndarray:
    """``rows.T @ rows``."""
    n, size = rows.shape
    fours = n // 4 * 4
    found = np.empty((size, size))
    sums, part = np.empty((HEIGHT, WIDTH)), np.zeros((n, WIDTH))
    for left in range(0, size, WIDTH):
        width = min(WIDTH, size - left)
        part[:, :width] = rows[:, left : left + width]
        for top in range(0, left + width, HEIGHT):
            height = min(HEIGHT, size - top)
            sums[:] = 0.0
            for t in range(0, fours, 4):  # four rows a visit: a sum is fetched and put back once
                first, second, third, fourth = part[t], part[t + 1], part[t + 2], part[t + 3]
                for i in range(height):
                    a, b, c, d = rows[t, top + i], rows[t + 1, top + i], rows[t + 2, top + i], rows[t + 3, top + i]
                    for j in range(WIDTH):
                        total = sums[i, j]
                        total += a * first[j]
                        total += b * second[j]
                        total += c * third[j]
                        total += d * fourth[j]
                        sums[i, j] = total
            for t in range(fours, n):
                for i in range(height):
                    for j in range(WIDTH):
                        sums[i, j] += rows[t, top + i] * part[t, j]
            for i in range(height):
                for j in range(width):
                    found[top + i, left + j] = found[left + j, top + i] = sums[i, j]
    return found


@jit
def least_share(cov: np.ndarray) -> float:
    """The least share of its variance that a column has left when those before it are known."""
    size = len(cov)
    factor, left, least = np.zeros((size, size)), np.diag(cov).copy(), 1.0
    for k in range(size):
        least = min(least, left[k] / cov[k, k])
        if not least > 0:
            return 0.0
        row, rest = factor[k, k:], left[k:]
        row[:] = cov[k, k:]
        for m in range(k):
            weight, earlier = factor[m, k], factor[m, k:]
            for j in range(len(row)):
                row[j] -= weight * earlier[j]
        scale = 1 / np.sqrt(left[k])
        for j in range(len(row)):
            row[j] *= scale
            rest[j] -= row[j] ** 2
    return least
