r"""Residuals of all columns given a growing set: partial Cholesky rows.

Appending z to Z: row_j = r_zj / √v_z;  v_j ← v_j − row_j²;  r_xj ← r_xj − row_x row_j;  log|M_Z| ← log|M_Z| + log v_z.
Each depth keeps its own line, so that going back to a shorter set costs nothing. A z that is a combination of Z (its
residual variance is rounding error) has no effect, as with the pseudo-inverse.
"""

import math

import numpy as np

from climatebn.kernels.constants import COLLINEAR
from climatebn.kernels.gaussian.evidence_form import EvidenceForm, at_size, guarded, strength
from climatebn.kernels.jit import inner_jit, jit


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
        if variances[depth, z] <= COLLINEAR * matrix[z, z]:
            for j in range(size):
                row[j] = 0.0
                variances[depth + 1, j] = variances[depth, j]
                residuals[depth + 1, j] = residuals[depth, j]
            logdets[depth + 1] = logdets[depth]
            continue
        for j in range(size):
            row[j] = matrix[z, j]
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
def evidence_row(
    form: EvidenceForm, x: int, ys: np.ndarray, k: int, variances: np.ndarray, residuals: np.ndarray, logdet: float
) -> np.ndarray:
    """Evidence of x with each of ``ys`` given the set of one depth."""
    found, size, matrix = np.empty(len(ys)), at_size(form, k), form.matrix
    vx, floor = variances[x], COLLINEAR * matrix[x, x]
    for i, y in enumerate(ys):
        weight = guarded(size, vx, variances[y], residuals[y], logdet, floor, COLLINEAR * matrix[y, y])
        found[i] = strength(size, weight)
    return found


@jit
def first_dependent(
    form: EvidenceForm, x: int, ys: np.ndarray, k: int, variances: np.ndarray, residuals: np.ndarray, logdet: float
) -> int:
    """Position of the first of ``ys`` that depends on x; −1 when none does."""
    size, matrix = at_size(form, k), form.matrix
    vx, floor = variances[x], COLLINEAR * matrix[x, x]
    for i, y in enumerate(ys):
        if guarded(size, vx, variances[y], residuals[y], logdet, floor, COLLINEAR * matrix[y, y]) > size.limit:
            return i
    return -1


@jit
def without_each(form: EvidenceForm, x: int, members: np.ndarray, swept: np.ndarray, logdet: float) -> np.ndarray:
    """Evidence of x with each member given the other members, from `regression`.

    Given the others, member y has the residual variance 1/A_yy, its covariance with x is b_y/A_yy, and x has
    v + b_y²/A_yy. Collinear members (``logdet`` is NaN) are done one by one.
    """
    k, matrix = len(members), form.matrix
    found = np.empty(k)
    if math.isnan(logdet):
        others = members[1:].copy()
        for i in range(k):
            found[i] = single(form, x, members[i], others)
            if i < k - 1:
                others[i] = members[i]
        return found
    size, floor = at_size(form, k - 1), COLLINEAR * matrix[x, x]
    for i, y in enumerate(members):
        vy = 1 / swept[i, i]
        r = swept[k, i] * vy
        vx = r * swept[k, i] - swept[k, k]
        weight = guarded(size, vx, vy, r, logdet - math.log(vy), floor, COLLINEAR * matrix[y, y])
        found[i] = strength(size, weight)
    return found


@jit
def regression(matrix: np.ndarray, x: int, members: np.ndarray) -> tuple[np.ndarray, float]:
    """Of x on the members: [[A, b], [bᵀ, −v]], A their inverse, b the coefficients, v the residual variance; log|A⁻¹|.

    The log-determinant is NaN when the members are collinear.
    """
    k = len(members)
    swept = np.empty((k + 1, k + 1))
    for i in range(k + 1):
        row = matrix[members[i] if i < k else x]
        for j in range(k + 1):
            swept[i, j] = row[members[j] if j < k else x]
    logdet = sweep(swept, k, COLLINEAR)
    for i in range(k):
        swept[k, i] = swept[i, k]
    swept[k, k] *= -1
    return swept, logdet


@jit
def forget(inverse: np.ndarray, place: int) -> np.ndarray:
    """The inverse of a block without one of its nodes; likewise a `regression` without one member."""
    m = len(inverse) - 1
    smaller = np.empty((m, m))
    scale = 1 / inverse[place, place]
    for i in range(m):
        row = inverse[i if i < place else i + 1]
        factor = row[place] * scale
        for j in range(place):
            smaller[i, j] = row[j] - factor * inverse[place, j]
        for j in range(place, m):
            smaller[i, j] = row[j + 1] - factor * inverse[place, j + 1]
    return smaller


@inner_jit
def sweep(block: np.ndarray, count: int, least: float) -> float:
    """Invert the first ``count`` rows and columns in place, and carry the rest along; the log-determinant of that part.

    ``least`` is the smallest share of a variance that the earlier columns may leave unexplained; below it: NaN.
    """
    logdet = 0.0
    scale = np.empty(count)
    for p in range(count):
        scale[p] = block[p, p]
    for p in range(count):
        pivot = block[p, p]
        if pivot <= least * scale[p]:
            return np.nan
        logdet += math.log(pivot)
        block[p, p] = 1.0
        for j in range(len(block)):
            block[p, j] /= pivot
        for i in range(len(block)):
            if i != p:
                factor = block[i, p]
                block[i, p] = 0.0
                for j in range(len(block)):
                    block[i, j] -= factor * block[p, j]
    return logdet


@jit
def single(form: EvidenceForm, x: int, y: int, given: np.ndarray) -> float:
    """Evidence of x and y given a set of others."""
    matrix = form.matrix
    k = len(given)
    block = np.empty((k + 2, k + 2))
    nodes = np.empty(k + 2, dtype=np.int64)
    for i in range(k):
        nodes[i] = given[i]
    nodes[k], nodes[k + 1] = x, y
    for i in range(k + 2):
        for j in range(k + 2):
            block[i, j] = matrix[nodes[i], nodes[j]]
    logdet = 0.0
    for p in range(k):
        pivot = block[p, p]
        if pivot <= COLLINEAR * matrix[nodes[p], nodes[p]]:
            continue
        logdet += math.log(pivot)
        for i in range(p + 1, k + 2):
            factor = block[p, i] / pivot
            for j in range(i, k + 2):
                block[i, j] -= factor * block[p, j]
    vx, vy, r = block[k, k], block[k + 1, k + 1], block[k, k + 1]
    size = at_size(form, k)
    return strength(size, guarded(size, vx, vy, r, logdet, COLLINEAR * matrix[x, x], COLLINEAR * matrix[y, y]))
