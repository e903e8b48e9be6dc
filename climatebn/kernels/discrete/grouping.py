"""Rows of discrete data by the configuration of a growing set of columns; only observed configurations cost anything.

Each depth of the set keeps its own groups, so that sets with the same first columns share work. While there are few
configurations a group is a bit set of rows (64 rows a word); then each row has the number of its group.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import lowest, members_of
from climatebn.kernels.jit import inner_jit, jit

MOST_GROUPS = 128  # groups kept as bit sets
FEW_CELLS = 480  # that bit sets count faster than a walk over the rows
DEEPEST = 8  # columns of a set up to which they are
DEPTH, TARGET, LISTED, PAIRED, COST, BASE, KEPT_ROWS, KEPT_GROUPS, FEW = range(9)


class Sample(NamedTuple):
    """Codes [row, column], levels, and the rows of each level as bit sets: those of column c from ``first[c]`` on."""

    codes: np.ndarray
    levels: np.ndarray
    first: np.ndarray
    bits: np.ndarray


class Work(NamedTuple):
    """Memory of one thread. ``state``: depth, prepared target and how, cost so far, the target's own part of S."""

    state: np.ndarray
    given: np.ndarray  # the set, by depth
    wanted: np.ndarray  # the set to come
    configurations: np.ndarray  # by depth: seen or not; floats, because they outgrow 64 bits
    groups: np.ndarray  # by depth: how many were seen
    with_sets: np.ndarray
    with_rows: np.ndarray
    sets: np.ndarray  # [depth, group, word]
    sizes: np.ndarray  # [depth, group]
    rows: np.ndarray  # [depth, row]: its group
    kept: np.ndarray  # rows that tell something about x
    near: np.ndarray  # of each kept row: its group, among the kept ones
    cell: np.ndarray  # of each kept row: x·groups + group
    pair: np.ndarray  # of each kept row: number of its observed (x, group)
    origin: np.ndarray  # of each kept group: its number among all
    of_group: np.ndarray  # counts of the groups
    of_target: np.ndarray  # counts of (x, group)
    left: np.ndarray  # of one group: counts of x that are left for further levels of y
    table: np.ndarray  # counts of (x, group, y), all 0 between tests
    margin: np.ndarray  # counts of (group, y), all 0 between tests


@jit
def level_sets(codes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The rows of each level as bit sets."""
    bits = np.zeros((first[-1], (codes.shape[0] + 63) // 64), np.int64)
    for column in range(codes.shape[1]):
        for row in range(codes.shape[0]):
            bits[first[column] + codes[row, column], row >> 6] |= np.int64(1) << np.int64(row & 63)
    return bits


def workspace(sample: Sample, deepest: int) -> Work:
    """Memory for sets of at most ``deepest`` columns."""
    n, widest = len(sample.codes), int(sample.levels.max(initial=1))
    words, room = sample.bits.shape[1], n * widest
    state = np.zeros(9, np.int64)
    state[TARGET], state[FEW] = -1, FEW_CELLS
    sets = np.zeros((min(deepest, DEEPEST) + 1, MOST_GROUPS, words), np.int64)
    sets[0, 0] = np.bitwise_or.reduce(sample.bits[: sample.first[1]], axis=0)
    sizes = np.zeros(sets.shape[:2], np.int64)
    sizes[0, 0] = n
    ready = np.arange(deepest + 1) == 0
    given, wanted = np.zeros((2, deepest), np.int64)
    kept, near, cell, pair, origin, of_group = (np.zeros(n, np.int32) for _ in range(6))
    return Work(
        state=state,
        given=given,
        wanted=wanted,
        configurations=np.ones(deepest + 1),
        groups=np.ones(deepest + 1, np.int64),
        with_sets=ready,
        with_rows=ready.copy(),
        sets=sets,
        sizes=sizes,
        rows=np.zeros((deepest + 1, n), np.int32),
        kept=kept,
        near=near,
        cell=cell,
        pair=pair,
        origin=origin,
        of_group=of_group,
        of_target=np.zeros(room, np.int32),
        left=np.zeros(widest, np.int64),
        table=np.zeros(max(room, 4096), np.int32),
        margin=np.zeros(max(room, 4096), np.int32),
    )


@inner_jit
def condition(s: Sample, w: Work, size: int) -> None:
    """Group the rows by the first ``size`` columns of ``wanted``."""
    known, depth = 0, w.state[DEPTH]
    while known < size and known < depth and w.given[known] == w.wanted[known]:
        known += 1
    if known == size == depth:
        return
    for place in range(known, size):
        w.given[place] = w.wanted[place]
        _refine(s, w, place, w.wanted[place])
    w.state[DEPTH], w.state[TARGET] = size, -1


@inner_jit
def _refine(s: Sample, w: Work, depth: int, column: int) -> None:
    """Part the groups of a depth by one more column."""
    levels, groups = s.levels[column], w.groups[depth]
    w.configurations[depth + 1] = w.configurations[depth] * levels
    few = depth + 1 < len(w.sets) and w.configurations[depth + 1] <= w.sets.shape[1]
    w.with_sets[depth + 1], w.with_rows[depth + 1] = w.with_sets[depth] and few, False
    count = 0
    if w.with_sets[depth + 1]:
        words = s.bits.shape[1]
        for group in range(groups):
            for level in range(s.first[column], s.first[column + 1]):
                size = 0
                for word in range(words):
                    both = w.sets[depth, group, word] & s.bits[level, word]
                    w.sets[depth + 1, count, word] = both
                    size += members_of(both)
                w.sizes[depth + 1, count] = size
                count += size > 0
        w.state[COST] += groups * levels * words
    else:
        number_rows(w, depth)
        for row in range(len(w.kept)):
            part = w.rows[depth, row] * levels + s.codes[row, column]
            if w.margin[part] == 0:
                count += 1
                w.margin[part] = count
            w.rows[depth + 1, row] = w.margin[part] - 1
        w.margin[: groups * levels] = 0
        w.with_rows[depth + 1] = True
        w.state[COST] += len(w.kept) + groups * levels // 8
    w.groups[depth + 1] = count


@inner_jit
def number_rows(w: Work, depth: int) -> None:
    """Tell each row its group, where only bit sets do."""
    if w.with_rows[depth]:
        return
    for group in range(w.groups[depth]):
        for index in range(w.sets.shape[2]):
            word = w.sets[depth, group, index]
            while word != 0:
                w.rows[depth, (index << 6) + lowest(word)] = group
                word &= word - 1
    w.with_rows[depth] = True
    w.state[COST] += len(w.kept)
