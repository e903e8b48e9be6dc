r"""Directing the edges of a skeleton: colliders by strength, then propagation to a fixed point.

Each edge is open, directed, or frozen: it cannot be directed without a cycle or a new v-structure, or not as knowledge
wants it, and stays as it is. ``state`` is an N × N matrix of the codes below; ``reach`` holds, as bits, the nodes to
which directed paths lead. The neighbours of node i are items[starts[i]:starts[i + 1]], ascending.
"""

import numpy as np

from climatebn.kernels.jit import inner_jit, jit

NONE, OPEN, FROZEN_CYCLE, FROZEN_COLLIDER, FROZEN_KNOWN, OUT, IN = range(7)
APPLIED, CONTRADICTED, CYCLE = range(3)


@jit
def direct(state: np.ndarray, reach: np.ndarray, i: int, j: int) -> None:
    """Make the edge i → j and bring the reachable sets up to date."""
    state[i, j], state[j, i] = OUT, IN
    for u in range(len(reach)):
        if u == i or leads(reach, u, i):
            for word in range(reach.shape[1]):
                reach[u, word] |= reach[j, word]
            reach[u, j >> 6] |= np.uint64(1) << np.uint64(j & 63)


@jit
def leads(reach: np.ndarray, i: int, j: int) -> bool:
    """Whether a directed path leads from i to j."""
    return (reach[i, j >> 6] >> np.uint64(j & 63)) & np.uint64(1) != 0


@jit
def apply_colliders(state: np.ndarray, reach: np.ndarray, colliders: np.ndarray) -> np.ndarray:
    """Direct y → x ← z for each row (y, x, z) that still can be, whole or not at all; tell what became of each."""
    fate = np.empty(len(colliders), dtype=np.int64)
    for place in range(len(colliders)):
        y, x, z = colliders[place]
        if not (state[y, x] in (OPEN, OUT) and state[z, x] in (OPEN, OUT)):
            fate[place] = CONTRADICTED
        elif leads(reach, x, y) or leads(reach, x, z):
            fate[place] = CYCLE
        else:
            fate[place] = APPLIED
            if state[y, x] == OPEN:
                direct(state, reach, y, x)
            if state[z, x] == OPEN:
                direct(state, reach, z, x)
    return fate


@jit
def propagate(state: np.ndarray, reach: np.ndarray, starts: np.ndarray, items: np.ndarray) -> None:
    """Four passes in turn until none changes anything."""
    changed = True
    while changed:
        changed = _along_paths(state, reach, starts, items)
        changed |= _away_from_colliders(state, reach, starts, items)
        changed |= _by_neighbours(state, reach, starts, items, chain=False)
        changed |= _by_neighbours(state, reach, starts, items, chain=True)


@inner_jit
def _collides(state: np.ndarray, starts: np.ndarray, items: np.ndarray, i: int, j: int) -> bool:
    """Whether i → j would meet another k → j with k not adjacent to i."""
    for place in range(starts[j], starts[j + 1]):
        k = items[place]
        if state[k, j] == OUT and k != i and state[i, k] == NONE:
            return True
    return False


@inner_jit
def _along_paths(state: np.ndarray, reach: np.ndarray, starts: np.ndarray, items: np.ndarray) -> bool:
    """An edge beside a directed path i ⇝ j can only be i → j."""
    changed = False
    for j in range(len(state)):
        for place in range(starts[j], starts[j + 1]):
            i = items[place]
            if state[i, j] == OPEN and leads(reach, i, j):
                changed = True
                if _collides(state, starts, items, i, j):
                    state[i, j] = state[j, i] = FROZEN_CYCLE
                else:
                    direct(state, reach, i, j)
    return changed


@inner_jit
def _away_from_colliders(state: np.ndarray, reach: np.ndarray, starts: np.ndarray, items: np.ndarray) -> bool:
    """Where i → j would be a new collider, the edge can only be j → i."""
    size = len(state)
    has_parent, has_open = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    for j in range(size):
        for place in range(starts[j], starts[j + 1]):
            code = state[items[place], j]
            has_parent[j] |= OPEN < code <= OUT
            has_open[j] |= code == OPEN
    changed = False
    for j in range(size):
        if not (has_parent[j] and has_open[j]):
            continue
        for place in range(starts[j], starts[j + 1]):
            i = items[place]
            if state[i, j] != OPEN or not _collides(state, starts, items, i, j):
                continue
            changed = True
            if leads(reach, i, j):
                state[i, j] = state[j, i] = FROZEN_CYCLE
            elif has_parent[i] and _collides(state, starts, items, j, i):
                state[i, j] = state[j, i] = FROZEN_COLLIDER
            else:
                direct(state, reach, j, i)
    return changed


@inner_jit
def _by_neighbours(state: np.ndarray, reach: np.ndarray, starts: np.ndarray, items: np.ndarray, chain: bool) -> bool:
    """i → j where `_chain` (or else `_two_open_ways`) leaves no other way. One edge of each i a pass."""
    changed = False
    for i in range(len(state)):
        for place in range(starts[i], starts[i + 1]):
            j = items[place]
            if state[i, j] != OPEN:
                continue
            if _chain(state, starts, items, i, j) if chain else _two_open_ways(state, starts, items, i, j):
                direct(state, reach, i, j)
                changed = True
                break
    return changed


@inner_jit
def _two_open_ways(state: np.ndarray, starts: np.ndarray, items: np.ndarray, i: int, j: int) -> bool:
    """Whether i – j has open i – k → j and i – l → j, k and l not adjacent."""
    for first in range(starts[i], starts[i + 1]):
        k = items[first]
        if state[i, k] != OPEN or state[k, j] != OUT:
            continue
        for second in range(first + 1, starts[i + 1]):
            other = items[second]
            if state[i, other] == OPEN and state[other, j] == OUT and state[k, other] == NONE:
                return True
    return False


@inner_jit
def _chain(state: np.ndarray, starts: np.ndarray, items: np.ndarray, i: int, j: int) -> bool:
    """Whether i – j has undirected i – k, i – l and k → l → j, k and j not adjacent."""
    for second in range(starts[i], starts[i + 1]):
        middle = items[second]
        if not OPEN <= state[i, middle] < OUT or state[middle, j] != OUT:
            continue
        for first in range(starts[i], starts[i + 1]):
            k = items[first]
            if OPEN <= state[i, k] < OUT and state[k, middle] == OUT and k != j and state[k, j] == NONE:
                return True
    return False
