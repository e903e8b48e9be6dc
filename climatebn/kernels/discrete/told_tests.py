"""Tests whose answers follow from L of a node given subsets of a pool (see `lattice`): nothing is left to count.

L(Z ∪ y) − L(Z) is what y adds to the node given Z. Sets come in the same order, and tests are counted in the same way,
as where they are counted one by one (`pc_level`, `subset_search`).
"""

import numpy as np

from climatebn.kernels.discrete.evidence import Form, exceeds, strength
from climatebn.kernels.discrete.subset_search import CHOSEN, SIZE, TESTS, first_subset, next_subset
from climatebn.kernels.jit import jit

STEPS = 1 << 20  # sets between two looks at the clock


@jit
def visit(
    told: np.ndarray,
    levels: np.ndarray,
    f: Form,
    critical: np.ndarray,
    node: int,
    partners: np.ndarray,
    pool: np.ndarray,
    apart: np.ndarray,
    chosen: np.ndarray,
    tests: np.ndarray,
    progress: np.ndarray,
) -> bool:
    """`pc_level.visit_together`; bit i of a subset's number in ``told`` stands for place i of the pool."""
    size, left, steps = progress[SIZE] - 1, 0, 0
    pair = np.full(len(pool), -1)  # of a place in the pool: the partner there, while not apart
    for i, other in enumerate(partners):
        if not apart[i]:
            pair[np.searchsorted(pool, other)] = i
            left += 1
    places = progress[CHOSEN : CHOSEN + size + 1]
    while left > 0:
        mask, q = np.int64(0), 1.0
        for place in places:
            mask |= np.int64(1) << place
            q *= levels[pool[place]]
        for j in range(size + 1):
            i, high = pair[places[j]], levels[pool[places[j]]]
            if i < 0:
                continue
            tests[i] += 1
            df = float(levels[node] - 1) * float(high - 1) * (q / high)
            value = (told[mask] - told[mask ^ (np.int64(1) << places[j])]) / f.scale
            if not exceeds(f, critical, value, df):
                apart[i], pair[places[j]] = True, -1
                left -= 1
                for m in range(size):
                    chosen[i, m] = pool[places[m if m < j else m + 1]]
        if not next_subset(progress, len(pool)):
            return True
        steps += 1
        if steps > STEPS:
            return False
    return True


@jit
def search(
    told: np.ndarray,
    levels: np.ndarray,
    f: Form,
    critical: np.ndarray,
    x: int,
    y: int,
    member: int,
    fixed: int,
    pool: np.ndarray,
    members: np.ndarray,
    q_fixed: float,
    decide: bool,
    least: np.ndarray,
    progress: np.ndarray,
) -> bool:
    """`subset_search.search` of one pair on the sets of one size; whether a set separates it (else on to the next).

    ``member`` is the bit of y in the numbers of ``told``, L of x; ``members`` has those of the pool, 0 for x and y
    themselves, which do nothing; ``fixed`` those of the fixed set, which has q_fixed configurations.
    """
    own = float(levels[x] - 1) * float(levels[y] - 1)
    while True:
        mask, q = fixed, q_fixed
        for i in range(progress[SIZE]):
            place = progress[CHOSEN + i]
            mask |= members[place]
            if members[place] != 0:
                q *= levels[pool[place]]
        progress[TESTS] += 1
        total, df, found = told[mask | member] - told[mask], own * q, -1.0
        if exceeds(f, critical, total / f.scale, df):
            found = 1.0 if decide else strength(f, total, df)
        least[0] = min(least[0], found)
        if found <= 0:
            return True
        if not next_subset(progress, len(pool)):
            first_subset(progress, progress[SIZE] + 1)
            return False
