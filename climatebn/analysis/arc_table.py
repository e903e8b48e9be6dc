"""The one shape of every table of arcs: source, target, their own columns, then where both ends are."""

from typing import Any

import numpy as np
import pandas as pd

from climatebn.ingest.grid.distance import great_circle
from climatebn.ingest.grid.place_names import place_name
from climatebn.ingest.nodes.nodes import Nodes


def arc_frame(names: tuple[str, ...], arcs: np.ndarray, nodes: Nodes | None, **columns: Any) -> pd.DataFrame:
    """DataFrame with source, target, km, ``columns``, source_lat … target_lon, source_place, target_place.

    ``arcs`` holds column numbers (source, target), one row an arc. Without ``nodes`` there is neither km nor place.
    """
    labels = np.array(names, dtype=object)
    source, target = np.asarray(arcs).reshape(-1, 2).T
    table: dict[str, Any] = {"source": labels[source], "target": labels[target]}
    if nodes is None:
        return pd.DataFrame({**table, **columns})
    table["km"] = great_circle(nodes.lat[source], nodes.lon[source], nodes.lat[target], nodes.lon[target])
    table |= columns
    spots = np.array([place_name(*place) for place in zip(nodes.lat, nodes.lon, strict=True)], dtype=object)
    ends = {"source": source, "target": target}
    table |= {f"{end}_{axis}": getattr(nodes, axis)[at] for end, at in ends.items() for axis in ("lat", "lon")}
    table |= {f"{end}_place": spots[at] for end, at in ends.items()}
    return pd.DataFrame(table)
