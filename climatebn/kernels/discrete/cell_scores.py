r"""What counts are worth: one row of a conditional table in a score, one table of two columns in a test.

log-likelihood   Σ_k n_k log(n_k / n)
BDeu             lnΓ(α) − lnΓ(α + n) + Σ_k [lnΓ(α_k + n_k) − lnΓ(α_k)],      α_k = α / levels
G²               2 Σ n_ij log(n_ij / e_ij)          Pearson   Σ (n_ij − e_ij)² / e_ij,      e_ij = n_i+ n_+j / n
"""

import math
from typing import NamedTuple

import numpy as np

from climatebn.kernels.jit import jit

SMALL = 64  # counts below this read lnΓ(α + m) − lnΓ(α) from a table


class Terms(NamedTuple):
    """A score's constants for a node of ``levels`` levels: ``alpha`` per cell (0: log-likelihood), tables."""

    levels: int
    alpha: float
    logs: np.ndarray
    cell: np.ndarray
    whole: np.ndarray
    cell_base: float
    whole_base: float


@jit
def rising_table(alpha: float) -> np.ndarray:
    """lnΓ(α + m) − lnΓ(α) for m = 0 … SMALL − 1."""
    table = np.zeros(SMALL)
    for m in range(1, SMALL):
        table[m] = table[m - 1] + math.log(alpha + (m - 1))  # in this order: α may be tiny
    return table


@jit
def terms(levels: int, logs: np.ndarray, alpha: float) -> Terms:
    """The constants; ``logs`` holds log 0 … log n (its first entry is not read)."""
    if alpha == 0.0:
        nothing = np.empty(0)
        return Terms(levels, alpha, logs, nothing, nothing, 0.0, 0.0)
    whole = alpha * levels
    return Terms(levels, alpha, logs, rising_table(alpha), rising_table(whole), math.lgamma(alpha), math.lgamma(whole))


@jit
def row_score(counts: np.ndarray, form: Terms) -> float:
    """The worth of one row of counts."""
    total = 0
    for level in range(form.levels):
        total += counts[level]
    if total == 0:
        return 0.0
    score = 0.0
    for level in range(form.levels):
        count = counts[level]
        if count == 0:
            continue
        if form.alpha == 0.0:
            score += count * (form.logs[count] - form.logs[total])
        elif count < SMALL:
            score += form.cell[count]
        else:
            score += math.lgamma(form.alpha + count) - form.cell_base
    if form.alpha > 0:
        if total < SMALL:
            score -= form.whole[total]
        else:
            score -= math.lgamma(form.alpha * form.levels + total) - form.whole_base
    return score


@jit
def association_of(table: np.ndarray, pearson: bool) -> float:
    """Pearson's X² or G² of one table."""
    left, right = np.sum(table, axis=1), np.sum(table, axis=0)
    total = np.sum(left)
    statistic = 0.0
    for i in range(table.shape[0]):
        if left[i] == 0:
            continue
        for j in range(table.shape[1]):
            if right[j] == 0:
                continue
            expected = left[i] * (right[j] / total)
            if pearson:
                statistic += (table[i, j] - expected) ** 2 / expected
            elif table[i, j] > 0:
                statistic += 2 * table[i, j] * math.log(table[i, j] / expected)
    return statistic
