"""Values of named regions as a (time × node) matrix: nodes with the names of the regions, their places and polygons."""

from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.outlines import as_outline, centre, polygons_of
from climatebn.ingest.nodes.nodes import Nodes


def region_matrix(field: xr.DataArray, polygons: Any = None) -> tuple[np.ndarray, Nodes]:
    """The values of a (time, node) field and its nodes.

    A region has the polygon given for it, else that of the field's coordinate ``polygon``; its place is that of the
    coordinates lat and lon, else the middle of its polygon, else it has none.
    """
    names = tuple(map(str, field["node"].values))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ClimateBNError(f"regions must have different names; {twice!r} is there twice")
    own = [str(text) for text in field["polygon"].values] if "polygon" in field.coords else [""] * len(names)
    given = polygons_of(polygons)
    if given and not set(given) & set(names):
        raise ClimateBNError(
            f"polygons has none of the regions: they are {', '.join(names[:5])} …, the polygons of "
            f"{', '.join(list(given)[:5])} …"
        )
    outlines = [
        given.get(name) or (as_outline(text, name) if text else "") for name, text in zip(names, own, strict=True)
    ]
    if all(axis in field.coords for axis in ("lat", "lon")):
        places = list(zip(*(field[axis].values.astype(np.float64) for axis in ("lat", "lon")), strict=True))
    else:
        places = [centre(text) if text else (np.nan, np.nan) for text in outlines]
    return np.asarray(field.values, dtype=np.float64), Nodes.of_regions(names, places, outlines)
