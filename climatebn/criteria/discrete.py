r"""The one shape of every discrete score, and the statistics of discrete tests.

    local(i, Π) = F(i, Π) − penalty·(r_i − 1)·q + arc·|Π|,      q = Π_p r_p over the parents p

F is the log-likelihood, or the BDeu marginal likelihood with α = iss/(r_i q) in each cell. G² and Pearson's X² of x
and y given Z have (r_x − 1)(r_y − 1) q_Z degrees of freedom, whether all those configurations were seen or not.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from climatebn.criteria.stats import DiscreteStats
from climatebn.kernels import contingency

Value = TypeVar("Value")
FAMILIES = 1 << 18  # local scores remembered for one set of data and one score
THREADS_FROM = 1 << 22  # cells to count from which threads are worth their start, about 10 ms of work
GROUPINGS = 32  # groupings of the rows remembered, 4 bytes an observation each


class DiscreteForm(NamedTuple):
    """Settings of a discrete score: ``iss`` 0 means log-likelihood; ``penalty`` per parameter, ``arc`` per parent."""

    iss: float = 0.0
    penalty: float = 0.0
    arc: float = 0.0


def local(stats: DiscreteStats, node: int, parents: Sequence[int], form: DiscreteForm) -> float:
    """The score of one family; remembered."""
    family = tuple(sorted(parents))

    def compute() -> float:
        q = _configurations(stats, family)
        alpha = form.iss / (q * stats.levels[node])
        fitted = contingency.family(stats.codes, stats.levels, node, *_groups(stats, family), _logs(stats), alpha)
        return float(fitted - _penalty(stats, node, q, form) + form.arc * len(family))

    return _remembered(stats, ("local", form), (node, family), compute, FAMILIES)


def gains(
    stats: DiscreteStats, node: int, parents: Sequence[int], candidates: Sequence[int], form: DiscreteForm
) -> np.ndarray:
    """What adding each candidate to ``parents`` of ``node`` does to the score; the parents are grouped once."""
    family, extra = tuple(sorted(parents)), np.asarray(candidates, dtype=np.int64)
    q = _configurations(stats, family)
    alpha = form.iss / (q * stats.levels[node])
    kernel = contingency.families if stats.n * len(extra) < THREADS_FROM else contingency.families_on_threads
    fitted = kernel(stats.codes, stats.levels, node, extra, *_groups(stats, family), _logs(stats), alpha)
    wider = fitted - _penalty(stats, node, q * stats.levels[extra], form) + form.arc * (len(family) + 1)
    return wider - local(stats, node, family, form)


def statistic(stats: DiscreteStats, x: int, y: int, given: Sequence[int], *, pearson: bool) -> tuple[float, float]:
    """G² or Pearson's X² of x and y given a set, and its degrees of freedom."""
    family, (first, second) = tuple(sorted(given)), sorted((x, y))  # the same bits for (x, y) and (y, x)
    sizes = int(stats.levels[first]), int(stats.levels[second])
    value = contingency.association(
        stats.codes[:, first], stats.codes[:, second], sizes, *_groups(stats, family), pearson
    )
    return float(value), (sizes[0] - 1) * (sizes[1] - 1) * _configurations(stats, family)


def _configurations(stats: DiscreteStats, columns: tuple[int, ...]) -> float:
    """Their number, seen or not; a float because it outgrows 64 bits."""
    return math.prod(float(stats.levels[column]) for column in columns)


def _penalty(stats: DiscreteStats, node: int, q: float | np.ndarray, form: DiscreteForm) -> float | np.ndarray:
    return form.penalty * float(stats.levels[node] - 1) * q


def _groups(stats: DiscreteStats, columns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Rows by configuration; searches ask for the same few sets again and again."""
    return _remembered(
        stats,
        "groups",
        columns,
        lambda: contingency.group_rows(stats.codes, stats.levels, np.array(columns, dtype=np.int64)),
        GROUPINGS,
    )


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
