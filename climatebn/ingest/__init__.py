"""From gridded files to node data. Names load on first use: the learners need only `matrix`, without xarray or dask."""

from climatebn.lazy import attributes

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
__getattr__ = attributes(__name__, _HOMES)
