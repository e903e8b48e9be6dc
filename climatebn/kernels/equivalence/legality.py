"""The costly part of whether a step of `operators` is legal: paths through the graph, and separation within ne(target).

A semi-directed path goes along arcs and undirected edges, never against an arc.
"""

import numpy as np

from climatebn.kernels.bitset import drop, has, is_empty, members, put
from climatebn.kernels.equivalence.operators import DELETE, TURN
from climatebn.kernels.jit import jit


@jit
def legal(
    kind: int,
    source: int,
    target: int,
    clique: np.ndarray,
    neighbours: np.ndarray,
    children: np.ndarray,
    adjacent: np.ndarray,
) -> tuple[bool, np.ndarray]:
    """Whether a step of `operators` is legal; where a path forbids it, that path too (nodes from target to source)."""
    nothing = np.empty(0, np.int64)
    if kind == DELETE:
        return True, nothing
    barrier = np.zeros_like(neighbours[target])
    for node in clique:
        put(barrier, node)
    if kind == TURN and has(neighbours[target], source):
        return _separated(target, source, barrier, neighbours, adjacent), nothing
    if kind == TURN:
        barrier |= neighbours[source]
    path = _path(target, source, barrier, neighbours, children)
    return len(path) == 0, path


@jit
def _path(start: int, end: int, barrier: np.ndarray, neighbours: np.ndarray, children: np.ndarray) -> np.ndarray:
    """A shortest semi-directed path past the barrier, other than start → end; empty if there is none."""
    seen = barrier.copy()
    put(seen, start)
    queue = np.empty(len(neighbours), np.int64)
    origin = np.empty(len(neighbours), np.int64)  # place in the queue that a node was reached from
    queue[0] = start
    found, done = 1, 0
    while done < found:
        node = queue[done]
        fresh = (neighbours[node] | children[node]) & ~seen
        if node == start:
            drop(fresh, end)
        elif has(fresh, end):
            length = 3
            at = done
            while origin[at] > 0:
                at = origin[at]
                length += 1
            path = np.empty(length, np.int64)
            path[0] = start
            path[-1] = end
            at = done
            for i in range(length - 2, 0, -1):
                path[i] = queue[at]
                at = origin[at]
            return path
        seen |= fresh
        for other in members(fresh):
            queue[found] = other
            origin[found] = done
            found += 1
        done += 1
    return np.empty(0, np.int64)


@jit
def _separated(target: int, source: int, clique: np.ndarray, neighbours: np.ndarray, adjacent: np.ndarray) -> bool:
    """Whether clique ∩ NA separates the rest of the clique from the rest of NA among the neighbours of target."""
    around = neighbours[target]
    shared = around & adjacent[source]
    goal = clique & ~shared
    seen = ~around | (clique & shared)
    frontier = shared & ~clique
    while True:
        fresh = np.zeros_like(seen)
        for node in members(frontier):
            if has(goal, node):
                return False
            fresh |= neighbours[node]
        seen |= frontier
        frontier = fresh & ~seen
        if is_empty(frontier):
            return True
