r"""The one shape of every discrete score, and the statistics of discrete tests.

    local(i, Π) = F(i, Π) − penalty·(r_i − 1)·q + arc·|Π|,      q = Π_p r_p over the parents p

F is the log-likelihood, or the BDeu marginal likelihood with α = iss/(r_i q) in each cell. G² and Pearson's X² of x
and y given Z have (r_x − 1)(r_y − 1) q_Z degrees of freedom, whether all those configurations were seen or not.

Counts come from bit sets (`kernels.row_sets`) while a table has few cells, else from grouped rows
(`kernels.contingency`); which of them depends on the data alone, so that results do not change from run to run.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from climatebn.criterion.stats import DiscreteStats
from climatebn.errors import require_nodes
from climatebn.kernels.discrete import contingency, row_sets

Value = TypeVar("Value")
FAMILIES = 1 << 18  # local scores remembered for one set of data and one score
GROUPINGS = 48  # sets of columns whose groups of rows are remembered
MOST_GROUPS = 128  # groups kept as bit sets, n/8 bytes each
MOST_CELLS = 512  # cells of a table that bit sets count faster than a walk over grouped rows
MOST_CELLS_ONCE = 2048  # the same where rows would have to be grouped for one table only
THREADS_FROM = 1 << 22  # rows to visit from which threads are worth their start, about 10 ms of work


class DiscreteForm(NamedTuple):
    """Settings of a discrete score: ``iss`` 0 means log-likelihood; ``penalty`` per parameter, ``arc`` per parent."""

    iss: float = 0.0
    penalty: float = 0.0
    arc: float = 0.0


def local(stats: DiscreteStats, node: int, parents: Sequence[int], form: DiscreteForm) -> float:
    """The score of one family; remembered."""
    require_nodes(len(stats.names), [node], parents)
    family = tuple(sorted(parents))

    def compute() -> float:
        q = _configurations(stats, family)
        alpha = form.iss / (q * stats.levels[node])
        groups = _sets(stats, family)
        if groups is not None:
            begin, end = _bits(stats).first[node : node + 2]
            fitted = row_sets.family(groups, _bits(stats).bits, begin, end, _logs(stats), alpha)
        else:
            fitted = contingency.family(stats.codes, stats.levels, node, *_rows(stats, family), _logs(stats), alpha)
        return float(fitted - _penalty(stats, node, q, form) + form.arc * len(family))

    return _remembered(stats, ("local", form), (node, family), compute, FAMILIES)


def gains(
    stats: DiscreteStats, node: int, parents: Sequence[int], candidates: Sequence[int], form: DiscreteForm
) -> np.ndarray:
    """What adding each candidate to ``parents`` of ``node`` does to the score; the parents are grouped once."""
    require_nodes(len(stats.names), [node], parents)
    require_nodes(len(stats.names), candidates)
    family, extra = tuple(sorted(parents)), np.asarray(candidates, dtype=np.int64)
    q = _configurations(stats, family)
    alpha = form.iss / (q * stats.levels[node])
    groups = _sets(stats, family)
    cells = math.inf if groups is None else len(groups) * stats.levels[node] * stats.levels[extra]
    few = np.broadcast_to(cells <= MOST_CELLS, extra.shape)
    fitted = np.empty(len(extra))
    if groups is not None and few.any():
        bits, first = _bits(stats)
        parts = row_sets.crossed(groups, bits, first[node], first[node + 1])
        threads = parts.size * np.sum(stats.levels[extra[few]]) >= THREADS_FROM
        by_sets = row_sets.families_on_threads if threads else row_sets.families
        fitted[few] = by_sets(parts, bits, first, extra[few], _logs(stats), alpha)
    if not few.all():
        threads = stats.n * np.sum(~few) >= THREADS_FROM
        by_rows = contingency.families_on_threads if threads else contingency.families
        grouped = _rows(stats, family)
        fitted[~few] = by_rows(stats.codes, stats.levels, node, extra[~few], *grouped, _logs(stats), alpha)
    wider = fitted - _penalty(stats, node, q * stats.levels[extra], form) + form.arc * (len(family) + 1)
    return wider - local(stats, node, family, form)


def statistics(
    stats: DiscreteStats, x: int, ys: Sequence[int], given: Sequence[int], *, pearson: bool
) -> list[tuple[float, float]]:
    """G² or Pearson's X² of x and each y given one set, with its degrees of freedom."""
    require_nodes(len(stats.names), [x], given)
    require_nodes(len(stats.names), ys)
    family = tuple(sorted(given))
    groups, q = _sets(stats, family), _configurations(stats, family)
    found = []
    for y in ys:
        first, second = (x, y) if x < y else (y, x)  # the same bits for (x, y) and (y, x)
        sizes = int(stats.levels[first]), int(stats.levels[second])
        if groups is not None and len(groups) * sizes[0] * sizes[1] <= MOST_CELLS_ONCE:
            value = row_sets.association(groups, *_bits(stats), first, second, pearson)
        else:
            columns = stats.codes[:, first], stats.codes[:, second]
            value = contingency.association(*columns, sizes, *_rows(stats, family), pearson)
        found.append((float(value), (sizes[0] - 1) * (sizes[1] - 1) * q))
    return found


def _configurations(stats: DiscreteStats, columns: tuple[int, ...]) -> float:
    """Their number, seen or not; a float because it outgrows 64 bits."""
    return math.prod(float(stats.levels[column]) for column in columns)


def _penalty(stats: DiscreteStats, node: int, q: float | np.ndarray, form: DiscreteForm) -> float | np.ndarray:
    return form.penalty * float(stats.levels[node] - 1) * q


class _Bits(NamedTuple):
    """The rows of each level as sets; those of column c are bits[first[c]:first[c + 1]]."""

    bits: np.ndarray
    first: np.ndarray


def _bits(stats: DiscreteStats) -> _Bits:
    def compute() -> _Bits:
        first = np.concatenate([[0], np.cumsum(stats.levels)])
        return _Bits(row_sets.level_sets(stats.codes, first), first)

    return _remembered(stats, "bits", (), compute, 1)


def _sets(stats: DiscreteStats, columns: tuple[int, ...]) -> np.ndarray | None:
    """Rows by observed configuration, as sets; None where there are more than `MOST_GROUPS`."""

    def compute() -> np.ndarray | None:
        bits, first = _bits(stats)
        if not columns:
            return np.bitwise_or.reduce(bits[first[0] : first[1]], axis=0, keepdims=True)  # all rows
        above = _sets(stats, columns[:-1])
        if above is None:
            return None
        parts = row_sets.refine(above, bits, first[columns[-1]], first[columns[-1] + 1])
        return parts if len(parts) <= MOST_GROUPS else None

    return _remembered(stats, "sets", columns, compute, GROUPINGS)


def _rows(stats: DiscreteStats, columns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Rows by observed configuration, as an order and where each begins in it."""

    def compute() -> tuple[np.ndarray, np.ndarray]:
        return contingency.group_rows(stats.codes, stats.levels, np.array(columns, dtype=np.int64))

    return _remembered(stats, "rows", columns, compute, GROUPINGS)


def _logs(stats: DiscreteStats) -> np.ndarray:
    def compute() -> np.ndarray:
        return np.log(np.maximum(np.arange(stats.n + 1), 1))

    return _remembered(stats, "logs", (), compute, 1)


def _remembered(stats: DiscreteStats, kind: Hashable, key: Hashable, compute: Callable[[], Value], bound: int) -> Value:
    """A value from the statistics' memo, or computed and kept; the one unused for longest goes beyond ``bound``."""
    kept: OrderedDict[Hashable, Value] = stats.memo.setdefault(kind, OrderedDict())
    if key in kept:
        kept.move_to_end(key)
        return kept[key]
    value = kept[key] = compute()
    if len(kept) > bound:
        kept.popitem(last=False)
    return value
