"""In which order to sum the nodes of a discrete network out, so that no table becomes large.

Two nodes are neighbours when a factor holds both. Summing a node out makes its neighbours neighbours of each other, in
one new table. Greedy, two ways: next is the node whose table is smallest, or the one that makes the fewest new pairs of
neighbours; the order with fewer cells in all is taken. Sets of nodes are the bits of an int.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np


def elimination_order(
    scopes: Iterable[Sequence[int]], sizes: Mapping[int, int], last: Sequence[int] = ()
) -> tuple[list[int], list[int]]:
    """All nodes in the order to sum them out, those of ``last`` at the end; and the neighbours of each by then."""
    near = dict.fromkeys(sizes, 0)
    for scope in scopes:
        together = sum(1 << i for i in scope)
        for i in scope:
            near[i] |= together & ~(1 << i)
    logs = {i: float(np.log2(size)) for i, size in sizes.items()}
    plans = [_greedy(dict(near), logs, last, by_size) for by_size in (True, False)]
    return min(plans, key=lambda plan: _cells(plan, logs))


def members(word: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low


def _cells(plan: tuple[list[int], list[int]], logs: Mapping[int, float]) -> float:
    """Cells of all tables together."""
    return sum(2.0 ** min(logs[i] + sum(logs[j] for j in members(word)), 1000) for i, word in zip(*plan, strict=True))


def _greedy(
    near: dict[int, int], logs: Mapping[int, float], last: Sequence[int], by_size: bool
) -> tuple[list[int], list[int]]:
    def cost(i: int) -> tuple[float, float]:
        weight = logs[i] + sum(logs[j] for j in members(near[i]))
        if by_size:
            return weight, 0.0
        pairs = sum((near[i] & ~near[j]).bit_count() - 1 for j in members(near[i]))
        return float(pairs), weight

    waiting = {i: cost(i) for i in sorted(near) if i not in last}
    order: list[int] = []
    around: list[int] = []
    ending = list(reversed(last))
    while near:
        node = min(waiting, key=waiting.__getitem__) if waiting else ending.pop()
        waiting.pop(node, None)
        own = near.pop(node)
        order.append(node)
        around.append(own)
        stale = own
        for j in members(own):
            new = own & ~near[j] & ~(1 << j)
            near[j] = (near[j] | own) & ~(1 << j) & ~(1 << node)
            if new and not by_size:
                stale |= near[j]  # a new pair of neighbours may spare a third node its own
        for j in members(stale):
            if j in waiting:
                waiting[j] = cost(j)
    return order, around
