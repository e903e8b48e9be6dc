"""One node after the other to its best place, for a Gaussian score: looks at sets as they are met."""

import numpy as np

from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.grow_shrink import Rows, grow, shrink
from climatebn.kernels.jit import jit
from climatebn.kernels.order_search.best_place import DONE, evaluate
from climatebn.kernels.order_search.forest import BRANCHES, FULL, UP, Forest, passed_over, path, store


@jit
def look(
    form: GaussianForm,
    forest: Forest,
    which: int,
    barred: np.ndarray,
    required: np.ndarray,
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
    store(forest, which, nodes, gains, score)
    return len(closed) - int(closed.sum()) - 1 + len(members)


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
    kept: Rows,
    tolerance: float,
    calls: np.ndarray,
) -> int:
    """`evaluate`, with every set that it meets looked at on the way; `DONE` or `FULL`."""
    while True:
        which = evaluate(forest, v, others, rank, worth, at)
        if which in (DONE, FULL):
            return which
        asked = look(form, forest, which, barred, required, kept, tolerance)
        if asked == FULL:
            return FULL
        calls[0] += asked
