"""Nodes by place: the one nearest to a point, and those of a box with the weight of each in the box's mean."""

from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.distance import EARTH_RADIUS_KM, great_circle
from climatebn.ingest.grid.outlines import common_area, holds
from climatebn.ingest.grid.region import Region, row_areas
from climatebn.ingest.nodes.nodes import Nodes

DEGREE_KM = np.pi * EARTH_RADIUS_KM / 180
SLIVER = 1e-3  # of a mean: what rounding and curved sides of polygons can make


def node_at(place: Any, nodes: Nodes | None, what: str = "evidence") -> str:
    """Name of the node nearest to (lat, lon), which must lie within one cell of it; ``what`` opens the error.

    Of several fields the first is asked; (variable, lat, lon) asks another.
    """
    variable = None
    if isinstance(place, tuple) and len(place) == 3 and isinstance(place[0], str):
        variable, place = place[0], place[1:]
    try:
        lat, lon = (float(part) for part in place)
    except (TypeError, ValueError):
        raise ClimateBNError(f"{what}: nodes are names or places (lat, lon); got {place!r}") from None
    if nodes is None:
        raise ClimateBNError(f"{what} at ({lat:g}, {lon:g}) needs nodes with lat and lon; this network has none")
    nodes = nodes.layer(variable)
    name = nodes.nearest(lat, lon)
    number = nodes.names.index(name)
    if nodes.polygons is not None and nodes.polygons[number] and holds(nodes.polygons[number], lat, lon):
        return name
    there = float(nodes.lat[number]), float(nodes.lon[number])
    steps = [np.diff(axis).max(initial=0.0) for axis in (nodes.grid_lat, nodes.grid_lon)]
    if great_circle(lat, lon, *there) > DEGREE_KM * max(np.hypot(*steps), 1.0):
        raise ClimateBNError(
            f"{what} at ({lat:g}, {lon:g}) lies outside the network: the nearest node, {name}, is at "
            f"({there[0]:g}, {there[1]:g})"
        )
    return name


def region_weights(
    region: Region, nodes: Nodes | None, what: str = "evidence", variable: str | None = None, lag: int = 0
) -> dict[str, float]:
    """The weight of each node in the area-weighted mean over a region, which is that of `region_mean` on the map.

    A node that stands for a whole pole counts with all cells of its row in the box; a region with what its polygon has
    in common with the box, or alike with others where its place lies in the box and it has no polygon. Of several
    fields the first is asked when ``variable`` is left out; ``lag`` is the month.
    """
    if nodes is None:
        raise ClimateBNError(f"{what} on {region} needs nodes with lat and lon; this network has none")
    nodes = nodes.layer(variable, lag)
    if region.point:
        return {node_at((region.lat[0], region.lon[0]), nodes, what): 1.0}
    if nodes.regional:
        return _of_regions(region, nodes, what)
    area = row_areas(nodes.grid_lat)[np.searchsorted(nodes.grid_lat, nodes.lat).clip(max=nodes.grid_lat.size - 1)]
    pole = nodes.poles()
    inside = region.columns(nodes.lon)
    columns = int(region.columns(nodes.grid_lon).sum())
    inside[pole] = columns > 0
    area[pole] *= columns
    chosen = np.flatnonzero(region.rows(nodes.lat) & inside & nodes.on_grid)
    if not len(chosen):
        raise _outside(region, nodes, what)
    total = area[chosen].sum()
    return {nodes.names[i]: float(area[i] / total) for i in chosen}


def _of_regions(region: Region, nodes: Nodes, what: str) -> dict[str, float]:
    (south, north), (west, east) = region.lat, region.lon
    if nodes.polygons is None:
        weights = (region.rows(nodes.lat) & region.columns(nodes.lon)).astype(np.float64)
    else:
        box = (west, south, east, north)
        weights = np.array([common_area(text, box) if text else 0.0 for text in nodes.polygons])
    if not weights.any():
        raise _outside(region, nodes, what)
    shares = weights / weights.sum()
    kept = shares > SLIVER
    return {nodes.names[i]: float(shares[i] / shares[kept].sum()) for i in np.flatnonzero(kept)}


def _outside(region: Region, nodes: Nodes, what: str) -> ClimateBNError:
    lat, lon = (values[np.isfinite(values)] for values in (nodes.lat, nodes.lon))
    reach = (
        f"the nodes' latitudes are {lat.min():g} … {lat.max():g}, longitudes {lon.min():g} … {lon.max():g}"
        if lat.size
        else "the nodes have no places"
    )
    return ClimateBNError(f"{what}: no node lies in lat={region.lat}, lon={region.lon}; {reach}. Widen the box")
