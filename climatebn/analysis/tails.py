"""The two tails of a distribution, and how an event in one of them is written."""

from typing import Literal, TypeAlias

Tail: TypeAlias = Literal["upper", "lower", "both"]
TAILS = {"upper": ("upper",), "lower": ("lower",), "both": ("upper", "lower")}
NOTICEABLE = 0.05  # a change of probability up to this counts as none: on maps, in claims, in reports


def event(threshold: float, side: str, units: str) -> str:
    """
    >>> event(1.0, "lower", "sd")
    'X ≤ −1 sd'
    """
    words = f"X ≥ {threshold:g}" if side == "upper" else f"X ≤ −{threshold:g}"
    return f"{words} {units}".rstrip()
