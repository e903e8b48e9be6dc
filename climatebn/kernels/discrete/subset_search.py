"""Subset search on discrete data: x and y given F ∪ Z for all Z ⊆ pool, sizes ascending, lexicographic within a size.

Neighbouring subsets share their first members, hence their groups of rows.
"""

import numpy as np

from climatebn.kernels.discrete.evidence import DECISION, POSITIVE, Form, evidence
from climatebn.kernels.discrete.grouping import COST, Sample, Work
from climatebn.kernels.discrete.values import Values
from climatebn.kernels.jit import inner_jit, jit, without_owner

CONNECTED, SEPARATED, UNFINISHED = range(3)
SIZE, TESTS, CHOSEN = range(3)  # of ``progress``: size of the sets at hand, tests made, the places chosen in the pool


@inner_jit
def first_subset(progress: np.ndarray, size: int) -> None:
    """The first subset of a size."""
    progress[SIZE] = size
    for i in range(size):
        progress[CHOSEN + i] = i


@inner_jit
def next_subset(progress: np.ndarray, pool: int) -> bool:
    """Go to the next subset of the same size; whether there is one."""
    size = progress[SIZE]
    i = size - 1
    while i >= 0 and progress[CHOSEN + i] == pool - size + i:
        i -= 1
    if i < 0:
        return False
    progress[CHOSEN + i] += 1
    for j in range(i + 1, size):
        progress[CHOSEN + j] = progress[CHOSEN + j - 1] + 1
    return True


@jit
def search(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    critical: np.ndarray,
    xs: np.ndarray,
    y: int,
    fixed: np.ndarray,
    pool: np.ndarray,
    largest: int,
    decide: bool,
    least: np.ndarray,
    alive: np.ndarray,
    progress: np.ndarray,
    limit: int,
) -> int:
    """Search for each x at once; ``alive`` are those not separated yet, ``least`` their least evidence so far.

    UNFINISHED: call again to go on; SEPARATED: no x is left, the last one by the subset in ``progress``. With
    ``decide`` only decisions are asked for. ``progress`` starts as `first_subset` of the smallest size makes it.
    """
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    given = np.empty(len(fixed) + len(pool), np.int64)
    given[: len(fixed)] = fixed
    left, wanted = 0, DECISION if decide else POSITIVE
    for i in range(len(xs)):
        left += alive[i]
    w.state[COST] = 0
    while progress[SIZE] <= largest:
        size = len(fixed) + progress[SIZE]
        for i in range(progress[SIZE]):
            given[len(fixed) + i] = pool[progress[CHOSEN + i]]
        for i, x in enumerate(xs):
            if not alive[i]:
                continue
            progress[TESTS] += 1
            found = evidence(s, v, w, f, critical, y, x, given, size, wanted)
            least[i] = min(least[i], found)
            if found <= 0:
                alive[i] = False
                left -= 1
        if left == 0:
            return SEPARATED
        if not next_subset(progress, len(pool)):
            first_subset(progress, progress[SIZE] + 1)
        if w.state[COST] > limit:
            return UNFINISHED
    return CONNECTED
