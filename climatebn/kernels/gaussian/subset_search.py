r"""Subset search: is there a Z ⊆ pool, smallest ≤ |Z| ≤ largest, that makes x and y independent given F ∪ Z?

The answer is that of a plain enumeration (sizes ascending, lexicographic within a size, stop at the first
independence) without making most of its tests: sizes 0, 1, 2 are enumerated, larger ones left to `branching`.
"""

import math

import numpy as np

from climatebn.kernels.constants import COLLINEAR
from climatebn.kernels.gaussian.branch_and_bound import (
    CHOSEN,
    CONNECTED,
    EXPLORE,
    LOCATE,
    PHASE,
    SEPARATED,
    SIZE,
    START,
    Work,
    enter,
    explore,
    locate,
    named,
)
from climatebn.kernels.gaussian.evidence_form import GAIN, EvidenceForm, at_size, guarded, strength
from climatebn.kernels.jit import inner_jit, jit


def memory(pool: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and integers for searches over at most ``pool`` nodes: about pool³/3 numbers twice.

    After a search numbers[0] is the least evidence; integers[SIZE] and integers[CHOSEN:] tell the separating subset.
    """
    m = pool + 2
    squares = sum(size * size for size in range(2, m + 1))
    return np.empty(1 + m * m + 3 * m + 2 * squares), np.zeros(CHOSEN + 4 * m, dtype=np.int64)


@jit
def search(
    form: EvidenceForm,
    x: int,
    y: int,
    fixed: np.ndarray,
    pool: np.ndarray,
    smallest: int,
    largest: int,
    ceiling: float,
    numbers: np.ndarray,
    integers: np.ndarray,
    steps: int,
) -> int:
    """CONNECTED, SEPARATED, or UNFINISHED: call again to go on. See `memory` for the rest of the answer.

    The least evidence is found if it is below ``ceiling``; with ceiling 0 only the decision is asked for. Set
    ``integers[PHASE] = START`` before the first call.
    """
    k0, m = len(fixed), len(pool) + 2
    w = named(numbers, integers, m)
    if w.state[PHASE] == START:
        w.best[0] = ceiling
        w.logdets[0] = _condition(form.matrix, x, y, fixed, pool, w.block, w.floors)
        if _enumerate(form, k0, smallest, min(largest, 2), w):
            return SEPARATED
        if largest < 3:
            return CONNECTED
        w.state[PHASE] = LOCATE if smallest == largest and ceiling <= 0.0 else EXPLORE
        w.state[SIZE] = max(smallest, 3)
        enter(form, k0, w)
    if w.state[PHASE] == EXPLORE:
        status = explore(form, k0, smallest, largest, w, steps)
        if status != SEPARATED:
            return status
        w.state[PHASE], w.best[0] = LOCATE, min(ceiling, 0.0)
        enter(form, k0, w)
    while w.state[SIZE] <= largest:
        status = locate(form, k0, w.state[SIZE], w, steps)
        if status != CONNECTED:
            return status
        w.state[SIZE] += 1
        enter(form, k0, w)
    return CONNECTED


@inner_jit
def _condition(
    matrix: np.ndarray, x: int, y: int, fixed: np.ndarray, pool: np.ndarray, result: np.ndarray, floors: np.ndarray
) -> float:
    """Write Σ of (x, y, pool) given the fixed nodes; a node without effect becomes independent of all others."""
    k, m = len(fixed), len(pool) + 2
    nodes = np.empty(k + m, dtype=np.int64)
    for i in range(k):
        nodes[i] = fixed[i]
    nodes[k], nodes[k + 1] = x, y
    for i in range(m - 2):
        nodes[k + 2 + i] = pool[i]
    block = np.empty((k + m, k + m)) if k else result
    for i in range(k + m):
        for j in range(k + m):
            block[i, j] = matrix[nodes[i], nodes[j]]
    logdet = 0.0
    for p in range(k):
        pivot = block[p, p]
        if pivot <= COLLINEAR * matrix[nodes[p], nodes[p]]:
            continue
        logdet += math.log(pivot)
        for i in range(p + 1, k + m):
            factor = block[i, p] / pivot
            for j in range(p + 1, k + m):
                block[i, j] -= factor * block[p, j]
    for i in range(m):
        node = nodes[k + i]
        floors[i] = COLLINEAR * matrix[node, node]
        for j in range(m):
            result[i, j] = block[k + i, k + j]
    for i in range(2, m):
        if result[i, i] <= floors[i]:
            for j in range(m):
                result[i, j] = result[j, i] = 0.0
            result[i, i], floors[i] = 1.0, 0.0
    return logdet


@inner_jit
def _enumerate(form: EvidenceForm, k0: int, smallest: int, largest: int, w: Work) -> bool:
    """Sizes 0, 1 and 2 in order; whether one separates. Keeps the least evidence."""
    block, floors, logdet, gain = w.block, w.floors, w.logdets[0], form.kind == GAIN
    vx, vy, r, floor_x, floor_y = block[0, 0], block[1, 1], block[0, 1], floors[0], floors[1]
    for number in range(smallest, largest + 1):
        size = at_size(form, k0 + number)
        least = np.inf
        w.state[SIZE] = number
        if number == 0:
            least = guarded(size, vx, vy, r, logdet, floor_x, floor_y)
        elif number == 1:
            for z in range(2, len(block)):
                cx, cy, vz = block[0, z], block[1, z], block[z, z]
                weight = guarded(
                    size,
                    vx - cx * cx / vz,
                    vy - cy * cy / vz,
                    r - cx * cy / vz,
                    logdet + math.log(vz) if gain else logdet,
                    floor_x,
                    floor_y,
                )
                least = min(least, weight)
                if weight <= size.limit:
                    w.chosen[0] = z - 2
                    break
        else:
            for p in range(2, len(block) - 1):
                bx, by, vp = block[0, p], block[1, p], block[p, p]
                ux, uy, s = vx - bx * bx / vp, vy - by * by / vp, r - bx * by / vp
                joint = logdet + math.log(vp) if gain else logdet
                w.chosen[0] = p - 2
                for z in range(p + 1, len(block)):
                    share = block[p, z] / vp
                    vz = block[z, z] - share * block[p, z]
                    inverse = 1 / vz if vz > floors[z] else 0.0
                    cx, cy = block[0, z] - share * bx, block[1, z] - share * by
                    weight = guarded(
                        size,
                        ux - cx * cx * inverse,
                        uy - cy * cy * inverse,
                        s - cx * cy * inverse,
                        joint + math.log(vz) if gain and inverse > 0 else joint,
                        floor_x,
                        floor_y,
                    )
                    least = min(least, weight)
                    if weight <= size.limit:
                        w.chosen[1] = z - 2
                        break
                if least <= size.limit:
                    break
        if least < np.inf:
            w.best[0] = min(w.best[0], strength(size, least))
        if least <= size.limit:
            return True
    return False
