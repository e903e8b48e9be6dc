"""Contingency counts by sets of rows: each level of each column is one bit set, a cell the size of an intersection.

64 rows a word, so that a cell costs n/64 steps: far less than walking over rows while there are few cells. ``bits``
holds the sets of all levels, those of column c in rows ``first[c]`` … ``first[c + 1]`` − 1.
"""

import numba
import numpy as np

from climatebn.kernels.bitset import members_of
from climatebn.kernels.discrete.cell_scores import association_of, row_score, terms
from climatebn.kernels.jit import jit, parallel_jit


@jit
def level_sets(codes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The sets of all levels."""
    bits = np.zeros((first[-1], (codes.shape[0] + 63) // 64), np.int64)
    for column in range(codes.shape[1]):
        for row in range(codes.shape[0]):
            bits[first[column] + codes[row, column], row >> 6] |= np.int64(1) << np.int64(row & 63)
    return bits


@jit
def refine(groups: np.ndarray, bits: np.ndarray, begin: int, end: int) -> np.ndarray:
    """Each group parted by the levels ``bits[begin:end]``; empty parts are left out."""
    parts = np.empty((len(groups) * (end - begin), bits.shape[1]), np.int64)
    kept = 0
    for group in range(len(groups)):
        for level in range(begin, end):
            seen = 0
            for word in range(bits.shape[1]):
                both = groups[group, word] & bits[level, word]
                parts[kept, word] = both
                seen |= both
            kept += seen != 0
    return parts[:kept].copy()


@jit
def crossed(groups: np.ndarray, bits: np.ndarray, begin: int, end: int) -> np.ndarray:
    """Each group parted by the levels ``bits[begin:end]``, empty parts too: [group, level, word]."""
    parts = np.empty((len(groups), end - begin, bits.shape[1]), np.int64)
    for group in range(len(groups)):
        for level in range(begin, end):
            for word in range(bits.shape[1]):
                parts[group, level - begin, word] = groups[group, word] & bits[level, word]
    return parts


@jit
def _shared(a: np.ndarray, b: np.ndarray) -> int:
    """How many rows two sets share."""
    count = 0
    for word in range(len(a)):
        count += members_of(a[word] & b[word])
    return count


@jit
def family(groups: np.ndarray, bits: np.ndarray, begin: int, end: int, logs: np.ndarray, alpha: float) -> float:
    """The family of the node with levels ``bits[begin:end]`` whose parents made the groups."""
    form = terms(end - begin, logs, alpha)
    counts = np.empty(end - begin, np.int64)
    score = 0.0
    for group in range(len(groups)):
        for level in range(begin, end):
            counts[level - begin] = _shared(groups[group], bits[level])
        score += row_score(counts, form)
    return score


@jit
def _with_candidate(parts: np.ndarray, bits: np.ndarray, begin: int, end: int, logs: np.ndarray, alpha: float) -> float:
    form = terms(parts.shape[1], logs, alpha / (end - begin))
    counts = np.empty(parts.shape[1], np.int64)
    score = 0.0
    for group in range(parts.shape[0]):
        for value in range(begin, end):
            for level in range(parts.shape[1]):
                counts[level] = _shared(parts[group, level], bits[value])
            score += row_score(counts, form)
    return score


@jit
def families(
    parts: np.ndarray, bits: np.ndarray, first: np.ndarray, candidates: np.ndarray, logs: np.ndarray, alpha: float
) -> np.ndarray:
    """The families of a node with each candidate beside the parents; ``parts`` are their groups, `crossed` by the node.

    ``alpha`` is α per cell of the family *without* a candidate.
    """
    scores = np.empty(len(candidates))
    for i in range(len(candidates)):
        scores[i] = _with_candidate(parts, bits, first[candidates[i]], first[candidates[i] + 1], logs, alpha)
    return scores


@parallel_jit
def families_on_threads(
    parts: np.ndarray, bits: np.ndarray, first: np.ndarray, candidates: np.ndarray, logs: np.ndarray, alpha: float
) -> np.ndarray:
    """The same on several threads; each candidate is one thread's own sum, hence the same bits."""
    scores = np.empty(len(candidates))
    for i in numba.prange(len(candidates)):
        scores[i] = _with_candidate(parts, bits, first[candidates[i]], first[candidates[i] + 1], logs, alpha)
    return scores


@jit
def association(groups: np.ndarray, bits: np.ndarray, first: np.ndarray, x: int, y: int, pearson: bool) -> float:
    """Pearson's X² or G² of columns x and y, summed over the groups."""
    table = np.empty((first[x + 1] - first[x], first[y + 1] - first[y]), np.int64)
    statistic = 0.0
    for group in range(len(groups)):
        for i in range(table.shape[0]):
            for j in range(table.shape[1]):
                count = 0
                for word in range(bits.shape[1]):
                    count += members_of(groups[group, word] & bits[first[x] + i, word] & bits[first[y] + j, word])
                table[i, j] = count
        statistic += association_of(table, pearson)
    return statistic
