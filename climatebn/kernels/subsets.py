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
first. All state lives in `Work`, so that a long search runs in slices.
"""

import math
from typing import NamedTuple

import numpy as np

from climatebn.kernels.conditioning import guarded, invert
from climatebn.kernels.evidence import GAIN, EvidenceForm, limit, square_at, strength
from climatebn.kernels.form import COLLINEAR
from climatebn.kernels.jit import jit

CONNECTED, SEPARATED, UNFINISHED = range(3)
_START, _EXPLORE, _LOCATE = range(3)  # phases of a search
_PHASE, _DEPTH, _SIZE, _PRUNE = range(4)  # places in Work.state
_MARGIN = 1 + 1e-6  # rounding errors must not prune, and there is no pruning where they could be larger
_WELL_CONDITIONED = 1e-8


class Work(NamedTuple):
    """Memory of one search over a pool of at most ``len(cut)`` − 1 nodes; see `work`."""

    block: np.ndarray  # Σ of (x, y, pool) given F, in the order of the pool
    floors: np.ndarray  # variances at or below these are rounding errors
    order: np.ndarray  # the pool as `explore` sees it
    sigma: np.ndarray  # Σ and K of each depth, one behind the other
    kappa: np.ndarray
    first: np.ndarray  # first undecided place of each depth when it was entered, and now
    place: np.ndarray
    logdets: np.ndarray
    cut: np.ndarray  # ρ² that all sets of each size must exceed to be passed over
    chosen: np.ndarray  # the separating subset, as places of the pool
    state: np.ndarray
    best: np.ndarray  # [0]: least evidence so far


def work(pool: int) -> Work:
    """Memory for searches over at most ``pool`` nodes: about pool³/3 numbers twice."""
    m = pool + 2
    squares = sum(size * size for size in range(2, m + 1))
    floats = [np.empty(shape) for shape in ((m * m,), (m,), (m,), (squares,), (squares,), (m,), (m,), (1,))]
    block, floors, _, sigma, kappa, logdets, cut, best = floats
    integers = [np.zeros(size, dtype=np.int64) for size in (m, m, m, m, 4)]
    order, first, place, chosen, state = integers
    return Work(block, floors, order, sigma, kappa, first, place, logdets, cut, chosen, state, best)


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
    w: Work,
    steps: int,
) -> int:
    """CONNECTED, SEPARATED (by the first ``w.state[2]`` of ``w.chosen``), or UNFINISHED: call again to go on.

    ``w.best[0]`` becomes the least evidence of all sets, if that is below ``ceiling``; with ceiling 0 only the
    decision is asked for. Set ``w.state[0] = 0`` before the first call.
    """
    k0, m = len(fixed), len(pool) + 2
    if w.state[_PHASE] == _START:
        w.best[0] = ceiling
        w.logdets[0] = _condition(form, x, y, fixed, pool, w)
        if _enumerate(form, k0, m, smallest, min(largest, 2), w):
            return SEPARATED
        if largest < 3:
            return CONNECTED
        if smallest == largest:
            _enter(form, k0, m, largest, w, True)
            w.state[_PHASE], w.state[_SIZE] = _LOCATE, smallest
        else:
            _enter(form, k0, m, largest, w, False)
            w.state[_PHASE] = _EXPLORE
    if w.state[_PHASE] == _EXPLORE:
        status = _explore(form, k0, m, smallest, largest, w, steps)
        if status != SEPARATED:
            return status
        w.best[0] = min(ceiling, 0.0)
        _enter(form, k0, m, largest, w, True)
        w.state[_PHASE], w.state[_SIZE] = _LOCATE, max(smallest, 3)
    while w.state[_SIZE] <= largest:
        status = _locate(form, k0, m, w.state[_SIZE], w, steps)
        if status != CONNECTED:
            return status
        w.state[_SIZE] += 1
        _enter(form, k0, m, largest, w, True)
    return CONNECTED


@jit
def _condition(form: EvidenceForm, x: int, y: int, fixed: np.ndarray, pool: np.ndarray, w: Work) -> float:
    """Write Σ of (x, y, pool) given the fixed nodes; a node without effect becomes independent of all others."""
    matrix, m, k = form.matrix, len(pool) + 2, len(fixed)
    nodes = np.empty(k + m, dtype=np.int64)
    nodes[:k] = fixed
    nodes[k], nodes[k + 1] = x, y
    nodes[k + 2 :] = pool
    block = np.empty((k + m, k + m)) if k else w.block[: m * m].reshape(m, m)
    for i in range(k + m):
        for j in range(k + m):
            block[i, j] = matrix[nodes[i], nodes[j]]
    logdet = 0.0
    for p in range(k):
        pivot = block[p, p]
        if nodes[p] == x or nodes[p] == y or pivot <= COLLINEAR * matrix[nodes[p], nodes[p]]:
            continue
        logdet += math.log(pivot)
        for i in range(p + 1, k + m):
            factor = block[i, p] / pivot
            for j in range(p + 1, k + m):
                block[i, j] -= factor * block[p, j]
    if k:
        w.block[: m * m].reshape(m, m)[:] = block[k:, k:]
    result = w.block[: m * m].reshape(m, m)
    for i in range(m):
        node = nodes[k + i]
        w.floors[i] = COLLINEAR * matrix[node, node]
        if i > 1 and (node in (x, y) or result[i, i] <= w.floors[i]):
            result[i, :] = 0.0
            result[:, i] = 0.0
            result[i, i] = 1.0
            w.floors[i] = 0.0
    return logdet


@jit
def _enumerate(form: EvidenceForm, k0: int, m: int, smallest: int, largest: int, w: Work) -> bool:
    """Sizes 0, 1 and 2 in order; whether one separates. Keeps the least evidence."""
    block, floors, logdet = w.block[: m * m].reshape(m, m), w.floors, w.logdets[0]
    vx, vy, r = block[0, 0], block[1, 1], block[0, 1]
    for size in range(smallest, largest + 1):
        k, bar, least = k0 + size, limit(form, k0 + size), np.inf
        w.state[_SIZE] = size
        if size == 0:
            least = guarded(form, k, vx, vy, r, logdet, floors[0], floors[1])
            if least <= bar:
                w.best[0] = min(w.best[0], strength(form, k, least))
                return True
        elif size == 1:
            for z in range(2, m):
                bx, by, scale = block[0, z], block[1, z], 1 / block[z, z]
                weight = guarded(
                    form,
                    k,
                    vx - bx * bx * scale,
                    vy - by * by * scale,
                    r - bx * by * scale,
                    logdet + math.log(block[z, z]) if form.kind == GAIN else 0.0,
                    floors[0],
                    floors[1],
                )
                least = min(least, weight)
                if weight <= bar:
                    w.chosen[0] = z - 2
                    break
        else:
            least = _pairs(form, k, m, bar, w)
        if least < np.inf:
            w.best[0] = min(w.best[0], strength(form, k, least))
        if least <= bar:
            return True
    return False


@jit
def _pairs(form: EvidenceForm, k: int, m: int, bar: float, w: Work) -> float:
    """The least weight over all pairs of the pool, up to the first that separates (then left in ``chosen``)."""
    block, floors, least = w.block[: m * m].reshape(m, m), w.floors, np.inf
    for p in range(2, m - 1):
        scale = 1 / block[p, p]
        bx, by = block[0, p], block[1, p]
        vx, vy, r = block[0, 0] - bx * bx * scale, block[1, 1] - by * by * scale, block[0, 1] - bx * by * scale
        logdet = w.logdets[0] + math.log(block[p, p]) if form.kind == GAIN else 0.0
        for z in range(p + 1, m):
            share = block[p, z] * scale
            vz = block[z, z] - share * block[p, z]
            inverse = 1 / vz if vz > floors[z] else 0.0
            cx, cy = block[0, z] - share * bx, block[1, z] - share * by
            weight = guarded(
                form,
                k,
                vx - cx * cx * inverse,
                vy - cy * cy * inverse,
                r - cx * cy * inverse,
                logdet + math.log(vz) if form.kind == GAIN and inverse > 0 else logdet,
                floors[0],
                floors[1],
            )
            least = min(least, weight)
            if weight <= bar:
                w.chosen[0], w.chosen[1] = p - 2, z - 2
                return least
    return least


@jit
def _enter(form: EvidenceForm, k0: int, m: int, largest: int, w: Work, in_order: bool) -> None:
    """Depth 0 of a branch and bound: Σ in the wanted order of the pool, and its inverse."""
    block = w.block[: m * m].reshape(m, m)
    key = np.zeros(m)
    if not in_order:  # what explains both x and y comes first: little is then left for the undecided rest
        for z in range(2, m):
            key[z] = -abs(block[0, z] * block[1, z]) / block[z, z]
        key[0], key[1] = -np.inf, -np.inf
    w.order[:m] = np.argsort(key, kind="mergesort")
    sigma, kappa = w.sigma[: m * m].reshape(m, m), w.kappa[: m * m].reshape(m, m)
    for i in range(m):
        for j in range(m):
            sigma[i, j] = block[w.order[i], w.order[j]]
    kappa[:] = sigma
    w.state[_PRUNE] = 0 if math.isnan(invert(kappa, _WELL_CONDITIONED)) else 1
    w.state[_DEPTH], w.first[0], w.place[0] = 0, 2, 2
    _recut(form, k0, m, w)


@jit
def _recut(form: EvidenceForm, k0: int, m: int, w: Work) -> None:
    """What ρ² a set of each size must exceed to have more than the least evidence so far."""
    if form.kind == GAIN:
        return
    for size in range(min(m - 1, len(form.squares) - k0)):
        w.cut[size] = form.squares[k0 + size] if w.best[0] <= 0 else square_at(form, k0 + size, w.best[0])


@jit
def _explore(form: EvidenceForm, k0: int, m: int, smallest: int, largest: int, w: Work, steps: int) -> int:
    """All subsets, best order, pruned: SEPARATED as soon as any set of an admitted size separates."""
    start, depth = 0, w.state[_DEPTH]
    for d in range(depth):
        start += (m - w.first[d] + 2) ** 2
    while True:
        size = m - w.first[depth] + 2
        if w.place[depth] == m or depth == largest or _settled(form, k0, m, depth, largest, start, w):
            if depth == 0:
                return CONNECTED
            depth -= 1
            start -= (m - w.first[depth] + 2) ** 2
            _exclude(m, depth, start, w)
            continue
        if steps == 0:
            w.state[_DEPTH] = depth
            return UNFINISHED
        steps -= 1
        _include(form, m, depth, start, w)
        start += size * size
        depth += 1
        if depth >= smallest:
            k = k0 + depth
            side = m - w.first[depth] + 2
            sigma = w.sigma[start : start + side * side]
            weight = guarded(form, k, sigma[0], sigma[side + 1], sigma[1], w.logdets[depth], w.floors[0], w.floors[1])
            if weight <= limit(form, k):
                return SEPARATED
            if w.best[0] > 0 and (form.kind == GAIN or weight < w.cut[depth]):
                evidence = strength(form, k, weight)
                if evidence < w.best[0]:
                    w.best[0] = evidence
                    _recut(form, k0, m, w)


@jit
def _locate(form: EvidenceForm, k0: int, m: int, wanted: int, w: Work, steps: int) -> int:
    """Subsets of one size (at least 3) in lexicographic order: the first that separates, into ``chosen``."""
    start, depth = 0, w.state[_DEPTH]
    for d in range(depth):
        start += (m - w.first[d] + 2) ** 2
    while True:
        size = m - w.first[depth] + 2
        missing = wanted - depth
        if m - w.place[depth] < missing or _settled(form, k0, m, depth, wanted, start, w):
            done = True
        elif missing == 1:
            if _last(form, k0 + wanted, m, depth, start, w):
                for d in range(depth):
                    w.chosen[d] = w.place[d] - 3
                return SEPARATED
            steps = max(steps - (m - w.place[depth]), 0)
            done = True
        else:
            done = False
        if done:
            if depth == 0:
                return CONNECTED
            depth -= 1
            start -= (m - w.first[depth] + 2) ** 2
            _exclude(m, depth, start, w)
            continue
        if steps == 0:
            w.state[_DEPTH] = depth
            return UNFINISHED
        steps -= 1
        _include(form, m, depth, start, w)
        start += size * size
        depth += 1


@jit
def _last(form: EvidenceForm, k: int, m: int, depth: int, start: int, w: Work) -> bool:
    """Try each undecided node as the last member of the set."""
    first = w.first[depth]
    size = m - first + 2
    sigma = w.sigma[start : start + size * size].reshape(size, size)
    vx, vy, r = sigma[0, 0], sigma[1, 1], sigma[0, 1]
    bar = limit(form, k)
    for p in range(w.place[depth], m):
        z = p - first + 2
        vz, cx, cy, logdet = sigma[z, z], sigma[0, z], sigma[1, z], w.logdets[depth]
        inverse = 0.0 if vz <= w.floors[w.order[p]] else 1 / vz
        if form.kind == GAIN and inverse > 0.0:
            logdet += math.log(vz)
        weight = guarded(
            form,
            k,
            vx - cx * cx * inverse,
            vy - cy * cy * inverse,
            r - cx * cy * inverse,
            logdet,
            w.floors[0],
            w.floors[1],
        )
        if weight <= bar:
            w.chosen[depth] = p - 2
            return True
    return False


@jit
def _include(form: EvidenceForm, m: int, depth: int, start: int, w: Work) -> None:
    """Go one depth down with the next undecided node in the set."""
    first, e = w.first[depth], w.place[depth]
    size, side = m - first + 2, m - e + 1
    above, inverse_above = w.sigma[start : start + size * size], w.kappa[start : start + size * size]
    below_start = start + size * size
    below = w.sigma[below_start : below_start + side * side]
    inverse_below = w.kappa[below_start : below_start + side * side]
    z, shift = e - first + 2, e - first + 1  # place of the node above; local places below are shifted by this
    pivot = above[z * size + z]
    effect = 0.0 if pivot <= w.floors[w.order[e]] else 1 / pivot
    w.logdets[depth + 1] = w.logdets[depth]
    if form.kind == GAIN and effect > 0.0:
        w.logdets[depth + 1] += math.log(pivot)
    for i in range(side):
        row = (i if i < 2 else i + shift) * size
        factor = above[row + z] * effect
        below[i * side] = above[row] - factor * above[z * size]
        below[i * side + 1] = above[row + 1] - factor * above[z * size + 1]
        inverse_below[i * side] = inverse_above[row]
        inverse_below[i * side + 1] = inverse_above[row + 1]
        for j in range(2, side):
            below[i * side + j] = above[row + j + shift] - factor * above[z * size + j + shift]
            inverse_below[i * side + j] = inverse_above[row + j + shift]
    w.place[depth] = e + 1
    w.first[depth + 1] = w.place[depth + 1] = e + 1


@jit
def _exclude(m: int, depth: int, start: int, w: Work) -> None:
    """Leave the node last included at this depth out of all further sets: a sweep of K."""
    first, e = w.first[depth], w.place[depth] - 1
    size = m - first + 2
    kappa = w.kappa[start : start + size * size]
    z = e - first + 2
    scale = 1 / kappa[z * size + z]
    for i in range(size):
        if 2 <= i <= z:
            continue
        factor = kappa[i * size + z] * scale
        kappa[i * size] -= factor * kappa[z * size]
        kappa[i * size + 1] -= factor * kappa[z * size + 1]
        for j in range(z + 1, size):
            kappa[i * size + j] -= factor * kappa[z * size + j]


@jit
def _settled(form: EvidenceForm, k0: int, m: int, depth: int, largest: int, start: int, w: Work) -> bool:
    """Whether every set below this node is known to have more evidence than asked for."""
    if w.state[_PRUNE] == 0:
        return False
    size = m - w.first[depth] + 2
    p11, p12, p22 = w.sigma[start], w.sigma[start + 1], w.sigma[start + size + 1]
    k11, k12, k22 = w.kappa[start], w.kappa[start + 1], w.kappa[start + size + 1]
    scale = 1 / (k11 * k22 - k12 * k12)
    q11, q12, q22 = k22 * scale, -k12 * scale, k11 * scale
    highest = min(largest, depth + m - w.place[depth])
    if form.kind == GAIN:
        square = _square_of_gain(form, k0 + depth, k0 + highest, p11, p22, w.best[0])
    else:
        square = w.cut[highest]
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
def _square_of_gain(form: EvidenceForm, low: int, high: int, vx: float, vy: float, evidence: float) -> float:
    """The ρ² that gives at least this gain for every k in low … high and all variances up to vx, vy.

    Holds for tables that fall with the variances, as BGe's do; 1 (never reached) for any other.
    """
    a, b, c = form.a, form.b, form.c
    square = 0.0
    for k in range(low, high + 1):
        if b[k + 1] >= 0.0 or b[k + 1] > b[k] or c[k + 1] != c[k] or c[k] > 0.0:
            return 1.0
        gain = a[k + 1] - a[k] + (b[k + 1] - b[k]) * math.log(vx) + c[k] * math.log(vy) - evidence
        if gain < 0.0:
            square = max(square, -math.expm1(-gain / b[k + 1]))
    return square
