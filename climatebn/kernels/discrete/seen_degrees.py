r"""Adjusted degrees of freedom of a test of x and y given Z: Σ_z (rows seen in z − 1)(columns seen in z − 1).

A table of a configuration z in which a level of x, or of y, was never seen has no cells to be free there; one of a
single row or column adds nothing. bnlearn calls tests with these degrees mi-adf and x2-adf.
"""

from climatebn.kernels.discrete.counting import by_sets, list_rows
from climatebn.kernels.discrete.grouping import (
    CELL_ENDS,
    COST,
    COUNT,
    DEPTH,
    GROUP_ENDS,
    GROUPS,
    KEPT,
    KEPT_GROUPS,
    KEPT_ROWS,
    TARGET,
    Sample,
    Work,
)
from climatebn.kernels.jit import inner_jit


@inner_jit
def _by_sets(s: Sample, w: Work, y: int) -> float:
    depth, x, total = w.state[DEPTH], w.state[TARGET], 0.0
    groups = w.plan[GROUPS, depth]
    for group in range(groups):
        rows = columns = 0
        for level in range(s.levels[x]):
            rows += w.of_target[COUNT, level * groups + group] > 0
        if rows < 2:
            continue
        for level in range(s.first[y], s.first[y + 1]):
            for word in range(s.bits.shape[1]):
                if w.sets[depth, group, word] & s.bits[level, word] != 0:
                    columns += 1
                    break
        total += float(rows - 1) * float(columns - 1)
    w.state[COST] += groups * s.levels[y] * s.bits.shape[1] // 4  # most levels are seen early
    return total


@inner_jit
def _by_rows(s: Sample, w: Work, y: int) -> float:
    list_rows(s, w, 0.0, w.state[TARGET])
    codes, kept, total, cell, first = s.codes[y], w.lists[KEPT], 0.0, 0, 0
    for group in range(w.state[KEPT_GROUPS]):
        cells, columns = w.lists[GROUP_ENDS, group] - cell, 0
        cell = int(w.lists[GROUP_ENDS, group])
        stop = int(w.lists[CELL_ENDS, cell - 1])
        for place in range(first, stop):
            columns += w.margin[codes[kept[place]]] == 0
            w.margin[codes[kept[place]]] = 1
        for place in range(first, stop):
            w.margin[codes[kept[place]]] = 0
        first = stop
        total += float(cells - 1) * float(columns - 1)
    w.state[COST] += 2 * w.state[KEPT_ROWS]
    return total


@inner_jit
def seen_degrees(s: Sample, w: Work, y: int) -> float:
    """Adjusted degrees of freedom of the prepared x with y, given the groups."""
    return _by_sets(s, w, y) if by_sets(s, w, w.state[TARGET], y) else _by_rows(s, w, y)
