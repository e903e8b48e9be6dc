"""What a network says about the climate: evidence on maps, teleconnections, v-structures, goodness, centrality."""

from climatebn.lazy import attributes

_HOMES = {
    "propagate": "propagation",
    "teleconnections": "arcs",
    "arc_strength": "arcs",
    "arc_lengths": "lengths",
    "long_share": "lengths",
    "length_distribution": "lengths",
    "long_degree": "lengths",
    "vstructures": "collider_ratio",
    "VStructures": "collider_ratio",
    "goodness": "likelihood",
    "centrality": "centrality_fields",
    "communities": "centrality_fields",
    "correlation_network": "correlation",
    "CorrelationNetwork": "correlation",
}

__all__ = sorted(_HOMES)
__getattr__ = attributes(__name__, _HOMES)
