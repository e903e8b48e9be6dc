"""Which node is at a place: the nearest one, with one rule for places that lie on an edge between cells."""

from typing import TYPE_CHECKING

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.distance import great_circle
from climatebn.ingest.grid.grid import wrap
from climatebn.ingest.grid.outlines import holds

if TYPE_CHECKING:
    from climatebn.ingest.nodes.nodes import Nodes

_TIE_KM = 1e-3  # cells nearer to each other than this are equally near


def nearest_node(nodes: "Nodes", lat: float, lon: float) -> str:
    """Its name; `Nodes.nearest` has the rule in words."""
    if not (np.isfinite([lat, lon]).all() and abs(lat) <= 90):
        raise ClimateBNError(f"a place needs lat within ±90° and a finite lon; got lat={lat!r}, lon={lon!r}")
    for name, text in zip(nodes.names, nodes.polygons or (), strict=False):
        if text and holds(text, lat, float(wrap(lon))):
            return name
    months = min((lag for _, lag in nodes.layers), default=0)
    cells = next((at for (_, lag), at in nodes.layers.items() if lag == months), np.zeros(0, dtype=np.int64))
    if nodes.regional:
        cells = np.flatnonzero(np.isfinite(nodes.lat) & (nodes.lag == nodes.lag.min(initial=0)))
    if not cells.size:
        raise ClimateBNError("no node has a place on the map; name the node instead")
    km = great_circle(nodes.lat[cells], nodes.lon[cells], lat, wrap(lon))
    near = cells[km <= km.min() + _TIE_KM]
    east = np.round(wrap(nodes.lon[near] - wrap(lon)), 6)  # degrees to the east of the place
    best = np.lexsort((-nodes.lat[near], east < 0, np.abs(east)))[0]
    return nodes.names[int(near[best])]
