"""The best place of one node in an ordering of all: what each node's parents are worth before and after it."""

import numpy as np

from climatebn.kernels.jit import jit
from climatebn.kernels.order_search.forest import COUNT, FULL, SHRUNK, UNKNOWN, Forest, find

DONE, STEP, PART = -2, 0, 1  # answer when all is known; where an evaluation stands


@jit
def evaluate(forest: Forest, v: int, others: np.ndarray, rank: np.ndarray, worth: np.ndarray, at: np.ndarray) -> int:
    """Fill ``worth`` for node ``v`` and the ``others`` in their order; ``rank`` has their places, v's beyond all.

    Nodes that stand before all orderings are none of them and have rank −1.
    worth[0, k]: of others[k] without v before it; worth[1, k]: with v before it; worth[2, k]: of v behind the first k.
    Entries that are not NaN are known already. Returns `DONE`, or the set that has to be looked at first (`FULL` when
    the forest has no room); the call after that goes on from there.
    """
    count = len(others)
    while at[STEP] <= count:
        k = at[STEP]
        while at[PART] < 3:
            part = at[PART]
            if (part == 2 or k < count) and np.isnan(worth[part, k]):
                target = v if part == 2 else others[k]
                which = find(forest, target, rank, k, v if part == 1 else -1)
                if which == FULL or forest.sets[which, COUNT] == UNKNOWN:
                    return which
                worth[part, k] = forest.scores[which, SHRUNK]
            at[PART] = part + 1
        at[PART] = 0
        at[STEP] = k + 1
    return DONE


@jit
def best_place(worth: np.ndarray, now: int, first: int, last: int, tolerance: float) -> tuple[int, float]:
    """Behind how many others v stands best, of ``first`` … ``last``, and by how much that is better than ``now``."""
    count = worth.shape[1] - 1
    total = 0.0
    for k in range(count):
        total += worth[1, k]
    best, gain, here = -1, -np.inf, 0.0
    value = np.empty(count + 1)
    for place in range(count + 1):
        value[place] = total + worth[2, place]
        if place < count:
            total += worth[0, place] - worth[1, place]
    here = value[now]
    for place in range(first, last + 1):
        if value[place] - here > gain:
            best, gain = place, value[place] - here
    if gain <= tolerance:
        return now, 0.0
    return best, gain
