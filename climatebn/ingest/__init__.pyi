from .field.datasets import data_path, load_ncep
from .field.open import open_field
from .grid.distance import great_circle
from .grid.grid import Grid
from .grid.region import region_mean
from .grid.regridding import regrid
from .nodes.anomaly import anomalies
from .nodes.effective_size import effective_n
from .nodes.node_data import NodeData
from .nodes.node_matrix import to_nodes
from .nodes.nodes import Nodes
from .nodes.season import season_mean, year_blocks
from .nodes.whitening import Whitening, whiten

__all__ = [
    "Grid",
    "NodeData",
    "Nodes",
    "Whitening",
    "anomalies",
    "data_path",
    "effective_n",
    "great_circle",
    "load_ncep",
    "open_field",
    "region_mean",
    "regrid",
    "season_mean",
    "to_nodes",
    "whiten",
    "year_blocks",
]
