r"""The one shape of every discrete score and test, and where their counts are remembered.

    local(i, Π) = F(i, Π) − penalty·(r_i − 1)·q + arc·|Π|,      q = Π_p r_p over the parents p

F is the log-likelihood, or the BDeu marginal likelihood with α = iss/(r_i q) in each cell. G² and Pearson's X² of x
and y given Z have (r_x − 1)(r_y − 1) q_Z degrees of freedom, whether all those configurations were seen or not, or
adjusted ones: Σ_z (levels of x seen in z − 1)(levels of y seen in z − 1).

Sums are made in whole numbers (`kernels.discrete.values`): equal tables give equal numbers, in whatever order levels,
columns and rows come, so that exact ties are ties and are broken by column order.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from operator import index
from typing import Any, NamedTuple, TypeVar

import numpy as np

from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.subset_likelihoods import SubsetLikelihoods
from climatebn.errors import OutOfTime, require_nodes, unknown
from climatebn.kernels.discrete import questions
from climatebn.kernels.discrete.evidence import GAIN, PRICE, Form
from climatebn.kernels.discrete.grouping import Sample, Work, level_sets, room_for, workspace
from climatebn.kernels.discrete.lattice import MOST_COLUMNS
from climatebn.kernels.discrete.values import Values, scale_of, values
from climatebn.kernels.gaussian import combinations

Value = TypeVar("Value")
FAMILIES = 1 << 18  # local scores remembered for one set of data and one score
THREADS = 8  # threads whose memory is kept
SLICE = 20_000_000  # words or rows that a kernel visits between two looks at the clock: some hundredths of a second
ROOM = 8  # columns of a set before more memory is taken
DEGREES = "nominal", "adjusted"  # of freedom of a test


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
        q = math.prod(float(stats.levels[column]) for column in family)
        fitted = questions.family(*_kernel(stats, form.iss, len(family)), index(node), _array(family))
        return float(fitted - form.penalty * float(stats.levels[node] - 1) * q + form.arc * len(family))

    return _remembered(stats, ("local", form), (node, family), compute, FAMILIES)


def gains(
    stats: DiscreteStats, node: int, parents: Sequence[int], candidates: Sequence[int], form: DiscreteForm
) -> np.ndarray:
    """What adding each candidate to ``parents`` of ``node`` does to the score; the parents are grouped once."""
    require_nodes(len(stats.names), [node], parents)
    require_nodes(len(stats.names), candidates)
    family, extra = _array(sorted(parents)), _array(candidates)
    fitted = questions.additions(*_kernel(stats, form.iss, len(family)), False, index(node), family, extra)
    return fitted - form.penalty * _degrees(stats, node, extra, family) + form.arc


def many_gains(
    stats: DiscreteStats,
    target: np.ndarray,
    starts: np.ndarray,
    items: np.ndarray,
    which: np.ndarray,
    source: np.ndarray,
    form: DiscreteForm,
    spent: Callable[[], bool],
) -> np.ndarray:
    """`gains` of many sets of parents: of ``source[i]`` beside ``items[starts[s]:starts[s + 1]]`` of ``target[s]``.

    s is which[i], and ``which`` ascends. ``spent`` is asked now and then whether time is over.
    """
    known = _by_subsets(stats, target, starts, items, which, source, form, spent)
    if known is not None:
        return known
    found, done = np.empty(len(which)), 0
    kernel = _kernel(stats, form.iss, int(np.diff(starts).max(initial=0)))
    while done < len(which):
        done = questions.gains(
            *kernel, form.penalty, form.arc, target, starts, items, which, source, found, done, SLICE
        )
        if spent():
            raise OutOfTime
    return found


def _by_subsets(
    stats: DiscreteStats,
    target: np.ndarray,
    starts: np.ndarray,
    items: np.ndarray,
    which: np.ndarray,
    source: np.ndarray,
    form: DiscreteForm,
    spent: Callable[[], bool],
) -> np.ndarray | None:
    """`many_gains` of one node where most subsets of a small pool are asked for; else None."""
    sizes, pool = np.diff(starts), np.union1d(items, source)
    if len(which) == 0 or (target != target[0]).any() or len(pool) > MOST_COLUMNS:
        return None
    smallest, largest = int(sizes.min()), int(sizes.max()) + 1
    if combinations.count(len(pool), smallest, largest) > 4 * len(which):
        return None
    sample, values, _, settings = _kernel(stats, form.iss, 0)
    subsets = SubsetLikelihoods.of(sample, int(target[0]), pool)
    if subsets is None:
        return None
    subsets.make(smallest, largest, values, settings, spent)
    bit = np.zeros(len(stats.names), np.int64)
    bit[pool] = 1 << np.arange(len(pool))
    sets, q = np.zeros(len(sizes), np.int64), np.ones(len(sizes))
    np.bitwise_or.at(sets, np.repeat(np.arange(len(sizes)), sizes), bit[items])
    np.multiply.at(q, np.repeat(np.arange(len(sizes)), sizes), stats.levels[items].astype(float))
    fitted = (subsets.told[sets[which] | bit[source]] - subsets.told[sets[which]]) / settings.scale
    own = float(stats.levels[target[0]] - 1)
    gains: np.ndarray = fitted - form.penalty * (own * (stats.levels[source] - 1.0) * q[which]) + form.arc
    return gains


def differences(
    stats: DiscreteStats, node: int, parents: Sequence[int], candidates: np.ndarray, form: DiscreteForm
) -> np.ndarray:
    """What adding each candidate, or deleting each parent, does to the score, by column (−∞: neither); all in one go.

    ``parents`` ascend; the numbers are those of `gains` and of differences of `local`.
    """
    kernel, found = _kernel(stats, form.iss, len(parents)), np.full(len(stats.names), -np.inf)
    questions.differences(*kernel, form.penalty, form.arc, node, _array(parents), _array(candidates), found)
    return found


def statistics(
    stats: DiscreteStats, x: int, ys: Sequence[int], given: Sequence[int], *, pearson: bool, df: str = "nominal"
) -> list[tuple[float, float]]:
    """G² or Pearson's X² of x and each y given one set, with its degrees of freedom."""
    require_nodes(len(stats.names), [x], given)
    require_nodes(len(stats.names), ys)
    family, others = _array(sorted(given)), _array(ys)
    kernel = _kernel(stats, 0.0, len(family))
    x = index(x)  # of one type, whatever whole number came: each type would be compiled for
    found = questions.additions(*kernel, pearson, x, family, others)
    if df == "adjusted":
        degrees = questions.adjusted_degrees(*kernel, x, others, family)
    else:
        degrees = _degrees(stats, x, others, family)
    return list(zip((found if pearson else 2 * found).tolist(), degrees.tolist(), strict=True))


def form_of_test(
    stats: DiscreteStats,
    kind: int,
    *,
    iss: float = 0.0,
    price: float = 0.0,
    alpha: float = 0.5,
    arc: float = 0.0,
    df: str = "nominal",
) -> Form:
    """The compiled form of a test."""
    scale = scale_of(stats.n, iss)
    return Form(kind, float(iss), scale, float(price), math.log(alpha), float(arc), df == "adjusted")


def require_degrees(df: str) -> None:
    """Raise an error unless ``df`` names a way to count degrees of freedom."""
    if df not in DEGREES:
        raise unknown("df", df, DEGREES)


def sample_of(stats: DiscreteStats) -> Sample:
    """The data as kernels read it; remembered."""

    def compute() -> Sample:
        first = np.concatenate([[0], np.cumsum(stats.levels)])
        kind = np.uint8 if stats.levels.max(initial=1) <= 256 else np.uint32  # narrow: more of a column in fast memory
        codes = np.ascontiguousarray(stats.codes.T, dtype=kind)
        return Sample(codes, stats.levels, first, level_sets(codes, first))

    return _remembered(stats, "sample", (), compute, 1)


def values_of(stats: DiscreteStats, iss: float) -> Values:
    """What counts are worth: a table to read for the likelihood; for BDeu, one to fill, of the caller's own."""
    if iss:
        return values(stats.n, iss)
    return _remembered(stats, "values", (), lambda: values(stats.n, 0.0), 1)


def _kernel(stats: DiscreteStats, iss: float, size: int) -> tuple[Sample, Values, Work, Form]:
    """What a kernel needs, with memory of this thread's own for sets of ``size`` columns."""
    key = iss, threading.get_ident()

    def compute() -> list[Any]:
        return [values_of(stats, iss), workspace(sample_of(stats), ROOM)]

    own = _remembered(stats, "work", key, compute, THREADS)
    if size > room_for(own[1]):
        own[1] = workspace(sample_of(stats), 2 * size)
    return sample_of(stats), own[0], own[1], form_of_test(stats, GAIN if iss else PRICE, iss=iss)


def _degrees(stats: DiscreteStats, x: int, ys: np.ndarray, given: np.ndarray) -> np.ndarray:
    """(r_x − 1)(r_y − 1) q; in floats, which do not overflow."""
    q = math.prod(stats.levels[given].astype(float).tolist())
    degrees: np.ndarray = float(stats.levels[x] - 1) * (stats.levels[ys] - 1.0) * q
    return degrees


def _array(nodes: Sequence[int] | np.ndarray) -> np.ndarray:
    return np.asarray(nodes, dtype=np.int64)


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
