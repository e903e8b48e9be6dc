r"""Anomaly: value minus the base-period mean of its calendar month at that point.

With m(t) the calendar month of t, x̄_m the mean of month m over the base period, and τ_t = t − t̄_m(t):

    a_t = x_t − x̄_m(t)
    detrend="linear":  a_t − β τ_t,   β the least-squares slope of x on t with an intercept for each month
    standardize:       a_t / s,       s the standard deviation (n − 1) of the result over the base period

The base may also move with time (`moving_base`).
"""

import warnings
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, ClimateBNWarning, public
from climatebn.ingest.field.dims import standard
from climatebn.ingest.field.months import in_season, month_numbers, month_of, name, no_gaps, span
from climatebn.ingest.field.units import temperature_unit
from climatebn.ingest.nodes.moving_base import moving_climatology, years_before
from climatebn.provenance import stamped


@public
def anomalies(
    field: xr.DataArray,
    base: tuple[Any, Any] | str | None = None,
    standardize: bool = False,
    detrend: str | None = None,
) -> xr.DataArray:
    """Remove the monthly climatology.

    Parameters
    ----------
    field : a monthly field without time gaps: whole years, or the same months of each year (a season, its means).
    base : first and last year (or "YYYY-MM") of the base period; all complete years of the record when left out.
        "previous 30 years" (or another number) takes for each month the mean of that calendar month in the years
        before it, so that no anomaly knows its future; the first 30 years use their own mean.
    standardize : divide by each point's standard deviation over the base period; over the first years of a moving base.
    detrend : "linear" removes each point's linear trend over the whole record, with one slope for all months; a point
        with a missing month becomes missing.

    Returns
    -------
    DataArray with the field's units; its history says what was removed.

    Notes
    -----
    With x̄_m the mean of calendar month m over the base period, m(t) the calendar month of t, β the slope of x on time
    with an intercept for each calendar month and τ_t the time since the mean date of those months::

        anomaly = x_t − x̄_m(t),      detrended = anomaly − β τ_t,      standardised = that / s

    s its standard deviation (n − 1) over the base period.

    Examples
    --------
    >>> import climatebn as cb
    >>> nino = cb.anomalies(cb.load_ncep(), base=("1981", "2010")).sel(lat=-5, lon=-135, time="1998-01")
    >>> round(nino.item(), 2)
    1.91
    """
    if detrend not in (None, "linear"):
        raise ClimateBNError(f"detrend must be 'linear' or None; got {detrend!r}")
    source = standard(field, regions=True)
    if ": anomalies(" in str(field.attrs.get("history", "")):
        warnings.warn("the field holds anomalies already; they are taken a second time", ClimateBNWarning, stacklevel=3)
    months = month_numbers(source["time"])
    no_gaps(months, season=True)
    before = years_before(base)
    if before and detrend:
        raise ClimateBNError(f"base={base!r} follows the trend itself; leave detrend out, or give a fixed base")
    first, last = _base_months(base, months) if before is None else (int(months[0]), int(months[0]) + 12 * before - 1)
    within = (months >= first) & (months <= last)
    values = source.astype(np.float64)
    usual = moving_climatology(values, months, before) if before else _climatology(values, months, within)
    result = values - usual
    if detrend:
        clock = xr.DataArray((months - months[0]).astype(np.float64), dims="time", coords={"time": source["time"]})
        centred = clock - _climatology(clock, months, np.ones(len(months), dtype=bool))
        slope = xr.dot(result, centred, dim="time") / float((centred**2).sum())
        result = result - slope * (clock - _climatology(clock, months, within))
    if standardize:
        deviation = result.isel(time=within).std("time", ddof=1)
        result = result / deviation.where(deviation != 0, 1.0)  # a constant point stays constant, for to_nodes to name
    unit = temperature_unit(source.attrs.get("units"))
    attrs: dict[str, Any] = {
        "long_name": f"{source.attrs.get('long_name', field.name or 'field')} anomaly",
        "base_period": f"previous {before} years" if before else f"{name(first)} … {name(last)}",
    }
    if standardize:
        attrs["units"] = "1"
    elif unit:
        attrs["units"] = "K"  # a difference of temperatures, in either scale
    result = stamped(
        result.transpose(*source.dims).rename(field.name),
        field,
        "anomalies",
        attrs,
        base=base,
        standardize=standardize,
        detrend=detrend,
    )
    result.attrs.pop("standard_name", None)
    return result


def _climatology(values: xr.DataArray, months: np.ndarray, within: np.ndarray) -> xr.DataArray:
    """The base-period mean of its calendar month, for each time step."""
    calendar = months % 12
    there, place = np.unique(calendar, return_inverse=True)
    means = [values.isel(time=np.flatnonzero(within & (calendar == month))).mean("time") for month in there]
    return xr.concat(means, "month").isel(month=xr.DataArray(place, dims="time")).assign_coords(time=values["time"])


def _base_months(base: Any, months: np.ndarray) -> tuple[int, int]:
    if base is None:
        first, last = _whole_years(months)
        if last < first:
            raise ClimateBNError(
                f"anomalies need one complete year or more; the field has {name(months[0])} … {name(months[-1])}"
            )
        return first, last
    try:
        start, end = base
        first, last = month_of(start, 1), month_of(end, 12)
    except (TypeError, ValueError):
        raise ClimateBNError(f'base must be (first, last) as years or "YYYY-MM"; got {base!r}') from None
    if last - first < 11:
        raise ClimateBNError(f"base={base!r} must span a year or more, first before last")
    needed = in_season(first, last, months)
    missing = np.setdiff1d(needed, months)
    if len(missing):
        raise ClimateBNError(
            f"base={base!r} needs {len(needed)} months; the field has {len(needed) - len(missing)} of them "
            f"(missing {span(missing)}; its record is {name(months[0])} … {name(months[-1])}). Choose a base within it"
        )
    return first, last


def _whole_years(months: np.ndarray) -> tuple[int, int]:
    """From the first January to the last December; of one season alone, the whole record."""
    if months[-1] - months[0] >= 12 and len(np.unique(months % 12)) < 12:
        return int(months[0]), int(months[-1])
    return -(-int(months[0]) // 12) * 12, (int(months[-1]) + 1) // 12 * 12 - 1
