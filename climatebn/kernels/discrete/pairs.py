"""L of a node given one set and any two more columns, for many such pairs: PC-Stable asks for all of them.

Rows are listed by the configuration of the set and the value of the node, each such cell from a new word on. A level of
a column is then one bit a row, made once for all pairs, and two columns are counted by AND, cell by cell; their last
levels follow from the margins. The sums are of whole numbers (see `values`): the same as counted in any other way.
Columns of many levels have no such planes, and are counted otherwise.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import members_of
from climatebn.kernels.discrete.counting import list_rows, prepare
from climatebn.kernels.discrete.evidence import Form
from climatebn.kernels.discrete.grouping import (
    CELL_ENDS,
    COST,
    GROUP_ENDS,
    KEPT,
    KEPT_GROUPS,
    WANTED,
    Sample,
    Work,
    condition,
)
from climatebn.kernels.discrete.values import Values, table_of, worth
from climatebn.kernels.jit import inline_jit, inner_jit, jit

MOST_PLANES = 512  # levels of all columns together
MOST_LEVELS = 16  # of one column: a code of four bits
THIN = 16  # rows a word, at least: where cells have few rows, pairs are not counted so
GROUPS, WORDS, CELLS, SET_SIZE = range(4)  # of ``state``; WORDS −1: cells have too few rows
ENDS, LASTS = range(2)  # of ``cells``: the word where a cell ends; by group, where its cells end


class Pairs(NamedTuple):
    """Memory of one set at a time. ``state[SET_SIZE]`` −1: of none."""

    state: np.ndarray
    given: np.ndarray  # the set
    rows: np.ndarray  # of each bit: its row
    there: np.ndarray  # of each word: its bits that are rows
    listed: np.ndarray  # a column in the order of ``rows``, eight codes a word
    cells: np.ndarray
    first: np.ndarray  # of each column of the pool: its first plane, −1: it has none
    planes: np.ndarray  # [plane, word]: one for each level of each column
    counts: np.ndarray  # [plane, cell]
    made: np.ndarray  # [column]: whether its planes and counts are there
    table: np.ndarray  # of one cell, and of one group


def pair_memory(sample: Sample, columns: int, levels: int, deepest: int) -> Pairs:
    """Memory for a pool of so many columns and levels at most and sets of at most ``deepest``; none for 0 levels."""
    words = sample.codes.shape[1] // THIN + 1 if levels else 0
    columns = columns if levels else 0
    state = np.zeros(4, np.int64)
    state[SET_SIZE] = -1
    return Pairs(
        state=state,
        given=np.zeros(deepest + 1, np.int64),
        rows=np.zeros(64 * words, np.int32),
        there=np.zeros(words, np.int64),
        listed=np.zeros(8 * words, np.uint64),
        cells=np.zeros((2, words + 1), np.int32),
        first=np.zeros(columns, np.int64),
        planes=np.zeros((levels, words), np.int64),
        counts=np.zeros((levels, words + 1), np.int32),
        made=np.zeros(columns, np.bool_),
        table=np.zeros((4, MOST_LEVELS * MOST_LEVELS), np.int64),
    )


@jit
def take_pool(s: Sample, p: Pairs, pool: np.ndarray) -> None:
    """Begin with a pool: nothing is known of it. Columns get their planes while there is room."""
    p.state[SET_SIZE] = -1
    planes = 0
    for place in range(min(len(pool), len(p.first))):
        levels = s.levels[pool[place]]
        p.first[place] = -1
        if levels <= MOST_LEVELS and planes + levels <= len(p.planes):
            p.first[place] = planes
            planes += levels


@inner_jit
def have_planes(p: Pairs, places: np.ndarray, size: int) -> bool:
    """Whether the last two of ``size`` columns of the pool do."""
    return len(p.first) > 0 and p.first[places[size - 2]] >= 0 and p.first[places[size - 1]] >= 0


@inner_jit
def list_cells(s: Sample, v: Values, w: Work, f: Form, p: Pairs, x: int, given: np.ndarray, size: int) -> bool:
    """Make ready for pairs beside the first ``size`` of a set, unless they are; False: its cells have too few rows."""
    same = p.state[SET_SIZE] == size
    for place in range(size):
        same &= p.given[place] == given[place]
    if same:
        return p.state[WORDS] >= 0
    for place in range(size):
        p.given[place] = w.plan[WANTED, place] = given[place]
    condition(s, w, size)
    prepare(s, v, w, f.iss, f.scale, x)
    list_rows(s, w, f.iss, x)
    p.state[SET_SIZE], p.state[WORDS] = size, -1
    p.made[:] = False
    cells, groups = np.int64(0), w.state[KEPT_GROUPS]
    if groups > 0:
        cells = np.int64(w.lists[GROUP_ENDS, groups - 1])
    words, first = np.int64(0), np.int64(0)
    for cell in range(cells):
        end = np.int64(w.lists[CELL_ENDS, cell])
        words += (end - first + 63) >> 6
        first = end
    if words > p.planes.shape[1]:
        return False
    word, first = np.int64(0), np.int64(0)
    for cell in range(cells):
        end = np.int64(w.lists[CELL_ENDS, cell])
        for i in range(end - first):
            p.rows[(word << 6) + i] = w.lists[KEPT, first + i]
        begin, word = word, word + ((end - first + 63) >> 6)
        p.there[begin:word] = -1
        rest = (word << 6) - (begin << 6) - (end - first)
        if rest > 0:
            p.there[word - 1] = (np.int64(1) << np.int64(64 - rest)) - 1
            p.rows[(word << 6) - rest : word << 6] = 0
        p.cells[ENDS, cell] = word
        first = end
    for group in range(groups):
        p.cells[LASTS, group] = w.lists[GROUP_ENDS, group]
    p.state[WORDS], p.state[CELLS], p.state[GROUPS] = words, cells, groups
    w.state[COST] += s.codes.shape[1]
    return True


@inline_jit
def _bits_of(eight: np.uint64) -> np.uint64:
    """The lowest bits of eight bytes as one byte: the multiplication puts each where it belongs, in the highest one."""
    return (eight & np.uint64(0x0101010101010101)) * np.uint64(0x0102040810204080) >> np.uint64(56)


@inner_jit
def _make_planes(s: Sample, w: Work, p: Pairs, place: int, column: int) -> None:
    """The bits of each level of a column, and their counts by cell."""
    words, begin, high, codes = p.state[WORDS], p.first[place], s.levels[column], s.codes[column]
    listed = p.listed.view(np.uint8)
    for at in range(words << 6):
        listed[at] = codes[p.rows[at]]
    for word in range(words):
        ones = twos = fours = eights = np.uint64(0)
        for part in range(8):
            eight, by = p.listed[(word << 3) + part], np.uint64(part << 3)
            ones |= _bits_of(eight) << by
            twos |= _bits_of(eight >> np.uint64(1)) << by
            if high > 4:
                fours |= _bits_of(eight >> np.uint64(2)) << by
                eights |= _bits_of(eight >> np.uint64(3)) << by
        for level in range(high):
            low = (ones if level & 1 else ~ones) & (twos if level & 2 else ~twos)
            top = (fours if level & 4 else ~fours) & (eights if level & 8 else ~eights)
            p.planes[begin + level, word] = np.int64(low & top) & p.there[word]
    word = 0
    for cell in range(p.state[CELLS]):
        for plane in range(begin, begin + high):
            count = 0
            for at in range(word, p.cells[ENDS, cell]):
                count += members_of(p.planes[plane, at])
            p.counts[plane, cell] = count
        word = p.cells[ENDS, cell]
    p.made[place] = True
    w.state[COST] += s.codes.shape[1]


@inner_jit
def told_of_pair(
    s: Sample, v: Values, w: Work, f: Form, p: Pairs, x: int, q: float, first: int, second: int, pool: np.ndarray
) -> int:
    """L of x given the set of ``p``, which has q configurations, and two more: ``first`` and ``second`` of a pool."""
    a, b = pool[first], pool[second]
    if not p.made[first]:
        _make_planes(s, w, p, first, a)
    if not p.made[second]:
        _make_planes(s, w, p, second, b)
    high, wide, of_a, of_b = s.levels[a], s.levels[b], p.first[first], p.first[second]
    cells = table_of(v, f.iss, f.scale, q * high * wide * s.levels[x])
    alpha = v.alphas[cells]
    rows = table_of(v, f.iss, f.scale, q * high * wide)
    if v.alphas[cells] != alpha:  # its place was taken by the other one
        cells = table_of(v, f.iss, f.scale, q * high * wide * s.levels[x])
    total, cell, word = np.int64(0), 0, np.int64(0)
    here, whole, left = p.table[0], p.table[1], p.table[2]
    for group in range(p.state[GROUPS]):
        for i in range(high * wide):
            whole[i] = 0
        while cell < p.cells[LASTS, group]:
            end = np.int64(p.cells[ENDS, cell])
            for j in range(wide):
                left[j] = p.counts[of_b + j, cell]
            for i in range(high):
                rest = np.int64(p.counts[of_a + i, cell])
                for j in range(wide):
                    both = rest
                    if i == high - 1:
                        both = left[j]
                    elif j < wide - 1:
                        both = np.int64(0)
                        if rest > 0 and left[j] > 0:
                            for at in range(word, end):
                                both += members_of(p.planes[of_a + i, at] & p.planes[of_b + j, at])
                    rest -= both
                    left[j] -= both
                    here[i * wide + j] = both
            for i in range(high * wide):
                total += worth(v, f.scale, cells, here[i])
                whole[i] += here[i]
            word = end
            cell += 1
        for i in range(high * wide):
            total -= worth(v, f.scale, rows, whole[i])
    w.state[COST] += (high - 1) * (wide - 1) * p.state[WORDS] + p.state[CELLS] * high * wide
    return int(total)
