"""Regions on a map: polygons cut where the map is cut, filled by value or outlined; dots where there is no polygon."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
import xarray as xr
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import PathCollection
from matplotlib.path import Path as Outline

from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.outlines import TURNS, shape
from climatebn.plot.axes import within
from climatebn.plot.geometry import SEAM_MARGIN, project, seam
from climatebn.plot.lettering import panel_width

FINEST = 2.5  # degrees between the points of a side


def covered(values: Any) -> tuple[np.ndarray, np.ndarray]:
    """(lat, lon) of what a map must show: the rows and columns of a grid, the corners of polygons, or places."""
    if "node" in getattr(values, "dims", ()) and "polygon" in values.coords:
        texts = [str(text) for text in values["polygon"].values if str(text)]
        corners = np.concatenate([shapely.get_coordinates(shapely.segmentize(shape(text), 5.0)) for text in texts])
        return corners[:, 1], corners[:, 0]
    lat, lon = (np.asarray(values[axis].values, dtype=float) for axis in ("lat", "lon"))
    known = np.isfinite(lat) if "node" in values.dims else np.ones(len(lat), dtype=bool)
    return (lat[known], lon[known]) if "node" in values.dims else (lat, lon)


def coloured(ax: GeoAxes, values: xr.DataArray, **look: Any) -> PathCollection:
    """Each region in the colour of its value: its polygon, or a dot at its place; hatched where it has no value."""
    numbers = np.asarray(values.values, dtype=float)
    if "polygon" not in values.coords:
        return _dots(ax, values, numbers, **look)
    paths = map_shapes(ax.projection, [str(text) for text in values["polygon"].values])
    shown = np.array([path is not None for path in paths])
    there = shown & np.isfinite(numbers)
    empty = [path for path, fill in zip(paths, there, strict=True) if path is not None and not fill]
    if empty:
        hatched = PathCollection(
            empty, facecolors="0.92", edgecolors="0.72", hatch="/////", linewidths=0, zorder=0.9, label="no data",
            transform=ax.transData,
        )  # fmt: skip
        within(ax, hatched)
    width = 0.35 * float(np.clip(panel_width(ax) / 3.5, 0.4, 1.2))
    filled = [path for path, fill in zip(paths, there, strict=True) if path is not None and fill]
    drawn = PathCollection(
        filled, array=numbers[there], edgecolors="0.45", linewidths=width, zorder=1, transform=ax.transData, **look
    )
    within(ax, drawn)
    return drawn


def outlined(ax: GeoAxes, texts: Sequence[str], **style: Any) -> PathCollection:
    """The outlines of polygons; ``style`` goes to matplotlib."""
    paths = [path for path in map_shapes(ax.projection, texts) if path is not None]
    look = {"facecolors": "none", "edgecolors": "0.75", "linewidths": 0.4, "zorder": 2.5, **style}
    drawn = PathCollection(paths, transform=ax.transData, **look)
    within(ax, drawn)
    return drawn


def map_shapes(projection: Any, texts: Sequence[str]) -> list[Outline | None]:
    """Polygons in map coordinates, cut at the seam of the map; None for what has none or is not shown."""
    cut = seam(projection)
    window = shapely.box(cut - 360.0 + SEAM_MARGIN, -90.0, cut - SEAM_MARGIN, 90.0)
    return [_placed(projection, text, window) if text else None for text in texts]


def _placed(projection: Any, text: str, window: Any) -> Outline | None:
    turned = [shapely.transform(shape(text), lambda points, by=turn: points + np.array([by, 0.0])) for turn in TURNS]
    whole = shapely.union_all([part.intersection(window) for part in turned])  # parts that meet at ±180° are one
    rings = []
    for polygon in shapely.get_parts(shapely.segmentize(whole, FINEST)):
        for ring in (polygon.exterior, *polygon.interiors) if polygon.geom_type == "Polygon" else ():
            placed = project(projection, shapely.get_coordinates(ring))
            placed = placed[np.isfinite(placed).all(axis=1)]
            if len(placed) > 2:
                rings.append(Outline(np.vstack([placed, placed[:1]]), closed=True))
    return Outline.make_compound_path(*rings) if rings else None


def _dots(ax: GeoAxes, values: xr.DataArray, numbers: np.ndarray, **look: Any) -> PathCollection:
    spots = project(ax.projection, np.column_stack([values["lon"].values, values["lat"].values]))
    there = np.isfinite(spots).all(axis=1) & np.isfinite(numbers)
    if not there.any():
        raise ClimateBNError("no node with a value has a place or a polygon: give to_nodes(…, polygons=…)")
    size = float(np.clip(26.0 * panel_width(ax), 15.0, 160.0)) * min(1.0, 60.0 / max(there.sum(), 1)) + 8.0
    drawn: PathCollection = ax.scatter(
        *spots[there].T, c=numbers[there], s=size, edgecolors="0.3", linewidths=0.4, zorder=4, **look
    )
    return drawn
