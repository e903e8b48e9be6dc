from .bootstrap import Stability, stability

__all__ = [
    "Stability",
    "stability",
]
