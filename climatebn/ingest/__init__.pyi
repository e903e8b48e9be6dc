from .field.datasets import data_path, load_ncep, load_sst, load_z500
from .field.open import open_field
from .grid.distance import great_circle
from .grid.grid import Grid
from .grid.land import is_land, mask
from .grid.outlines import read_polygons
from .grid.region import Region, region_mean
from .grid.region_table import region_sources, regions
from .grid.regridding import regrid
from .nodes.anomaly import anomalies
from .nodes.effective_size import effective_n
from .nodes.gaussianity import gaussianity, normal_scores
from .nodes.lags import lagged
from .nodes.node_data import NodeData
from .nodes.node_matrix import to_nodes
from .nodes.nodes import Nodes
from .nodes.season import season_mean, year_blocks
from .nodes.whitening import Whitening, whiten

__all__ = [
    "Grid",
    "NodeData",
    "Nodes",
    "Region",
    "Whitening",
    "anomalies",
    "data_path",
    "effective_n",
    "gaussianity",
    "great_circle",
    "is_land",
    "lagged",
    "load_ncep",
    "load_sst",
    "load_z500",
    "mask",
    "normal_scores",
    "open_field",
    "read_polygons",
    "region_mean",
    "region_sources",
    "regions",
    "regrid",
    "season_mean",
    "to_nodes",
    "whiten",
    "year_blocks",
]
