r"""PC-Stable, one level: each pair given all subsets of size s of the neighbours of one end, then of the other.

Neighbours are those at the start of the level: those of node i are items[starts[i]:starts[i + 1]], ascending. Pairs
do not depend on each other, so any thread may do any of them. Sizes 1 and 2 are tested straight from the matrix,
without gathering a block first, because most pairs part after a few tests.
"""

import math

import numpy as np

from climatebn.kernels.constants import COLLINEAR
from climatebn.kernels.gaussian.branch_and_bound import CHOSEN, PHASE, SEPARATED, START, UNFINISHED
from climatebn.kernels.gaussian.combinations import binomial, rank
from climatebn.kernels.gaussian.evidence_form import GAIN, EvidenceForm, Size, at_size, guarded
from climatebn.kernels.gaussian.subset_search import search
from climatebn.kernels.jit import inner_jit, jit


@jit
def visit(
    form: EvidenceForm,
    size: int,
    pairs: np.ndarray,
    starts: np.ndarray,
    items: np.ndarray,
    resume: int,
    sides: np.ndarray,
    chosen: np.ndarray,
    bounds: np.ndarray,
    tests: np.ndarray,
    numbers: np.ndarray,
    integers: np.ndarray,
    steps: int,
) -> int:
    """Fill the answers of pairs from place ``resume`` on; returns the next place (len(pairs) when done).

    ``sides``: 0 not separated, 1 or 2 separated by ``chosen`` neighbours of the first or second node; a negative
    side marks a search to be taken up again. ``bounds``: the largest size still worth a visit. ``tests``: how many a
    plain enumeration makes.
    """
    buffer = np.empty((2, len(starts)), dtype=np.int64)
    nothing = np.empty(0, dtype=np.int64)
    for place in range(resume, len(pairs)):
        x, y = pairs[place]
        first = buffer[0, : _around(x, y, starts, items, buffer[0])]
        second = buffer[1, : _around(y, x, starts, items, buffer[1])]
        bounds[place] = max(len(first), len(second))
        if bounds[place] < size:
            bounds[place] = 0
            continue
        if size == 1:
            second = second[: _without(second, first)]
        ask_second = len(second) >= size and not np.array_equal(first, second)
        for side in (1, 2):
            if (side == 1 and (len(first) < size or sides[place] == -2)) or (side == 2 and not ask_second):
                continue
            pool = first if side == 1 else second
            a, b = (x, y) if side == 1 else (y, x)
            if size <= 2:
                separated = _short(form.matrix, at_size(form, size), a, b, pool, chosen[place])
            else:
                if sides[place] != -side:
                    integers[PHASE] = START
                status = search(form, a, b, nothing, pool, size, size, 0.0, numbers, integers, steps)
                if status == UNFINISHED:
                    sides[place] = -side
                    return place
                separated = status == SEPARATED
                for i in range(size):
                    chosen[place, i] = integers[CHOSEN + i]
            if separated:
                tests[place] += rank(len(pool), chosen[place]) + 1
                for i in range(size):
                    chosen[place, i] = pool[chosen[place, i]]
                sides[place], bounds[place] = side, 0
                break
            tests[place] += binomial(len(pool), size)
            sides[place] = 0
    return len(pairs)


@inner_jit
def _around(x: int, y: int, starts: np.ndarray, items: np.ndarray, out: np.ndarray) -> int:
    """Write the neighbours of x other than y."""
    count = 0
    for place in range(starts[x], starts[x + 1]):
        if items[place] != y:
            out[count] = items[place]
            count += 1
    return count


@inner_jit
def _without(ascending: np.ndarray, others: np.ndarray) -> int:
    """Keep, in place, what is not among the others (both ascend)."""
    count = place = 0
    for node in ascending:
        while place < len(others) and others[place] < node:
            place += 1
        if place == len(others) or others[place] != node:
            ascending[count] = node
            count += 1
    return count


@inner_jit
def _short(matrix: np.ndarray, size: Size, x: int, y: int, pool: np.ndarray, chosen: np.ndarray) -> bool:
    """Subsets of one or two, up to the first that separates: its places go into ``chosen``."""
    gain = size.kind == GAIN
    floor_x, floor_y = COLLINEAR * matrix[x, x], COLLINEAR * matrix[y, y]
    for i in range(len(pool) - size.k + 1):
        p = pool[i]
        chosen[0] = i
        scale = 1 / matrix[p, p]
        bx, by = matrix[x, p], matrix[y, p]
        vx, vy, r = matrix[x, x] - bx * bx * scale, matrix[y, y] - by * by * scale, matrix[x, y] - bx * by * scale
        logdet = math.log(matrix[p, p]) if gain else 0.0
        if size.k == 1:
            if guarded(size, vx, vy, r, logdet, floor_x, floor_y) <= size.limit:
                return True
            continue
        for j in range(i + 1, len(pool)):
            z = pool[j]
            chosen[1] = j
            share = matrix[p, z] * scale
            vz = matrix[z, z] - share * matrix[p, z]
            inverse = 1 / vz if vz > COLLINEAR * matrix[z, z] else 0.0
            cx, cy = matrix[x, z] - share * bx, matrix[y, z] - share * by
            weight = guarded(
                size,
                vx - cx * cx * inverse,
                vy - cy * cy * inverse,
                r - cx * cy * inverse,
                logdet + math.log(vz) if gain and inverse > 0 else logdet,
                floor_x,
                floor_y,
            )
            if weight <= size.limit:
                return True
    return False
