"""The last networks of a tabu search, each as the arcs in which it differs from the current network.

A move leads back to a remembered network exactly when that network differs in one arc (addition, deletion) or in an arc
and its reverse. So whole networks are compared, exactly, at the price of a few numbers.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import has
from climatebn.kernels.jit import jit

ADD, DELETE, REVERSE = 0, 1, 2


class Ring(NamedTuple):
    """``arcs[s, :length[s]]`` tell slot s apart from the current network (length −1: empty slot).

    ``taboo[:state[0]]`` are the moves (kind, from, to) that lead back; ``state[1]`` counts the networks put in.
    """

    arcs: np.ndarray
    length: np.ndarray
    taboo: np.ndarray
    state: np.ndarray


def empty_ring(size: int) -> Ring:
    """A ring that remembers ``size`` networks."""
    return Ring(
        np.zeros((size, 2 * size + 2, 2), dtype=np.int64),
        np.full(size, -1, dtype=np.int64),
        np.zeros((size, 3), dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


@jit
def remember(ring: Ring) -> None:
    """Put the current network into the place of the oldest one."""
    if len(ring.length) > 0:
        ring.length[ring.state[1] % len(ring.length)] = 0
        ring.state[1] += 1


@jit
def toggle(ring: Ring, x: int, y: int) -> None:
    """The current network gains or loses the arc x → y."""
    for slot in range(len(ring.length)):
        count = ring.length[slot]
        for m in range(count):
            if ring.arcs[slot, m, 0] == x and ring.arcs[slot, m, 1] == y:
                ring.arcs[slot, m] = ring.arcs[slot, count - 1]
                ring.length[slot] -= 1
                break
        else:
            if count >= 0:
                ring.arcs[slot, count, 0] = x
                ring.arcs[slot, count, 1] = y
                ring.length[slot] += 1


@jit
def forbid(ring: Ring, parents: np.ndarray) -> None:
    """List the moves that would lead back to a network in the ring."""
    ring.state[0] = 0
    for slot in range(len(ring.length)):
        x, y = ring.arcs[slot, 0, 0], ring.arcs[slot, 0, 1]
        present = ring.length[slot] > 0 and has(parents, y, x)
        kind = -1
        if ring.length[slot] == 1:
            kind = DELETE if present else ADD
        elif ring.length[slot] == 2 and ring.arcs[slot, 1, 0] == y and ring.arcs[slot, 1, 1] == x:
            kind = REVERSE
            if not present:
                x, y = y, x
        if kind >= 0:
            ring.taboo[ring.state[0]] = kind, x, y
            ring.state[0] += 1


@jit
def is_taboo(ring: Ring, kind: int, x: int, y: int) -> bool:
    """Whether the move leads back."""
    for m in range(ring.state[0]):
        if ring.taboo[m, 0] == kind and ring.taboo[m, 1] == x and ring.taboo[m, 2] == y:
            return True
    return False
