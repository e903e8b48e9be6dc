from .registry import find

__all__ = [
    "find",
]
