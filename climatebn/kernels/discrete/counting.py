r"""What y adds to x given the groups of rows: S = Σ A[n_xyz] − Σ B[n_yz] − Σ C[n_xz] + Σ D[n_z] (see `values`).

`prepare` counts what concerns x alone, once for all y: BASE = Σ D[n_z] − Σ C[n_xz]. The rest, Σ A − Σ B, is never
above 0: it is the log-likelihood of x given Z and y. So BASE bounds S, and a y that cannot reach the level of a test
need not be counted. Cells are counted with bit sets where there are few (one level of x and of y follows from the
margins), else row by row; with more cells than rows only those that are seen are visited. For the likelihood, rows of
groups in which x has one value tell nothing and are left out.

Pearson's X² = Σ n_xyz² n_z / (n_xz n_yz) − n, its terms as whole numbers too.
"""

import numpy as np

from climatebn.kernels.bitset import members_of
from climatebn.kernels.discrete.grouping import (
    BASE,
    COST,
    DEPTH,
    FEW,
    KEPT_GROUPS,
    KEPT_ROWS,
    LISTED,
    PAIRED,
    TARGET,
    Sample,
    Work,
    number_rows,
)
from climatebn.kernels.discrete.values import Values, table_of, worth
from climatebn.kernels.jit import inline_jit, inner_jit


@inner_jit
def prepare(s: Sample, v: Values, w: Work, iss: float, scale: float, x: int) -> None:
    """Count x within the groups."""
    if w.state[TARGET] == x:
        return
    depth = w.state[DEPTH]
    groups, levels, q = w.groups[depth], s.levels[x], w.configurations[depth]
    w.state[TARGET], w.state[LISTED], w.state[PAIRED] = x, 0, 0
    if w.with_sets[depth]:
        begin, words = s.first[x], s.bits.shape[1]
        for group in range(groups):
            rest = w.sizes[depth, group]
            w.of_group[group] = rest
            for level in range(levels - 1):
                count = 0
                for word in range(words):
                    count += members_of(w.sets[depth, group, word] & s.bits[begin + level, word])
                w.of_target[level * groups + group] = count
                rest -= count
            w.of_target[(levels - 1) * groups + group] = rest
        w.state[COST] += groups * (levels - 1) * words
    else:
        w.of_target[: levels * groups] = 0
        w.of_group[:groups] = 0
        for row in range(len(w.kept)):
            group = w.rows[depth, row]
            w.of_target[s.codes[row, x] * groups + group] += 1
            w.of_group[group] += 1
        w.state[COST] += 2 * len(w.kept)
    own, total = table_of(v, iss, scale, q * levels), np.int64(0)
    for place in range(levels * groups):
        total -= worth(v, scale, own, w.of_target[place])
    whole = table_of(v, iss, scale, q)
    for group in range(groups):
        total += worth(v, scale, whole, w.of_group[group])
    w.state[BASE] = total


@inner_jit
def list_rows(s: Sample, w: Work, iss: float, x: int) -> None:
    """List the rows that tell something about x, with their (x, group); once for all y."""
    if w.state[LISTED] == 1:
        return
    depth, levels = w.state[DEPTH], s.levels[x]
    number_rows(w, depth)
    all_groups, groups = w.groups[depth], 0
    for group in range(all_groups):
        single = False
        for level in range(levels):
            single |= w.of_target[level * all_groups + group] == w.of_group[group]
        w.margin[group] = -1
        if iss > 0.0 or not single:
            w.margin[group] = groups
            w.origin[groups] = group
            groups += 1
    count = 0
    for row in range(len(w.kept)):
        group = w.margin[w.rows[depth, row]]
        if group >= 0:
            w.kept[count], w.near[count] = row, group
            w.cell[count] = s.codes[row, x] * groups + group
            count += 1
    w.margin[:all_groups] = 0
    w.state[LISTED], w.state[KEPT_ROWS], w.state[KEPT_GROUPS] = 1, count, groups
    w.state[COST] += 2 * len(w.kept)


@inline_jit
def _pearson(scale: float, both: int, ofx: int, ofy: int, total: int) -> int:
    """The term of one cell."""
    return round(float(both) * both * total / (float(ofx) * ofy) * scale) if both > 0 else 0


@inner_jit
def added(s: Sample, v: Values, w: Work, iss: float, scale: float, pearson: bool, y: int) -> int:
    """S of the prepared x with y; of Pearson's X², the statistic."""
    depth, x = w.state[DEPTH], w.state[TARGET]
    q, wide, high = w.configurations[depth], s.levels[x], s.levels[y]
    cells = table_of(v, iss, scale, q * wide * high)
    alpha = v.alphas[cells]
    rows = table_of(v, iss, scale, q * high)
    if v.alphas[cells] != alpha:  # its place was taken by the other one
        cells = table_of(v, iss, scale, q * wide * high)
    if w.with_sets[depth] and w.groups[depth] * wide * (high - 1) <= w.state[FEW]:
        total, seen = _by_sets(s, v, w, scale, pearson, iss == 0.0, y, cells, rows)
    else:
        list_rows(s, w, iss, x)
        seen = w.state[KEPT_ROWS]
        if wide * w.state[KEPT_GROUPS] * high <= len(w.table):
            total = _by_rows(s, v, w, scale, pearson, y, cells, rows)
        else:
            total = _by_seen_rows(s, v, w, scale, pearson, y, cells, rows)
    if pearson:
        return int(total - np.int64(seen) * np.int64(scale))
    return int(total + w.state[BASE])


@inner_jit
def _by_sets(
    s: Sample, v: Values, w: Work, scale: float, pearson: bool, likelihood: bool, y: int, cells: int, rows: int
) -> tuple[int, int]:
    """The sum, and over how many rows; for the likelihood, a group in which x has one value adds nothing."""
    depth, x, words = w.state[DEPTH], w.state[TARGET], s.bits.shape[1]
    groups, wide, high = w.groups[depth], s.levels[x], s.levels[y]
    at_x, at_y = s.first[x], s.first[y]
    total, seen = np.int64(0), len(w.kept)
    for group in range(groups):
        rest = whole = int(w.of_group[group])
        last = -1  # the last level of x that is there
        alone = True
        for i in range(wide):
            w.left[i] = w.of_target[i * groups + group]
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
                    total += _pearson(scale, both, np.int64(w.of_target[i * groups + group]), count, whole)
                else:
                    total += worth(v, scale, cells, both)
            if not pearson:
                total -= worth(v, scale, rows, count)
    w.state[COST] += groups * wide * (high - 1) * words
    return int(total), int(seen)


@inner_jit
def _by_rows(s: Sample, v: Values, w: Work, scale: float, pearson: bool, y: int, cells: int, rows: int) -> int:
    depth, x = w.state[DEPTH], w.state[TARGET]
    groups, wide, high = w.state[KEPT_GROUPS], s.levels[x], s.levels[y]
    for place in range(w.state[KEPT_ROWS]):
        w.table[w.cell[place] * high + s.codes[w.kept[place], y]] += 1
    total, slab = np.int64(0), groups * high
    if pearson:
        for zy in range(slab):
            group, count = w.origin[zy // high], np.int64(0)
            for i in range(wide):
                count += w.table[i * slab + zy]
            for i in range(wide):
                ofx = np.int64(w.of_target[i * w.groups[depth] + group])
                total += _pearson(scale, np.int64(w.table[i * slab + zy]), ofx, count, np.int64(w.of_group[group]))
    else:
        for zy in range(slab):
            w.margin[zy] = w.table[zy]
        for i in range(1, wide):
            for zy in range(slab):
                w.margin[zy] += w.table[i * slab + zy]
        for zy in range(slab):
            total -= worth(v, scale, rows, np.int64(w.margin[zy]))
            w.margin[zy] = 0
        for place in range(wide * slab):
            total += worth(v, scale, cells, np.int64(w.table[place]))
    w.table[: wide * slab] = 0
    w.state[COST] += w.state[KEPT_ROWS] + wide * slab // 2
    return int(total)


@inner_jit
def _by_seen_rows(s: Sample, v: Values, w: Work, scale: float, pearson: bool, y: int, cells: int, rows: int) -> int:
    depth, x, n = w.state[DEPTH], w.state[TARGET], w.state[KEPT_ROWS]
    groups, high = w.state[KEPT_GROUPS], s.levels[y]
    if w.state[PAIRED] == 0:
        count = 0
        for place in range(n):
            if w.margin[w.cell[place]] == 0:
                count += 1
                w.margin[w.cell[place]] = count
            w.pair[place] = w.margin[w.cell[place]] - 1
        w.margin[: groups * s.levels[x]] = 0
        w.state[PAIRED] = 1
    for place in range(n):
        level = s.codes[w.kept[place], y]
        w.table[w.pair[place] * high + level] += 1
        w.margin[w.near[place] * high + level] += 1
    total = np.int64(0)
    for place in range(n):
        level = s.codes[w.kept[place], y]
        both, ofy = np.int64(w.table[w.pair[place] * high + level]), np.int64(w.margin[w.near[place] * high + level])
        w.table[w.pair[place] * high + level] = 0
        if pearson:
            group = w.origin[w.near[place]]
            ofx = np.int64(w.of_target[s.codes[w.kept[place], x] * w.groups[depth] + group])
            total += _pearson(scale, both, ofx, ofy, np.int64(w.of_group[group]))
        else:
            total += worth(v, scale, cells, both)
    for place in range(n):
        level = s.codes[w.kept[place], y]
        if not pearson:
            total -= worth(v, scale, rows, np.int64(w.margin[w.near[place] * high + level]))
        w.margin[w.near[place] * high + level] = 0
    w.state[COST] += 4 * n
    return int(total)
