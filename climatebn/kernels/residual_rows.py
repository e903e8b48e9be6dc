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

from climatebn.kernels.bitset import members
from climatebn.kernels.form import COLLINEAR, GaussianForm
from climatebn.kernels.jit import jit
from climatebn.kernels.moves import TAU

BLOCK = 512  # columns that stay in the fastest memory while the parents' rows pass by


class Rows(NamedTuple):
    """Residual rows of every node; ``slots[i, :k]`` are its parents in the order they were appended."""

    matrix: np.ndarray
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    diagonal: np.ndarray
    covariance: np.ndarray
    variance: np.ndarray
    slots: np.ndarray
    inverse: np.ndarray
    size: np.ndarray
    work: np.ndarray
    order: np.ndarray


def residual_rows(form: GaussianForm, capacity: int) -> Rows:
    """Rows of nodes without parents; room for ``capacity`` parents."""
    nodes = len(form.matrix)
    diagonal = np.diag(form.matrix).copy()
    return Rows(
        *form,
        diagonal,
        form.matrix.copy(),
        np.tile(diagonal, (nodes, 1)),
        np.zeros((nodes, capacity), dtype=np.int64),
        np.zeros((nodes, capacity * (capacity + 1) // 2)),
        np.zeros(nodes, dtype=np.int64),
        np.zeros((4, max(nodes, BLOCK))),
        np.zeros(nodes, dtype=np.int64),
    )


def with_room(rows: Rows, capacity: int) -> Rows:
    """The same rows with room for more parents."""
    nodes = len(rows.size)
    slots = np.zeros((nodes, capacity), dtype=np.int64)
    slots[:, : rows.slots.shape[1]] = rows.slots
    inverse = np.zeros((nodes, capacity * (capacity + 1) // 2))
    inverse[:, : rows.inverse.shape[1]] = rows.inverse
    return rows._replace(slots=slots, inverse=inverse)


@jit
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
        q[: last - first] = rows.matrix[p, first:last]
        for m in range(k):
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


@jit
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


@jit
def rebuild(rows: Rows, parents: np.ndarray, i: int) -> None:
    """The rows of i from its set of parents alone."""
    rows.size[i] = 0
    rows.covariance[i] = rows.matrix[i]
    rows.variance[i] = rows.diagonal
    count = members(parents, i, rows.order)
    for m in range(count):
        append(rows, i, rows.order[m])


@jit
def write_gains(rows: Rows, i: int, gain: np.ndarray) -> None:
    """Gain of adding each node to the parents of i, of deleting those that are; −∞ where it cannot be told."""
    k = rows.size[i]
    coefficients, scaled, diagonal = rows.work[0], rows.work[1], rows.work[2]
    least = COLLINEAR * rows.diagonal[i]
    v = _project(rows, i, i, scaled, coefficients)
    log_determinant = 0.0
    for m in range(k):
        diagonal[m] = 0
        for j in range(m + 1):
            diagonal[j] += rows.inverse[i, m * (m + 1) // 2 + j] ** 2
        log_determinant -= 2 * np.log(rows.inverse[i, m * (m + 3) // 2])
    now = rows.a[k] + rows.b[k] * np.log(max(v, least)) + rows.c[k] * log_determinant
    gain[:] = -np.inf
    if k + 1 < len(rows.a):
        a, b, c = rows.a[k + 1] + rows.c[k + 1] * log_determinant - now, rows.b[k + 1], rows.c[k + 1]
        covariance, variance = rows.covariance[i], rows.variance[i]
        for j in range(len(gain)):
            if variance[j] > COLLINEAR * rows.diagonal[j]:
                value = a + b * np.log(max(v - covariance[j] ** 2 / variance[j], least))
                if c != 0:
                    value += c * np.log(variance[j])
                gain[j] = value if abs(value) >= TAU else 0.0
    gain[i] = -np.inf
    for m in range(k):
        wider = max(v + coefficients[m] ** 2 / diagonal[m], least)
        smaller = log_determinant + np.log(diagonal[m])
        value = rows.a[k - 1] + rows.b[k - 1] * np.log(wider) + rows.c[k - 1] * smaller - now
        gain[rows.slots[i, m]] = value if abs(value) >= TAU else 0.0
