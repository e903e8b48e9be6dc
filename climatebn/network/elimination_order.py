"""In which order to sum the nodes of a discrete network out, so that no table becomes large.

Two nodes are neighbours when a factor holds both. Summing a node out makes its neighbours neighbours of each other, in
one new table. Greedy, two ways: next is the node whose table is smallest, or the one that makes the fewest new pairs of
neighbours; the order with fewer cells in all is taken.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np


def elimination_order(
    scopes: Iterable[Sequence[int]], sizes: Mapping[int, int], last: Sequence[int] = ()
) -> tuple[list[int], list[set[int]]]:
    """All nodes in the order to sum them out, those of ``last`` at the end; and the neighbours of each by then."""
    near = _neighbours(scopes, sizes)
    logs = {i: float(np.log2(size)) for i, size in sizes.items()}
    plans = [_greedy({i: set(own) for i, own in near.items()}, logs, last, by_size) for by_size in (True, False)]
    return min(plans, key=lambda plan: cells_of(plan[0], plan[1], sizes))


def neighbours_in(order: Iterable[int], scopes: Iterable[Sequence[int]], sizes: Mapping[int, int]) -> list[set[int]]:
    """The neighbours of each node by the time it is summed out, in a given order."""
    near = _neighbours(scopes, sizes)
    around = []
    for node in order:
        own = near.pop(node)
        around.append(own)
        for j in own:
            near[j] |= own
            near[j] -= {j, node}
    return around


def cells_of(order: Iterable[int], around: Iterable[set[int]], sizes: Mapping[int, int]) -> float:
    """Cells of all tables together."""
    return sum(math.prod(float(sizes[j]) for j in (i, *own)) for i, own in zip(order, around, strict=True))


def _neighbours(scopes: Iterable[Sequence[int]], sizes: Mapping[int, int]) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {i: set() for i in sizes}
    for scope in scopes:
        for i in scope:
            near[i].update(scope)
    for i, own in near.items():
        own.discard(i)
    return near


def _greedy(
    near: dict[int, set[int]], logs: Mapping[int, float], last: Sequence[int], by_size: bool
) -> tuple[list[int], list[set[int]]]:
    def cost(i: int) -> tuple[float, float]:
        own = near[i]
        weight = logs[i] + sum(map(logs.__getitem__, own))
        if by_size:
            return weight, 0.0
        return float(sum([len(own - near[j]) for j in own]) - len(own)), weight

    waiting = {i: cost(i) for i in sorted(near) if i not in last}
    order: list[int] = []
    around: list[set[int]] = []
    ending = list(reversed(last))
    while near:
        node = min(waiting, key=waiting.__getitem__) if waiting else ending.pop()
        waiting.pop(node, None)
        own = near.pop(node)
        order.append(node)
        around.append(own)
        stale = set(own)
        for j in own:
            before = len(near[j])
            near[j] |= own
            near[j] -= {j, node}
            if not by_size and len(near[j]) >= before:
                stale |= near[j]  # a new pair of neighbours may spare a third node its own
        for j in stale & waiting.keys():
            waiting[j] = cost(j)
    return order, around
