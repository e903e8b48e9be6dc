"""How stable an arc is: its frequency over resamples of the months and over column orders."""

from typing import Any


def stability(data: Any, algorithm: str) -> Any:
    """Arc frequencies over column orders and block-bootstrap resamples."""
    raise NotImplementedError
