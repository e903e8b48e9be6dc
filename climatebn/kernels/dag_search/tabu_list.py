"""The last networks of a tabu search, each as the arcs in which it differs from the current network.

A move leads back to a remembered network exactly when that network differs in one arc (addition, deletion) or in an arc
and its reverse. So whole networks are compared, exactly, at the price of a few numbers.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import in_set
from climatebn.kernels.dag_search.reachability import PARENTS
from climatebn.kernels.jit import inner_jit

ADD, DELETE, REVERSE = (np.int64(kind) for kind in range(3))  # typed: literals would compile kernels once for each


class Ring(NamedTuple):
    """``arcs[s, :length[s]]`` tell slot s apart from the current network (length −1: empty slot).

    ``length[-1]`` counts the networks put in; ``taboo`` is room for the moves that lead back.
    """

    arcs: np.ndarray
    length: np.ndarray
    taboo: np.ndarray


def empty_ring(size: int) -> Ring:
    """A ring that remembers ``size`` networks."""
    length = np.full(size + 1, -1, dtype=np.int64)
    length[-1] = 0
    return Ring(np.zeros((size, 2 * size + 2, 2), dtype=np.int64), length, np.zeros((size, 3), dtype=np.int64))


@inner_jit
def remember(ring: Ring) -> None:
    """Put the current network into the place of the oldest one."""
    if len(ring.arcs) > 0:
        ring.length[ring.length[-1] % len(ring.arcs)] = 0
        ring.length[-1] += 1


@inner_jit
def forget(ring: Ring) -> None:
    """Take back the last `remember`: the round is repeated."""
    if len(ring.arcs) > 0:
        ring.length[-1] -= 1


@inner_jit
def toggle(ring: Ring, x: int, y: int) -> None:
    """The current network gains or loses the arc x → y."""
    for slot in range(len(ring.arcs)):
        count = ring.length[slot]
        for m in range(count):
            if ring.arcs[slot, m, 0] == x and ring.arcs[slot, m, 1] == y:
                ring.arcs[slot, m, 0] = ring.arcs[slot, count - 1, 0]
                ring.arcs[slot, m, 1] = ring.arcs[slot, count - 1, 1]
                ring.length[slot] -= 1
                break
        else:
            if count >= 0:
                ring.arcs[slot, count, 0] = x
                ring.arcs[slot, count, 1] = y
                ring.length[slot] += 1


@inner_jit
def taboo_moves(ring: Ring, sets: np.ndarray) -> np.ndarray:
    """The moves (kind, from, to) that would lead back to a network in the ring."""
    count = 0
    for slot in range(len(ring.arcs)):
        x, y = ring.arcs[slot, 0, 0], ring.arcs[slot, 0, 1]
        present = ring.length[slot] > 0 and in_set(sets, PARENTS, y, x)
        kind = np.int64(-1)
        if ring.length[slot] == 1:
            kind = DELETE if present else ADD
        elif ring.length[slot] == 2 and ring.arcs[slot, 1, 0] == y and ring.arcs[slot, 1, 1] == x:
            kind = REVERSE
            if not present:
                x, y = y, x
        if kind >= 0:
            ring.taboo[count, 0], ring.taboo[count, 1], ring.taboo[count, 2] = kind, x, y
            count += 1
    return ring.taboo[:count]


@inner_jit
def is_taboo(taboo: np.ndarray, kind: int, x: int, y: int) -> bool:
    """Whether the move is among ``taboo``."""
    found = False
    for m in range(len(taboo)):
        found |= taboo[m, 0] == kind and taboo[m, 1] == x and taboo[m, 2] == y
    return found
