"""A DAG as bit rows together with its transitive closure, kept up to date arc by arc.

Adding x → y gives everything above x all that is below y. Deleting it recomputes, from the arc outwards, only the nodes
whose children (or parents) lost something; where another path from x to y remains, nothing changes.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import bit_rows, has, insert, meet, members, members_of, remove
from climatebn.kernels.jit import jit


class Network(NamedTuple):
    """Sets of node numbers, one row a node; ``above`` are ancestors, ``below`` descendants.

    After `cut`, ``lost[i]`` holds what node i no longer has below it, for the nodes listed in ``freed``; ``bared``
    lists the nodes that lost ancestors.
    """

    parents: np.ndarray
    children: np.ndarray
    above: np.ndarray
    below: np.ndarray
    lost: np.ndarray
    freed: np.ndarray
    bared: np.ndarray
    queue: np.ndarray
    waiting: np.ndarray
    stale: np.ndarray
    neighbours: np.ndarray


def empty_network(nodes: int) -> Network:
    """A network without arcs."""
    sets = [bit_rows(nodes, nodes) for _ in range(5)]
    return Network(*sets, *(np.zeros(nodes, dtype=np.int64) for _ in range(6)))


@jit
def join(network: Network, x: int, y: int) -> None:
    """Add the arc x → y, which closes no cycle."""
    insert(network.parents, y, x)
    insert(network.children, x, y)
    if not has(network.below, x, y):
        _spread(network.below, network.above, x, y, network.queue)
        _spread(network.above, network.below, y, x, network.queue)


@jit
def _spread(reach: np.ndarray, scope: np.ndarray, x: int, y: int, queue: np.ndarray) -> None:
    """x and all in scope[x] now reach y and all that y reaches."""
    count = members(scope, x, queue)
    queue[count] = x
    for m in range(count + 1):
        node = queue[m]
        if not has(reach, node, y):
            for word in range(reach.shape[1]):
                reach[node, word] |= reach[y, word]
            insert(reach, node, y)


@jit
def cut(network: Network, x: int, y: int) -> tuple[int, int]:
    """Delete the arc x → y; return how many nodes lost descendants and how many lost ancestors."""
    remove(network.parents, y, x)
    remove(network.children, x, y)
    if meet(network.children, x, network.above, y):
        return 0, 0
    bared = _shrink(network, network.above, network.parents, network.children, network.below, y, network.bared)
    freed = _shrink(network, network.below, network.children, network.parents, network.above, x, network.freed)
    return freed, bared


@jit
def _shrink(
    network: Network,
    reach: np.ndarray,
    onward: np.ndarray,
    back: np.ndarray,
    scope: np.ndarray,
    start: int,
    changed: np.ndarray,
) -> int:
    """Recompute ``reach`` of ``start`` and then, each after its onward neighbours, of the nodes in scope[start]."""
    queue, waiting, stale, lost, neighbours = (
        network.queue,
        network.waiting,
        network.stale,
        network.lost,
        network.neighbours,
    )
    for m in range(members(scope, start, queue)):
        node = queue[m]
        waiting[node] = members_of(onward[node, start >> 6] & (np.int64(1) << np.int64(start & 63)))
        for word in range(reach.shape[1]):
            waiting[node] += members_of(onward[node, word] & scope[start, word])
    queue[0], head, tail, count, pending = start, 0, 1, 0, 1
    stale[start] = 1
    while pending > 0:
        node = queue[head]
        head += 1
        altered = False
        if stale[node]:
            stale[node] = 0
            pending -= 1
            for word in range(reach.shape[1]):
                lost[node, word] = reach[node, word]
                reach[node, word] = onward[node, word]
            for m in range(members(onward, node, neighbours)):
                for word in range(reach.shape[1]):
                    reach[node, word] |= reach[neighbours[m], word]
            for word in range(reach.shape[1]):
                lost[node, word] &= ~reach[node, word]
                altered |= lost[node, word] != 0
            if altered:
                changed[count] = node
                count += 1
        for m in range(members(back, node, neighbours)):
            previous = neighbours[m]
            if altered and not stale[previous]:
                stale[previous] = 1
                pending += 1
            waiting[previous] -= 1
            if waiting[previous] == 0:
                queue[tail] = previous
                tail += 1
    return count
