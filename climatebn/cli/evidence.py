"""Evidence as it is typed: NODE=VALUE or LAT,LON=VALUE."""

from collections.abc import Iterable

import click

Evidence = dict[str | tuple[float, float], float]


def parse_evidence(settings: Iterable[str]) -> Evidence:
    """Values by node name or by place.

    >>> parse_evidence(["X81=2", "-5,225=1.5"])
    {'X81': 2.0, (-5.0, 225.0): 1.5}
    """
    evidence: Evidence = {}
    for setting in settings:
        node, _, value = setting.rpartition("=")
        try:
            place = [float(part) for part in node.split(",")] if "," in node else None
            number = float(value)
        except ValueError:
            raise click.UsageError(_wrong(setting)) from None
        if not node or (place is not None and len(place) != 2):
            raise click.UsageError(_wrong(setting))
        key = node if place is None else (place[0], place[1])
        if key in evidence:
            raise click.UsageError(f"--set gives {node} twice")
        evidence[key] = number
    return evidence


def _wrong(setting: str) -> str:
    return f"--set takes NODE=VALUE or LAT,LON=VALUE, e.g. X81=2 or -5,-135=2; got {setting!r}"
