r"""A climatology that moves with time: the mean of the same calendar month in the K years before.

    x̄_t = (x_{t−12} + x_{t−24} + … + x_{t−12K}) / K

It knows the past only, so that anomalies of years to be forecast can be had at the time of the forecast, and follows a
warming climate: against a fixed climatology later years are warm and forecasts of them too cold. The first K years,
which have no such past, use their own mean.
"""

import re
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError

_WORDS = re.compile(r"previous (\d+) years")


def years_before(base: Any) -> int | None:
    """K of ``base="previous K years"``; None for another base.

    >>> years_before("previous 30 years"), years_before(("1981", "2010"))
    (30, None)
    """
    if not isinstance(base, str):
        return None
    found = _WORDS.fullmatch(base.strip())
    if found is None or int(found[1]) < 1:
        raise ClimateBNError(
            f'base must be (first, last) as years or "YYYY-MM", or words such as "previous 30 years"; got {base!r}'
        )
    return int(found[1])


def moving_climatology(values: xr.DataArray, months: np.ndarray, years: int) -> xr.DataArray:
    """The mean of its calendar month over the ``years`` before, for each time step; of the first ones, their own."""
    calendar = months % 12
    fewest = min(int((calendar == month).sum()) for month in np.unique(calendar))
    if fewest < years:
        raise ClimateBNError(
            f'base="previous {years} years" needs {years} years or more; the field has {fewest}. Give fewer years'
        )
    whole = values if values.chunks is None else values.chunk({"time": -1})
    usual: xr.DataArray = xr.apply_ufunc(
        lambda block: _means_before(block, calendar, years),
        whole,
        input_core_dims=[["time"]],
        output_core_dims=[["time"]],
        dask="parallelized",
        output_dtypes=[np.float64],
    )
    return usual.transpose(*values.dims)


def _means_before(block: np.ndarray, calendar: np.ndarray, years: int) -> np.ndarray:
    """The same for an array whose last axis is time; a missing value makes the means that hold it missing."""
    result = np.empty_like(block)
    for month in np.unique(calendar):
        rows = np.flatnonzero(calendar == month)
        result[..., rows[: years + 1]] = block[..., rows[:years]].mean(axis=-1)[..., None]
        for place in range(years + 1, len(rows)):
            result[..., rows[place]] = block[..., rows[place - years : place]].mean(axis=-1)
    return result
