"""A field of values as evidence: each node takes the value of its cell; missing cells say nothing."""

from collections.abc import Sequence

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.field.dims import standard
from climatebn.ingest.grid.grid import wrap
from climatebn.ingest.nodes.nodes import Nodes

TOLERANCE = 1e-3  # degrees


def node_values(field: xr.DataArray, names: Sequence[str], nodes: Nodes | None) -> dict[str, float]:
    """Values by node name from a field on (lat, lon), or on the dimension ``node`` with names as its coordinate."""
    field = field.squeeze(drop=True)
    if field.dims == ("node",) and "node" in field.coords:
        known = dict(zip(map(str, field["node"].values), field.values.tolist(), strict=True))
    else:
        known = _by_place(field, nodes)
    found = {name: value for name, value in known.items() if np.isfinite(value)}
    if not found:
        raise ClimateBNError("evidence is a field without a value at any node")
    return found


def _by_place(field: xr.DataArray, nodes: Nodes | None) -> dict[str, float]:
    if nodes is None:
        raise ClimateBNError("evidence as a field needs nodes with lat and lon; this network has none")
    if "variable" in field.dims:
        parts = [(str(name), field.sel(variable=name, drop=True)) for name in field["variable"].values]
        return {name: value for variable, part in parts for name, value in _layer(part, nodes.layer(variable)).items()}
    return _layer(field, nodes.layer())


def _layer(field: xr.DataArray, nodes: Nodes) -> dict[str, float]:
    """Values of the nodes of one field, by name."""
    field = standard(field, time=False)
    if set(field.dims) != {"lat", "lon"}:
        raise ClimateBNError(f"evidence as a field must be one map (lat, lon); its dimensions are {field.dims}")
    cells = np.flatnonzero(nodes.on_grid)
    rows = _same(field["lat"].values, nodes.lat[cells])
    columns = _same(wrap(field["lon"].values), wrap(nodes.lon[cells]), 360.0)
    there = (rows >= 0) & (columns >= 0)
    if not there.all():
        raise ClimateBNError(
            f"evidence as a field must have the cells of the network; {int((~there).sum())} of {len(cells)} nodes have "
            "none. Use climatebn.regrid with the network's grid, and NaN where nothing is known"
        )
    values = field.transpose("lat", "lon").values[rows, columns]
    return dict(zip((nodes.names[i] for i in cells), values.astype(np.float64).tolist(), strict=True))


def _same(axis: np.ndarray, wanted: np.ndarray, turn: float = np.inf) -> np.ndarray:
    """Position on ``axis`` of each wanted coordinate; −1 where there is none."""
    apart = np.abs(axis[None, :] - wanted[:, None])
    apart = np.minimum(apart, turn - apart)
    nearest = apart.argmin(axis=1)
    return np.where(apart[np.arange(len(wanted)), nearest] <= TOLERANCE, nearest, -1)
