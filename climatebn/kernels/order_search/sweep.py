"""One node after the other to its best place, for a Gaussian score: looks at sets as they are met."""

import numpy as np

from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.grow_shrink import Rows, grow, shrink
from climatebn.kernels.jit import jit
from climatebn.kernels.order_search.best_place import DONE, best_place, evaluate
from climatebn.kernels.order_search.forest import BRANCHES, FULL, UP, Forest, passed_over, path, reachable, store


@jit
def look(
    form: GaussianForm,
    forest: Forest,
    which: int,
    barred: np.ndarray,
    required: np.ndarray,
    standing: np.ndarray,
    kept: Rows,
    tolerance: float,
) -> int:
    """Look at a set; the number of nodes asked about, or `FULL` where its branches find no room."""
    target = which
    while forest.sets[target, UP] >= 0:
        target = forest.sets[target, UP]
    fixed = 0
    while fixed < len(required[target]) and required[target, fixed] >= 0:
        fixed += 1
    members = np.concatenate((required[target, :fixed], path(forest, which)))
    if forest.used[BRANCHES] + len(form.matrix) > len(forest.branches):
        return FULL
    closed = barred[target].copy()
    passed_over(forest, which, closed)
    closed[members] = True
    nodes, gains = grow(form, target, members, closed, kept, tolerance)
    score = shrink(form, target, members, fixed, tolerance)[1]
    ways = reachable(nodes, standing)
    store(forest, which, nodes[:ways], gains[:ways], score)
    return len(closed) - int(closed.sum()) + len(members)  # the target itself is barred


@jit
def evaluate_gaussian(
    form: GaussianForm,
    forest: Forest,
    v: int,
    others: np.ndarray,
    rank: np.ndarray,
    worth: np.ndarray,
    at: np.ndarray,
    barred: np.ndarray,
    required: np.ndarray,
    standing: np.ndarray,
    kept: Rows,
    tolerance: float,
    calls: np.ndarray,
) -> int:
    """`evaluate`, with every set that it meets looked at on the way; `DONE` or `FULL`."""
    while True:
        which = evaluate(forest, v, others, rank, worth, at)
        if which in (DONE, FULL):
            return which
        asked = look(form, forest, which, barred, required, standing, kept, tolerance)
        if asked == FULL:
            return FULL
        calls[0] += asked


@jit
def sweep_gaussian(
    form: GaussianForm,
    forest: Forest,
    nodes: np.ndarray,
    begin: int,
    order: np.ndarray,
    worth: np.ndarray,
    barred: np.ndarray,
    required: np.ndarray,
    standing: np.ndarray,
    kept: Rows,
    tolerance: float,
    calls: np.ndarray,
) -> tuple[int, bool]:
    """Move each of the ``nodes`` from ``begin`` on to its best place in the ordering.

    ``standing`` nodes are not in it: they come before all. ``order`` and ``worth`` (of each node) change. Returns which
    node was the last one done, plus one (less than all where the forest has no room), and whether any was moved.
    """
    count = len(order) - 1
    others, rank, at = np.empty(count, np.int64), np.full(len(standing), -1), np.empty(2, np.int64)
    found = np.empty((3, count + 1))
    moved = False
    for i in range(begin, len(nodes)):
        v = nodes[i]
        found[:] = np.nan
        found[:2, count] = 0.0
        rank[v] = count + 1
        now = count
        for k in range(count + 1):
            if order[k] == v:
                now = k
        for k in range(count):
            node = order[k] if k < now else order[k + 1]
            others[k], rank[node] = node, k
            found[0 if k < now else 1, k] = worth[node]
        found[2, now] = worth[v]
        at[:] = 0
        known = (barred, required, standing, kept, tolerance, calls)
        if evaluate_gaussian(form, forest, v, others, rank, found, at, *known) == FULL:
            return i, moved
        first, last = 0, count
        for parent in required[v]:
            if parent >= 0:
                first = max(first, rank[parent] + 1)
        for k in range(count):
            for parent in required[others[k]]:
                if parent == v:
                    last = min(last, k)
        place, gain = best_place(found, now, first, last, tolerance)
        if gain > 0:
            moved = True
            order[:place], order[place], order[place + 1 :] = others[:place], v, others[place:]
            for k in range(count):
                worth[others[k]] = found[0 if k < place else 1, k]
            worth[v] = found[2, place]
    return len(nodes), moved
