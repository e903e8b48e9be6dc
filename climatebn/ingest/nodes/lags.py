"""The table behind networks in time: beside the nodes of each month, the same nodes some months before.

A row is a month all of whose earlier months are in the record, so nothing is taken across a gap: of a record of
winters, the first month of each has no month before it and is left out. X81 of two months before is X81@-2.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.errors import ClimateBNError, public, short
from climatebn.ingest.field.months import month_numbers, no_gaps
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.nodes import past_name
from climatebn.provenance import array_hash, history_line, with_history

_PAST = re.compile(r"^(?P<name>.+)@-(?P<lag>[1-9]\d*)$")
LONGEST = 120


@overload
def lagged(data: NodeData, lags: Iterable[int]) -> NodeData: ...
@overload
def lagged(data: Any, lags: Iterable[int]) -> NodeData | pd.DataFrame: ...
@public
def lagged(data: Any, lags: Iterable[int]) -> NodeData | pd.DataFrame:
    """The table that ``learn(…, lags=…)`` learns from: each month, and beside it the months before it.

    Parameters
    ----------
    data : NodeData of months (whole years, or a season: then no month is joined with one of another year's season); or
        a DataFrame or array, whose rows follow each other.
    lags : how many months before, e.g. (0, 1, 2). The present month is always there; 0 says that arcs within it may be.

    Returns
    -------
    NodeData (a DataFrame where none was given) of the usable months; columns of the present first, then of each lag.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> table = cb.lagged(tropics, (0, 1, 2))
    >>> len(table), table.names[0], table.names[-1]
    (358, 'X1', 'X72@-2')
    """
    months = whole_lags(lags)
    past = [lag for lag in months if lag]
    if is_lagged(_names(data)):
        raise ClimateBNError("data holds months before the present already (names such as X81@-1); give the plain data")
    if not isinstance(data, NodeData | pd.DataFrame):
        table = to_table(data)
        data = pd.DataFrame(table.values, columns=list(table.names))
    rows = usable_rows(data, months)
    if isinstance(data, NodeData):
        values = np.concatenate([data.values[rows - lag] for lag in (0, *past)], axis=1)
        line = history_line("lagged", {"lags": months}, input=array_hash(data.values))
        attrs = with_history({**data.attrs, "lags": list(months)}, line)
        return replace(
            data, values=values, nodes=data.nodes.with_past(past), time=data.time[rows], attrs=attrs, whitening=None
        )
    parts = []
    for lag in (0, *past):
        part = data.iloc[rows - lag].set_axis(data.index[rows])
        parts.append(part.set_axis([past_name(str(column), lag) for column in data.columns], axis=1))
    frame = pd.concat(parts, axis=1)
    frame.attrs = {**data.attrs, "lags": list(months)}
    return frame


def in_time(data: Any, lags: Any) -> tuple[Any, tuple[int, ...]]:
    """The lagged table of ``data`` (``data`` itself where it is one) and its lags; no lags for one month alone."""
    months = () if lags is None else whole_lags(lags)
    names = _names(data)
    if is_lagged(names):
        held = sorted(set(lags_of(tuple(map(str, names))).tolist()) - {0})
        told = tuple((getattr(data, "attrs", None) or {}).get("lags", ())) or (0, *held)
        if months and [lag for lag in months if lag] != held:
            raise ClimateBNError(f"lags={months} are not those of the table, which holds {held} months before")
        return data, months or tuple(map(int, told))
    if months in ((), (0,)):
        return data, ()
    if not hasattr(data, "__len__"):
        raise ClimateBNError(f"lags= needs months in order; a {type(data).__name__} has none. Give NodeData or a table")
    return lagged(data, months), months


def _names(data: Any) -> Iterable[Any]:
    """Names of the columns of what may be data; none of what is not."""
    if isinstance(data, NodeData):
        return data.nodes.names
    found = getattr(data, "names", getattr(data, "columns", ()))
    return found if isinstance(found, Iterable) else ()


def whole_lags(lags: Any) -> tuple[int, ...]:
    """Lags in rising order, checked.

    >>> whole_lags([2, 0, 1])
    (0, 1, 2)
    """
    try:
        found = list(lags)
    except TypeError:
        found = [lags]
    whole = [lag for lag in found if isinstance(lag, int | np.integer) and not isinstance(lag, bool)]
    if not found or len(whole) < len(found) or min(whole) < 0 or max(whole) > LONGEST or len(set(whole)) < len(whole):
        raise ClimateBNError(
            f"lags must be different whole numbers of months, 0 … {LONGEST}, e.g. (0, 1, 2); got {short(lags)}"
        )
    return tuple(sorted(map(int, whole)))


def usable_rows(data: Any, lags: Sequence[int]) -> np.ndarray:
    """The rows whose months before, as many as the lags say, are in the record too."""
    longest, n = max(lags), len(data)
    time = getattr(data, "time", None) if isinstance(data, NodeData) else _dates(data)
    if time is None:
        rows = np.arange(longest, n)
        words = f"{n} rows"
    else:
        months = month_numbers(xr.DataArray(time, dims="time"))
        no_gaps(months, season=True)
        at = np.arange(n)
        inside = at >= longest
        for lag in range(1, longest + 1):  # the months in between too: nothing reaches over the rest of the year
            inside[lag:] &= months[at[lag:] - lag] == months[lag:] - lag
        rows = at[inside]
        words = getattr(data, "counted", f"{n} months")
    if len(rows) < 3:
        raise ClimateBNError(
            f"lags={tuple(lags)} needs months with {longest} months before them, 3 or more; the record of {words} has "
            f"{len(rows)}. Take shorter lags or a longer record"
        )
    return rows


def is_lagged(names: Iterable[Any]) -> bool:
    """Whether some names are those of past months, X81@-1, beside their present."""
    known = set(map(str, names))
    return any((found := _PAST.match(name)) and found["name"] in known for name in known)


def split_name(name: str) -> tuple[str, int]:
    """The name of the present, and how many months before it is.

    >>> split_name("X81@-2"), split_name("X81")
    (('X81', 2), ('X81', 0))
    """
    found = _PAST.match(name)
    return (found["name"], int(found["lag"])) if found else (name, 0)


def lags_of(names: Sequence[str]) -> np.ndarray:
    """The lag of each column of a lagged table; an error where a past has no present."""
    parts = [split_name(name) for name in names]
    known = {name for name, lag in parts if not lag}
    orphans = [f"{name}@-{lag}" for name, lag in parts if name not in known]
    if orphans:
        raise ClimateBNError(f"{orphans[0]} is a past month of no node; the nodes of the present must be there too")
    return np.array([lag for _, lag in parts], dtype=np.int64)


def _dates(data: Any) -> Any:
    index = getattr(data, "index", None) if isinstance(data, pd.DataFrame) else None
    if isinstance(index, pd.PeriodIndex):
        index = index.to_timestamp()
    return index.values if isinstance(index, pd.DatetimeIndex) else None
