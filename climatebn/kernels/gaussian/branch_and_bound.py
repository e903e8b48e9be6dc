r"""Branch and bound over subsets: include a node or exclude it, and stop where the rest is settled.

With P included and R undecided two matrices are kept up to date: Σ, the residual covariance of x, y and R given P, by
a sweep on inclusion; and its inverse K, by a sweep on exclusion. The (x, y) block of Σ is C_P, the inverse of that of
K is C_PR: the two ends between which `loewner` bounds every set that can still be chosen.

`explore` asks whether any set separates, in the order that prunes best; `locate` looks for the first one of a size.
All state lives in the caller's memory, so that a long search runs in slices.
"""

import math
from typing import NamedTuple

import numpy as np

from climatebn.kernels.gaussian.conditioning import sweep
from climatebn.kernels.gaussian.correlation_bound import bounded, square_of_gain
from climatebn.kernels.gaussian.evidence_form import GAIN, EvidenceForm, at_size, guarded, square_at, strength
from climatebn.kernels.jit import inner_jit

CONNECTED, SEPARATED, UNFINISHED = range(3)
START, EXPLORE, LOCATE = range(3)  # phases of a search
PHASE, SIZE, _DEPTH, _PRUNE = range(4)  # places in the state
CHOSEN = 4  # where the separating subset starts in the integers: places of the pool
_WELL_CONDITIONED = 1e-8  # no pruning where rounding errors could matter


class Work(NamedTuple):
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


@inner_jit
def named(numbers: np.ndarray, integers: np.ndarray, m: int) -> Work:
    """Views of the caller's memory for m = 2 + |pool| nodes."""
    after = 1 + m * m + 3 * m
    half = (len(numbers) - after) // 2
    return Work(
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


@inner_jit
def enter(form: EvidenceForm, k0: int, w: Work) -> None:
    """Depth 0 of a branch and bound: Σ in the wanted order of the pool, and its inverse."""
    block, order, m = w.block, w.order, len(w.block)
    for z in range(m):
        order[z] = z
    if w.state[PHASE] == EXPLORE:  # what explains both x and y comes first: little is left for the undecided rest
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


@inner_jit
def _recut(form: EvidenceForm, k0: int, least: float, cut: np.ndarray) -> None:
    """What ρ² a set of each size must exceed to have more than the least evidence so far."""
    if form.kind == GAIN:
        return
    for size in range(min(len(cut) - 1, len(form.table) - k0)):
        if least > 0:
            cut[size] = square_at(form.kind, form.n, form.critical, k0 + size, least)
        else:
            cut[size] = form.table[k0 + size, 0]


@inner_jit
def explore(form: EvidenceForm, k0: int, smallest: int, largest: int, w: Work, steps: int) -> int:
    """All subsets, best order, pruned: SEPARATED as soon as any set of an admitted size separates."""
    m, depth = len(w.block), w.state[_DEPTH]
    start = _start(w.first[:depth], m)
    while True:
        if w.place[depth] == m or depth == largest or _settled(form, k0, depth, largest, start, w):
            if depth == 0:
                return CONNECTED
            depth -= 1
            start = _up(depth, start, w)
            continue
        if steps == 0:
            w.state[_DEPTH] = depth
            return UNFINISHED
        steps -= 1
        start = _down(depth, start, w)
        depth += 1
        if depth < smallest:
            continue
        size = at_size(form, k0 + depth)
        vx, vy, r = w.sigma[start], w.sigma[start + m - w.first[depth] + 3], w.sigma[start + 1]
        weight = guarded(size, vx, vy, r, w.logdets[depth], w.floors[0], w.floors[1])
        if weight <= size.limit:
            return SEPARATED
        if w.best[0] > 0 and (form.kind == GAIN or weight < w.cut[depth]):
            evidence = strength(size, weight)
            if evidence < w.best[0]:
                w.best[0] = evidence
                _recut(form, k0, evidence, w.cut)


@inner_jit
def locate(form: EvidenceForm, k0: int, wanted: int, w: Work, steps: int) -> int:
    """Subsets of one size (at least 3) in lexicographic order: the first that separates, into ``chosen``."""
    m, depth = len(w.block), w.state[_DEPTH]
    start = _start(w.first[:depth], m)
    while True:
        missing = wanted - depth
        done = m - w.place[depth] < missing or _settled(form, k0, depth, wanted, start, w)
        if not done and missing == 1:
            if _last(form, k0 + wanted, depth, start, w):
                for d in range(depth):
                    w.chosen[d] = w.place[d] - 3
                return SEPARATED
            steps = max(steps - (m - w.place[depth]), 0)
            done = True
        if done:
            if depth == 0:
                return CONNECTED
            depth -= 1
            start = _up(depth, start, w)
            continue
        if steps == 0:
            w.state[_DEPTH] = depth
            return UNFINISHED
        steps -= 1
        start = _down(depth, start, w)
        depth += 1


@inner_jit
def _start(first: np.ndarray, m: int) -> int:
    """Where Σ of the depth after these begins."""
    total = 0
    for node in first:
        total += (m - node + 2) ** 2
    return total


@inner_jit
def _last(form: EvidenceForm, k: int, depth: int, start: int, w: Work) -> bool:
    """Try each undecided node as the last member of the set."""
    size, floors, first = at_size(form, k), w.floors, w.first[depth]
    side = len(w.order) - first + 2
    sigma = w.sigma[start : start + side * side].reshape(side, side)
    vx, vy, r = sigma[0, 0], sigma[1, 1], sigma[0, 1]
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


@inner_jit
def _down(depth: int, start: int, w: Work) -> int:
    """Include the next undecided node; where Σ of the new depth begins."""
    node, first = w.place[depth], w.first[depth]
    side = len(w.block) - first + 2
    pivot = _include(w.sigma, w.kappa, start, side, node - first + 2, w.floors[w.order[node]])
    w.place[depth] = w.place[depth + 1] = w.first[depth + 1] = node + 1
    w.logdets[depth + 1] = w.logdets[depth] + (math.log(pivot) if pivot > 0 else 0.0)
    return start + side * side


@inner_jit
def _up(depth: int, start: int, w: Work) -> int:
    """Back at this depth, exclude the node last included; where its Σ begins."""
    side = len(w.block) - w.first[depth] + 2
    start -= side * side
    _exclude(w.kappa[start : start + side * side], side, w.place[depth] - w.first[depth] + 1)
    return start


@inner_jit
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


@inner_jit
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


@inner_jit
def _settled(form: EvidenceForm, k0: int, depth: int, largest: int, start: int, w: Work) -> bool:
    """Whether every set below this node is known to have more evidence than asked for."""
    if w.state[_PRUNE] == 0:
        return False
    m = len(w.block)
    side, highest = m - w.first[depth] + 2, min(largest, depth + m - w.place[depth])
    p11, p12, p22 = w.sigma[start], w.sigma[start + 1], w.sigma[start + side + 1]
    k11, k12, k22 = w.kappa[start], w.kappa[start + 1], w.kappa[start + side + 1]
    if form.kind == GAIN:
        square = square_of_gain(form.table, k0 + depth, k0 + highest, p11, p22, w.best[0])
    else:
        square = w.cut[highest]
    scale = 1 / (k11 * k22 - k12 * k12)
    return bounded(p11, p12, p22, k22 * scale, -k12 * scale, k11 * scale, square)
