"""A climate index beside the places: its values for the months of the data."""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.errors import ClimateBNError, short
from climatebn.ingest.field.dims import is_date
from climatebn.ingest.field.months import require_dates, span


def index_values(name: str, series: Any, time: np.ndarray) -> np.ndarray:
    """The values of an index in the months of ``time``; found by their dates where the series has dates."""
    if isinstance(series, pd.DataFrame) and series.shape[1] == 1:
        series = series.iloc[:, 0]  # a file of one column, as pandas reads it
    try:
        values = np.asarray(series, dtype=np.float64).squeeze()
    except (TypeError, ValueError):
        raise ClimateBNError(f"index {name} must be numbers, one for each month; got {short(series)}") from None
    if values.ndim != 1:
        raise ClimateBNError(f"index {name} must be one series in time; got {np.ndim(series)} dimensions")
    dates = _dates(series)
    if dates is None:
        if len(values) != len(time):
            raise ClimateBNError(
                f"index {name} has {len(values)} values and no dates; the data has {len(time)} rows. Give a Series or "
                "DataArray with dates, or one number for each row"
            )
    else:
        if not is_date(xr.DataArray(dates, dims="time")):
            raise ClimateBNError(
                f"the index of {name} must hold dates (DatetimeIndex, PeriodIndex), to find its months; it holds "
                f"{dates[0]!r}. Give it dates, e.g. pd.date_range('1981-01', periods={len(dates)}, freq='MS')"
            )
        have, want = _months(dates), _months(time)
        if len(np.unique(have)) < len(have):
            raise ClimateBNError(f"index {name} has more than one value a month; average it first")
        missing = np.setdiff1d(want, have)
        if missing.size:
            raise ClimateBNError(f"index {name} lacks {missing.size} months of the data: {span(missing)}")
        order = np.argsort(have)
        values = values[order[np.searchsorted(have[order], want)]]
    if not np.isfinite(values).all() or np.ptp(values) == 0:
        raise ClimateBNError(f"index {name} must have finite values that are not all equal in the months of the data")
    return values


def _dates(series: Any) -> Any:
    if isinstance(series, xr.DataArray) and "time" in series.coords and series["time"].ndim == 1:
        return series["time"].values
    if isinstance(series, pd.Series):
        index = series.index.to_timestamp() if isinstance(series.index, pd.PeriodIndex) else series.index
        return None if isinstance(index, pd.RangeIndex) else index.values
    return None


def _months(time: Any) -> np.ndarray:
    dates = xr.DataArray(time, dims="time")
    require_dates(dates)
    return np.asarray((dates.dt.year * 12 + dates.dt.month - 1).values, dtype=np.int64)
