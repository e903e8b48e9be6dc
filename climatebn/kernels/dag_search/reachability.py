"""A DAG as sets of node numbers, with its transitive closure, kept up to date arc by arc.

Adding x → y gives everything above x all that is below y. Deleting it recomputes, from the arc outwards, only the nodes
whose children (or parents) lost something; where another path from x to y remains, nothing changes.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import difference, flip, in_set, meet, size, write_members
from climatebn.kernels.jit import inner_jit

# Kinds of sets, and lists of nodes. Typed: as literals they would compile every kernel once for each.
PARENTS, CHILDREN, ABOVE, BELOW, LOST = (np.int64(kind) for kind in range(5))
LOST_BELOW, LOST_ABOVE, QUEUE, WAITING, STALE, NEIGHBOURS = (np.int64(row) for row in range(6))


class Network(NamedTuple):
    """``sets[kind, node]``: its parents, children, ancestors (above) and descendants (below).

    After `cut`, the first ``lists[LOST_BELOW]`` are nodes that lost descendants (the set LOST), the first
    ``lists[LOST_ABOVE]`` those that lost ancestors; the other lists are room to work in. Few arrays: each one passed to
    a kernel costs time.
    """

    sets: np.ndarray
    lists: np.ndarray


@inner_jit
def join(network: Network, x: int, y: int) -> None:
    """Add the arc x → y, which closes no cycle."""
    sets, sources, targets = network.sets, network.lists[QUEUE], network.lists[NEIGHBOURS]
    flip(sets, PARENTS, y, x)
    flip(sets, CHILDREN, x, y)
    if not in_set(sets, BELOW, x, y):
        before = difference(sets[ABOVE, x], sets[ABOVE, y], sources)
        after = difference(sets[BELOW, y], sets[BELOW, x], targets)
        _absorb(sets, BELOW, x, y)
        for m in range(before):
            _absorb(sets, BELOW, sources[m], y)
        _absorb(sets, ABOVE, y, x)
        for m in range(after):
            _absorb(sets, ABOVE, targets[m], x)


@inner_jit
def _absorb(sets: np.ndarray, reach: int, node: int, y: int) -> None:
    """``node``, which did not reach y, now reaches y and all that y reaches."""
    for word in range(sets.shape[2]):
        sets[reach, node, word] |= sets[reach, y, word]
    flip(sets, reach, node, y)


@inner_jit
def cut(network: Network, x: int, y: int) -> tuple[int, int]:
    """Delete the arc x → y; return how many nodes lost descendants and how many lost ancestors."""
    sets = network.sets
    flip(sets, PARENTS, y, x)
    flip(sets, CHILDREN, x, y)
    if meet(sets[CHILDREN, x], sets[ABOVE, y]):
        return 0, 0
    lost_above = _shrink(network, ABOVE, PARENTS, CHILDREN, BELOW, y, LOST_ABOVE)
    lost_below = _shrink(network, BELOW, CHILDREN, PARENTS, ABOVE, x, LOST_BELOW)
    return lost_below, lost_above


@inner_jit
def _shrink(network: Network, reach: int, onward: int, back: int, scope: int, start: int, changed: int) -> int:
    """Recompute the ``reach`` of ``start`` and then, each after its onward neighbours, of the nodes in its scope."""
    sets, lists = network.sets, network.lists
    queue, waiting, stale, neighbours = lists[QUEUE], lists[WAITING], lists[STALE], lists[NEIGHBOURS]
    flip(sets, scope, start, start)
    for m in range(write_members(sets[scope, start], queue)):
        node = queue[m]
        waiting[node] = 0
        for word in range(sets.shape[2]):
            sets[LOST, node, word] = sets[onward, node, word] & sets[scope, start, word]
        waiting[node] = size(sets[LOST, node])
    flip(sets, scope, start, start)
    queue[0], head, tail, count, pending = start, 0, 1, 0, 1
    stale[start] = 1
    while pending > 0:
        node = queue[head]
        head += 1
        altered = False
        if stale[node]:
            stale[node] = 0
            pending -= 1
            altered = _recompute(sets, reach, onward, node, neighbours)
            if altered:
                lists[changed, count] = node
                count += 1
        for m in range(write_members(sets[back, node], neighbours)):
            previous = neighbours[m]
            if altered and not stale[previous]:
                stale[previous] = 1
                pending += 1
            waiting[previous] -= 1
            if waiting[previous] == 0:
                queue[tail] = previous
                tail += 1
    return count


@inner_jit
def _recompute(sets: np.ndarray, reach: int, onward: int, node: int, neighbours: np.ndarray) -> bool:
    """The reach of a node from that of its onward neighbours; LOST is what it had before. Whether anything is."""
    for word in range(sets.shape[2]):
        sets[LOST, node, word] = sets[reach, node, word]
        sets[reach, node, word] = sets[onward, node, word]
    for m in range(write_members(sets[onward, node], neighbours)):
        for word in range(sets.shape[2]):
            sets[reach, node, word] |= sets[reach, neighbours[m], word]
    for word in range(sets.shape[2]):
        sets[LOST, node, word] &= ~sets[reach, node, word]
    return size(sets[LOST, node]) > 0
