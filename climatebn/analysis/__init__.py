"""What a network says about the climate: evidence on maps, teleconnections, v-structures, goodness, centrality."""

from importlib import import_module
from typing import Any

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


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
