"""From arrays over nodes back to labelled arrays: on the map where nodes have places, else on the dimension `node`."""

from typing import Any

import numpy as np
import xarray as xr


def on_map(names: tuple[str, ...], nodes: Any, values: np.ndarray, name: str, **attrs: Any) -> xr.DataArray:
    """One value a node as (lat, lon), or as (node) without geometry; ``attrs`` are e.g. long_name and units."""
    if nodes is None:
        return xr.DataArray(values, dims="node", coords={"node": list(names)}, name=name, attrs=attrs)
    result: xr.DataArray = nodes.to_xarray(values, name=name, attrs=attrs)
    return result


def mask_on_map(names: tuple[str, ...], nodes: Any, chosen: np.ndarray, name: str, **attrs: Any) -> xr.DataArray:
    """True at the chosen nodes, False elsewhere, also where no node is."""
    return on_map(names, nodes, chosen.astype(np.float64), name, **attrs).fillna(0.0).astype(bool)


def along(names: tuple[str, ...], nodes: Any, data: Any, values: np.ndarray, by: str, **attrs: Any) -> xr.DataArray:
    """One value a node (with its place) or one a time step (with its date), on that one dimension."""
    coords: dict[str, Any] = {}
    if by == "node":
        coords["node"] = list(names)
        if nodes is not None:
            coords |= {"lat": ("node", nodes.lat), "lon": ("node", nodes.lon)}
    elif getattr(data, "time", None) is not None:
        coords["time"] = data.time
    return xr.DataArray(values, dims=by, coords=coords, name="loglik", attrs=attrs)
