"""`choose_forecast`: lags and γ by forecasting the last years of the training from the ones before them.

Years that a forecast is to be tested on are not looked at: the field is cut at the end of the training years.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import xarray as xr

from climatebn.criterion import BIC
from climatebn.errors import ClimateBNError, public, unknown
from climatebn.forecast.choice import inner_split
from climatebn.forecast.hindcasting import hindcast
from climatebn.forecast.record import period
from climatebn.ingest.field.dims import standard
from climatebn.ingest.field.months import month_numbers, name

MEASURES = ("rmse", "crps", "correlation")


@public
def choose_forecast(
    field: xr.DataArray,
    train: tuple[Any, Any] = ("1950", "1999"),
    lags: Sequence[Sequence[int]] = ((1,), (1, 2), (1, 2, 3)),
    gammas: Sequence[float] = (0.25, 0.5, 1.0),
    leads: Sequence[int] = (3, 6, 9),
    lat: tuple[float, float] = (-90, 90),
    lon: tuple[float, float] = (-180, 180),
    *,
    measure: str = "rmse",
    **options: Any,
) -> pd.DataFrame:
    """Compare lags and γ inside the training years: 70 % of them are learned from, the rest is forecast.

    Parameters
    ----------
    field, train, leads : as for `hindcast`; months after the training years are not looked at.
    lags, gammas : what is tried, each with each.
    lat, lon : the region whose mean is scored.
    measure : that the choice is by: "rmse", "crps" or "correlation", the mean over leads.
    **options : of `hindcast`, e.g. ``members``, ``base``, ``seed``.

    Returns
    -------
    DataFrame, the best first: lags, gamma, correlation, rmse, crps (means over leads).

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5])
    >>> asked = {"lags": [(1,)], "gammas": [0.5, 2], "members": 2, "progress": False}
    >>> cb.choose_forecast(tropics, **asked, lat=(-10, 10), lon=(-170, -120)).columns.tolist()
    ['lags', 'gamma', 'correlation', 'rmse', 'crps']
    """
    if measure not in MEASURES:
        raise unknown("measure", measure, MEASURES)
    if not len(lags) or not len(gammas):
        raise ClimateBNError("lags and gammas need one or more to try, e.g. lags=[(1,), (1, 2)], gammas=[0.25, 1]")
    months = month_numbers(standard(field)["time"])
    first, last = period("train", train, months)
    cut = inner_split(int(last - first) + 1)
    known = standard(field).isel(time=slice(0, int(last - months[0]) + 1))
    inner: dict[str, Any] = {"train": (name(first), name(first + cut - 1)), "test": (name(first + cut), name(last))}
    rows = []
    for months_before in lags:
        for gamma in gammas:
            tried = hindcast(known, **inner, leads=leads, lags=months_before, criterion=BIC(gamma=gamma), **options)
            table = tried.skill(lat, lon).query("model == 'network'")
            rows.append((tuple(months_before), gamma, *table[["correlation", "rmse", "crps"]].mean()))
    found = pd.DataFrame(rows, columns=["lags", "gamma", "correlation", "rmse", "crps"])
    return found.sort_values(measure, ascending=measure != "correlation", ignore_index=True)
