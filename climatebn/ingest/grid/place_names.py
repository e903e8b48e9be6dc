"""Places as people write them."""

from typing import Literal

import numpy as np

from climatebn.ingest.grid.grid import wrap


def degrees(value: float, axis: Literal["lat", "lon"]) -> str:
    """One coordinate: 5°S, 135°W, 0°, 180°.

    >>> degrees(-2.5, "lat"), degrees(225, "lon"), degrees(180, "lon")
    ('2.5°S', '135°W', '180°')
    """
    turned = float(wrap(value)) if axis == "lon" else float(value)
    letters = ("S", "N") if axis == "lat" else ("W", "E")
    size = abs(round(turned, 3))
    return f"{size:g}°" if size in (0, 180) else f"{size:g}°{letters[turned > 0]}"


def place_name(lat: float, lon: float) -> str:
    """Both coordinates: 5°S 135°W; nothing for a node without a place.

    >>> place_name(-5, 225)
    '5°S 135°W'
    """
    return f"{degrees(lat, 'lat')} {degrees(lon, 'lon')}" if np.isfinite([lat, lon]).all() else ""
