r"""What counts are worth, in whole numbers: their sums do not depend on the order of levels, columns or rows.

    likelihood   m log m                    BDeu   lnΓ(α + m) − lnΓ(α),  α = iss / cells          both times ``scale``

so that S = Σ A[n_xyz] − Σ B[n_yz] − Σ C[n_xz] + Σ D[n_z] is what y adds to x given Z: half of G² with m log m in all
four places, the log Bayes factor with α of each table's own number of cells. ``scale`` is a power of 2 that leaves room
for the largest sum in 62 bits.
"""

import math
from typing import NamedTuple

import numpy as np

from climatebn.kernels.jit import inline_jit, inner_jit

KEPT = 512  # tables of BDeu kept at a time
SMALL = 1024  # counts below this are read from a table of BDeu
REMEMBERED = 1 << 16  # values of larger counts, at most; the newest of those that share a place


class Values(NamedTuple):
    """Tables of one sample size and iss. ``alphas`` tells whose they are, ``used`` how many were made so far.

    ``logs`` has lnΓ of the α; ``many`` the values of large counts: a place has the number of table and count, ``used``
    at the table's making and the count in one, and the value.
    """

    alphas: np.ndarray
    tables: np.ndarray
    used: np.ndarray
    logs: np.ndarray
    numbers: np.ndarray
    many: np.ndarray


def scale_of(n: int, iss: float) -> float:
    """The whole number that stands for 1."""
    largest = n * 750 if iss else n * math.log(n) + n  # lnΓ of a tiny α is at most 745
    return 2.0 ** math.floor(61 - math.log2(largest))


def values(n: int, iss: float) -> Values:
    """The table of the likelihood (iss = 0), or room for tables of BDeu, which kernels fill."""
    if iss:
        return Values(
            alphas=np.full(KEPT, -1.0),
            tables=np.zeros((KEPT, min(n + 1, SMALL)), np.int64),
            used=np.zeros(1, np.int64),
            logs=np.zeros(KEPT),
            numbers=np.zeros(KEPT, np.int64),
            many=np.zeros((REMEMBERED if n >= SMALL else 0, 2), np.int64),
        )
    counts = np.arange(n + 1)
    table = np.rint(counts * np.log(np.maximum(counts, 1)) * scale_of(n, iss)).astype(np.int64)
    return Values(
        np.zeros(1), table[None], np.ones(1, np.int64), np.zeros(0), np.zeros(0, np.int64), np.zeros((0, 2), np.int64)
    )


@inline_jit
def table_of(v: Values, iss: float, scale: float, cells: float) -> int:
    """The place of the table for α = iss / cells."""
    return 0 if iss == 0.0 else _table_of_bdeu(v, iss, scale, cells)


@inner_jit
def _table_of_bdeu(v: Values, iss: float, scale: float, cells: float) -> int:
    alpha = max(iss / cells, 1e-300)
    for place in range(min(v.used[0], len(v.alphas))):
        if v.alphas[place] == alpha:
            return place
    place = v.used[0] % len(v.alphas)
    v.used[0] += 1
    v.alphas[place], v.logs[place], v.numbers[place] = alpha, math.lgamma(alpha), v.used[0]
    total = 0.0
    for count in range(1, v.tables.shape[1]):
        total += math.log(alpha + (count - 1))  # in this order: α may be tiny
        v.tables[place, count] = np.int64(round(total * scale))
    return place


@inline_jit
def worth(v: Values, scale: float, place: int, count: int) -> int:
    """What a count is worth."""
    if count < v.tables.shape[1]:
        return v.tables[place, count]
    return _worth_of_many(v, scale, place, count)


@inner_jit
def _worth_of_many(v: Values, scale: float, place: int, count: int) -> int:
    name = (v.numbers[place] << 32) | count
    slot = (v.numbers[place] * 40_503 + count) & (REMEMBERED - 1)
    if v.many[slot, 0] != name:
        v.many[slot, 0] = name
        v.many[slot, 1] = round((math.lgamma(v.alphas[place] + count) - v.logs[place]) * scale)
    return v.many[slot, 1]
