r"""Subset search: is there a Z ⊆ pool, smallest ≤ |Z| ≤ largest, that makes x and y independent given F ∪ Z?

The answer is that of a plain enumeration (sizes ascending, lexicographic within a size, stop at the first
independence) without making most of its tests. Sizes 0, 1, 2 are enumerated. Beyond, a branch and bound over
include / exclude decisions: with P included and R undecided, the residual covariance C of (x, y) given P ∪ S
satisfies for every S ⊆ R

    C_{P ∪ R}  ⪯  C_{P ∪ S}  ⪯  C_P          (Loewner order)

and |ρ| > τ holds for every matrix C between the two, hence for all 2^|R| sets at once, if for some λ > 0

    ⟨W, C_P + C_PR⟩ > √( ⟨W, C_P − C_PR⟩² + (1 − τ²)·det(C_P − C_PR) ),     W = ½ [[−τλ, s], [s, −τ/λ]], s = sign r

(half the difference is the minimum of ⟨W, C⟩ over the interval, and ⟨W, C⟩ ≤ |r| − τ√(v_x v_y)). Both ends are kept up
to date: Σ, the residual covariance of x, y and R given P, by a sweep on inclusion; its inverse K by a sweep on
exclusion; C_PR is the inverse of the (x, y) block of K.

`explore` asks whether any set separates, in the order that prunes best; only if one does, `locate` looks for the
first. All state lives in the caller's memory, so that a long search runs in slices.
"""

import math
from typing import NamedTuple

import numpy as np

from climatebn.kernels.conditioning import sweep
from climatebn.kernels.evidence import GAIN, EvidenceForm, at_size, guarded, square_at, strength
from climatebn.kernels.form import COLLINEAR
from climatebn.kernels.jit import jit

CONNECTED, SEPARATED, UNFINISHED = range(3)
START = 0  # phases of a search
_EXPLORE, _LOCATE = 1, 2
PHASE, SIZE, _DEPTH, _PRUNE = range(4)  # places in the state
CHOSEN = 4  # where the separating subset starts in the integers: places of the pool
_MARGIN = 1 + 1e-6  # rounding errors must not prune, and there is no pruning where they could be larger
_WELL_CONDITIONED = 1e-8


def memory(pool: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and integers for searches over at most ``pool`` nodes: about pool³/3 numbers twice.

    After a search numbers[0] is the least evidence; integers[SIZE] and integers[CHOSEN:] tell the separating subset.
    """
    m = pool + 2
    squares = sum(size * size for size in range(2, m + 1))
    return np.empty(1 + m * m + 3 * m + 2 * squares), np.zeros(CHOSEN + 4 * m, dtype=np.int64)


class _Work(NamedTuple):
    """The caller's memory by name."""

    best: np.ndarray  # [0]: least evidence so far
    block: np.ndarray  # Σ of (x, y, pool) given F, in the order of the pool
    floors: np.ndarray  # variances at or below these are rounding errors
    cut: np.ndarray  # ρ² that all sets of each size must exceed to be passed over
    logdets: np.ndarray
    sigma: np.ndarray  # Σ and K of each depth, one behind the other
    kappa: np.ndarray
    state: np.ndarray
    chosen: np.ndarray
    order: np.ndarray  # (x, y, pool) as `explore` sees them
    first: np.ndarray  # first undecided place of each depth when it was entered, and now
    place: np.ndarray


@jit
def _named(numbers: np.ndarray, integers: np.ndarray, m: int) -> _Work:
    after = 1 + m * m + 3 * m
    half = (len(numbers) - after) // 2
    return _Work(
        numbers[:1],
        numbers[1 : 1 + m * m].reshape(m, m),
        numbers[1 + m * m : 1 + m * m + m],
        numbers[1 + m * m + m : 1 + m * m + 2 * m],
        numbers[1 + m * m + 2 * m : after],
        numbers[after : after + half],
        numbers[after + half :],
        integers[:CHOSEN],
        integers[CHOSEN : CHOSEN + m],
        integers[CHOSEN + m : CHOSEN + 2 * m],
        integers[CHOSEN + 2 * m : CHOSEN + 3 * m],
        integers[CHOSEN + 3 * m : CHOSEN + 4 * m],
    )


@jit
def binomial(n: int, k: int) -> float:
    """n over k, exact below 2⁵³."""
    value = 1.0
    for i in range(min(k, n - k)):
        value = value * (n - i) / (i + 1)
    return value if 0 <= k <= n else 0.0


@jit
def rank(n: int, places: np.ndarray) -> float:
    """How many subsets of this size come before this one in lexicographic order."""
    before, start = 0.0, 0
    for i, place in enumerate(places):
        for skipped in range(start, place):
            before += binomial(n - 1 - skipped, len(places) - 1 - i)
        start = place + 1
    return before


@jit
def count(n: int, smallest: int, largest: int) -> float:
    """The number of subsets of these sizes."""
    total = 0.0
    for size in range(smallest, largest + 1):
        total += binomial(n, size)
    return total


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
    w = _named(numbers, integers, m)
    if w.state[PHASE] == START:
        w.best[0] = ceiling
        w.logdets[0] = _condition(form.matrix, x, y, fixed, pool, w.block, w.floors)
        if _enumerate(form, k0, smallest, min(largest, 2), w):
            return SEPARATED
        if largest < 3:
            return CONNECTED
        w.state[PHASE] = _LOCATE if smallest == largest and ceiling <= 0.0 else _EXPLORE
        w.state[SIZE] = max(smallest, 3)
        _enter(form, k0, w)
    if w.state[PHASE] == _EXPLORE:
        status = _explore(form, k0, smallest, largest, w, steps)
        if status != SEPARATED:
            return status
        w.state[PHASE], w.best[0] = _LOCATE, min(ceiling, 0.0)
        _enter(form, k0, w)
    while w.state[SIZE] <= largest:
        status = _locate(form, k0, w.state[SIZE], w, steps)
        if status != CONNECTED:
            return status
        w.state[SIZE] += 1
        _enter(form, k0, w)
    return CONNECTED


@jit
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


@jit
def _enumerate(form: EvidenceForm, k0: int, smallest: int, largest: int, w: _Work) -> bool:
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


@jit
def _enter(form: EvidenceForm, k0: int, w: _Work) -> None:
    """Depth 0 of a branch and bound: Σ in the wanted order of the pool, and its inverse."""
    block, order, m = w.block, w.order, len(w.block)
    for z in range(m):
        order[z] = z
    if w.state[PHASE] == _EXPLORE:  # what explains both x and y comes first: little is left for the undecided rest
        key = np.empty(m)
        for z in range(2, m):
            key[z] = abs(block[0, z] * block[1, z]) / block[z, z]
            place = z
            while place > 2 and key[order[place - 1]] < key[z]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = z
    sigma, kappa = w.sigma[: m * m].reshape(m, m), w.kappa[: m * m].reshape(m, m)
    for i in range(m):
        for j in range(m):
            sigma[i, j] = kappa[i, j] = block[order[i], order[j]]
    w.state[_PRUNE] = 0 if math.isnan(sweep(kappa, m, _WELL_CONDITIONED)) else 1
    w.state[_DEPTH], w.first[0], w.place[0] = 0, 2, 2
    _recut(form, k0, w.best[0], w.cut)


@jit
def _recut(form: EvidenceForm, k0: int, least: float, cut: np.ndarray) -> None:
    """What ρ² a set of each size must exceed to have more than the least evidence so far."""
    if form.kind == GAIN:
        return
    for size in range(min(len(cut) - 1, len(form.table) - k0)):
        if least > 0:
            cut[size] = square_at(form.kind, form.n, form.critical, k0 + size, least)
        else:
            cut[size] = form.table[k0 + size, 0]


@jit
def _start(first: np.ndarray, m: int) -> int:
    """Where Σ of the depth after these begins."""
    total = 0
    for node in first:
        total += (m - node + 2) ** 2
    return total


@jit
def _explore(form: EvidenceForm, k0: int, smallest: int, largest: int, w: _Work, steps: int) -> int:
    """All subsets, best order, pruned: SEPARATED as soon as any set of an admitted size separates."""
    m, depth = len(w.block), w.state[_DEPTH]
    sigma, kappa, first, place = w.sigma, w.kappa, w.first, w.place
    start = _start(first[:depth], m)
    while True:
        side = m - first[depth] + 2
        if place[depth] == m or depth == largest or _settled(form, k0, depth, largest, start, w):
            if depth == 0:
                return CONNECTED
            depth -= 1
            side = m - first[depth] + 2
            start -= side * side
            _exclude(kappa[start : start + side * side], side, place[depth] - first[depth] + 1)
            continue
        if steps == 0:
            w.state[_DEPTH] = depth
            return UNFINISHED
        steps -= 1
        node = place[depth]
        pivot = _include(sigma, kappa, start, side, node - first[depth] + 2, w.floors[w.order[node]])
        start += side * side
        depth += 1
        place[depth - 1] = place[depth] = first[depth] = node + 1
        w.logdets[depth] = w.logdets[depth - 1]
        if form.kind == GAIN and pivot > 0:
            w.logdets[depth] += math.log(pivot)
        if depth < smallest:
            continue
        size = at_size(form, k0 + depth)
        vx, vy, r = sigma[start], sigma[start + m - node + 2], sigma[start + 1]
        weight = guarded(size, vx, vy, r, w.logdets[depth], w.floors[0], w.floors[1])
        if weight <= size.limit:
            return SEPARATED
        if w.best[0] > 0 and (form.kind == GAIN or weight < w.cut[depth]):
            evidence = strength(size, weight)
            if evidence < w.best[0]:
                w.best[0] = evidence
                _recut(form, k0, evidence, w.cut)


@jit
def _locate(form: EvidenceForm, k0: int, wanted: int, w: _Work, steps: int) -> int:
    """Subsets of one size (at least 3) in lexicographic order: the first that separates, into ``chosen``."""
    m, depth = len(w.block), w.state[_DEPTH]
    sigma, kappa, first, place = w.sigma, w.kappa, w.first, w.place
    start = _start(first[:depth], m)
    while True:
        side, missing = m - first[depth] + 2, wanted - depth
        done = m - place[depth] < missing or _settled(form, k0, depth, wanted, start, w)
        if not done and missing == 1:
            if _last(form, k0 + wanted, depth, sigma[start : start + side * side].reshape(side, side), w):
                for d in range(depth):
                    w.chosen[d] = place[d] - 3
                return SEPARATED
            steps = max(steps - (m - place[depth]), 0)
            done = True
        if done:
            if depth == 0:
                return CONNECTED
            depth -= 1
            side = m - first[depth] + 2
            start -= side * side
            _exclude(kappa[start : start + side * side], side, place[depth] - first[depth] + 1)
            continue
        if steps == 0:
            w.state[_DEPTH] = depth
            return UNFINISHED
        steps -= 1
        node = place[depth]
        pivot = _include(sigma, kappa, start, side, node - first[depth] + 2, w.floors[w.order[node]])
        start += side * side
        depth += 1
        place[depth - 1] = place[depth] = first[depth] = node + 1
        w.logdets[depth] = w.logdets[depth - 1]
        if form.kind == GAIN and pivot > 0:
            w.logdets[depth] += math.log(pivot)


@jit
def _last(form: EvidenceForm, k: int, depth: int, sigma: np.ndarray, w: _Work) -> bool:
    """Try each undecided node as the last member of the set."""
    size, floors = at_size(form, k), w.floors
    vx, vy, r, first = sigma[0, 0], sigma[1, 1], sigma[0, 1], w.first[depth]
    for node in range(w.place[depth], len(w.order)):
        z, logdet = node - first + 2, w.logdets[depth]
        vz, cx, cy = sigma[z, z], sigma[0, z], sigma[1, z]
        inverse = 1 / vz if vz > floors[w.order[node]] else 0.0
        if form.kind == GAIN and inverse > 0.0:
            logdet += math.log(vz)
        weight = guarded(
            size, vx - cx * cx * inverse, vy - cy * cy * inverse, r - cx * cy * inverse, logdet, floors[0], floors[1]
        )
        if weight <= size.limit:
            w.chosen[depth] = node - 2
            return True
    return False


@jit
def _include(sigma: np.ndarray, kappa: np.ndarray, start: int, side: int, z: int, floor: float) -> float:
    """Write Σ and K of the next depth, with local node z in the set; its pivot, or 0 when it has no effect."""
    below = start + side * side
    small = side - z + 1  # x, y and the nodes after z
    row_z = start + z * side
    pivot = sigma[row_z + z]
    effect = 1 / pivot if pivot > floor else 0.0
    for i in range(small):
        row = start + (i if i < 2 else i + z - 1) * side
        out = below + i * small
        factor = sigma[row + z] * effect
        for j in range(2):
            sigma[out + j] = sigma[row + j] - factor * sigma[row_z + j]
            kappa[out + j] = kappa[row + j]
        for j in range(2, small):
            sigma[out + j] = sigma[row + j + z - 1] - factor * sigma[row_z + j + z - 1]
            kappa[out + j] = kappa[row + j + z - 1]
    return pivot if effect > 0.0 else 0.0


@jit
def _exclude(kappa: np.ndarray, side: int, z: int) -> None:
    """Leave local node z out of all further sets: a sweep of K."""
    scale = 1 / kappa[z * side + z]
    for i in range(side):
        if 2 <= i <= z:
            continue
        factor = kappa[i * side + z] * scale
        for j in range(2):
            kappa[i * side + j] -= factor * kappa[z * side + j]
        for j in range(z + 1, side):
            kappa[i * side + j] -= factor * kappa[z * side + j]


@jit
def _settled(form: EvidenceForm, k0: int, depth: int, largest: int, start: int, w: _Work) -> bool:
    """Whether every set below this node is known to have more evidence than asked for."""
    if w.state[_PRUNE] == 0:
        return False
    m = len(w.block)
    side, highest = m - w.first[depth] + 2, min(largest, depth + m - w.place[depth])
    p11, p12, p22 = w.sigma[start], w.sigma[start + 1], w.sigma[start + side + 1]
    k11, k12, k22 = w.kappa[start], w.kappa[start + 1], w.kappa[start + side + 1]
    if form.kind == GAIN:
        square = _square_of_gain(form.table, k0 + depth, k0 + highest, p11, p22, w.best[0])
    else:
        square = w.cut[highest]
    scale = 1 / (k11 * k22 - k12 * k12)
    return _bounded(p11, p12, p22, k22 * scale, -k12 * scale, k11 * scale, square)


@jit
def _bounded(p11: float, p12: float, p22: float, q11: float, q12: float, q22: float, square: float) -> bool:
    """Whether ρ² > square for every matrix between Q and P (see the head of this file)."""
    tau = math.sqrt(square)
    ratio = math.sqrt((p22 + q22) / (p11 + q11))
    sign = 1.0 if p12 + q12 > 0 else -1.0
    middle = sign * (p12 + q12) - tau / 2 * (ratio * (p11 + q11) + (p22 + q22) / ratio)
    if not middle > 0.0:
        return False
    g11, g12, g22 = p11 - q11, p12 - q12, p22 - q22
    spread = sign * g12 - tau / 2 * (ratio * g11 + g22 / ratio)
    return middle * middle > (spread * spread + (1 - square) * max(g11 * g22 - g12 * g12, 0.0)) * _MARGIN


@jit
def _square_of_gain(table: np.ndarray, low: int, high: int, vx: float, vy: float, evidence: float) -> float:
    """The ρ² that gives at least this gain for every k in low … high and all variances up to vx, vy.

    Holds for tables that fall with the variances, as BGe's do; 1 (never reached) for any other.
    """
    square = 0.0
    for k in range(low, high + 1):
        _, a, b, next_b, c, next_c = table[k]
        if next_b >= 0.0 or next_b > b or next_c != c or c > 0.0:
            return 1.0
        gain = a + (next_b - b) * math.log(vx) + c * math.log(vy) - evidence
        if gain < 0.0:
            square = max(square, -math.expm1(-gain / next_b))
    return square
