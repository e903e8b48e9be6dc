"""The outline of chosen cells of a latitude–longitude grid: cells side by side have one outline together."""

from typing import NamedTuple

import numpy as np

from climatebn.plot.mesh import cell_bounds

ALONG = np.linspace(0.0, 1.0, 8)  # points of a side, which is curved on most maps

Corner = tuple[float, float]  # (lon, lat), lon from 0 to 360


class Side(NamedTuple):
    """A side of a cell, walked with the cell on the left."""

    lon: tuple[float, float]
    lat: tuple[float, float]

    @property
    def corners(self) -> tuple[Corner, Corner]:
        """Where it begins and ends."""
        (west, east), (south, north) = self.lon, self.lat
        return (round(west % 360.0, 6) % 360.0, round(south, 6)), (round(east % 360.0, 6) % 360.0, round(north, 6))

    @property
    def points(self) -> np.ndarray:
        """(lon, lat) along it."""
        return np.column_stack([a + (b - a) * ALONG for a, b in (self.lon, self.lat)])


def mask_outline(chosen: np.ndarray, lat: np.ndarray, lon: np.ndarray) -> list[np.ndarray]:
    """Closed lines of (lon, lat) points around the cells where ``chosen`` (lat, lon) is true.

    >>> ring, = mask_outline(np.array([[True, True, False]]), np.array([0.0]), np.array([0.0, 10.0, 20.0]))
    >>> ring.min(axis=0).tolist(), ring.max(axis=0).tolist()
    ([-5.0, -5.0], [15.0, 5.0])
    """
    south, north = cell_bounds(np.asarray(lat, dtype=float))
    west, east = cell_bounds(np.asarray(lon, dtype=float), 360.0)
    south, north = np.maximum(south, -90.0), np.minimum(north, 90.0)
    sides: dict[tuple[Corner, Corner], Side] = {}
    for row, column in np.argwhere(chosen).tolist():
        a, b, c, d = (float(bound) for bound in (west[column], east[column], south[row], north[row]))
        for side in (Side((a, b), (c, c)), Side((b, b), (c, d)), Side((b, a), (d, d)), Side((a, a), (d, c))):
            begin, end = side.corners
            if sides.pop((end, begin), None) is None:  # the neighbour walks the same side the other way
                sides[begin, end] = side
    return _rings(sides)


def _rings(sides: dict[tuple[Corner, Corner], Side]) -> list[np.ndarray]:
    """Sides put together, each beginning where the one before ends."""
    after: dict[Corner, list[tuple[Corner, Side]]] = {}
    for (begin, end), side in sides.items():
        after.setdefault(begin, []).append((end, side))
    rings = []
    for begin in after:
        while after[begin]:
            at, ring = begin, []
            while after[at]:
                at, side = after[at].pop()
                ring.append(side.points)
            rings.append(np.concatenate(ring))
    return rings
