"""PC-Stable, one level, on discrete data: subsets of the neighbours of a node, each tried on all its pairs at once.

A pair is visited from its first node, then, if no set separates it, from its second: each is one pass over the nodes,
in which nodes do not depend on each other, so that any thread may do any of them. For each pair the subsets come in
lexicographic order, as if it were alone.
"""

import numpy as np

from climatebn.kernels.discrete.evidence import DECISION, Form, evidence
from climatebn.kernels.discrete.grouping import COST, Sample, Work
from climatebn.kernels.discrete.subset_search import CHOSEN, SIZE, next_subset
from climatebn.kernels.discrete.values import Values
from climatebn.kernels.jit import jit, without_owner


@jit
def visit(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    critical: np.ndarray,
    node: int,
    partners: np.ndarray,
    pool: np.ndarray,
    adjacent: np.ndarray,
    apart: np.ndarray,
    chosen: np.ndarray,
    tests: np.ndarray,
    progress: np.ndarray,
    limit: int,
) -> bool:
    """Try subsets of ``pool``, the neighbours of ``node``, on its partners; whether all is done (else call again).

    ``apart`` is set, with ``chosen``, for a pair that a set separates; ``tests`` counts. Where ``adjacent`` is not
    empty, a set of one that is a neighbour of the partner too is left out. ``progress`` starts as `first_subset`.
    """
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    size = progress[SIZE]
    given = np.empty(size, np.int64)
    left = 0
    for i in range(len(partners)):
        left += not apart[i]
    w.state[COST] = 0
    while left > 0:
        for i in range(size):
            given[i] = pool[progress[CHOSEN + i]]
        for i, other in enumerate(partners):
            inside = apart[i]
            for z in given:
                inside |= z == other
            if inside or (len(adjacent) > 0 and adjacent[other, given[0]]):
                continue
            tests[i] += 1
            if evidence(s, v, w, f, critical, node, other, given, size, DECISION) <= 0:
                apart[i] = True
                chosen[i] = given
                left -= 1
        if not next_subset(progress, len(pool)):
            return True
        if w.state[COST] > limit:
            return False
    return True
