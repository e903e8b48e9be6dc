"""Area-weighted mean over a box of latitudes and longitudes."""

from typing import TypeVar

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.field.dims import find, standard
from climatebn.ingest.grid.grid import latitude_edges, wrap
from climatebn.provenance import stamped

Field = TypeVar("Field", xr.DataArray, xr.Dataset)


def region_mean(field: Field, lat: tuple[float, float], lon: tuple[float, float]) -> Field:
    """Mean of the cells whose centres lie in a box, weighted by their area; missing cells are left out.

    Parameters
    ----------
    field : a DataArray, or a Dataset whose maps are averaged one by one.
    lat, lon : (south, north) and (west, east), edges included. ``lon`` runs eastwards from its first to its second
        value, in −180 … 180 or 0 … 360, also across the date line: (170, −90) is the same as (170, 270).

    Examples
    --------
    >>> import climatebn as cb
    >>> nino = cb.region_mean(cb.anomalies(cb.load_ncep()), lat=(-10, 10), lon=(-170, -90))
    >>> round(nino.sel(time="1998-01").item(), 2)
    1.79
    """
    if isinstance(field, xr.Dataset):
        maps = [
            name for name, part in field.items() if all(find(part, axis, required=False) for axis in ("lat", "lon"))
        ]
        return xr.Dataset({name: region_mean(field[name], lat, lon) for name in maps}, attrs=field.attrs)
    source = standard(field, time=False)
    south, north, west, east = (float(bound) for pair in (lat, lon) for bound in pair)
    if not -90 <= south <= north <= 90:
        raise ClimateBNError(f"lat must be (south, north) within ±90°, south first; got {lat!r}")
    width = (east - west) % 360 or (360.0 if east != west else 0.0)
    rows = (source["lat"].values >= south) & (source["lat"].values <= north)
    columns = (source["lon"].values - west + 1e-9) % 360 <= width + 2e-9  # edges are included in spite of rounding
    if not (rows.any() and columns.any()):
        raise ClimateBNError(
            f"no cell centre lies in lat={lat!r}, lon={lon!r}; the field's latitudes are "
            f"{source['lat'].values.min():g} … {source['lat'].values.max():g}, longitudes "
            f"{wrap(source['lon'].values).min():g} … {wrap(source['lon'].values).max():g}. Widen the box"
        )
    weights = xr.DataArray(_row_areas(source["lat"].values), dims="lat", coords={"lat": source["lat"]})
    inside = source.isel(lat=rows, lon=columns)
    mean = inside.weighted(weights.isel(lat=rows)).mean(("lat", "lon"))
    return stamped(mean, field, "region_mean", lat=lat, lon=lon)


def _row_areas(lat: np.ndarray) -> np.ndarray:
    """Area of a cell of each row; of one row alone any number will do."""
    if lat.size < 2:
        return np.ones(lat.size)
    return np.diff(np.sin(np.deg2rad(latitude_edges(lat.astype(np.float64)))))[:, 0]
