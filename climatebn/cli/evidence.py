"""Evidence as it is typed: NODE=VALUE, REGION=VALUE, LAT,LON=VALUE or SOUTH:NORTH,WEST:EAST=VALUE.

An interval of values is LOW:HIGH, either end left out.
"""

from collections.abc import Iterable
from typing import Any

import click

from climatebn.errors import ClimateBNError

Evidence = dict[Any, float | tuple[float | None, float | None]]  # by name, (lat, lon) or `Region`


def parse_evidence(settings: Iterable[str]) -> Evidence:
    """Values or intervals by name, place or box.

    >>> parse_evidence(["X81=2", "-5,225=1.5", "nino34=1:"])
    {'X81': 2.0, (-5.0, 225.0): 1.5, 'nino34': (1.0, None)}
    >>> parse_evidence(["-5:5,190:240=2"])
    {Region(lat=(-5.0, 5.0), lon=(-170.0, -120.0)): 2.0}
    """
    evidence: Evidence = {}
    for setting in settings:
        node, _, value = setting.rpartition("=")
        try:
            key, stated = _key(node), _value(value)
        except ClimateBNError as error:  # of a box
            raise click.UsageError(f"--set {setting}: {error}") from None
        except ValueError:
            raise click.UsageError(_wrong(setting)) from None
        if key in evidence:
            raise click.UsageError(f"--set gives {node} twice")
        evidence[key] = stated
    return evidence


def _key(text: str) -> Any:
    if "," not in text:
        if not text:
            raise ValueError
        return text
    axes = [[float(end) for end in axis.split(":")] for axis in text.split(",")]
    match axes:
        case [[lat], [lon]]:
            return lat, lon
        case [[south, north], [west, east]]:
            from climatebn.ingest.grid.region import Region

            return Region((south, north), (west, east))
    raise ValueError


def _value(text: str) -> float | tuple[float | None, float | None]:
    low, between, high = text.partition(":")
    if not between:
        return float(text)
    return float(low) if low else None, float(high) if high else None


def _wrong(setting: str) -> str:
    return (
        "--set takes NODE=VALUE, REGION=VALUE, LAT,LON=VALUE or a box SOUTH:NORTH,WEST:EAST=VALUE, e.g. X81=2, "
        "nino34=2, -5,-135=2 or -5:5,-170:-120=2, and as VALUE an interval LOW:HIGH, e.g. X81=1: for 1 or more; "
        f"got {setting!r}"
    )
