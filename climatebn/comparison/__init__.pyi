from .distances import distance, node_divergence

__all__ = [
    "distance",
    "node_divergence",
]
