r"""Contingency counts that never build a table of all configurations.

Rows are grouped by the configuration of some columns: stable counting sorts over mixed-radix digits, each digit as
many columns as keep its radix below about n, so that nothing overflows and memory stays O(n). Inside a group one
small (levels × levels) table is counted and emptied again; only observed configurations cost anything.

    log-likelihood of a family   Σ n_ijk log(n_ijk / n_ij)
    BDeu of a family             Σ_ij [lnΓ(α_ij) − lnΓ(α_ij + n_ij)] + Σ_ijk [lnΓ(α_ijk + n_ijk) − lnΓ(α_ijk)]
"""

import math

import numba
import numpy as np

from climatebn.kernels.jit import jit, parallel_jit

SMALL = 64  # counts below this read lnΓ(α + m) − lnΓ(α) from a table


@jit
def group_rows(codes: np.ndarray, levels: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers ordered by the configuration of ``columns``, and where each observed configuration starts."""
    n = codes.shape[0]
    order = np.arange(n).astype(np.int32)
    spare = np.empty(n, np.int32)
    digit = np.empty(n, np.int64)
    limit = max(n, 1024)
    first = 0
    while first < len(columns):
        radix = 1
        last = first
        digit[:] = 0
        while last < len(columns) and (last == first or radix * levels[columns[last]] <= limit):
            column = codes[:, columns[last]]
            width = levels[columns[last]]
            for row in range(n):
                digit[row] = digit[row] * width + column[row]
            radix *= width
            last += 1
        place = np.zeros(radix + 1, np.int64)
        for row in range(n):
            place[digit[row] + 1] += 1
        for value in range(radix):
            place[value + 1] += place[value]
        for position in range(n):
            row = order[position]
            spare[place[digit[row]]] = row
            place[digit[row]] += 1
        order, spare = spare, order
        first = last
    starts = np.empty(n + 1, np.int64)
    starts[0] = 0
    groups = 1
    for position in range(1, n):
        for column_number in columns:
            if codes[order[position], column_number] != codes[order[position - 1], column_number]:
                starts[groups] = position
                groups += 1
                break
    starts[groups] = n
    return order, starts[: groups + 1].copy()


@jit
def _rising_table(alpha: float) -> np.ndarray:
    """lnΓ(α + m) − lnΓ(α) for m = 0 … SMALL − 1."""
    table = np.zeros(SMALL)
    for m in range(1, SMALL):
        table[m] = table[m - 1] + math.log(alpha + (m - 1))  # in this order: α may be tiny
    return table


@jit
def _family(
    child: np.ndarray,
    parent: np.ndarray,
    sizes: tuple[int, int],
    order: np.ndarray,
    starts: np.ndarray,
    logs: np.ndarray,
    alpha: float,
) -> float:
    """Log-likelihood (α = 0) or BDeu (α per cell) of ``child`` given ``parent`` and the groups of rows.

    ``sizes`` are the levels of child and parent, ``logs`` holds log 0 … log n (its first entry is not read).
    """
    levels, width = sizes
    table = np.zeros((width, levels), np.int32)
    cell = _rising_table(alpha) if alpha > 0 else np.zeros(1)
    whole = _rising_table(alpha * levels) if alpha > 0 else np.zeros(1)
    base = (math.lgamma(alpha), math.lgamma(alpha * levels)) if alpha > 0 else (0.0, 0.0)
    score = 0.0
    for group in range(len(starts) - 1):
        rows = order[starts[group] : starts[group + 1]]
        for row in rows:
            table[parent[row], child[row]] += 1
        sparse = len(rows) < width
        for visit in range(min(len(rows), width)):
            counts = table[parent[rows[visit]] if sparse else visit]
            total = 0
            for level in range(levels):
                total += counts[level]
            if total == 0:
                continue
            for level in range(levels):
                count = counts[level]
                if count == 0:
                    continue
                if alpha == 0.0:
                    score += count * (logs[count] - logs[total])
                elif count < SMALL:
                    score += cell[count]
                else:
                    score += math.lgamma(alpha + count) - base[0]
                counts[level] = 0
            if alpha > 0:
                if total < SMALL:
                    score -= whole[total]
                else:
                    score -= math.lgamma(alpha * levels + total) - base[1]
    return score


@jit
def family(
    codes: np.ndarray, levels: np.ndarray, node: int, order: np.ndarray, starts: np.ndarray, logs: np.ndarray, a: float
) -> float:
    """The family of ``node`` whose parents made the groups; ``a`` is α per cell, 0 for the log-likelihood."""
    nothing = np.zeros(codes.shape[0], np.int32)
    return _family(codes[:, node], nothing, (levels[node], 1), order, starts, logs, a)


@jit
def _with_candidate(
    codes: np.ndarray,
    levels: np.ndarray,
    node: int,
    candidate: int,
    order: np.ndarray,
    starts: np.ndarray,
    logs: np.ndarray,
    alpha: float,
) -> float:
    sizes = (levels[node], levels[candidate])
    return _family(codes[:, node], codes[:, candidate], sizes, order, starts, logs, alpha / levels[candidate])


@jit
def families(
    codes: np.ndarray,
    levels: np.ndarray,
    node: int,
    candidates: np.ndarray,
    order: np.ndarray,
    starts: np.ndarray,
    logs: np.ndarray,
    alpha: float,
) -> np.ndarray:
    """The families of ``node`` with each candidate beside the parents that made the groups.

    ``alpha`` is α per cell of the family *without* a candidate.
    """
    scores = np.empty(len(candidates))
    for i in range(len(candidates)):
        scores[i] = _with_candidate(codes, levels, node, candidates[i], order, starts, logs, alpha)
    return scores


@parallel_jit
def families_on_threads(
    codes: np.ndarray,
    levels: np.ndarray,
    node: int,
    candidates: np.ndarray,
    order: np.ndarray,
    starts: np.ndarray,
    logs: np.ndarray,
    alpha: float,
) -> np.ndarray:
    """The same on several threads; each candidate is one thread's own sum, hence the same bits."""
    scores = np.empty(len(candidates))
    for i in numba.prange(len(candidates)):
        scores[i] = _with_candidate(codes, levels, node, candidates[i], order, starts, logs, alpha)
    return scores


@jit
def association(
    x: np.ndarray, y: np.ndarray, sizes: tuple[int, int], order: np.ndarray, starts: np.ndarray, pearson: bool
) -> float:
    r"""Pearson's Σ (n − e)²/e, or G² = 2 Σ n log(n / e), with e = n_i+k n_+jk / n_++k, summed over groups of rows."""
    table = np.zeros(sizes, np.int32)
    left = np.zeros(sizes[0], np.int64)
    right = np.zeros(sizes[1], np.int64)
    statistic = 0.0
    for group in range(len(starts) - 1):
        rows = order[starts[group] : starts[group + 1]]
        if len(rows) == 1:
            continue
        for row in rows:
            table[x[row], y[row]] += 1
            left[x[row]] += 1
            right[y[row]] += 1
        for i in range(sizes[0]):
            if left[i] == 0:
                continue
            for j in range(sizes[1]):
                if right[j] == 0:
                    continue
                expected = left[i] * (right[j] / len(rows))
                if pearson:
                    statistic += (table[i, j] - expected) ** 2 / expected
                elif table[i, j] > 0:
                    statistic += 2 * table[i, j] * math.log(table[i, j] / expected)
                table[i, j] = 0
        left[:] = 0
        right[:] = 0
    return statistic
