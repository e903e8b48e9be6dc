"""Time as whole months: one integer year·12 + month − 1 each, the same for numpy dates and cftime calendars."""

import logging
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.field.dims import is_date
from climatebn.progress import Progress

_log = logging.getLogger(__name__)


def month_numbers(time: xr.DataArray) -> np.ndarray:
    """Months since year 0; refuses what is not one date a month in order.

    >>> import pandas as pd
    >>> month_numbers(xr.DataArray(pd.date_range("1981-01", periods=2, freq="MS"), dims="time")).tolist()
    [23772, 23773]
    """
    require_dates(time)
    if time.size == 0:
        raise ClimateBNError("the field has no time steps; check the period that was selected")
    months = (time.dt.year * 12 + time.dt.month - 1).values.astype(np.int64)
    steps = np.diff(months)
    if is_finer_than_monthly(time):
        raise ClimateBNError(
            f"time must be monthly; {name(months[0])} holds {int((months == months[0]).sum())} time steps (daily or "
            "finer data). Monthly means are taken only when asked: open_field(…, monthly=True)"
        )
    if (steps < 0).any():
        at = int(np.argmax(steps < 0))
        raise ClimateBNError(
            f"months must be in order; {name(months[at + 1])} follows {name(months[at])}. Use field.sortby('time')"
        )
    if (steps == 0).any():
        raise ClimateBNError(
            f"each month must be there once; repeated: {span(months[1:][steps == 0])}. "
            "Use field.drop_duplicates('time') if they are copies"
        )
    return months


def require_dates(time: xr.DataArray) -> None:
    """Refuse a time axis that does not hold decoded dates."""
    if not is_date(time):
        raise ClimateBNError(
            f"time must hold dates; got {time.dtype} values such as {time.values[:1]}. Give the file time units like "
            "'days since 1900-01-01' (`cdo -r` rewrites absolute times), or assign dates to the coordinate"
        )
    missing = np.flatnonzero(time.isnull().values)
    if len(missing):
        raise ClimateBNError(
            f"time must hold dates; {len(missing)} of {time.size} are missing (NaT), the first at step {missing[0]}. "
            "Leave those steps out: field.sel(time=field.time.notnull())"
        )


def is_finer_than_monthly(time: xr.DataArray) -> bool:
    """Whether most months have more than one time step."""
    months = (time.dt.year * 12 + time.dt.month).values
    return len(months) > 1 and len(np.unique(months)) <= len(months) / 2 and len(np.unique(time.values)) == len(months)


def no_gaps(months: np.ndarray, *, season: bool = False) -> None:
    """Refuse a record with months missing between the first and the last; ``season`` allows one of a season alone."""
    every = np.arange(months[0], months[-1] + 1)
    missing = np.setdiff1d(in_season(months[0], months[-1], months) if season else every, months)
    if len(missing):
        count = "1 month is" if len(missing) == 1 else f"{len(missing)} months are"
        raise ClimateBNError(
            f"the record has time gaps: {count} missing between {name(months[0])} and "
            f"{name(months[-1])} ({span(missing)}). Add them, or select a period without gaps"
        )


def in_season(first: int, last: int, months: np.ndarray) -> np.ndarray:
    """All months from ``first`` to ``last``; where the record has two years or more, of the calendar months it has."""
    every = np.arange(first, last + 1)
    return every if months[-1] - months[0] < 12 else every[np.isin(every % 12, months % 12)]


def name(month: int) -> str:
    """
    >>> name(23772)
    '1981-01'
    """
    return f"{month // 12:04d}-{month % 12 + 1:02d}"


def month_of(text: Any, default: int) -> int:
    """The number of a month written as "1998-03", or of calendar month ``default`` of a year; ValueError for others.

    >>> month_of("1981-01", 12), month_of(1981, 12)
    (23772, 23783)
    """
    year, _, month = str(text).partition("-")
    number = int(month) if month else default
    if not 1 <= number <= 12:
        raise ValueError(text)
    return int(year) * 12 + number - 1


def span(months: np.ndarray) -> str:
    """A few names, or the first and the last of many."""
    if len(months) <= 3:
        return ", ".join(name(month) for month in months)
    return f"{name(months[0])} … {name(months[-1])}"


def monthly_means(field: xr.DataArray, progress: bool = True) -> xr.DataArray:
    """Mean of each month; an incomplete month is left out at the ends, an error in between. Monthly data stays."""
    if not is_finer_than_monthly(field["time"]):
        return field
    index = field.indexes["time"]
    if not (index.is_monotonic_increasing and index.is_unique):
        raise ClimateBNError(
            "monthly=True needs times in order, each once; use field.sortby('time').drop_duplicates('time')"
        )
    days = float(np.median((index[1:] - index[:-1]) / pd.Timedelta(days=1)))
    numbers = (field["time"].dt.year * 12 + field["time"].dt.month - 1).values
    months, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    no_gaps(months)
    expected = np.floor(field["time"].dt.days_in_month.values[first] / days + 1e-6)  # of 5-day means 5 or 6 in February
    complete = counts >= expected
    if not complete.any():
        raise ClimateBNError(f"monthly=True needs one complete month or more; the field has {span(months)} in part")
    inner = np.arange(len(months))
    inner = inner[(inner > np.argmax(complete)) & (inner < len(months) - 1 - np.argmax(complete[::-1]))]
    broken = inner[~complete[inner]]
    if broken.size:
        raise ClimateBNError(
            f"{broken.size} months are incomplete ({span(months[broken])}; {name(months[broken[0]])} has "
            f"{counts[broken[0]]} of {expected[broken[0]]:.0f} time steps). Fill them, or select a period without them"
        )
    if not complete.all():
        _log.info("open_field: incomplete months left out: %s", span(months[~complete]))
    if field.chunks is not None:
        whole = field.isel(time=np.flatnonzero(np.isin(numbers, months[complete])))
        return whole.resample(time="MS").mean(keep_attrs=True).transpose(*field.dims)
    means = []
    with Progress("monthly means", int(complete.sum()), "month", enabled=progress) as bar:
        for start, count in zip(first[complete], counts[complete], strict=True):  # one month of the file at a time
            means.append(field.isel(time=slice(start, start + count)).mean("time", keep_attrs=True))
            bar.update()
    dates = [_first_day(index[start]) for start in first[complete]]
    joined = xr.concat(means, xr.DataArray(dates, dims="time", name="time"), coords="minimal", compat="override")
    joined["time"].attrs = field["time"].attrs
    return joined.transpose(*field.dims).rename(field.name)


def _first_day(date: Any) -> Any:
    """The first of the month of a pandas or cftime date, in its own calendar."""
    first = date.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return np.datetime64(first, "ns") if isinstance(first, pd.Timestamp) else first
