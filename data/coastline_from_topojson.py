"""Makes coastline.npz from Natural Earth 1:110m land as the npm package world-atlas 2.0.2 carries it (TopoJSON).

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python data/coastline_from_topojson.py package/land-110m.json data/coastline.npz

The shores are the rings of the land, decoded (TopoJSON stores integer differences), without the cuts along the date
line that are no shore, and kept in hundredths of a degree: `lon`, `lat` (int16) hold the points of all lines, `start`
the position at which each line begins.
"""

import json
import sys
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np


def decoded_arcs(topology: dict[str, Any]) -> list[np.ndarray]:
    """The arcs of a topology as arrays of (lon, lat) in degrees."""
    scale, translate = np.array(topology["transform"]["scale"]), np.array(topology["transform"]["translate"])
    return [np.cumsum(arc, axis=0) * scale + translate for arc in topology["arcs"]]


def rings(topology: dict[str, Any]) -> list[np.ndarray]:
    """The rings of the land: their arcs joined; arc number −1−k is arc k run backwards."""
    arcs = decoded_arcs(topology)
    polygons = [polygon for part in topology["objects"]["land"]["geometries"] for polygon in part["arcs"]]
    joined = []
    for ring in (ring for polygon in polygons for ring in polygon):
        parts = [arcs[k] if k >= 0 else arcs[-1 - k][::-1] for k in ring]
        joined.append(np.concatenate([parts[0], *(part[1:] for part in parts[1:])]))
    return joined


def shore_lines(ring: np.ndarray) -> list[np.ndarray]:
    """A ring without its steps along the date line."""
    on_date_line = np.abs(ring[:, 0]) > 179.98
    cuts = np.flatnonzero(on_date_line[:-1] & on_date_line[1:]) + 1
    return [line for line in np.split(ring, cuts) if len(line) > 1]


def main(source: str, target: str) -> None:
    topology = json.loads(Path(source).read_text(encoding="utf-8"))
    shores = [line for ring in rings(topology) for line in shore_lines(ring)]
    lon, lat = np.round(np.concatenate(shores) * 100).astype(np.int16).T
    start = np.array([0, *accumulate(len(ring) for ring in shores)][:-1], dtype=np.int16)
    np.savez_compressed(target, lon=lon, lat=lat, start=start)


if __name__ == "__main__":
    main(*sys.argv[1:])
