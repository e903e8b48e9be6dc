"""A file's own cell edges: CF bounds become coordinates of the field, and stand before edges midway between centres.

CF puts the edges of a coordinate into a variable (n × 2) that the attribute ``bounds`` of the coordinate names. A field
carries them as the coordinates lat_south and lat_north, lon_west and lon_east, so that selecting cells selects them.
"""

import warnings

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNWarning
from climatebn.ingest.field.dims import EDGE_NAMES, find
from climatebn.ingest.grid.grid import latitude_edges, longitude_edges


def with_bounds(field: xr.DataArray, dataset: xr.Dataset) -> xr.DataArray:
    """The field with the edges of its cells, where its file has bounds of latitude or longitude."""
    for axis, (low, high) in EDGE_NAMES.items():
        dim = find(field, axis, required=False)
        name = None if dim is None else field[dim].attrs.get("bounds", field[dim].encoding.get("bounds"))
        if name not in dataset.variables or dataset[name].shape != (field.sizes[dim], 2):
            continue
        edges = _ordered(axis, field[dim].values.astype(np.float64), dataset[name].values.astype(np.float64))
        if edges is None:
            warnings.warn(
                f"bounds {name!r} do not hold the {axis} values between them; edges midway between centres are taken",
                ClimateBNWarning,
                stacklevel=2,
            )
            continue
        field = field.assign_coords({low: (dim, edges[:, 0]), high: (dim, edges[:, 1])})
    return field


def has_bounds(field: xr.DataArray, axis: str) -> bool:
    """Whether a field carries its own edges of rows ("lat") or columns ("lon")."""
    return all(name in field.coords for name in EDGE_NAMES[axis])


def cell_edges(field: xr.DataArray, axis: str) -> np.ndarray:
    """(low, high) of each row or column of a field in standard form: its own bounds, else midway between centres."""
    low, high = EDGE_NAMES[axis]
    if has_bounds(field, axis):
        return np.column_stack([field[low].values, field[high].values]).astype(np.float64)
    values = field[axis].values.astype(np.float64)
    return latitude_edges(values) if axis == "lat" else longitude_edges(values)


def _ordered(axis: str, centres: np.ndarray, bounds: np.ndarray) -> np.ndarray | None:
    """Edges with the smaller one first and the centre between them; None where that cannot be."""
    if not np.isfinite(bounds).all():
        return None
    if axis == "lat":
        edges = np.clip(np.sort(bounds, axis=1), -90, 90)
        inside = (edges[:, 0] <= centres) & (centres <= edges[:, 1])
    else:  # e.g. 359 … 1 around 0: the way eastwards
        rising = bounds if (np.diff(bounds % 360, axis=1) >= 0).mean() >= 0.5 else bounds[:, ::-1]
        width = np.diff(rising, axis=1)[:, 0] % 360
        width[width == 0] = 360
        west = centres - (centres - rising[:, 0]) % 360
        edges = np.column_stack([west, west + width])
        inside = centres <= edges[:, 1] + 1e-9
    return edges if inside.all() and (np.diff(edges, axis=1) > 0).all() else None
