"""Evidence as it is typed: NODE=VALUE, REGION=VALUE or LAT,LON=VALUE; an interval is LOW:HIGH, either end left out."""

from collections.abc import Iterable

import click

Evidence = dict[str | tuple[float, float], float | tuple[float | None, float | None]]


def parse_evidence(settings: Iterable[str]) -> Evidence:
    """Values or intervals by name or by place.

    >>> parse_evidence(["X81=2", "-5,225=1.5", "nino34=1:"])
    {'X81': 2.0, (-5.0, 225.0): 1.5, 'nino34': (1.0, None)}
    """
    evidence: Evidence = {}
    for setting in settings:
        node, _, value = setting.rpartition("=")
        try:
            place = [float(part) for part in node.split(",")] if "," in node else None
            stated = _value(value)
        except ValueError:
            raise click.UsageError(_wrong(setting)) from None
        if not node or (place is not None and len(place) != 2):
            raise click.UsageError(_wrong(setting))
        key = node if place is None else (place[0], place[1])
        if key in evidence:
            raise click.UsageError(f"--set gives {node} twice")
        evidence[key] = stated
    return evidence


def _value(text: str) -> float | tuple[float | None, float | None]:
    low, between, high = text.partition(":")
    if not between:
        return float(text)
    return float(low) if low else None, float(high) if high else None


def _wrong(setting: str) -> str:
    return (
        "--set takes NODE=VALUE, REGION=VALUE or LAT,LON=VALUE, e.g. X81=2, nino34=2 or -5,-135=2, and for an interval "
        f"LOW:HIGH, e.g. X81=1: for 1 or more; got {setting!r}"
    )
