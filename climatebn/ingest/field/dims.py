"""Which dimension is time, latitude, longitude: CF attributes first, then common names.

Every function of this layer takes a field with its own names and works on the standard form: dimensions
(time, lat, lon), one-dimensional coordinates, other dimensions of length one dropped; or (time, node), where values
belong to named regions. (cf_xarray reads attributes only: files that have none, or contradicting ones, are most of the
work here, so it would save no more than one loop.)
"""

from collections.abc import Hashable
from typing import Any

import cftime
import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, real_array

_CF = {
    "lat": {"standard_name": {"latitude"}, "axis": {"Y"}, "units": {"degrees_north", "degree_north", "degrees_N"}},
    "lon": {"standard_name": {"longitude"}, "axis": {"X"}, "units": {"degrees_east", "degree_east", "degrees_E"}},
    "time": {"standard_name": {"time"}, "axis": {"T"}},
}
_NAMES = {
    "lat": {"lat", "latitude", "lats", "nav_lat", "rlat", "y"},
    "lon": {"lon", "longitude", "long", "lons", "nav_lon", "rlon", "x"},
    "time": {"time", "valid_time", "times", "date", "month", "t"},
}
_REGIONS = {"region", "regions", "node", "nodes", "station", "stations", "area", "basin", "basins", "mask"}
_LABELS = ("abbrevs", "acronym", "acronyms", "abbrev", "names", "name")  # beside regions that are only numbered
_PLACED = ("lat", "lon", "polygon")
# Edges of cells as a file's own bounds have them (see `ingest.grid.cell_bounds`).
EDGE_NAMES = {"lat": ("lat_south", "lat_north"), "lon": ("lon_west", "lon_east")}
_ROTATED = {"grid_latitude", "grid_longitude", "projection_x_coordinate", "projection_y_coordinate"}


def standard(field: xr.DataArray, *, time: bool = True, regions: bool = False) -> xr.DataArray:
    """The field with dimensions (time, lat, lon); ``time=False`` allows a field without time and keeps other ones.

    ``regions`` also allows values of named regions, (time, node), with lat, lon and polygon beside node where known.
    """
    if not isinstance(field, xr.DataArray):
        raise ClimateBNError(
            f"field must be an xarray DataArray; got {type(field).__name__}. Open files and Datasets with open_field"
        )
    if field.dtype.kind not in "biuf":
        raise ClimateBNError(f"field must hold real numbers; got {field.dtype}")
    _reject_curvilinear(field)
    if regions and (dim := region_dimension(field)) is not None:
        return _of_regions(field, dim)
    found = {axis: find(field, axis) for axis in ("lat", "lon")}
    found["time"] = find(field, "time", required=time)
    renamed = {name: axis for axis, name in found.items() if name is not None}
    extra = [dim for dim in field.dims if dim not in renamed]
    if time:
        for dim in extra:
            if field.sizes[dim] > 1:
                raise _too_many(field, dim)
        field, extra = field.squeeze(extra), []
    taken = set(renamed.values())  # a further coordinate of that name, e.g. the scalar `time` beside `valid_time`
    kept = {*field.dims, *EDGE_NAMES["lat"], *EDGE_NAMES["lon"]}
    loose = [name for name, c in field.coords.items() if name not in kept and (c.ndim > 0 or name in taken)]
    plain = field.drop_vars(loose).rename({old: new for old, new in renamed.items() if old != new})
    _check_places(plain)
    order = [axis for axis in ("time", "lat", "lon") if axis in plain.dims]
    return plain.transpose(*extra, *order)


def region_dimension(field: xr.DataArray) -> Hashable | None:
    """The dimension of named regions, where a field has one instead of latitude and longitude."""
    if all(find(field, axis, required=False) is not None for axis in ("lat", "lon")):
        return None
    others = [dim for dim in field.dims if dim != find(field, "time", required=False)]
    known = [dim for dim in others if str(dim).lower() in _REGIONS]
    named = [dim for dim in others if dim in field.coords and field[dim].dtype.kind in "UO" and not is_date(field[dim])]
    hits = known or [dim for dim in named if str(dim).lower() != "model"]
    return hits[0] if len(hits) == 1 else None


def _of_regions(field: xr.DataArray, dim: Hashable) -> xr.DataArray:
    time = find(field, "time")
    for other in field.dims:
        if other not in (dim, time) and field.sizes[other] > 1:
            raise _too_many(field, other)
    plain = field.squeeze([other for other in field.dims if other not in (dim, time)])
    beside = {name: c for name, c in plain.coords.items() if c.dims == (dim,) and name != dim}
    labels = plain[dim].values if dim in plain.coords else np.arange(1, plain.sizes[dim] + 1)
    if labels.dtype.kind not in "UO":
        labels = next((beside[name].values for name in _LABELS if name in beside), labels)
    kept = {name: ("node", beside[name].values) for name in _PLACED if name in beside}
    plain = plain.drop_vars([name for name in plain.coords if name != time]).rename({dim: "node"})
    plain = plain.rename({} if time == "time" else {time: "time"})
    return plain.assign_coords({"node": [str(label) for label in labels], **kept}).transpose("time", "node")


def find(field: xr.DataArray, axis: str, *, required: bool = True) -> Hashable | None:
    """The name of the dimension that is ``axis`` ("time", "lat" or "lon")."""
    coords = {name: field.coords[name] for name in field.dims if name in field.coords}
    for attribute, values in _CF[axis].items():
        hits = [name for name, coord in coords.items() if _stated(coord, attribute) in values]
        if len(hits) == 1:
            return hits[0]
    if axis == "time":
        hits = [name for name, coord in coords.items() if is_date(coord)]
        if len(hits) == 1:
            return hits[0]
    hits = [name for name in coords if str(name).lower() in _NAMES[axis]]
    if len(hits) == 1:
        return hits[0]
    if not required:
        return None
    bare = [str(dim) for dim in field.dims if dim not in coords]
    without = f" ({', '.join(bare)} without coordinate values)" if bare else ""
    raise ClimateBNError(
        f"no {axis} dimension found; the field has {', '.join(map(str, field.dims)) or 'no dimensions'}{without}. "
        f"Rename it, e.g. field.rename(your_name='{axis}'), or give its coordinate the CF attribute "
        f"standard_name='{next(iter(_CF[axis]['standard_name']))}'"
    )


def _stated(coord: xr.DataArray, attribute: str) -> str:
    """An attribute as text; nothing for what is no text."""
    value = coord.attrs.get(attribute)
    return value if isinstance(value, str) else ""


def is_date(coord: xr.DataArray) -> bool:
    """Whether a coordinate holds decoded dates (numpy or cftime)."""
    if not isinstance(coord.dtype, np.dtype):
        return False  # periods, time zones: a type of pandas
    if coord.dtype.kind == "M":
        return True
    return coord.dtype == object and coord.size > 0 and isinstance(coord.values.flat[0], cftime.datetime)


def _reject_curvilinear(field: xr.DataArray) -> None:
    for name, coord in field.coords.items():
        kind = str(coord.attrs.get("standard_name", name)).lower()
        wide = coord.ndim == 2 and kind in _NAMES["lat"] | _NAMES["lon"]
        if wide or (name in field.dims and kind in _ROTATED):
            raise ClimateBNError(
                f"coordinate {name!r} belongs to a rotated or curvilinear grid; latitude and longitude must be "
                "one-dimensional. Remap the file first, e.g. with `cdo remapcon,r360x180 in.nc out.nc`"
            )


def _too_many(field: xr.DataArray, dim: Hashable) -> ClimateBNError:
    shown = _some(field[dim].values) if dim in field.coords else f"{field.sizes[dim]} positions"
    example = field[dim].values[0] if dim in field.coords else 0
    return ClimateBNError(
        f"the field has a further dimension {dim!r} of {field.sizes[dim]} values ({shown}); choose one, "
        f"e.g. open_field(…, select={{{str(dim)!r}: {example}}})"
    )


def _check_places(field: xr.DataArray) -> None:
    lat, lon = (real_array(axis, field[axis].values) for axis in ("lat", "lon"))
    for axis, values in (("latitudes", lat), ("longitudes", lon)):
        if not values.size:
            raise ClimateBNError(f"the field has no {axis}: it is empty")
        if not np.isfinite(values).all():
            raise ClimateBNError(f"{axis} must be numbers; got {_some(values[~np.isfinite(values)])}")
    if lat.size and np.abs(lat).max() > 90 + 1e-6:
        raise ClimateBNError(f"latitudes must lie within ±90°; got {_some(lat[np.abs(lat) > 90])}")
    for axis, values, turn in (("latitude", lat, 1e9), ("longitude", lon, 360.0)):
        places = np.round(values % turn, 6) % turn
        unique, counts = np.unique(places, return_counts=True)
        if len(unique) < len(values):
            same = values[places == unique[np.argmax(counts > 1)]]
            raise ClimateBNError(
                f"{axis} {' and '.join(f'{value:g}' for value in same)} are the same place; keep one of them, e.g. "
                f"field.isel({axis[:3]}=slice(0, -1)) for a repeated last column"
            )


def _some(values: Any) -> str:
    shown = [f"{value:g}" if isinstance(value, float | np.floating) else str(value) for value in values[:5]]
    return ", ".join(shown) + (" …" if len(values) > 5 else "")
