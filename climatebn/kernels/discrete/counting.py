r"""What y adds to x given the groups of rows: S = Σ A[n_xyz] − Σ B[n_yz] − Σ C[n_xz] + Σ D[n_z] (see `values`).

`prepare` counts what concerns x alone, once for all y: BASE = Σ D[n_z] − Σ C[n_xz]. The rest, Σ A − Σ B, is never
above 0: it is the log-likelihood of x given Z and y. So BASE bounds S, and a y that cannot reach the level of a test
need not be counted. Cells are counted with bit sets where there are few (one level of x and of y follows from the
margins), else row by row. For that rows are listed by group and level of x, once for all y, so that the counts of one
cell stay in a register; listing pays after a few y, and until then sets are used. For the likelihood, rows of groups
in which x has one value tell nothing and are left out.

Pearson's X² = Σ n_xyz² n_z / (n_xz n_yz) − n, its terms as whole numbers too.
"""

import numpy as np

from climatebn.kernels.bitset import members_of
from climatebn.kernels.discrete.grouping import (
    BASE,
    CELL_ENDS,
    COST,
    COUNT,
    DEPTH,
    FEW,
    GROUP_ENDS,
    GROUPS,
    KEPT,
    KEPT_GROUPS,
    KEPT_ROWS,
    LISTED,
    PLACE,
    SPENT,
    TARGET,
    WITH_SETS,
    Sample,
    Work,
    number_rows,
)
from climatebn.kernels.discrete.values import Values, table_of, worth
from climatebn.kernels.jit import inline_jit, inner_jit

LISTING = 8  # walks over the rows that take as long as listing them


@inner_jit
def prepare(s: Sample, v: Values, w: Work, iss: float, scale: float, x: int) -> None:
    """Count x within the groups."""
    if w.state[TARGET] == x:
        return
    depth = w.state[DEPTH]
    groups, levels, q = w.plan[GROUPS, depth], s.levels[x], w.configurations[depth]
    w.state[TARGET], w.state[LISTED], w.state[SPENT] = x, 0, 0
    if w.plan[WITH_SETS, depth]:
        begin, words = s.first[x], s.bits.shape[1]
        for group in range(groups):
            rest = w.sizes[depth, group]
            w.of_group[group] = rest
            for level in range(levels - 1):
                count = 0
                for word in range(words):
                    count += members_of(w.sets[depth, group, word] & s.bits[begin + level, word])
                w.of_target[COUNT, level * groups + group] = count
                rest -= count
            w.of_target[COUNT, (levels - 1) * groups + group] = rest
        w.state[COST] += groups * (levels - 1) * words
    else:
        n = s.codes.shape[1]
        w.of_target[COUNT, : levels * groups] = 0
        w.of_group[:groups] = 0
        for row in range(n):
            group = w.rows[depth, row]
            w.of_target[COUNT, s.codes[x, row] * groups + group] += 1
            w.of_group[group] += 1
        w.state[COST] += 2 * n
    own, total = table_of(v, iss, scale, q * levels), np.int64(0)
    for place in range(levels * groups):
        total -= worth(v, scale, own, w.of_target[COUNT, place])
    whole = table_of(v, iss, scale, q)
    for group in range(groups):
        total += worth(v, scale, whole, w.of_group[group])
    w.state[BASE] = total


@inner_jit
def list_rows(s: Sample, w: Work, iss: float, x: int) -> None:
    """List the rows that tell something about x by group and level of x; once for all y."""
    if w.state[LISTED] == 1:
        return
    depth, levels, n = w.state[DEPTH], s.levels[x], s.codes.shape[1]
    number_rows(w, depth)
    all_groups, groups, cells, place = w.plan[GROUPS, depth], 0, 0, 0
    for group in range(all_groups):
        single = False
        for level in range(levels):
            single |= w.of_target[COUNT, level * all_groups + group] == w.of_group[group]
        for level in range(levels):
            count = w.of_target[COUNT, level * all_groups + group]
            w.of_target[PLACE, level * all_groups + group] = -1 if iss == 0.0 and single else place
            if count > 0 and not (iss == 0.0 and single):
                place += count
                w.lists[CELL_ENDS, cells] = place
                cells += 1
        if not (iss == 0.0 and single):
            w.lists[GROUP_ENDS, groups] = cells
            groups += 1
    for row in range(n):
        cell = s.codes[x, row] * all_groups + w.rows[depth, row]
        if w.of_target[PLACE, cell] >= 0:
            w.lists[KEPT, w.of_target[PLACE, cell]] = row
            w.of_target[PLACE, cell] += 1
    w.state[LISTED], w.state[KEPT_ROWS], w.state[KEPT_GROUPS] = 1, place, groups
    w.state[COST] += 2 * n


@inline_jit
def by_sets(s: Sample, w: Work, x: int, y: int) -> bool:
    """Whether to count y with bit sets: where it is faster than by rows, or rows are not worth listing yet."""
    depth = w.state[DEPTH]
    if not w.plan[WITH_SETS, depth]:
        return False
    words = w.plan[GROUPS, depth] * s.levels[x] * (s.levels[y] - 1) * s.bits.shape[1]
    if words <= w.state[FEW]:
        return True
    w.state[SPENT] += words
    return w.state[LISTED] == 0 and w.state[SPENT] <= LISTING * w.state[FEW]


@inline_jit
def _pearson(scale: float, both: int, ofx: int, ofy: int, total: int) -> int:
    """The term of one cell."""
    return round(float(both) * both * total / (float(ofx) * ofy) * scale) if both > 0 else 0


@inner_jit
def added(s: Sample, v: Values, w: Work, iss: float, scale: float, pearson: bool, y: int) -> int:
    """S of the prepared x with y; of Pearson's X², the statistic."""
    x = w.state[TARGET]
    q, wide, high = w.configurations[w.state[DEPTH]], s.levels[x], s.levels[y]
    cells = table_of(v, iss, scale, q * wide * high)
    alpha = v.alphas[cells]
    rows = table_of(v, iss, scale, q * high)
    if v.alphas[cells] != alpha:  # its place was taken by the other one
        cells = table_of(v, iss, scale, q * wide * high)
    if by_sets(s, w, x, y):
        total, seen = _by_sets(s, v, w, scale, pearson, iss == 0.0, y, cells, rows)
    else:
        list_rows(s, w, iss, x)
        seen = w.state[KEPT_ROWS]
        total = _by_rows(s, v, w, scale, pearson, y, cells, rows)
    if pearson:
        return int(total - np.int64(seen) * np.int64(scale))
    return int(total + w.state[BASE])


@inline_jit
def _by_sets(
    s: Sample, v: Values, w: Work, scale: float, pearson: bool, likelihood: bool, y: int, cells: int, rows: int
) -> tuple[int, int]:
    """The sum, and over how many rows; for the likelihood, a group in which x has one value adds nothing."""
    depth, x, words = w.state[DEPTH], w.state[TARGET], s.bits.shape[1]
    groups, wide, high = w.plan[GROUPS, depth], s.levels[x], s.levels[y]
    at_x, at_y = s.first[x], s.first[y]
    total, seen = np.int64(0), s.codes.shape[1]
    for group in range(groups):
        rest = whole = int(w.of_group[group])
        last = -1  # the last level of x that is there
        alone = True
        for i in range(wide):
            w.left[i] = w.of_target[COUNT, i * groups + group]
            if w.left[i] > 0:
                alone, last = last < 0, i
        if alone and likelihood:
            seen -= whole
            continue
        for j in range(high):
            count = rest
            if j < high - 1:
                count = 0
                for word in range(words):
                    count += members_of(w.sets[depth, group, word] & s.bits[at_y + j, word])
            rest -= count
            unseen = count
            for i in range(last + 1):
                if w.left[i] == 0 or unseen == 0:
                    continue
                both = unseen
                if j == high - 1:
                    both = w.left[i]
                elif i < last:
                    both = 0
                    for word in range(words):
                        both += members_of(w.sets[depth, group, word] & s.bits[at_y + j, word] & s.bits[at_x + i, word])
                unseen -= both
                w.left[i] -= both
                if pearson:
                    total += _pearson(scale, both, np.int64(w.of_target[COUNT, i * groups + group]), count, whole)
                else:
                    total += worth(v, scale, cells, both)
            if not pearson:
                total -= worth(v, scale, rows, count)
    w.state[COST] += groups * wide * (high - 1) * words
    return int(total), int(seen)


@inline_jit
def _by_rows(s: Sample, v: Values, w: Work, scale: float, pearson: bool, y: int, cells: int, rows: int) -> int:
    """The sum over the listed rows, group by group: in one word a cell where its counts fit, else in a table."""
    high, codes, kept, ends = s.levels[y], s.codes[y], w.lists[KEPT], w.lists[CELL_ENDS]
    width = np.uint64(64 // high)  # bits of a count in a word
    mask = (np.uint64(1) << width) - np.uint64(1)
    total, cell, first = np.int64(0), np.uint64(0), np.uint64(0)
    for group in range(w.state[KEPT_GROUPS]):
        last = np.uint64(w.lists[GROUP_ENDS, group])
        if pearson or high == 1 or np.uint64(ends[last - np.uint64(1)]) - first > mask:
            total += _by_table(s, v, w, scale, pearson, y, cells, rows, np.int64(cell), np.int64(last))
            cell, first = last, np.uint64(ends[last - np.uint64(1)])
            continue
        both = np.uint64(0)
        while cell < last:
            stop, counts = np.uint64(ends[cell]), np.uint64(0)
            while first < stop:
                counts += np.uint64(1) << (np.uint64(codes[kept[first]]) * width)
                first += np.uint64(1)
            both += counts
            for _ in range(high):
                total += worth(v, scale, cells, np.int64(counts & mask))
                counts >>= width
            cell += np.uint64(1)
        for _ in range(high):
            total -= worth(v, scale, rows, np.int64(both & mask))
            both >>= width
    w.state[COST] += w.state[KEPT_ROWS]
    return int(total)


@inner_jit
def _by_table(
    s: Sample,
    v: Values,
    w: Work,
    scale: float,
    pearson: bool,
    y: int,
    cells: int,
    rows: int,
    cell: int,
    last: int,
) -> int:
    """The sum over the listed cells of one group."""
    high, codes, kept, ends, table, margin = (
        s.levels[y],
        s.codes[y],
        w.lists[KEPT],
        w.lists[CELL_ENDS],
        w.table,
        w.margin,
    )
    kinds, begin = last - cell, np.int64(ends[cell - 1]) if cell > 0 else 0
    total, size, first = np.int64(0), np.int64(ends[last - 1]) - begin, begin
    for k in range(kinds):
        for i in range(first, np.int64(ends[cell + k])):
            table[k * high + codes[kept[i]]] += 1
            margin[codes[kept[i]]] += 1
        first = np.int64(ends[cell + k])
    first = begin
    for k in range(kinds):
        ofx = np.int64(ends[cell + k]) - first
        for i in range(ofx if ofx < high else high):  # more levels than rows: only those that are seen
            level = np.int64(codes[kept[first + i]]) if ofx < high else i
            both = np.int64(table[k * high + level])
            table[k * high + level] = 0
            if pearson:
                total += _pearson(scale, both, ofx, np.int64(margin[level]), size)
            else:
                total += worth(v, scale, cells, both)
        first += ofx
    for i in range(size if size < high else high):
        level = np.int64(codes[kept[begin + i]]) if size < high else i
        if not pearson:
            total -= worth(v, scale, rows, np.int64(margin[level]))
        margin[level] = 0
    return int(total)
