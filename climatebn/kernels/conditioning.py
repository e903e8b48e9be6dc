r"""Residuals of all columns given a growing set: partial Cholesky rows.

Appending z to Z: row_j = r_zj / √v_z;  v_j ← v_j − row_j²;  r_xj ← r_xj − row_x row_j;  log|M_Z| ← log|M_Z| + log v_z.
Each depth keeps its own line, so that going back to a shorter set costs nothing. A z that is a combination of Z (its
residual variance is rounding error) has no effect, as with the pseudo-inverse.
"""

import math

import numpy as np

from climatebn.kernels.evidence import EvidenceForm, limit, strength, weigh
from climatebn.kernels.form import COLLINEAR
from climatebn.kernels.jit import jit


@jit
def extend(
    form: EvidenceForm,
    x: int,
    given: np.ndarray,
    known: int,
    rows: np.ndarray,
    variances: np.ndarray,
    residuals: np.ndarray,
    logdets: np.ndarray,
) -> None:
    """Fill the lines of depths known + 1 … len(given); lines up to ``known`` are in place (0: start afresh)."""
    matrix = form.matrix
    size = len(matrix)
    if known == 0:
        for j in range(size):
            variances[0, j] = matrix[j, j]
            residuals[0, j] = matrix[x, j]
        logdets[0] = 0.0
    for depth in range(known, len(given)):
        z = given[depth]
        row = rows[depth]
        if z == x or variances[depth, z] <= COLLINEAR * matrix[z, z]:
            row[:] = 0.0
            variances[depth + 1] = variances[depth]
            residuals[depth + 1] = residuals[depth]
            logdets[depth + 1] = logdets[depth]
            continue
        row[:] = matrix[z]
        for t in range(depth):
            factor = rows[t, z]
            if factor != 0.0:
                for j in range(size):
                    row[j] -= factor * rows[t, j]
        scale = 1 / math.sqrt(variances[depth, z])
        at_x = row[x] * scale
        for j in range(size):
            row[j] *= scale
            variances[depth + 1, j] = variances[depth, j] - row[j] * row[j]
            residuals[depth + 1, j] = residuals[depth, j] - at_x * row[j]
        logdets[depth + 1] = logdets[depth] + math.log(variances[depth, z])


@jit
def guarded(
    form: EvidenceForm, k: int, vx: float, vy: float, r: float, logdet: float, floor_x: float, floor_y: float
) -> float:
    """`weigh`, where a variance that is rounding error shows no dependence."""
    if vx > floor_x and vy > floor_y:
        return weigh(form, k, vx, vy, r, logdet)
    return weigh(form, k, max(vx, floor_x), max(vy, floor_y), 0.0, logdet)


@jit
def weight_at(
    form: EvidenceForm, x: int, y: int, k: int, variances: np.ndarray, residuals: np.ndarray, logdet: float
) -> float:
    """The weight of x and y given the set of one depth."""
    matrix = form.matrix
    floor_x, floor_y = COLLINEAR * matrix[x, x], COLLINEAR * matrix[y, y]
    return guarded(form, k, variances[x], variances[y], residuals[y], logdet, floor_x, floor_y)


@jit
def evidence_row(
    form: EvidenceForm, x: int, ys: np.ndarray, k: int, variances: np.ndarray, residuals: np.ndarray, logdet: float
) -> np.ndarray:
    """Evidence of x with each of ``ys`` given the set of one depth."""
    found = np.empty(len(ys))
    for i, y in enumerate(ys):
        found[i] = strength(form, k, weight_at(form, x, y, k, variances, residuals, logdet))
    return found


@jit
def first_dependent(
    form: EvidenceForm, x: int, ys: np.ndarray, k: int, variances: np.ndarray, residuals: np.ndarray, logdet: float
) -> int:
    """Position of the first of ``ys`` that depends on x; −1 when none does."""
    bar = limit(form, k)
    for i, y in enumerate(ys):
        if weight_at(form, x, y, k, variances, residuals, logdet) > bar:
            return i
    return -1


@jit
def without_each(form: EvidenceForm, x: int, members: np.ndarray) -> np.ndarray:
    """Evidence of x with each member given the other members: all from one inverse of the (k + 1)-block.

    With K the inverse, ρ = −K_xy / √(K_xx K_yy) and the residual variances given the others follow from it.
    A singular block is done member by member.
    """
    k = len(members)
    found = np.empty(k)
    nodes = np.empty(k + 1, dtype=np.int64)
    nodes[:k] = members
    nodes[k] = x
    inverse = np.empty((k + 1, k + 1))
    logdet = inverse_of(form.matrix, nodes, inverse)
    if math.isnan(logdet):
        others = np.empty(k - 1, dtype=np.int64)
        for i in range(k):
            others[:i] = members[:i]
            others[i:] = members[i + 1 :]
            found[i] = single(form, x, members[i], others)
        return found
    logdet += math.log(inverse[k, k])  # of the members alone
    for i in range(k):
        square = inverse[k, i] ** 2 / (inverse[k, k] * inverse[i, i])
        vx = 1 / (inverse[k, k] * (1 - square))
        vy = 1 / (inverse[i, i] * (1 - square))
        weight = weigh(form, k - 1, vx, vy, math.sqrt(square * vx * vy), logdet - math.log(vy))
        found[i] = strength(form, k - 1, weight)
    return found


@jit
def inverse_of(matrix: np.ndarray, nodes: np.ndarray, inverse: np.ndarray) -> float:
    """Write the inverse of a block of ``matrix`` and return its log-determinant; NaN when it is singular."""
    m = len(nodes)
    for i in range(m):
        for j in range(m):
            inverse[i, j] = matrix[nodes[i], nodes[j]]
    return invert(inverse, COLLINEAR)


@jit
def invert(block: np.ndarray, least: float) -> float:
    """Invert a positive definite matrix in place by sweeps; its log-determinant, NaN when it is singular.

    ``least`` is the smallest share of a variance that the earlier columns may leave unexplained.
    """
    m = len(block)
    logdet = 0.0
    scale = np.empty(m)
    for p in range(m):
        scale[p] = block[p, p]
    for p in range(m):
        pivot = block[p, p]
        if pivot <= least * scale[p]:
            return np.nan
        logdet += math.log(pivot)
        block[p, p] = 1.0
        for j in range(m):
            block[p, j] /= pivot
        for i in range(m):
            if i != p:
                factor = block[i, p]
                block[i, p] = 0.0
                for j in range(m):
                    block[i, j] -= factor * block[p, j]
    return logdet


@jit
def single(form: EvidenceForm, x: int, y: int, given: np.ndarray) -> float:
    """Evidence of x and y given a set. Members equal to x or y have no effect; x itself depends on x."""
    if x == y:
        return np.inf
    matrix = form.matrix
    k = len(given)
    block = np.empty((k + 2, k + 2))
    nodes = np.empty(k + 2, dtype=np.int64)
    nodes[:k] = given
    nodes[k], nodes[k + 1] = x, y
    for i in range(k + 2):
        for j in range(k + 2):
            block[i, j] = matrix[nodes[i], nodes[j]]
    logdet = 0.0
    for p in range(k):
        pivot = block[p, p]
        if nodes[p] == x or nodes[p] == y or pivot <= COLLINEAR * matrix[nodes[p], nodes[p]]:
            continue
        logdet += math.log(pivot)
        for i in range(p + 1, k + 2):
            factor = block[p, i] / pivot
            for j in range(i, k + 2):
                block[i, j] -= factor * block[p, j]
    vx, vy, r = block[k, k], block[k + 1, k + 1], block[k, k + 1]
    weight = guarded(form, k, vx, vy, r, logdet, COLLINEAR * matrix[x, x], COLLINEAR * matrix[y, y])
    return strength(form, k, weight)
