"""Seasons: which months they are, and which year a month belongs to when a winter counts as one.

A season that runs over the end of the year belongs to the year of its January: the DJF of 1998 is December 1997 to
February 1998.
"""

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public, short
from climatebn.ingest.field.dims import standard
from climatebn.ingest.field.months import month_numbers, no_gaps, require_dates
from climatebn.provenance import stamped

INITIALS = "JFMAMJJASOND"
WORDS = {
    **dict.fromkeys(("DJF", "NDJF", "DJFM", "NDJFM", "JFM"), "winters"),
    "MAM": "springs",
    **dict.fromkeys(("JJA", "JJAS", "MJJAS"), "summers"),
    "SON": "autumns",
}


def season_months(months: str | Iterable[int]) -> tuple[int, ...]:
    """The calendar months (1 … 12) of a season in the order in which they follow each other.

    >>> season_months("NDJFM"), season_months([1, 2, 12])
    ((11, 12, 1, 2, 3), (12, 1, 2))
    """
    if isinstance(months, str):
        at = [first for first in range(12) if (INITIALS * 2).startswith(months.upper(), first)]
        if not 2 <= len(months) <= 11 or len(at) != 1:
            raise ClimateBNError(
                f"months must be initials of two or more months in a row, e.g. 'DJF' or 'NDJFM', or numbers 1 … 12, "
                f"e.g. [12, 1, 2]; got {months!r}"
            )
        return tuple((at[0] + step) % 12 + 1 for step in range(len(months)))
    try:
        chosen = sorted({int(month) for month in months})
    except (TypeError, ValueError):
        raise ClimateBNError(f"months must be initials such as 'DJF' or numbers 1 … 12; got {months!r}") from None
    if not chosen or not 1 <= chosen[0] <= chosen[-1] <= 12:
        raise ClimateBNError(f"months must be numbers 1 … 12; got {months!r}")
    return _in_a_row(chosen)


def season_name(months: tuple[int, ...]) -> str:
    """The initials of the months; numbers where they are not in a row; nothing for the whole year.

    >>> season_name((12, 1, 2)), season_name((1, 7)), season_name(tuple(range(1, 13)))
    ('DJF', 'months 1, 7', '')
    """
    if len(months) == 12:
        return ""
    if len(months) > 1 and all((b - a) % 12 == 1 for a, b in itertools.pairwise(months)):
        return "".join(INITIALS[month - 1] for month in months)
    return f"month{'s' * (len(months) > 1)} {', '.join(map(str, months))}"


def calendar_months(time: Any) -> np.ndarray:
    """The calendar month (1 … 12) of each date, numpy or cftime."""
    dates = xr.DataArray(time, dims="time")
    require_dates(dates)
    return np.asarray(dates.dt.month.values, dtype=np.int64)


def rows_of(time: np.ndarray, months: str | Iterable[int]) -> np.ndarray:
    """The rows whose date lies in a season; an error when there is none."""
    rows = np.flatnonzero(np.isin(calendar_months(time), season_months(months)))
    if not rows.size:
        there = f"{str(time[0])[:7]} … {str(time[-1])[:7]}" if len(time) else "no months at all"
        raise ClimateBNError(f"months={months!r}: the data has none of them, {there}")
    return rows


@public
def year_blocks(data: Any) -> np.ndarray:
    """The year that each row belongs to, as an integer: rows of one winter have one year, that of its January.

    Parameters
    ----------
    data : NodeData, or anything with ``time``; also the dates themselves. Which months are there says which season it
        is: with November to March alone, November 1997 to March 1998 are 1998; with all months, calendar years.

    Returns
    -------
    one integer a row; blocks of a bootstrap are rows of equal year.

    Examples
    --------
    >>> import climatebn as cb
    >>> winter = cb.to_nodes(cb.anomalies(cb.load_ncep()), months="DJF")
    >>> cb.ingest.year_blocks(winter)[:6].tolist()
    [1981, 1981, 1982, 1982, 1982, 1983]
    """
    held = getattr(data, "time", data)
    try:
        time = np.zeros(0) if isinstance(held, xr.Dataset) else np.asarray(held)
    except ValueError:  # rows of unequal length
        time = np.zeros(0)
    if time.ndim != 1 or not len(time):
        raise ClimateBNError(f"data must be NodeData, or dates in a row; got {short(data)}")
    require_dates(xr.DataArray(time, dims="time"))
    months = calendar_months(time)
    season = _in_a_row(sorted(set(months.tolist())))
    years = np.asarray(xr.DataArray(time, dims="time").dt.year.values, dtype=np.int64)
    return years + (months >= season[0]) * (season[0] > season[-1])


@public
def season_mean(field: xr.DataArray, months: str | Iterable[int]) -> xr.DataArray:
    """One mean a year over a season; a December belongs to the January that follows it.

    Months weigh equally. Seasons of which a month is missing in the record (the first and the last winter, as a rule)
    are left out. A mean is dated by the middle month of its season, by January where that lies before the new year.

    Parameters
    ----------
    field : a monthly field, raw or of anomalies.
    months : initials in a row, e.g. "DJF" or "NDJFM", or numbers, e.g. ``[12, 1, 2]``.

    Returns
    -------
    DataArray with one value a year, in the field's units.

    Examples
    --------
    >>> import climatebn as cb
    >>> winters = cb.season_mean(cb.anomalies(cb.load_ncep()), "DJF")
    >>> winters.sizes["time"], str(winters.time.values[0])[:7]
    (29, '1982-01')
    """
    source = standard(field, regions=True)
    numbers = month_numbers(source["time"])
    season = season_months(months)
    inside = rows_of(source["time"].values, months)
    no_gaps(numbers[inside], season=True)
    years = year_blocks(source["time"].values[inside])
    _, first, counts = np.unique(years, return_index=True, return_counts=True)
    full = counts == len(season)
    if not full.any():
        raise ClimateBNError(f"months={months!r} needs one whole season or more; the field has none")
    middle = len(season) // 2
    late = next((step for step in range(middle, len(season)) if season[step] <= season[-1]), middle)
    means = [source.isel(time=inside[start : start + len(season)]).mean("time") for start in first[full]]
    dates = source["time"].isel(time=inside[first[full] + late])
    result = xr.concat(means, dates, coords="minimal", compat="override").transpose(*source.dims).rename(field.name)
    attrs = {"season_mean": season_name(season)}
    return stamped(result, field, "season_mean", attrs, months=months, seasons=int(full.sum()))


def counted(time: np.ndarray, season_of_means: str = "") -> str:
    """How many rows there are, in words: "360 months", "90 months of DJF", "42 winters (DJF)"."""
    if season_of_means:
        word = WORDS.get(season_of_means)
        return f"{len(time)} {word} ({season_of_means})" if word else f"{len(time)} means of {season_of_means}"
    season = season_of(time)
    return f"{len(time)} months" + (f" of {season}" if season else "")


def season_of(time: np.ndarray) -> str:
    """The season that the dates of two years or more keep to; nothing where it is the whole year."""
    months = sorted(set(calendar_months(time).tolist())) if len(time) else []
    return season_name(_in_a_row(months)) if 0 < len(months) < len(time) else ""


def _in_a_row(rising: list[int]) -> tuple[int, ...]:
    """Months in the order of a season: it begins after the longest break, in the year's first such place."""
    breaks = [(b - a) % 12 or 12 for a, b in zip([rising[-1], *rising], rising, strict=False)]
    first = breaks.index(max(breaks))
    return (*rising[first:], *rising[:first])
