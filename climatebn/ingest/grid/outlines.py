r"""Outlines of regions: polygons on the sphere, kept as text (WKT of longitude and latitude) that any file can hold.

A polygon that passes the date line is either drawn on beyond ±180° or cut there into two parts. Areas are exact for
sides along meridians and parallels: the plane of longitude and sin(latitude) is one of equal area.
"""

import csv
import json
from collections.abc import Mapping
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from climatebn.errors import ClimateBNError, public, short
from climatebn.files import as_path, read_text

TURNS = (-360.0, 0.0, 360.0)
NAMES = ("Acronym", "acronym", "abbrev", "abbrevs", "id", "name", "NAME")  # of a region in a GeoJSON file, best first
STEP = 1.0  # degrees between the points that areas and centres are computed from


@lru_cache(maxsize=4096)
def shape(text: str) -> BaseGeometry:
    """The polygon of a text."""
    return shapely.from_wkt(text)


def as_outline(polygon: Any, name: str = "") -> str:
    """A polygon as text: given as text, as a shapely polygon, or as (lon, lat) of its corners, one a row.

    >>> as_outline([(0, 0), (10, 0), (10, 10)])
    'POLYGON ((0 0, 10 0, 10 10, 0 0))'
    """
    try:
        made = polygon if isinstance(polygon, BaseGeometry) else None
        if made is None:
            text = isinstance(polygon, str)
            made = shapely.from_wkt(polygon) if text else shapely.Polygon(np.asarray(polygon, dtype=float))
    except (shapely.errors.ShapelyError, ValueError, TypeError):
        made = None
    if made is None or made.is_empty or made.geom_type not in ("Polygon", "MultiPolygon"):
        of = f" of {name}" if name else ""
        raise ClimateBNError(
            f"the polygon{of} must be a shapely polygon, its WKT or the (lon, lat) of three corners or more; "
            f"got {short(polygon)}"
        )
    south, north = made.bounds[1], made.bounds[3]
    if not (-90 <= south <= north <= 90):
        raise ClimateBNError(
            f"the polygon of {name or '?'} must lie within ±90° of latitude; got {south:g} … {north:g}"
        )
    return str(shapely.to_wkt(shapely.make_valid(made), rounding_precision=6))


@public
def read_polygons(path: str | PathLike[str]) -> dict[str, str]:
    """Polygons by name from a file: GeoJSON, or the table of corners of the IPCC reference regions (CSV).

    Parameters
    ----------
    path : GeoJSON with a name in the properties of each feature; or CSV with a column ``Acronym`` and, after it,
        corners written ``lon|lat``. Rows whose acronym ends in ``*`` are further parts of the region of that name.

    Returns
    -------
    dict : WKT by name, as `to_nodes` takes it.

    Raises
    ------
    ClimateBNError where the file is not there or holds no polygons; it names the feature or the row.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> shape = {"type": "Polygon", "coordinates": [[[0, 0], [10, 0], [10, 10], [0, 0]]]}
    >>> feature = {"type": "Feature", "properties": {"name": "east"}, "geometry": shape}
    >>> path = Path(mkdtemp()) / "regions.geojson"
    >>> _ = path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    >>> read_polygons(path)
    {'east': 'POLYGON ((0 0, 10 0, 10 10, 0 0))'}
    """
    file = as_path(path)
    text = read_text(file, "file of polygons", "utf-8-sig")
    parts = _geojson(text, file) if text.lstrip().startswith("{") else _corners(text, file)
    if not parts:
        raise ClimateBNError(f"{file} holds no polygon")
    return {name: as_outline(shapely.union_all(group), name) for name, group in parts.items()}


def polygons_of(given: Any) -> dict[str, str]:
    """Polygons by name from what a caller gave: a file, or a mapping of names to polygons; nothing for None."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {str(name): as_outline(polygon, str(name)) for name, polygon in given.items()}
    return read_polygons(given)


@lru_cache(maxsize=4096)
def area(text: str) -> float:
    """The share of the sphere that a polygon covers.

    >>> round(area("POLYGON ((0 0, 90 0, 90 90, 0 90, 0 0))"), 6)
    0.125
    """
    return float(_equal_area(shape(text)).area / 720)


@lru_cache(maxsize=4096)
def centre(text: str) -> tuple[float, float]:
    """(lat, lon) of the middle of a polygon on the sphere."""
    polygon = shape(text)
    west, south, east, north = polygon.bounds
    lon, lat = np.meshgrid(np.arange(west + STEP / 2, east, STEP), np.arange(south + STEP / 2, north, STEP))
    inside = shapely.contains_xy(polygon, lon, lat)
    if not inside.any():
        lon, lat, inside = (np.array([value]) for value in (polygon.centroid.x, polygon.centroid.y, True))
    phi, lam = np.radians(lat[inside]), np.radians(lon[inside])
    x, y, z = (
        np.sum(np.cos(phi) * part) for part in (np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi))
    )
    return float(np.degrees(np.arctan2(z, np.hypot(x, y)))), float(np.degrees(np.arctan2(y, x)))


def holds(text: str, lat: float, lon: float) -> bool:
    """Whether a place lies in a polygon."""
    polygon = shape(text)
    return any(bool(shapely.contains_xy(polygon, lon + turn, lat)) for turn in TURNS)


def common_area(text: str, box: tuple[float, float, float, float]) -> float:
    """The share of the sphere that lies both in a polygon and in a box (west, south, east, north)."""
    west, south, east, north = box
    east += 360.0 * (east < west)
    boxes = [_equal_area(shapely.box(west + turn, south, east + turn, north)) for turn in TURNS]
    polygon = _equal_area(shape(text))
    return float(sum(polygon.intersection(other).area for other in boxes) / 720)


def _equal_area(polygon: BaseGeometry) -> BaseGeometry:
    dense = shapely.segmentize(polygon, STEP)
    flat = shapely.transform(dense, lambda points: np.column_stack([points[:, 0], np.sin(np.radians(points[:, 1]))]))
    return shapely.make_valid(flat)


def _geojson(text: str, file: Path) -> dict[str, list[BaseGeometry]]:
    parts: dict[str, list[BaseGeometry]] = {}
    try:
        for number, feature in enumerate(json.loads(text)["features"], start=1):
            facts = {**(feature.get("properties") or {}), **({"id": feature["id"]} if "id" in feature else {})}
            name = next((str(facts[key]) for key in NAMES if facts.get(key) not in (None, "")), f"region {number}")
            parts.setdefault(name, []).append(shapely.from_geojson(json.dumps(feature["geometry"])))
    except (ValueError, KeyError, TypeError, AttributeError, shapely.errors.ShapelyError) as error:
        raise ClimateBNError(f"{file} is not GeoJSON with features and geometries: {error}") from None
    return parts


def _corners(text: str, file: Path) -> dict[str, list[BaseGeometry]]:
    rows = list(csv.reader(text.splitlines()))
    if not rows or "Acronym" not in rows[0]:
        raise ClimateBNError(f"{file} must be GeoJSON, or CSV with a column Acronym and corners lon|lat after it")
    at = rows[0].index("Acronym")
    parts: dict[str, list[BaseGeometry]] = {}
    for line, row in enumerate(rows[1:], start=2):
        cells = [cell.strip() for cell in row[at + 1 :] if cell.strip()]
        if not cells:
            continue
        try:
            corners = [tuple(float(part) for part in cell.split("|")) for cell in cells]
            parts.setdefault(row[at].strip().rstrip("*"), []).append(shapely.Polygon(corners))
        except (ValueError, shapely.errors.ShapelyError):
            raise ClimateBNError(f"{file}, line {line}: corners must be written lon|lat; got {cells[0]!r} …") from None
    return parts
