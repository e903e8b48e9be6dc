r"""Adjusted degrees of freedom of a test of x and y given Z: Σ_z (rows seen in z − 1)(columns seen in z − 1).

A table of a configuration z in which a level of x, or of y, was never seen has no cells to be free there; one of a
single row or column adds nothing. bnlearn calls tests with these degrees mi-adf and x2-adf.
"""

from climatebn.kernels.discrete.counting import list_rows
from climatebn.kernels.discrete.grouping import COST, DEPTH, FEW, KEPT_GROUPS, KEPT_ROWS, TARGET, Sample, Work
from climatebn.kernels.jit import inner_jit


@inner_jit
def _rows_seen(s: Sample, w: Work, group: int) -> int:
    """Levels of the prepared x seen in a group."""
    groups, seen = w.groups[w.state[DEPTH]], 0
    for level in range(s.levels[w.state[TARGET]]):
        seen += w.of_target[level * groups + group] > 0
    return seen


@inner_jit
def _by_sets(s: Sample, w: Work, y: int) -> float:
    depth, total = w.state[DEPTH], 0.0
    for group in range(w.groups[depth]):
        rows, columns = _rows_seen(s, w, group), 0
        if rows < 2:
            continue
        for level in range(s.first[y], s.first[y + 1]):
            for word in range(s.bits.shape[1]):
                if w.sets[depth, group, word] & s.bits[level, word] != 0:
                    columns += 1
                    break
        total += float(rows - 1) * float(columns - 1)
    w.state[COST] += w.groups[depth] * s.levels[y] * s.bits.shape[1] // 4  # most levels are seen early
    return total


@inner_jit
def _by_rows(s: Sample, w: Work, y: int) -> float:
    list_rows(s, w, 0.0, w.state[TARGET])
    high, total = s.levels[y], 0.0
    for place in range(w.state[KEPT_ROWS]):
        w.margin[w.near[place] * high + s.codes[w.kept[place], y]] = 1
    for group in range(w.state[KEPT_GROUPS]):
        columns = 0
        for place in range(group * high, (group + 1) * high):
            columns += w.margin[place]
            w.margin[place] = 0
        total += float(_rows_seen(s, w, w.origin[group]) - 1) * float(columns - 1)
    w.state[COST] += w.state[KEPT_ROWS] + w.state[KEPT_GROUPS] * high
    return total


@inner_jit
def seen_degrees(s: Sample, w: Work, y: int) -> float:
    """Adjusted degrees of freedom of the prepared x with y, given the groups."""
    depth = w.state[DEPTH]
    if w.with_sets[depth] and w.groups[depth] * s.levels[w.state[TARGET]] * (s.levels[y] - 1) <= w.state[FEW]:
        return _by_sets(s, w, y)
    return _by_rows(s, w, y)
