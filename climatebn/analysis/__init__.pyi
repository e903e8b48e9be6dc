from .arcs import arc_strength, teleconnections
from .centrality_fields import centrality, communities
from .collider_ratio import VStructures, vstructures
from .correlation import CorrelationNetwork, correlation_network
from .implied import implied_correlation
from .lengths import arc_lengths, length_distribution, long_degree, long_share
from .likelihood import goodness
from .propagation import propagate
from .regression import regression_map

__all__ = [
    "CorrelationNetwork",
    "VStructures",
    "arc_lengths",
    "arc_strength",
    "centrality",
    "communities",
    "correlation_network",
    "goodness",
    "implied_correlation",
    "length_distribution",
    "long_degree",
    "long_share",
    "propagate",
    "regression_map",
    "teleconnections",
    "vstructures",
]
