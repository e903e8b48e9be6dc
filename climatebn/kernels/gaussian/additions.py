r"""Gains of adding one parent, for many sets of parents at once, from the compiled form of a Gaussian score.

For parents S of y and a candidate x, with the Cholesky rows of S: v_x, v_y residual variances, r_xy the residual
covariance; then v_y falls to v_y − r²/v_x, and log|M_SS| rises by log v_x (see `form`). A set that begins as the one
before it does keeps those rows.
"""

import math

import numpy as np

from climatebn.kernels.constants import COLLINEAR
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.jit import jit


@jit
def additions(
    form: GaussianForm,
    target: np.ndarray,
    starts: np.ndarray,
    items: np.ndarray,
    which: np.ndarray,
    source: np.ndarray,
) -> np.ndarray:
    """Gain of adding ``source[i]`` to the parents ``items[starts[s]:starts[s + 1]]``, s = which[i], of ``target[s]``.

    As in hill climbing: a variance counts as `COLLINEAR` times the whole at least, a member collinear with earlier ones
    explains nothing. NaN for a source collinear with the set (a score without determinants can still tell what it
    costs), and where the set is too large for the form. ``which`` ascends.
    """
    matrix, a, b, c = form
    columns, place = _columns(len(matrix), target, items, source)
    deepest = 0
    for s in range(len(starts) - 1):
        deepest = max(deepest, starts[s + 1] - starts[s])
    rows = np.empty((deepest, len(columns)))
    left = np.empty((deepest + 1, len(columns)))  # residual variances given the first k members
    for j in range(len(columns)):
        left[0, j] = matrix[columns[j], columns[j]]
    held = np.empty(deepest, np.int64)
    determinant = np.zeros(deepest + 1)
    depth = 0
    gains = np.full(len(which), np.nan)
    i = 0
    for s in range(len(starts) - 1):
        if i == len(which) or which[i] > s:
            continue
        members = items[starts[s] : starts[s + 1]]
        k = len(members)
        kept = 0
        while kept < min(depth, k) and held[kept] == members[kept]:
            kept += 1
        depth = kept
        while depth < k:
            node = members[depth]
            pivot = left[depth, place[node]]
            least = COLLINEAR * matrix[node, node]
            if pivot > least:
                _append(matrix, columns, place[node], node, depth, rows, left)
            else:
                rows[depth, :] = 0.0
                left[depth + 1] = left[depth]
            held[depth] = node
            determinant[depth + 1] = determinant[depth] + math.log(max(pivot, least))
            depth += 1
        y = place[target[s]]
        floor = COLLINEAR * left[0, y]
        before = math.log(max(left[k, y], floor))
        while i < len(which) and which[i] == s:
            x = place[source[i]]
            known = left[k, x] > COLLINEAR * left[0, x]
            if k + 1 < len(a) and (known or c[k + 1] == 0):
                after, spread = left[k, y], 1.0
                if known:
                    r = matrix[source[i], target[s]]
                    for level in range(k):
                        r -= rows[level, x] * rows[level, y]
                    spread = left[k, x]
                    after -= r * r / spread
                gains[i] = a[k + 1] - a[k] + b[k + 1] * math.log(max(after, floor)) - b[k] * before
                gains[i] += c[k + 1] * (determinant[k] + math.log(spread)) - c[k] * determinant[k]
            i += 1
    return gains


@jit
def _columns(nodes: int, target: np.ndarray, items: np.ndarray, source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nodes that are read at all, ascending, and the place of each node among them."""
    place = np.zeros(nodes, np.int64)
    place[target] = 1
    place[items] = 1
    place[source] = 1
    columns = np.flatnonzero(place)
    place[columns] = np.arange(len(columns))
    return columns, place


@jit
def _append(
    matrix: np.ndarray, columns: np.ndarray, at: int, node: int, depth: int, rows: np.ndarray, left: np.ndarray
) -> None:
    """The next Cholesky row, and the residual variances that it leaves."""
    row = rows[depth]
    for j in range(len(columns)):
        row[j] = matrix[node, columns[j]]
    for level in range(depth):
        factor = rows[level, at]
        for j in range(len(columns)):
            row[j] -= factor * rows[level, j]
    scale = 1 / math.sqrt(left[depth, at])
    for j in range(len(columns)):
        row[j] *= scale
        left[depth + 1, j] = left[depth, j] - row[j] * row[j]
