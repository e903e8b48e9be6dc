r"""What a climatologist would doubt in data before any network is learned from it, in words.

seasonal cycle:  adjusted R² of the calendar month, 1 − (1 − R²)(n − 1)/(n − m) for m months, over all nodes > 0.1
trend:           R² of a straight line in the area-weighted mean > 0.1
small sample:    n < 30, or n < N / 10
"""

import warnings
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from climatebn.errors import ClimateBNWarning
from climatebn.ingest.nodes.effective_size import serial_note
from climatebn.ingest.nodes.gaussianity import SCORES
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.season import calendar_months

Known = dict[bool, tuple[str, ...]]  # by whether the past is among the nodes
_KNOWN: WeakKeyDictionary[NodeData, Known] = WeakKeyDictionary()  # data never changes: judged once
SHARE = 0.1  # of the variance
FEW = 30


def notes_on(data: Any, n: int, size: int, stacklevel: int, *, past: bool = False) -> tuple[str, ...]:
    """All that is to be said of data before it is learned from; its doubts are warned of the first time.

    Where its ``past`` is among the nodes, persistence is modelled and nothing is said of it.
    """
    held: Known = _KNOWN.setdefault(data, {}) if isinstance(data, NodeData) else {}
    if past in held:
        return held[past]
    doubtful = doubts(data, n, size)
    for sentence in doubtful if not held else ():
        warnings.warn(sentence, ClimateBNWarning, stacklevel=stacklevel + 1)
    held[past] = (*(() if past else serial_note(data)), *scores_note(data), *doubtful)
    return held[past]


def doubts(data: Any, n: int, size: int) -> tuple[str, ...]:
    """Sentences on data of n rows and ``size`` nodes; more can be said of NodeData, which knows dates and places."""
    found = [_few(n, size)]
    if isinstance(data, NodeData) and len(data) > 2:
        found += [_seasonal(data), _twice(data), _trend(data)]
    return tuple(sentence for sentence in found if sentence)


def scores_note(data: Any) -> tuple[str, ...]:
    """That data are normal scores, where they are."""
    if getattr(data, "attrs", {}).get("transform") != SCORES:
        return ()
    return (f"learned from {SCORES}: the network is about ranks, not about the units of the field",)


def _few(n: int, size: int) -> str:
    if size < 2 or (n >= FEW and n >= size / 10):
        return ""
    return (
        f"{n} observations are few for {size} nodes: most arcs are due to chance. Take a longer record, a coarser grid "
        "(cb.regrid) or a larger γ"
    )


def _seasonal(data: NodeData) -> str:
    months, rows = np.unique(calendar_months(data.time), return_inverse=True)
    n = len(data)
    if len(months) < 2 or n < 2 * len(months):
        return ""
    counts = np.bincount(rows)
    centred = data.values - data.values.mean(axis=0)
    sums = np.stack([centred[rows == month].sum(axis=0) for month in range(len(months))])
    explained = np.sum(sums**2 / counts[:, None]) / np.sum(centred**2)
    adjusted = 1 - (1 - explained) * (n - 1) / (n - len(months))
    if adjusted <= SHARE:
        return ""
    return (
        f"the seasonal cycle makes up {adjusted:.0%} of the variance: the network will show the seasons, not what "
        "joins places. Take cb.anomalies(field) first"
    )


def _twice(data: NodeData) -> str:
    history = str(data.attrs.get("history", ""))
    each = history.split(": to_nodes(") if len(data.nodes.fields) > 1 else [history]  # several fields, one by one
    taken = max(part.count(": anomalies(") for part in each)
    return "" if taken < 2 else f"anomalies were taken {taken} times; once is enough (see the history of the data)"


def trend_share(data: NodeData) -> float:
    """The share of the variance of the area mean that a linear trend makes up."""
    area = data.nodes.areas()
    area[data.nodes.lag > 0] = 0.0
    if data.nodes.fields:
        area[[variable != data.nodes.fields[0] for variable in data.nodes.variable]] = 0.0
    if not area.any():
        return 0.0
    mean = data.values @ (area / area.sum())
    clock = np.arange(len(mean), dtype=np.float64)
    return float(np.corrcoef(clock, mean)[0, 1] ** 2) if np.std(mean) > 0 else 0.0


def _trend(data: NodeData) -> str:
    share = trend_share(data)
    if share <= SHARE:
        return ""
    return (
        f"a linear trend makes up {share:.0%} of the variance of the area mean: distant places can be joined by it "
        "alone. cb.anomalies(field, detrend='linear') removes it"
    )
