"""The places of nodes as variables of a file, and back."""

import json
from typing import Any

import numpy as np
import xarray as xr

from climatebn.ingest.nodes.nodes import Nodes
from climatebn.provenance import to_json

PLACES = {"lat": "node", "lon": "node", "grid_lat": "grid_lat", "grid_lon": "grid_lon", "on_grid": "node"}


def pack_nodes(nodes: Nodes | None) -> dict[str, Any]:
    """Variables of a dataset: places and axes; variable and lag of each node where there are several."""
    if nodes is None:
        return {}
    found: dict[str, Any] = {name: (dim, getattr(nodes, name)) for name, dim in PLACES.items()}
    if nodes.polygons is not None:
        found["polygons"] = ("node", np.array(nodes.polygons, dtype=object))
    if any(nodes.variable):
        found["variable"] = ("node", np.array(nodes.variable, dtype=object))
    if nodes.lag.any():
        found["lag"] = ("node", nodes.lag, {"long_name": "months before the present"})
    if nodes.grids:
        found["grids"] = ((), to_json({name: [axis.tolist() for axis in axes] for name, axes in nodes.grids.items()}))
    return found


def unpack_nodes(file: xr.Dataset, names: tuple[str, ...]) -> Nodes | None:
    """The nodes of a dataset; None where it has no places."""
    if "lat" not in file:
        return None
    grids = json.loads(str(file["grids"].item())) if "grids" in file else {}
    return Nodes(
        names,
        **{part: file[part].values for part in (*PLACES, "polygons") if part in file},
        variable=tuple(map(str, file["variable"].values)) if "variable" in file else (),
        lag=file["lag"].values if "lag" in file else None,
        grids={name: (np.array(lat), np.array(lon)) for name, (lat, lon) in grids.items()},
    )
