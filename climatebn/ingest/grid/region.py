"""Boxes of latitudes and longitudes: which centres lie in one, and the area-weighted mean of a field over it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public, real_array
from climatebn.ingest.field.dims import find, standard
from climatebn.ingest.grid.cell_bounds import cell_edges, has_bounds
from climatebn.ingest.grid.grid import latitude_edges, wrap
from climatebn.ingest.grid.place_names import degrees
from climatebn.provenance import stamped

Field = TypeVar("Field", xr.DataArray, xr.Dataset)


@public
@dataclass(frozen=True)
class Region:
    """A box; its centres are those within (south, north) and eastwards from west to east, edges included.

    Parameters
    ----------
    lat : (south, north) in degrees north.
    lon : (west, east) in degrees east, −180 … 180 or 0 … 360. The box runs eastwards from the first to the second,
        also across the date line: (170, −90) is the same as (170, 270). A box of no size is a point: the nearest node.
    name : how answers call it; its edges when left out. Regions with the same edges are equal.

    Examples
    --------
    >>> nino = Region(lat=(-5, 5), lon=(190, 240))
    >>> nino, nino == Region(lat=(-5, 5), lon=(-170, -120)), str(nino)
    (Region(lat=(-5.0, 5.0), lon=(-170.0, -120.0)), True, '5°S–5°N 170°W–120°W')
    """

    lat: tuple[float, float]
    lon: tuple[float, float]
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        south, north = _pair("lat", self.lat)
        west, east = _pair("lon", self.lon)
        if not -90 <= south <= north <= 90:
            raise ClimateBNError(f"lat must be (south, north) within ±90°, south first; got {self.lat!r}")
        round_the_globe = east != west and (east - west) % 360 == 0
        object.__setattr__(self, "lat", (south, north))
        object.__setattr__(self, "lon", (-180.0, 180.0) if round_the_globe else (_short(west), _short(east)))

    @property
    def point(self) -> bool:
        """Whether it is a single place."""
        return self.lat[0] == self.lat[1] and self.lon[0] == self.lon[1]

    def rows(self, lat: np.ndarray) -> np.ndarray:
        """Whether each latitude lies in the box.

        Parameters
        ----------
        lat : degrees north.

        Returns
        -------
        array of booleans.

        Examples
        --------
        >>> Region(lat=(-5, 5), lon=(190, 240)).rows(np.array([-10.0, 0.0, 5.0])).tolist()
        [False, True, True]
        """
        lat = real_array("lat", lat)
        return (lat >= self.lat[0]) & (lat <= self.lat[1])

    def columns(self, lon: np.ndarray) -> np.ndarray:
        """Whether each longitude lies in the box.

        Parameters
        ----------
        lon : degrees east, in either convention.

        Returns
        -------
        array of booleans.

        Examples
        --------
        >>> Region(lat=(-5, 5), lon=(170, -120)).columns(np.array([175.0, -175.0, -90.0])).tolist()
        [True, True, False]
        """
        lon = real_array("lon", lon)
        west, east = self.lon
        width = 360.0 if east - west == 360 else (east - west) % 360
        inside: np.ndarray = (lon - west + 1e-9) % 360 <= width + 2e-9  # edges are included in spite of rounding
        return inside

    def __str__(self) -> str:
        """Its name, or its edges as people write them."""
        if self.name:
            return self.name
        ends = [[degrees(edge, axis) for edge in dict.fromkeys(getattr(self, axis))] for axis in ("lat", "lon")]
        return " ".join("–".join(pair) for pair in ends)

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name else ""
        return f"Region(lat={self.lat}, lon={self.lon}{name})"


@public
def region_mean(field: Field, lat: tuple[float, float], lon: tuple[float, float]) -> Field:
    """Mean of the cells whose centres lie in a box, weighted by their area; missing cells are left out.

    Parameters
    ----------
    field : a DataArray, or a Dataset whose maps are averaged one by one.
    lat, lon : (south, north) and (west, east), edges included, as in `Region`.

    Returns
    -------
    the field without lat and lon, in its own units.

    Examples
    --------
    >>> import climatebn as cb
    >>> nino = cb.region_mean(cb.anomalies(cb.load_ncep()), lat=(-10, 10), lon=(-170, -90))
    >>> round(nino.sel(time="1998-01").item(), 2)
    1.79
    """
    region = Region(lat, lon)
    if isinstance(field, xr.Dataset):
        maps = [
            name for name, part in field.items() if all(find(part, axis, required=False) for axis in ("lat", "lon"))
        ]
        mean_of: Any = region_mean
        return xr.Dataset({name: mean_of(field[name], lat, lon) for name in maps}, attrs=field.attrs)
    source = standard(field, time=False)
    rows, columns = region.rows(source["lat"].values), region.columns(source["lon"].values)
    if not (rows.any() and columns.any()):
        raise ClimateBNError(
            f"no cell centre lies in lat={lat!r}, lon={lon!r}; the field's latitudes are "
            f"{source['lat'].values.min():g} … {source['lat'].values.max():g}, longitudes "
            f"{wrap(source['lon'].values).min():g} … {wrap(source['lon'].values).max():g}. Widen the box"
        )
    weights = xr.DataArray(row_areas(source["lat"].values), dims="lat", coords={"lat": source["lat"]})
    if has_bounds(source, "lat"):
        weights = weights.copy(data=np.diff(np.sin(np.deg2rad(cell_edges(source, "lat"))))[:, 0])
    inside = source.isel(lat=rows, lon=columns)
    weights = weights.isel(lat=rows)
    if has_bounds(inside, "lon"):
        weights = weights * xr.DataArray(np.diff(cell_edges(inside, "lon"))[:, 0], coords={"lon": inside["lon"]})
    mean = inside.weighted(weights).mean(("lat", "lon"))
    return stamped(mean, field, "region_mean", lat=lat, lon=lon)


def row_areas(lat: np.ndarray) -> np.ndarray:
    """Area of a cell of each row; of one row alone any number will do."""
    if lat.size < 2:
        return np.ones(lat.size)
    return np.diff(np.sin(np.deg2rad(latitude_edges(lat.astype(np.float64)))))[:, 0]


def _pair(axis: str, bounds: Any) -> tuple[float, float]:
    try:
        if not isinstance(bounds, Sequence | np.ndarray) or isinstance(bounds, str):
            raise TypeError
        first, second = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        words = "(south, north)" if axis == "lat" else "(west, east)"
        raise ClimateBNError(f"{axis} must be two numbers {words}, e.g. {axis}=(-5, 5); got {bounds!r}") from None
    if not np.isfinite([first, second]).all():
        raise ClimateBNError(f"{axis} must be finite; got {bounds!r}")
    return first, second


def _short(lon: float) -> float:
    """−180 … 180, with 180 itself kept."""
    return 180.0 if lon == 180 else float(wrap(lon))
