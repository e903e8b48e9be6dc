"""What the page knows of the map: cells and polygons as our maps draw them, coastline, projection, named regions."""

from typing import Any

import numpy as np
from cartopy.crs import Robinson

from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.coastline import shores
from climatebn.ingest.grid.place_names import place_name
from climatebn.ingest.grid.region import row_areas
from climatebn.ingest.grid.region_table import region_sources, region_titles, regions
from climatebn.ingest.nodes.node_weights import node_at, region_weights
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.pages.explorer.packing import numbers
from climatebn.plot.axes import PACIFIC
from climatebn.plot.framing import region as framed
from climatebn.plot.geometry import project
from climatebn.plot.mesh import cell_bounds
from climatebn.plot.region_shapes import covered, map_shapes

EL_NINO = (-5.0, -135.0)  # X81 of the 10° grid


def places(nodes: Nodes) -> dict[str, Any]:
    """Cells by row and column of the grid (−1: not on the map), and everything around them."""
    first = nodes.layer()  # of several fields or months; nodes of the others stand under the map
    box = framed(*_extent(first))
    centre = PACIFIC if box is None else (box[0] + box[1]) / 2.0
    return {
        **(dict.fromkeys(("row", "column"), [-1] * len(nodes)) if nodes.regional else _cells(nodes, first)),
        "regional": nodes.regional,
        "shapes": _shapes(nodes, centre),
        "words": [place_name(lat, lon) for lat, lon in zip(*_said(nodes), strict=True)],
        "lat": _plain(nodes.lat),
        "lon": _plain(nodes.lon),
        "regions": known_regions(nodes),
        "elNino": _node_or_none(EL_NINO, nodes),
        "frame": box,
        "centre": centre,
        "projection": _projection(),
        "coast": _coast(),
    }


def _extent(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """(lat, lon) of what the map must show: also regions without a polygon, which are dots here."""
    lat, lon = covered(nodes.to_xarray(np.zeros(len(nodes))))
    if nodes.polygons is None:
        return lat, lon
    dots = np.isfinite(nodes.lat) & np.array([not text for text in nodes.polygons])
    return np.append(lat, nodes.lat[dots]), np.append(lon, nodes.lon[dots])


def _cells(nodes: Nodes, first: Nodes) -> dict[str, Any]:
    drawn = nodes.on_grid & np.isin(nodes.names, first.names)
    row, column = (
        np.where(drawn, np.abs(axis[None, :] - np.nan_to_num(at)[:, None]).argmin(axis=1), -1)
        for axis, at in ((first.grid_lat, nodes.lat), (first.grid_lon, nodes.lon))
    )
    south, north = cell_bounds(first.grid_lat)
    west, east = cell_bounds(first.grid_lon, 360.0)
    return {
        "row": row.tolist(),
        "column": column.tolist(),
        "poles": [node for node in nodes.poles() if drawn[node]],
        "south": np.maximum(south, -90.0).tolist(),
        "north": np.minimum(north, 90.0).tolist(),
        "west": west.tolist(),
        "east": east.tolist(),
        "gridLon": first.grid_lon.tolist(),
        "area": numbers(row_areas(first.grid_lat)[np.maximum(row, 0)]),
    }


def _said(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """Places as they are said: of regions the middle, to a degree."""
    return (nodes.lat.round(), nodes.lon.round()) if nodes.regional else (nodes.lat, nodes.lon)


def _shapes(nodes: Nodes, centre: float) -> list[list[list[float]] | None] | None:
    """The rings of each polygon on the map, x and y in turn, in degrees of the equator from its middle."""
    if nodes.polygons is None:
        return None

    def rings(drawn: Any) -> list[list[float]]:
        return [(np.asarray(ring) / _degree()).round(2).ravel().tolist() for ring in drawn.to_polygons()]

    return [None if one is None else rings(one) for one in map_shapes(Robinson(centre), nodes.polygons)]


def _degree() -> float:
    """A degree of the equator in the units of the projection."""
    return float(project(Robinson(0.0), np.array([[90.0, 0.0]]))[0, 0]) / 90.0


def known_regions(nodes: Nodes) -> list[dict[str, Any]]:
    """The named regions that have nodes: their weights, or the one node of a point."""
    found = []
    for key, one in regions.items():
        try:
            weights = region_weights(one, nodes)
        except ClimateBNError:  # the network does not reach there
            continue
        place = {"lat": one.lat, "lon": one.lon, "point": one.point}
        at = nodes.positions(weights)
        found.append(
            {
                "key": key, "words": region_titles[key], "source": region_sources[key], **place,
                "numbers": at.tolist(), "weights": list(weights.values()),
            }
        )  # fmt: skip
    return found


def _projection() -> dict[str, list[float]]:
    """Robinson's map: half its width and its height at each whole degree of latitude, in degrees of its equator."""
    lat = np.arange(-90.0, 91.0)
    placed = project(Robinson(0.0), np.column_stack([np.full(181, 90.0), lat]))
    return {"x": (placed[:, 0] / placed[90, 0]).round(7).tolist(), "y": (placed[:, 1] / _degree()).round(5).tolist()}


def _coast() -> dict[str, Any]:
    lines = shores()
    return {
        "lengths": [len(line) for line in lines],
        "points": numbers(np.concatenate(lines), 2),
    }


def _node_or_none(place: tuple[float, float], nodes: Nodes) -> str | None:
    try:
        return node_at(place, nodes)
    except ClimateBNError:
        return None


def _plain(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON, which has no NaN."""
    return [None if np.isnan(value) else float(value) for value in values]
