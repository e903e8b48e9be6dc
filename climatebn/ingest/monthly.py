"""Daily or finer data to monthly means, of complete months only."""

import logging

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.months import is_finer_than_monthly, name, no_gaps, span

_log = logging.getLogger(__name__)


def monthly_means(field: xr.DataArray) -> xr.DataArray:
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
    expected = np.round(field["time"].dt.days_in_month.values[first] / days)
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
    whole = field.isel(time=np.flatnonzero(np.isin(numbers, months[complete])))
    return whole.resample(time="MS").mean(keep_attrs=True).transpose(*field.dims)
