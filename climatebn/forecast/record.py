"""The record that forecasts are made from: anomalies, places, training years, and the months that are forecast.

Everything known of the training years only: which places vary and have values, the climatology (by a base that lies in
them, or that moves with time and sees the past alone). Later months are put into the same columns.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.field.dims import standard
from climatebn.ingest.field.months import month_numbers, month_of, name, no_gaps
from climatebn.ingest.grid.grid import wrap
from climatebn.ingest.grid.region import Region
from climatebn.ingest.nodes.anomaly import anomalies
from climatebn.ingest.nodes.moving_base import years_before
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.node_matrix import to_nodes
from climatebn.ingest.nodes.node_weights import region_weights
from climatebn.ingest.nodes.nodes import Nodes

_DETRENDED = re.compile(r": anomalies\(.*detrend='")
LONGEST_LEAD = 12  # beyond it the moving climatology of the target month is not known when the forecast is made


@dataclass(frozen=True, eq=False)
class Record:
    """Anomalies (time × node) with their months; the first ``trained`` rows are the training years.

    ``months`` counts months since year 0; ``nodes`` are the places that vary and have values in the training years.
    """

    data: NodeData
    months: np.ndarray
    trained: int

    @property
    def values(self) -> np.ndarray:
        """Anomalies, time × node."""
        return self.data.values

    @property
    def nodes(self) -> Nodes:
        """The places."""
        return self.data.nodes

    @property
    def training(self) -> NodeData:
        """The training years alone."""
        return replace(self.data, values=self.values[: self.trained], time=self.data.time[: self.trained])

    def until(self, trained: int) -> "Record":
        """The same record with more or fewer months to learn from."""
        return replace(self, trained=trained)

    def weights(self, lat: tuple[float, float], lon: tuple[float, float]) -> np.ndarray:
        """The weight of each node in the mean over a box, as a column."""
        found = np.zeros(len(self.nodes))
        named = region_weights(Region(lat, lon), self.nodes, "region")
        found[self.nodes.positions(named)] = list(named.values())
        return found[:, None]

    def row(self, month: int) -> int:
        """Where a month stands in the record."""
        return int(month - self.months[0])


def prepared(
    field: xr.DataArray,
    train: tuple[Any, Any],
    base: Any = "previous 30 years",
    *,
    missing: str = "raise",
    degenerate: str = "raise",
) -> Record:
    """Anomalies of a field of absolute values, from the first training month to its end."""
    source = standard(field)
    months = month_numbers(source["time"])
    no_gaps(months)
    first, last = period("train", train, months)
    kept = source.isel(time=slice(int(first - months[0]), None))
    months = months[months >= first]
    trained = int(last - first) + 1
    anomaly = anomalies(kept, base=_past_only(base, train, first, last))
    seen = to_nodes(anomaly.isel(time=slice(0, trained)), missing, degenerate=degenerate)
    at = {axis: xr.DataArray(getattr(seen, axis), dims="node") for axis in ("lat", "lon")}
    there = anomaly.assign_coords(lon=wrap(anomaly["lon"].values)).sel(at).transpose("time", "node").values
    gaps = np.argwhere(~np.isfinite(there))
    if len(gaps):
        row, node = gaps[0]
        raise ClimateBNError(
            f"{len(gaps)} values are missing after the training years, first at lat {seen.lat[node]:g} lon "
            f"{seen.lon[node]:g} in {name(months[row])}; end the field before them, or fill them"
        )
    data = replace(seen, values=there, time=anomaly["time"].values)
    return Record(data, months, trained)


def refuse_hindsight(field: Any) -> None:
    """Refuse a field that has lost the trend of all its years, by its history: those of the test were among them."""
    if _DETRENDED.search(str(getattr(field, "attrs", {}).get("history", ""))):
        raise ClimateBNError(
            "field must hold absolute values; from this one the trend of all years was taken out, which a forecast of "
            "the test years may not know. Give the field as it was before cb.anomalies(…, detrend=…)"
        )


def period(argument: str, given: Any, months: np.ndarray) -> tuple[int, int]:
    """First and last month of a period within a record."""
    try:
        start, end = given
        first, last = month_of(start, 1), month_of(end, 12)
    except (TypeError, ValueError):
        raise ClimateBNError(
            f'{argument} must be (first, last) as years or "YYYY-MM", e.g. ("1950", "1999"); got {given!r}'
        ) from None
    if last - first < 12:
        raise ClimateBNError(f"{argument}={given!r} must span more than a year, first before last")
    if first < months[0] or last > months[-1]:
        raise ClimateBNError(
            f"{argument}={given!r} must lie within the field, which has {name(months[0])} … {name(months[-1])}"
        )
    return first, last


def _past_only(base: Any, train: Any, first: int, last: int) -> Any:
    """The base of the climatology, which may not lie beyond the training years."""
    if base is None:
        return name(first), name(last)
    if years_before(base) is not None:
        return base
    start, end = period("base", base, np.array([first, last]))
    return name(start), name(end)
