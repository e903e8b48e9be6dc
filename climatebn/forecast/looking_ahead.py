"""`outlook`: what comes next: a forecast from the last month of a field, with its intervals and tail probabilities."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import public
from climatebn.forecast.models import recipe
from climatebn.forecast.network_forecast import NetworkForecast, learned
from climatebn.forecast.record import Record, prepared
from climatebn.forecast.scores import exceedance
from climatebn.ingest.field.dims import standard
from climatebn.ingest.field.months import month_numbers, name
from climatebn.ingest.grid.region import Region
from climatebn.provenance import history_line, input_hash, with_history

INTERVAL = 1.645  # standard deviations: 90 %


@public
def outlook(
    field: xr.DataArray,
    leads: Sequence[int] | int = 6,
    lags: Sequence[int] = (1, 2, 3),
    algorithm: str = "hill_climbing",
    criterion: Any = None,
    members: int = 6,
    base: Any = "previous 30 years",
    seed: int = 1,
    *,
    threshold: float = 1.0,
    regions: Sequence[Region] = (),
    missing: str = "raise",
    degenerate: str = "raise",
    workers: int | Executor | None = None,
    progress: bool = True,
) -> xr.Dataset:
    """Forecast the months after the last one of a field, by a network in time learned on all of it.

    Parameters
    ----------
    field, leads, lags, algorithm, criterion, members, base, seed, missing, degenerate, workers, progress : as for
        `hindcast`, which says how far such forecasts can be trusted.
    threshold : of the tail probabilities, in standard deviations of the calendar month.
    regions : boxes whose means are forecast too, with the spread that places have in common.

    Returns
    -------
    Dataset with dimensions (lead, lat, lon): ``mean``, ``sd``, ``low`` and ``high`` (90 % interval) of the anomaly,
    ``p_high`` and ``p_low``, the probabilities that it exceeds the threshold upwards and downwards; the coordinate
    ``time`` is the month that is forecast. With regions also ``regional_mean`` and ``regional_sd`` (region, lead).

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.load_ncep(period="long").sel(lat=[-5, 5])
    >>> cb.outlook(tropics, leads=3, lags=(1,), members=2, progress=False).sizes["lead"]
    3
    """
    how = recipe(leads, lags, algorithm, criterion, members, seed)
    months = month_numbers(standard(field)["time"])
    record = prepared(field, (name(months[0]), name(months[-1])), base, missing=missing, degenerate=degenerate)
    model = learned(
        record, algorithm, how.criterion, how.lags, members, max(how.leads), seed, workers=workers, progress=progress
    )
    places = np.eye(len(record.nodes))
    found = [tuple(part[-1] for part in model.forecast(places, lead)) for lead in how.leads]
    mean, sd = (np.array(part) for part in zip(*found, strict=True))
    ahead = record.months[-1] + np.array(how.leads)
    level = threshold * model.scale[ahead % 12]
    parts = {
        "mean": (mean, "forecast anomaly"),
        "sd": (sd, "standard deviation of the forecast"),
        "low": (mean - INTERVAL * sd, "lower end of the 90 % interval"),
        "high": (mean + INTERVAL * sd, "upper end of the 90 % interval"),
        "p_high": (exceedance(mean, sd, level), f"probability of more than {threshold:g} sd above the climatology"),
        "p_low": (exceedance(-mean, sd, level), f"probability of more than {threshold:g} sd below the climatology"),
    }
    dates = np.array([f"{name(month)}-01" for month in ahead], dtype="datetime64[ns]")
    coords = {"lead": list(how.leads), "time": ("lead", dates)}
    maps = {
        part: record.nodes.to_xarray(values, ("lead",), coords, part, {"long_name": words}).assign_attrs(
            units="1" if part.startswith("p_") else record.data.units
        )
        for part, (values, words) in parts.items()
    }
    if len(regions):
        maps |= _regional(record, model, how.leads, regions, coords)
    asked = {
        "leads": how.leads,
        "lags": how.lags,
        "algorithm": algorithm,
        "criterion": how.criterion,
        "members": members,
    }
    line = history_line("outlook", {**asked, "base": base}, input=input_hash(field), seed=seed)
    attrs = with_history(dict(field.attrs), line)
    kept = {"history": attrs["history"], "issued": name(months[-1]), "base_period": str(base)}
    return xr.Dataset(maps, attrs=kept)


def _regional(
    record: Record,
    model: NetworkForecast,
    leads: Sequence[int],
    regions: Sequence[Region],
    coords: Mapping[str, Any],
) -> dict[str, xr.DataArray]:
    """Means over regions and their spread, (region, lead)."""
    boxes = np.concatenate([record.weights(one.lat, one.lon) for one in regions], axis=1)
    found = [tuple(part[-1] for part in model.forecast(boxes, lead)) for lead in leads]
    words = {"mean": "forecast anomaly of the region", "sd": "standard deviation of the forecast"}
    names = {"region": [str(one) for one in regions], **coords}
    return {
        f"regional_{part}": xr.DataArray(
            np.array(values).T,
            dims=("region", "lead"),
            coords=names,
            attrs={"long_name": words[part], "units": record.data.units},
        )
        for part, values in zip(words, zip(*found, strict=True), strict=True)
    }
