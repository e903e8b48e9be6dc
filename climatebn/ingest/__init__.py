"""From gridded files to node data. Names load on first use: the learners need only `matrix`, without xarray or dask."""

from importlib import import_module
from typing import Any

_HOMES = {
    "open_field": "open",
    "Grid": "grid",
    "regrid": "regridding",
    "anomalies": "climatology",
    "region_mean": "region",
    "to_nodes": "gather",
    "NodeData": "node_data",
    "Nodes": "nodes",
    "great_circle": "distance",
    "data_path": "datasets",
    "load_ncep": "datasets",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
