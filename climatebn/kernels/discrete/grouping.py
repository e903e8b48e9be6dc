"""Rows of discrete data by the configuration of a growing set of columns; only observed configurations cost anything.

Each depth of the set keeps its own groups, so that sets with the same first columns share work. While there are few
configurations a group is a bit set of rows (64 rows a word); then each row has the number of its group.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import lowest, members_of
from climatebn.kernels.jit import inline_jit, inner_jit, jit

MOST_GROUPS = 128  # groups kept as bit sets
DEEPEST = 8  # columns of a set up to which they are
FEW_WORDS = 1  # of bit sets, per row, that are counted faster than a walk over the rows
DEPTH, TARGET, LISTED, SPENT, COST, BASE, KEPT_ROWS, KEPT_GROUPS, FEW = range(9)  # of ``state``
GIVEN, WANTED, GROUPS, WITH_SETS, WITH_ROWS = range(5)  # of ``plan``
COUNT, PLACE = range(2)  # of ``of_target``
KEPT, CELL_ENDS, GROUP_ENDS = range(3)  # of ``lists``


class Sample(NamedTuple):
    """Codes [column, row], levels, and the rows of each level as bit sets: those of column c from ``first[c]`` on."""

    codes: np.ndarray
    levels: np.ndarray
    first: np.ndarray
    bits: np.ndarray


class Work(NamedTuple):
    """Memory of one thread, in few arrays: each one passed to a kernel costs time.

    ``state``: depth, prepared target, whether its rows are listed, cost so far, the target's own part of S.
    """

    state: np.ndarray
    plan: np.ndarray  # by depth: the set, the set to come, how many groups were seen, whether as sets, whether by row
    configurations: np.ndarray  # by depth: seen or not; floats, because they outgrow 64 bits
    sets: np.ndarray  # [depth, group, word]
    sizes: np.ndarray  # [depth, group]
    rows: np.ndarray  # [depth, row]: its group
    of_group: np.ndarray  # counts of the groups
    of_target: np.ndarray  # of (x, group): counts; where its rows begin in the list
    lists: np.ndarray  # rows by (group, x); where each such cell ends; where the cells of each group end
    left: np.ndarray  # of one group: counts of x that are left for further levels of y
    table: np.ndarray  # of one group: counts of (x, y), all 0 between tests
    margin: np.ndarray  # counts of (group, y), all 0 between tests


@jit
def level_sets(codes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The rows of each level as bit sets."""
    bits = np.zeros((first[-1], (codes.shape[1] + 63) // 64), np.int64)
    for column in range(codes.shape[0]):
        for row in range(codes.shape[1]):
            bits[first[column] + codes[column, row], row >> 6] |= np.int64(1) << np.int64(row & 63)
    return bits


def workspace(sample: Sample, deepest: int) -> Work:
    """Memory for sets of at most ``deepest`` columns."""
    n, widest = sample.codes.shape[1], int(sample.levels.max(initial=1))
    words, room = sample.bits.shape[1], n * widest
    state = np.zeros(9, np.int64)
    state[TARGET], state[FEW] = -1, FEW_WORDS * n
    sets = np.zeros((min(deepest, DEEPEST) + 1, MOST_GROUPS, words), np.int64)
    sets[0, 0] = np.bitwise_or.reduce(sample.bits[: sample.first[1]], axis=0)
    sizes = np.zeros(sets.shape[:2], np.int64)
    sizes[0, 0] = n
    plan = np.zeros((5, deepest + 1), np.int64)
    plan[[GROUPS, WITH_SETS, WITH_ROWS], 0] = 1
    return Work(
        state=state,
        plan=plan,
        configurations=np.ones(deepest + 1),
        sets=sets,
        sizes=sizes,
        rows=np.zeros((deepest + 1, n), np.int32),
        of_group=np.zeros(n, np.int32),
        of_target=np.zeros((2, room), np.int32),
        lists=np.zeros((3, n), np.uint32),
        left=np.zeros(widest, np.int64),
        table=np.zeros(min(widest * widest, room), np.int32),
        margin=np.zeros(max(room, 4096), np.int32),
    )


def room_for(work: Work) -> int:
    """The most columns of a set for which there is memory."""
    return work.plan.shape[1] - 1


@inline_jit
def condition(s: Sample, w: Work, size: int) -> None:
    """Group the rows by the first ``size`` columns of the set to come."""
    same = w.state[DEPTH] == size
    for place in range(size):
        same &= w.plan[GIVEN, place] == w.plan[WANTED, place]
    if not same:
        _group(s, w, size)


@inner_jit
def _group(s: Sample, w: Work, size: int) -> None:
    known, depth = 0, w.state[DEPTH]
    while known < size and known < depth and w.plan[GIVEN, known] == w.plan[WANTED, known]:
        known += 1
    for place in range(known, size):
        w.plan[GIVEN, place] = w.plan[WANTED, place]
        _refine(s, w, place, w.plan[WANTED, place])
    w.state[DEPTH], w.state[TARGET] = size, -1


@inner_jit
def _refine(s: Sample, w: Work, depth: int, column: int) -> None:
    """Part the groups of a depth by one more column."""
    levels, groups = s.levels[column], w.plan[GROUPS, depth]
    w.configurations[depth + 1] = w.configurations[depth] * levels
    few = depth + 1 < len(w.sets) and w.configurations[depth + 1] <= w.sets.shape[1]
    w.plan[WITH_SETS, depth + 1], w.plan[WITH_ROWS, depth + 1] = w.plan[WITH_SETS, depth] and few, 0
    count = 0
    if w.plan[WITH_SETS, depth + 1]:
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
        for row in range(s.codes.shape[1]):
            part = w.rows[depth, row] * levels + s.codes[column, row]
            if w.margin[part] == 0:
                count += 1
                w.margin[part] = count
            w.rows[depth + 1, row] = w.margin[part] - 1
        w.margin[: groups * levels] = 0
        w.plan[WITH_ROWS, depth + 1] = 1
        w.state[COST] += s.codes.shape[1] + groups * levels // 8
    w.plan[GROUPS, depth + 1] = count


@inner_jit
def number_rows(w: Work, depth: int) -> None:
    """Tell each row its group, where only bit sets do."""
    if w.plan[WITH_ROWS, depth]:
        return
    for group in range(w.plan[GROUPS, depth]):
        for index in range(w.sets.shape[2]):
            word = w.sets[depth, group, index]
            while word != 0:
                w.rows[depth, (index << 6) + lowest(word)] = group
                word &= word - 1
    w.plan[WITH_ROWS, depth] = 1
    w.state[COST] += w.rows.shape[1]
