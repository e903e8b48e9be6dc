r"""Who of a list does one other of the list separate from x? (HPC: superset and spouses)

One test given F ∪ {z} costs O(1) once Σ of (x, list) given F is at hand: ρ from v − c²/v_z and r − c c'/v_z.
"""

import math

import numpy as np

from climatebn.kernels.constants import COLLINEAR
from climatebn.kernels.gaussian.evidence_form import GAIN, EvidenceForm, at_size, guarded, strength
from climatebn.kernels.jit import inner_jit, jit


@jit
def thin(
    form: EvidenceForm,
    x: int,
    ys: np.ndarray,
    fixed: int,
    evidences: np.ndarray,
    order: np.ndarray,
    by_evidence: bool,
) -> tuple[np.ndarray, int]:
    """The place of the separator of each y (−1: stays) and the number of tests; ``evidences`` is brought up to date.

    ``fixed`` is one node or −1; ``order`` the places of ``ys`` as others are tried, kept by falling evidence if
    ``by_evidence``. See `Session.thin`.
    """
    matrix, gain = form.matrix, form.kind == GAIN
    count = len(ys)
    size = at_size(form, 1 if fixed < 0 else 2)
    logdet = math.log(matrix[fixed, fixed]) if fixed >= 0 and gain else 0.0
    scale = 1 / matrix[fixed, fixed] if fixed >= 0 else 0.0
    at_x = matrix[x, fixed] if fixed >= 0 else 0.0
    vx = matrix[x, x] - at_x * at_x * scale
    floor_x = COLLINEAR * matrix[x, x]
    c, v = np.empty(count), np.empty(count)
    for i, y in enumerate(ys):
        at_y = matrix[y, fixed] if fixed >= 0 else 0.0
        c[i] = matrix[x, y] - at_x * at_y * scale
        v[i] = matrix[y, y] - at_y * at_y * scale
    separator = np.full(count, -1)
    tests, left = 0, count
    for i, y in enumerate(ys):
        floor_y = COLLINEAR * matrix[y, y]
        at_y = matrix[y, fixed] if fixed >= 0 else 0.0
        least, where = np.inf, -1
        for place in range(left):
            j = order[place]
            if j == i:
                where = place
                continue
            z = ys[j]
            tests += 1
            inverse = 1 / v[j] if v[j] > COLLINEAR * matrix[z, z] else 0.0
            cy = matrix[y, z] - at_y * (matrix[z, fixed] if fixed >= 0 else 0.0) * scale
            weight = guarded(
                size,
                vx - c[j] * c[j] * inverse,
                v[i] - cy * cy * inverse,
                c[i] - c[j] * cy * inverse,
                logdet + math.log(v[j]) if gain and inverse > 0 else logdet,
                floor_x,
                floor_y,
            )
            least = min(least, weight)
            if weight <= size.limit:
                separator[i] = j
                break
        if separator[i] < 0 and not by_evidence:
            continue
        if where < 0:
            where = 0
            while order[where] != i:
                where += 1
        left -= 1
        for place in range(where, left):
            order[place] = order[place + 1]
        if separator[i] < 0:
            if least < np.inf:
                evidences[i] = min(evidences[i], strength(size, least))
            where = left
            while where > 0 and stronger(i, order[where - 1], evidences):
                order[where] = order[where - 1]
                where -= 1
            order[where] = i
            left += 1
    return separator, tests


@inner_jit
def stronger(i: int, j: int, evidences: np.ndarray) -> bool:
    """More evidence first; ties in the order of the list."""
    return evidences[i] > evidences[j] or (evidences[i] == evidences[j] and i < j)


@jit
def beside(form: EvidenceForm, x: int, ys: np.ndarray, separators: np.ndarray, child: int) -> np.ndarray:
    """Evidence of x with each y given ``child`` and the separator of y (−1: given ``child`` alone)."""
    matrix, gain = form.matrix, form.kind == GAIN
    one, two = at_size(form, 1), at_size(form, min(2, len(form.table) - 1))
    found = np.empty(len(ys))
    row = matrix[child] / matrix[child, child]
    at_x, vx, floor_x = matrix[child, x], matrix[x, x] - row[x] * matrix[child, x], COLLINEAR * matrix[x, x]
    logdet = math.log(matrix[child, child]) if gain else 0.0
    for i, y in enumerate(ys):
        z, floor_y = separators[i], COLLINEAR * matrix[y, y]
        vy, r = matrix[y, y] - row[y] * matrix[child, y], matrix[x, y] - row[y] * at_x
        if z < 0:
            found[i] = strength(one, guarded(one, vx, vy, r, logdet, floor_x, floor_y))
            continue
        vz = matrix[z, z] - row[z] * matrix[child, z]
        inverse = 1 / vz if vz > COLLINEAR * matrix[z, z] else 0.0
        cx, cy = matrix[x, z] - row[z] * at_x, matrix[y, z] - row[z] * matrix[child, y]
        weight = guarded(
            two,
            vx - cx * cx * inverse,
            vy - cy * cy * inverse,
            r - cx * cy * inverse,
            logdet + math.log(vz) if gain and inverse > 0 else logdet,
            floor_x,
            floor_y,
        )
        found[i] = strength(two, weight)
    return found
