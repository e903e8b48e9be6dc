"""From one value a node to maps: (lat, lon), and an axis for variables and for lags where there are several."""

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, as_given
from climatebn.ingest.nodes.nodes import AXES

if TYPE_CHECKING:
    from climatebn.ingest.nodes.nodes import Nodes


def to_maps(
    nodes: "Nodes",
    values: Any,
    dims: tuple[Hashable, ...],
    coords: Mapping[Any, Any] | None,
    name: str | None,
    attrs: Mapping[str, Any] | None,
) -> xr.DataArray:
    """See `Nodes.to_xarray`."""
    array, dims = as_given("values", values), tuple(dims)
    if array.ndim != len(dims) + 1 or array.shape[-1] != len(nodes):
        raise ClimateBNError(
            f"values must have one number for each of the {len(nodes)} nodes on the last axis"
            f"{f' after {dims}' if dims else ''}; got shape {array.shape}"
        )
    if nodes.regional:
        own_coords: dict[str, Any] = {"node": list(nodes.names)}
        own_coords |= {axis: ("node", getattr(nodes, axis), {**words, "axis": ""}) for axis, words in AXES.items()}
        if nodes.polygons is not None:
            own_coords["polygon"] = ("node", list(nodes.polygons))
        return _labelled(array, (*dims, "node"), {**own_coords, **(coords or {})}, name, attrs)
    fields, months = list(nodes.fields) or [""], sorted({lag for _, lag in nodes.layers}) or [0]
    kind = array.dtype if np.issubdtype(array.dtype, np.inexact) else np.float64
    shape = (*array.shape[:-1], len(fields), len(months), nodes.grid_lat.size, nodes.grid_lon.size)
    cells = np.full(shape, np.nan, dtype=kind)
    for (variable, lag), at in nodes.layers.items():
        rows, columns = (_places(getattr(nodes, f"grid_{axis}"), getattr(nodes, axis)[at]) for axis in AXES)
        cells[..., fields.index(variable), months.index(lag), rows, columns] = array[..., at]
    for node in nodes.poles():
        row = _places(nodes.grid_lat, nodes.lat[[node]])[0]
        layer = fields.index(nodes.variable[node]), months.index(int(nodes.lag[node]))
        own = _places(nodes.grid_lon, nodes.grids.get(nodes.variable[node], (None, nodes.grid_lon))[1])
        cells[(..., *layer, row, own)] = array[..., node, None]
    axes: dict[Hashable, Any] = {axis: (axis, getattr(nodes, f"grid_{axis}"), AXES[axis]) for axis in AXES}
    more: list[Hashable] = []
    axis_labels: tuple[tuple[str, list[Any]], ...] = (("variable", fields), ("lag", months))
    for place, (axis, labels) in enumerate(axis_labels):
        if len(labels) > 1:
            more.append(axis)
            axes[axis] = (axis, labels)
        else:
            cells = np.squeeze(cells, axis=-4 + place)
    return _labelled(cells, (*dims, *more, "lat", "lon"), {**axes, **(coords or {})}, name, attrs)


def _labelled(values: np.ndarray, dims: Any, coords: Any, name: str | None, attrs: Any) -> xr.DataArray:
    try:
        return xr.DataArray(values, dims=dims, coords=coords, name=name, attrs=dict(attrs or {}))
    except (TypeError, ValueError) as error:
        raise ClimateBNError(f"values, dims and coords do not fit each other: {error}") from None


def from_maps(nodes: "Nodes", field: xr.DataArray) -> np.ndarray:
    """The way back: the value of one map (as `to_maps` makes it) at each node; NaN for nodes that are not on it."""
    values = np.full(len(nodes), np.nan)
    for (variable, lag), at in nodes.layers.items():
        chosen = {"variable": variable, "lag": lag}
        part = field.sel({axis: label for axis, label in chosen.items() if axis in field.dims}).transpose("lat", "lon")
        rows, columns = (_places(getattr(nodes, f"grid_{axis}"), getattr(nodes, axis)[at]) for axis in AXES)
        values[at] = part.values[rows, columns]
    return values


def _places(axis: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Where each value stands on an axis, in whatever order that is."""
    order = np.argsort(axis, kind="stable")
    return np.asarray(order[np.searchsorted(axis, values, sorter=order)])
