r"""Contingency counts that never build a table of all configurations.

Rows are grouped by the configuration of some columns: stable counting sorts over mixed-radix digits, each digit as
many columns as keep its radix below about n, so that nothing overflows and memory stays O(n). Inside a group one
small (levels × levels) table is counted and emptied again; only observed configurations cost anything. `row_sets`
counts the same with bit sets, which is faster where there are few configurations.
"""

import numba
import numpy as np

from climatebn.kernels.discrete.cell_scores import Terms, association_of, row_score, terms
from climatebn.kernels.jit import jit, parallel_jit


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
    new = np.zeros(n, np.bool_)  # whether a row differs from the one before it
    for number in columns:
        column = codes[:, number]
        before = column[order[0]]
        for position in range(1, n):
            here = column[order[position]]
            new[position] |= here != before
            before = here
    starts = np.empty(np.sum(new) + 2, np.int64)
    starts[0] = 0
    groups = 1
    for position in range(n):
        if new[position]:
            starts[groups] = position
            groups += 1
    starts[groups] = n
    return order, starts


@jit
def _family(
    child: np.ndarray, parent: np.ndarray, width: int, order: np.ndarray, starts: np.ndarray, form: Terms
) -> float:
    """The score of ``child`` given ``parent`` (of ``width`` levels) and the groups of rows."""
    table = np.zeros((width, form.levels), np.int64)
    score = 0.0
    for group in range(len(starts) - 1):
        rows = order[starts[group] : starts[group + 1]]
        for row in rows:
            table[parent[row], child[row]] += 1
        sparse = len(rows) < width
        for visit in range(min(len(rows), width)):
            counts = table[parent[rows[visit]] if sparse else visit]
            score += row_score(counts, form)
            counts[:] = 0
    return score


@jit
def family(
    codes: np.ndarray,
    levels: np.ndarray,
    node: int,
    order: np.ndarray,
    starts: np.ndarray,
    logs: np.ndarray,
    alpha: float,
) -> float:
    """The family of ``node`` whose parents made the groups; ``alpha`` per cell, 0 for the log-likelihood."""
    nothing = np.zeros(codes.shape[0], np.int32)
    return _family(codes[:, node], nothing, 1, order, starts, terms(levels[node], logs, alpha))


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
    form = terms(levels[node], logs, alpha / levels[candidate])
    return _family(codes[:, node], codes[:, candidate], levels[candidate], order, starts, form)


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
    """Pearson's X² or G² of two columns of ``sizes`` levels, summed over the groups of rows."""
    table = np.zeros(sizes, np.int64)
    statistic = 0.0
    for group in range(len(starts) - 1):
        rows = order[starts[group] : starts[group + 1]]
        if len(rows) == 1:
            continue
        for row in rows:
            table[x[row], y[row]] += 1
        statistic += association_of(table, pearson)
        for row in rows:
            table[x[row], y[row]] = 0
    return statistic
