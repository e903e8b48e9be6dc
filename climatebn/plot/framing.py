"""What part of the world a map shows: an extent that is asked for, the region of the data, a hemisphere, or all of it.

Axes that were zoomed before, or that something was drawn on, keep what they show.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.path import Path as Outline

from climatebn.errors import ClimateBNError
from climatebn.plot.geometry import project

REGIONAL = 0.6  # of the globe; data that cover less are framed
MARGIN = 0.03

Extent = tuple[float, float, float, float]


def frame(ax: Any, lat: np.ndarray, lon: np.ndarray, extent: Sequence[float] | None = None) -> None:
    """Show ``extent`` (west, east, south, north), or what the places of the data ask for."""
    if extent is not None:
        _show(ax, checked(extent))
    elif _untouched(ax):
        box = region(lat, lon)
        pole = polar(ax.projection)
        if pole:
            _show_cap(ax, pole, box)
        elif box is not None:
            _show(ax, box)
        else:
            ax.set_global()
    ax.set_autoscale_on(False)


def region(lat: np.ndarray, lon: np.ndarray) -> Extent | None:
    """The box of places, half a cell wider; None where they lie all over the globe."""
    lat, lon = (np.unique(np.asarray(values, dtype=float)) for values in (lat, lon))
    if not len(lat):
        return None
    turned = np.unique(lon % 360.0)
    gaps = np.diff(turned, append=turned[0] + 360.0)
    widest = int(np.argmax(gaps))
    west, east = turned[(widest + 1) % len(turned)], turned[widest]
    east += 360.0 * (east < west)
    step = [float(np.median(np.diff(values))) if len(values) > 1 else 10.0 for values in (lat, turned)]
    if gaps[widest] < 1.5 * step[1]:
        west, east = 0.0, 360.0
    else:
        west, east = west - step[1] / 2, min(east + step[1] / 2, west + step[1] / 2 + 359.0)
    south, north = max(lat[0] - step[0] / 2, -90.0), min(lat[-1] + step[0] / 2, 90.0)
    share = (east - west) / 360.0 * np.ptp(np.sin(np.radians([south, north]))) / 2.0
    return None if share > REGIONAL else (float(west), float(east), float(south), float(north))


def polar(projection: Any) -> int:
    """+1 or −1 for a map around the north or south pole, else 0."""
    centre = projection.proj4_params.get("lat_0", 0.0)
    return int(np.sign(centre)) if abs(abs(float(centre)) - 90.0) < 1e-6 else 0


def checked(extent: Sequence[float]) -> Extent:
    """(west, east, south, north) in degrees, west before east."""
    try:
        west, east, south, north = (float(value) for value in extent)
    except (TypeError, ValueError):
        raise ClimateBNError(f"extent must be (west, east, south, north) in degrees; got {extent!r}") from None
    east += 360.0 * (east <= west)
    if not (-90.0 <= south < north <= 90.0 and east - west <= 360.0):
        raise ClimateBNError(
            f"extent must be (west, east, south, north) with south below north within ±90° and at most 360° from west "
            f"to east; got {extent!r}"
        )
    return west, east, south, north


def _untouched(ax: Any) -> bool:
    """Whether the axes show the whole projection, or nobody said yet what they show, and hold only a coastline."""
    whole = np.concatenate([ax.projection.x_limits, ax.projection.y_limits])
    shown = np.concatenate([ax.get_xlim(), ax.get_ylim()])
    new = ax.get_autoscale_on() and shown.tolist() == [0.0, 1.0, 0.0, 1.0]  # cartopy before 0.26
    drawn = [artist for artist in ax.collections if artist.get_label() != "coastline"]
    return not drawn and not ax.images and (new or bool(np.allclose(shown, whole, rtol=1e-3)))


def _show(ax: Any, box: Extent) -> None:
    west, east, south, north = box
    lon, lat = np.meshgrid(np.linspace(west, east, 73), np.linspace(south, north, 37))
    placed = project(ax.projection, np.stack([lon, lat], axis=-1)).reshape(-1, 2)
    placed = placed[np.isfinite(placed).all(axis=1)]
    if not len(placed):
        raise ClimateBNError(
            f"the map does not show {box} (west, east, south, north) at all; choose another projection"
        )
    low, high = placed.min(axis=0), placed.max(axis=0)
    spare = MARGIN * (high - low)
    limits = np.array([ax.projection.x_limits, ax.projection.y_limits])
    low, high = np.maximum(low - spare, limits[:, 0]), np.minimum(high + spare, limits[:, 1])
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])


def _show_cap(ax: Any, pole: int, box: Extent | None) -> None:
    """A round map of the hemisphere around a pole; of less where the data reach less far."""
    farthest = 0.0 if box is None else float(max(pole * (box[2] if pole > 0 else box[3]), 0.0))
    edge = project(ax.projection, np.array([[0.0, pole * max(farthest, 0.0)]]))[0]
    radius = float(np.hypot(*edge))
    ax.set_xlim(-radius, radius)
    ax.set_ylim(-radius, radius)
    turn = np.linspace(0.0, 2.0 * np.pi, 200)
    ax.set_boundary(Outline(radius * np.column_stack([np.sin(turn), np.cos(turn)])))
