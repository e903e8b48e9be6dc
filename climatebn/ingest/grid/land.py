"""Land or ocean at a place: how many rings of the embedded coastline lie around it, odd on land, even at sea.

A shore that ends at the date line is closed along it; the one round the South Pole is closed over the pole. A ring
inside another (the Caspian Sea) is water.
"""

from functools import cache
from typing import Any, Literal

import numpy as np
import shapely
import xarray as xr

from climatebn.errors import ClimateBNError, alike, public, short
from climatebn.ingest.field.dims import standard
from climatebn.ingest.grid.coastline import shores
from climatebn.ingest.grid.grid import wrap
from climatebn.provenance import stamped

KINDS = ("land", "ocean")
_ASIDE = 1e-6  # degrees from the date line and the poles, where shores are closed: no polygon holds its own edge


@public
def mask(field: xr.DataArray, keep: Literal["land", "ocean"] | xr.DataArray) -> xr.DataArray:
    """Keep the cells whose centre is land, or ocean, or where a mask of your own is true; others become missing.

    Parameters
    ----------
    field : with latitude and longitude; other dimensions stay.
    keep : "land" or "ocean" by the embedded coastline (Natural Earth 1:110 million; lakes are land, the Caspian Sea is
        ocean), or a (lat, lon) DataArray on the field's own grid: booleans, or shares of which 0.5 and more are kept.

    Returns
    -------
    the field, missing (NaN) elsewhere.

    Examples
    --------
    >>> import climatebn as cb
    >>> land = cb.mask(cb.load_ncep(), "land")
    >>> int(land.isel(time=0).notnull().sum())
    213
    >>> cb.to_nodes(cb.anomalies(land), missing="drop_nodes").names[-1]
    'X213'
    """
    source = standard(field, time=False)
    if isinstance(keep, xr.DataArray):
        chosen, shown = _own(source, keep), f"DataArray {keep.name or ''}".strip()
    elif isinstance(keep, str) and keep in KINDS:
        lon, lat = np.meshgrid(source["lon"].values, source["lat"].values)
        chosen, shown = is_land(lat, lon) == (keep == "land"), keep
    else:
        raise ClimateBNError(f"keep must be 'land', 'ocean' or a (lat, lon) DataArray; got {short(keep)}")
    if not chosen.any():
        raise ClimateBNError(f"keep={shown!r} leaves no cell of the field")
    grid = {axis: source[axis] for axis in ("lat", "lon")}
    kept = source.where(xr.DataArray(chosen, dims=("lat", "lon"), coords=grid))
    return stamped(kept, field, "mask", keep=shown, cells=int(chosen.sum()))


@public
def is_land(lat: Any, lon: Any) -> np.ndarray:
    """Whether places are land, by the embedded coastline; arrays of one shape.

    Parameters
    ----------
    lat, lon : degrees north and east; longitudes in either convention.

    Returns
    -------
    array of booleans.

    Examples
    --------
    >>> is_land([0, 48, 0, -85, 42], [-140, 2, 25, 0, 51]).tolist()
    [False, True, True, True, False]
    """
    lat, lon = np.broadcast_arrays(*alike(lat=lat, lon=lon))
    lat, lon = np.clip(lat, _ASIDE - 90, 90 - _ASIDE), np.maximum(wrap(lon), _ASIDE - 180)
    around = np.zeros(lat.shape, dtype=np.int64)
    for ring in _rings():
        for turn in (-360.0, 0.0, 360.0):
            around += shapely.contains_xy(ring, lon + turn, lat)
    return around % 2 == 1


@cache
def _rings() -> tuple[Any, ...]:
    """The shores as closed polygons in the plane of longitude and latitude; longitudes may pass ±180."""
    rings = []
    for line in shores():
        lon, lat = np.unwrap(line[:, 0], period=360), line[:, 1]
        if abs(lon[-1] - lon[0]) > 180:  # once round the pole
            pole = np.copysign(90.0, lat.mean())
            lon, lat = np.r_[lon, lon[-1], lon[0]], np.r_[lat, pole, pole]
        rings.append(shapely.Polygon(np.column_stack([lon, lat])))
    shapely.prepare(rings)
    return tuple(rings)


def _own(source: xr.DataArray, keep: xr.DataArray) -> np.ndarray:
    """A user's mask in the order of the field, whatever its own order and longitude habit."""
    given = standard(keep, time=False).squeeze()
    if set(given.dims) != {"lat", "lon"}:
        raise ClimateBNError(f"a mask must have lat and lon alone; this one has {tuple(keep.dims)}")
    at = {}
    for axis, plain in (("lat", np.asarray), ("lon", wrap)):
        have, want = (np.round(plain(part[axis].values).astype(np.float64), 4) for part in (given, source))
        order = np.argsort(have)
        place = np.clip(np.searchsorted(have[order], want), 0, len(have) - 1)
        at[axis] = order[place]
        if not np.allclose(have[at[axis]], want, atol=1e-3):
            raise ClimateBNError(
                f"a mask must lie on the field's own grid; its {axis} differs. Regrid it first, e.g. "
                "cb.regrid(mask, cb.Grid.of(field))"
            )
    share: np.ndarray = given.transpose("lat", "lon").values[np.ix_(at["lat"], at["lon"])].astype(np.float64)
    least, most = np.nanmin(share, initial=np.inf), np.nanmax(share, initial=-np.inf)
    if least < -0.01 or most > 1.01:
        raise ClimateBNError(
            f"a mask must hold booleans or shares from 0 to 1; this one has {least:g} … {most:g}. Divide percentages "
            "by 100; of other values give a comparison, e.g. mask == 1"
        )
    return share >= 0.5
