"""Counting subsets: how many there are, and which place one has in the order of an enumeration."""

import numpy as np

from climatebn.kernels.jit import inner_jit, jit


@inner_jit
def binomial(n: int, k: int) -> float:
    """n over k, exact below 2⁵³."""
    value = 1.0
    for i in range(min(k, n - k)):
        value = value * (n - i) / (i + 1)
    return value if 0 <= k <= n else 0.0


@jit
def rank(n: int, places: np.ndarray) -> float:
    """How many subsets of this size come before this one in lexicographic order."""
    before, start = 0.0, 0
    for i, place in enumerate(places):
        for skipped in range(start, place):
            before += binomial(n - 1 - skipped, len(places) - 1 - i)
        start = place + 1
    return before


@jit
def count(n: int, smallest: int, largest: int) -> float:
    """The number of subsets of these sizes."""
    total = 0.0
    for size in range(smallest, largest + 1):
        total += binomial(n, size)
    return total
