r"""Gains of all parents of a node at once, from what its present parents leave unexplained.

For node i with parents Π, and every other node j, the rows hold

    r_ij = M_ij − M_iΠ M_ΠΠ⁻¹ M_Πj      (what is left of the covariance of i and j)
    w_ij = M_jj − M_jΠ M_ΠΠ⁻¹ M_Πj      (what is left of the variance of j)

Adding j takes the variance v of i down to v − r²/w and multiplies |M_ΠΠ| by w: each gain is a formula. Appending a
parent p costs O(kN): with β = M_ΠΠ⁻¹ M_Πp and q_j = M_pj − Σ β_m M_mj, w_j falls by q_j²/w_p and r_j by q_j r_p/w_p.
Only the inverse Cholesky factor (k × k) of the parents' block is kept. Taking a parent away rebuilds the rows of that
node from its parents in ascending order, so errors do not add up. All k deletions follow from the inverse: without p,
v grows by b_p²/h_p, where b are the regression coefficients of i and h the diagonal of M_ΠΠ⁻¹.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.constants import COLLINEAR, TAU
from climatebn.kernels.gaussian.logarithm import logarithms
from climatebn.kernels.jit import inline_jit, inner_jit

A, B, C = np.int64(0), np.int64(1), np.int64(2)  # rows of the form's table
BLOCK = 512  # columns that stay in the fastest memory while the parents' rows pass by
LANES = 16  # logarithms taken together: a number that is no multiple of it leaves some to be taken one by one


class Rows(NamedTuple):
    """Residual rows of every node; ``slots[i, :k]`` are its parents in the order they were appended.

    ``score[i]`` is the local score from scratch, by which steps are checked.
    """

    matrix: np.ndarray
    table: np.ndarray
    diagonal: np.ndarray
    covariance: np.ndarray
    variance: np.ndarray
    slots: np.ndarray
    inverse: np.ndarray
    size: np.ndarray
    score: np.ndarray
    work: np.ndarray


@inner_jit
def append(rows: Rows, i: int, p: int) -> None:
    """p becomes the last parent of i."""
    k = rows.size[i]
    slots, inverse = rows.slots[i], rows.inverse[i]
    beta, scaled = rows.work[0], rows.work[1]
    left = _project(rows, i, p, scaled, beta)
    left = max(left, COLLINEAR * rows.diagonal[p])
    root = np.sqrt(left)
    start = k * (k + 1) // 2
    for m in range(k):
        inverse[start + m] = -beta[m] / root
    inverse[start + k] = 1 / root
    slots[k] = p
    rows.size[i] = k + 1

    covariance, variance, q = rows.covariance[i], rows.variance[i], rows.work[2]
    slope = covariance[p] / left
    share = 1 / left
    for first in range(0, len(covariance), BLOCK):
        last = min(first + BLOCK, len(covariance))
        row = rows.matrix[p, first:last]
        for j in range(last - first):
            q[j] = row[j]
        fours = k // 4 * 4
        for m in range(0, fours, 4):  # four rows a visit: q is fetched and put back once
            b1, b2, b3, b4 = beta[m], beta[m + 1], beta[m + 2], beta[m + 3]
            m1, m2 = rows.matrix[slots[m], first:last], rows.matrix[slots[m + 1], first:last]
            m3, m4 = rows.matrix[slots[m + 2], first:last], rows.matrix[slots[m + 3], first:last]
            for j in range(last - first):
                q[j] = q[j] - b1 * m1[j] - b2 * m2[j] - b3 * m3[j] - b4 * m4[j]
        for m in range(fours, k):
            weight = beta[m]
            row = rows.matrix[slots[m], first:last]
            for j in range(last - first):
                q[j] -= weight * row[j]
        near, spread = covariance[first:last], variance[first:last]
        for j in range(last - first):
            near[j] -= q[j] * slope
            spread[j] -= q[j] * q[j] * share
    covariance[p] = 0
    variance[p] = 0


@inline_jit
def _project(rows: Rows, i: int, node: int, scaled: np.ndarray, beta: np.ndarray) -> float:
    """Regress ``node`` on the parents of i: coefficients to ``beta``; return the variance that is left."""
    k = rows.size[i]
    slots, inverse = rows.slots[i], rows.inverse[i]
    left = rows.diagonal[node]
    for m in range(k):
        total = 0.0
        for j in range(m + 1):
            total += inverse[m * (m + 1) // 2 + j] * rows.matrix[node, slots[j]]
        scaled[m] = total
        left -= total * total
        beta[m] = 0
    for m in range(k):
        for j in range(m + 1):
            beta[j] += inverse[m * (m + 1) // 2 + j] * scaled[m]
    return left


@inner_jit
def rebuild(rows: Rows, i: int, parents: np.ndarray) -> None:
    """The rows of i from its parents, which ascend, alone."""
    rows.size[i] = 0
    for j in range(len(rows.diagonal)):
        rows.covariance[i, j] = rows.matrix[i, j]
        rows.variance[i, j] = rows.diagonal[j]
    for m in range(len(parents)):
        append(rows, i, parents[m])


@inline_jit
def write_gains(rows: Rows, i: int, gain: np.ndarray) -> None:
    """Gain of adding each node to the parents of i, of deleting those that are; −∞ where it is undetermined."""
    k, table = rows.size[i], rows.table
    coefficients, scaled, h = rows.work[0], rows.work[1], rows.work[2]
    least = COLLINEAR * rows.diagonal[i]
    v = _project(rows, i, i, scaled, coefficients)
    log_determinant = _invert(rows, i, h)
    now = table[A, k] + table[B, k] * np.log(max(v, least)) + table[C, k] * log_determinant
    if k + 1 < table.shape[1]:
        constant = table[A, k + 1] + table[C, k + 1] * log_determinant - now
        _write_additions(rows, i, v, least, constant, table[B, k + 1], table[C, k + 1], gain)
    else:
        gain[:] = -np.inf
    gain[i] = -np.inf
    for m in range(k):
        value = table[A, k - 1] + table[B, k - 1] * np.log(max(v + coefficients[m] ** 2 / h[m], least)) - now
        if table[C, k - 1] != 0:
            value += table[C, k - 1] * (log_determinant + np.log(h[m]))
        gain[rows.slots[i, m]] = value if abs(value) >= TAU else 0.0


@inline_jit
def _invert(rows: Rows, i: int, h: np.ndarray) -> float:
    """The diagonal of M_ΠΠ⁻¹ to ``h``; return log|M_ΠΠ|, or 0 if the score does not ask for it."""
    inverse, log_determinant = rows.inverse[i], 0.0
    for m in range(rows.size[i]):
        h[m] = 0
        for j in range(m + 1):
            h[j] += inverse[m * (m + 1) // 2 + j] ** 2
        if rows.table[C, m] != 0:
            log_determinant -= 2 * np.log(inverse[m * (m + 3) // 2])
    return log_determinant


@inline_jit
def _write_additions(
    rows: Rows, i: int, v: float, least: float, constant: float, b: float, c: float, gain: np.ndarray
) -> None:
    """constant + b·log(v − r²/w) + c·log w for every candidate that is not collinear with the parents."""
    left, mantissas, logs, usable = rows.work[3], rows.work[4], rows.work[5], rows.work[6]
    for first in range(0, len(gain), BLOCK):
        size = min(BLOCK, len(gain) - first)
        r, w = rows.covariance[i, first : first + size], rows.variance[i, first : first + size]
        d, g = rows.diagonal[first : first + size], gain[first : first + size]
        for j in range(size):
            usable[j] = w[j] if w[j] > COLLINEAR * d[j] else 1.0
            left[j] = max(v - r[j] * r[j] / usable[j], least)
        full = (size + LANES - 1) // LANES * LANES
        left[size:full], usable[size:full] = 1.0, 1.0
        logarithms(left[:full], mantissas[:full], logs[:full])
        if c != 0:
            logarithms(usable[:full], mantissas[:full], left[:full])
        for j in range(size):
            x = constant + b * logs[j] + c * left[j]
            x = x if abs(x) >= TAU else 0.0
            g[j] = x if w[j] > COLLINEAR * d[j] else -np.inf
