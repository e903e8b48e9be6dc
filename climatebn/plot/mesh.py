"""Cells of a latitude–longitude field as a mesh in map coordinates.

Each cell reaches half way to its neighbours and is refined, so that its sides follow the curved meridians of the map; a
cell that lies across the seam of the map is shown in both of its parts.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from climatebn.plot.geometry import SEAM_MARGIN, project, seam

FINEST = 2.5  # degrees


class Mesh(NamedTuple):
    """Corners ``x``, ``y`` in map coordinates; the field's row and column that each cell shows (−1: nothing)."""

    x: np.ndarray
    y: np.ndarray
    row: np.ndarray
    column: np.ndarray

    def colours(self, values: np.ndarray) -> np.ma.MaskedArray:
        """The values of a (lat, lon) field, one a cell of the mesh; masked where there is none."""
        spread = np.asarray(values, dtype=float)[self.row][:, self.column]
        return np.ma.masked_invalid(np.where(self._within(), spread, np.nan))

    def outlines(self, chosen: np.ndarray) -> list[np.ndarray]:
        """Corners of the cells of the mesh where ``chosen`` (lat, lon) is true, five points a cell."""
        rows, columns = np.nonzero(self._within() & chosen[self.row][:, self.column])
        around = ((0, 0), (0, 1), (1, 1), (1, 0), (0, 0))
        corners = [(rows + down, columns + right) for down, right in around]
        return list(np.stack([np.column_stack([self.x[at], self.y[at]]) for at in corners], axis=1))

    def _within(self) -> np.ndarray:
        """Cells of the mesh that belong to the field and that the map shows."""
        empty = (self.row < 0)[:, None] | (self.column < 0)[None, :]
        return np.asarray(~empty & _shown(self.x, self.y))


def map_mesh(projection: Any, lat: np.ndarray, lon: np.ndarray) -> Mesh:
    """The mesh of a field with these latitudes and longitudes, in either direction and with either longitude habit."""
    south, row = _strips(np.asarray(lat, dtype=float) + 90.0, 180.0, closed=False)
    cut = seam(projection)
    east, column = _strips((np.asarray(lon, dtype=float) - cut) % 360.0, 360.0, closed=True)
    east = np.clip(east, SEAM_MARGIN, 360.0 - SEAM_MARGIN)
    corners = project(projection, np.stack(np.meshgrid(cut + east, south - 90.0), axis=-1))
    width, height = np.ptp(projection.x_limits), np.ptp(projection.y_limits)
    hidden = ~np.isfinite(corners).all(axis=-1)
    corners[hidden] = 10.0 * max(width, height)  # far outside: such cells are too large to be shown
    return Mesh(corners[..., 0], corners[..., 1], row, column)


def cell_bounds(centres: np.ndarray, period: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bound of each cell, half way to its neighbours; at an open end as wide as the usual cell."""
    order = np.argsort(centres)
    ascending = centres[order]
    gap = np.diff(ascending, append=ascending[0] + (period or np.inf))
    usual = float(np.median(gap[np.isfinite(gap)])) if np.isfinite(gap).any() else 10.0
    above = np.where(gap < 1.5 * usual, gap, usual) / 2.0
    below = np.roll(above, 1)
    low, high = np.empty_like(ascending), np.empty_like(ascending)
    low[order], high[order] = ascending - below, ascending + above
    return low, high


def _strips(centres: np.ndarray, length: float, closed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Borders of the strips that make up [0, length], and the cell that each strip belongs to (−1: none)."""
    low, high = cell_bounds(centres, length if closed else None)
    shifts = (-length, 0.0, length) if closed else (0.0,)
    ends = np.concatenate([[0.0, length], *(bound + shift for bound in (low, high) for shift in shifts)])
    coarse = np.unique(np.clip(ends, 0.0, length).round(9))
    parts = [np.linspace(a, b, max(1, int(np.ceil((b - a) / FINEST))), endpoint=False) for a, b in pairwise(coarse)]
    borders = np.append(np.concatenate(parts), length)
    middle = (borders[:-1] + borders[1:]) / 2.0
    beyond = middle[:, None] - low[None, :]
    inside = (beyond % length if closed else beyond) < (high - low)[None, :]
    inside &= True if closed else beyond >= 0
    return borders, np.where(inside.any(axis=1), inside.argmax(axis=1), -1)


def _shown(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Cells whose corners lie together; those torn apart by the map's edge do not."""

    def spread(corner: np.ndarray) -> np.ndarray:
        four = np.stack([corner[:-1, :-1], corner[1:, :-1], corner[:-1, 1:], corner[1:, 1:]])
        return np.asarray(np.ptp(four, axis=0) < 0.25 * np.ptp(corner))

    return spread(x) & spread(y)
