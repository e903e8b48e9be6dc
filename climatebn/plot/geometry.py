r"""Lines on the sphere, cut where a map is cut.

A great circle from a towards b is p(t) = cos(t·ω)·a + sin(t·ω)·u, with unit vectors a, b, the angle ω between them and
u ∝ b − (a·b)a. A map opens at the meridian opposite its centre: a line that crosses it is ended on one edge of the map
and begun again on the other, so no line ever runs across the whole map.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from cartopy.crs import PlateCarree

SEAM_MARGIN = 1e-6  # degrees; a point exactly on the seam would belong to either edge


def great_circles(start: np.ndarray, end: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Points of the great circles from ``start`` to ``end``, at the fractions ``along`` of each.

    ``start`` and ``end`` hold one (lon, lat) in degrees a row; the result is (rows, points, 2). Between antipodes,
    where every way is the shortest, the line runs over the north.

    >>> great_circles(np.array([[170.0, 0.0]]), np.array([[-170.0, 0.0]]), np.array([0.25, 0.75])).round(6).tolist()
    [[[175.0, 0.0], [-175.0, 0.0]]]
    """
    a, b = _unit(start), _unit(end)
    across = b - np.sum(a * b, axis=1, keepdims=True) * a
    sine = np.linalg.norm(across, axis=1, keepdims=True)
    north = np.array([0.0, 0.0, 1.0])
    over_north = north - a[:, 2:] * a
    over_north = np.where(np.linalg.norm(over_north, axis=1, keepdims=True) < 1e-9, [1.0, 0.0, 0.0], over_north)
    u = np.where(sine < 1e-9, over_north, across)
    u = u / np.linalg.norm(u, axis=1, keepdims=True)
    angle = np.arctan2(sine[:, 0], np.sum(a * b, axis=1))[:, None] * along[None, :]
    points = np.cos(angle)[..., None] * a[:, None, :] + np.sin(angle)[..., None] * u[:, None, :]
    lat = np.degrees(np.arcsin(np.clip(points[..., 2], -1, 1)))
    return np.stack([np.degrees(np.arctan2(points[..., 1], points[..., 0])), lat], axis=-1)


def seam(projection: Any) -> float:
    """The longitude at which the map of a projection is cut: opposite its centre."""
    settings = projection.proj4_params
    return float(settings.get("lon_0", settings.get("pm", 0.0))) + 180.0


def project(projection: Any, lonlat: np.ndarray) -> np.ndarray:
    """Map coordinates of (…, 2) points in degrees; not finite where the map does not show them."""
    lon = (lonlat[..., 0].ravel() + 180.0) % 360.0 - 180.0
    flat = projection.transform_points(PlateCarree(), lon, lonlat[..., 1].ravel())
    return np.asarray(flat[:, :2].reshape(lonlat.shape))


class MapLines(NamedTuple):
    """Lines in map coordinates, and for each the number of the line that it is a part of."""

    pieces: list[np.ndarray]
    owner: list[int]


def map_lines(projection: Any, lines: Sequence[np.ndarray]) -> MapLines:
    """Lines of (lon, lat) points as lines in map coordinates, cut at the seam and where the map ends."""
    if len(lines) == 0:
        return MapLines([], [])
    points, owner = np.concatenate(lines), np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    opening = np.diff(owner, prepend=-1) > 0
    points, opening, owner = _cut_at_seam(points, opening, owner, seam(projection))
    placed = project(projection, points)
    step = np.abs(np.diff(placed, axis=0, prepend=placed[:1]))
    far = (step > 0.25 * np.array([np.ptp(projection.x_limits), np.ptp(projection.y_limits)])).any(axis=1)
    hidden = ~np.isfinite(placed).all(axis=1)
    cuts = np.flatnonzero(opening | far | hidden | np.roll(hidden, 1))
    pieces = [
        (piece, int(owners[0]))
        for piece, owners in zip(np.split(placed, cuts), np.split(owner, cuts), strict=True)
        if len(piece) > 1 and np.isfinite(piece).all()
    ]
    return MapLines([piece for piece, _ in pieces], [owners for _, owners in pieces])


def _unit(lonlat: np.ndarray) -> np.ndarray:
    lon, lat = np.radians(np.asarray(lonlat, dtype=float)).T
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


def _cut_at_seam(
    points: np.ndarray, opening: np.ndarray, owner: np.ndarray, cut: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each crossing of the meridian ``cut`` becomes two points, one on each side of it; the second opens a line."""
    east = (points[:, 0] - cut) % 360.0  # 0 just east of the seam, 360 just west of it
    jump = np.diff(east, prepend=east[:1])
    crossing = np.flatnonzero((np.abs(jump) > 180.0) & ~opening)
    if not len(crossing):
        return points, opening, owner
    before, after = east[crossing - 1], east[crossing]
    eastwards = jump[crossing] < 0
    to_seam = np.where(eastwards, 360.0 - before, before)
    from_seam = np.where(eastwards, after, 360.0 - after)
    share = to_seam / np.maximum(to_seam + from_seam, SEAM_MARGIN)
    lat = points[crossing - 1, 1] + share * (points[crossing, 1] - points[crossing - 1, 1])
    side = np.where(eastwards, -SEAM_MARGIN, SEAM_MARGIN)
    added = np.stack([np.column_stack([cut + side, lat]), np.column_stack([cut - side, lat])], axis=1).reshape(-1, 2)
    places = np.repeat(crossing, 2)
    return (
        np.insert(points, places, added, axis=0),
        np.insert(opening, places, np.tile([False, True], len(crossing))),
        np.insert(owner, places, owner[places]),
    )
