r"""Looking at one set of parents by the compiled form of a Gaussian score: who would raise it, who is superfluous.

Grow: with the Cholesky rows of the set, adding j leaves v − r_j²/v_j of the target's variance (see `form`). Rows are
kept from the set looked at before, as far as both begin alike. Shrink: from the inverse of the set's block, taking out
y leaves v + b_y²/A_yy (b the coefficients, A the inverse); the best member goes first, while the score rises.
"""

import math
from typing import NamedTuple

import numpy as np

from climatebn.kernels.constants import COLLINEAR
from climatebn.kernels.gaussian.conditioning import forget, regression
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.local_score import local_value
from climatebn.kernels.jit import jit


class Rows(NamedTuple):
    """Cholesky rows and residual variances (one more line than rows) of the set ``held``; ``depth[0]`` are in place."""

    rows: np.ndarray
    left: np.ndarray
    held: np.ndarray
    depth: np.ndarray


def room(matrix: np.ndarray, largest: int) -> Rows:
    """For sets of up to ``largest`` members."""
    size = len(matrix)
    left = np.empty((largest + 1, size))
    left[0] = np.diag(matrix)
    return Rows(np.empty((largest, size)), left, np.empty(largest, np.int64), np.zeros(1, np.int64))


@jit
def condition(matrix: np.ndarray, members: np.ndarray, kept: Rows) -> bool:
    """Bring the rows to the set of ``members``; False where one of them is collinear with those before it."""
    rows, left, held, depth = kept
    size, at = len(matrix), 0
    while at < min(depth[0], len(members)) and held[at] == members[at]:
        at += 1
    while at < len(members):
        z = members[at]
        depth[0] = at
        if left[at, z] <= COLLINEAR * matrix[z, z]:
            return False
        row, above, below = rows[at], left[at], left[at + 1]
        for j in range(size):
            row[j] = matrix[z, j]
        for level in range(at):
            factor, line = rows[level, z], rows[level]
            for j in range(size):
                row[j] -= factor * line[j]
        scale = 1 / math.sqrt(above[z])
        for j in range(size):
            row[j] *= scale
            below[j] = above[j] - row[j] * row[j]
        held[at] = z
        at += 1
    depth[0] = at
    return True


@jit
def grow(
    form: GaussianForm, target: int, members: np.ndarray, barred: np.ndarray, kept: Rows, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Nodes that raise the score of ``target`` beside ``members`` and are not barred, and their gains, best first."""
    matrix, a, b, c = form
    k, size = len(members), len(matrix)
    if k + 1 >= len(a) or not condition(matrix, members, kept):
        return np.empty(0, np.int64), np.empty(0)
    rows, left = kept.rows, kept.left[k]
    residual = matrix[target].copy()
    for level in range(k):
        factor, line = rows[level, target], rows[level]
        for j in range(size):
            residual[j] -= factor * line[j]
    determinant = 0.0
    for level in range(k):
        determinant += math.log(kept.left[level, members[level]])
    variance, least = left[target], COLLINEAR * matrix[target, target]
    fixed = a[k + 1] - a[k] - b[k] * math.log(max(variance, least)) + (c[k + 1] - c[k]) * determinant
    found, count, gains = np.empty(size, np.int64), 0, np.empty(size)
    for j in range(size):
        if j == target or barred[j] or left[j] <= COLLINEAR * matrix[j, j]:
            continue
        after = max(variance - residual[j] * residual[j] / left[j], least)
        gain = fixed + b[k + 1] * math.log(after)
        if c[k + 1] != 0.0:
            gain += c[k + 1] * math.log(left[j])
        if gain > tolerance:
            found[count], gains[count] = j, gain
            count += 1
    order = np.argsort(-gains[:count], kind="mergesort")
    return found[:count][order], gains[:count][order]


@jit
def shrink(
    form: GaussianForm, target: int, members: np.ndarray, fixed: int, tolerance: float
) -> tuple[np.ndarray, float]:
    """The set without superfluous members, and its score; the first ``fixed`` members stay."""
    matrix, a, b, c = form
    table = np.empty((3, len(a)))
    table[0], table[1], table[2] = a, b, c
    rest = members.copy()
    if len(rest) > fixed:
        swept, logdet = regression(matrix, target, rest)
        least = COLLINEAR * matrix[target, target]
        while len(rest) > fixed and not math.isnan(logdet):
            k = len(rest)
            now = a[k] + b[k] * math.log(max(-swept[k, k], least)) + c[k] * logdet
            worst, gain = -1, tolerance
            for i in range(fixed, k):
                after = -swept[k, k] + swept[k, i] ** 2 / swept[i, i]
                value = a[k - 1] + b[k - 1] * math.log(max(after, least)) + c[k - 1] * (logdet + math.log(swept[i, i]))
                if value - now > gain:
                    worst, gain = i, value - now
            if worst < 0:
                break
            logdet += math.log(swept[worst, worst])
            swept = forget(swept, worst)
            smaller = np.empty(k - 1, np.int64)
            for i in range(k - 1):
                smaller[i] = rest[i if i < worst else i + 1]
            rest = smaller
    return rest, local_value(matrix, table, target, np.sort(rest))
