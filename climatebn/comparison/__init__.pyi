from .comparing import compare
from .comparison import Comparison
from .distances import distance, node_divergence
from .preparation import open_models

__all__ = [
    "Comparison",
    "compare",
    "distance",
    "node_divergence",
    "open_models",
]
