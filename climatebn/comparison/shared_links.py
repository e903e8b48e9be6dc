"""Teleconnections that networks share: which groups of nodes are joined over a long way, and by how many networks.

On a grid single arcs hop to neighbours from one network to the next, so nodes are put together in boxes; of regions
every node is a group of its own.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd

from climatebn.analysis.links import links
from climatebn.errors import ClimateBNError, number
from climatebn.ingest.grid.place_names import degrees
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.gaussian_bn import GaussianBN


def shared_links(networks: Mapping[str, GaussianBN], reference: str, min_km: float, box: float | None) -> pd.DataFrame:
    """Pairs of groups and who joins them; see `Comparison.shared_links`."""
    number("min_km", min_km, least=0)
    places = networks[reference].nodes
    if places is None:
        raise ClimateBNError("places of the nodes are not known; compare NodeData (see climatebn.to_nodes)")
    labels = groups(places, box)
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for name, bn in networks.items():
        found = links(bn)
        own = dict(zip(places.names, labels, strict=True))
        for (a, b), km in zip(found.edges.tolist(), found.km().tolist(), strict=True):
            ends = sorted((own[bn.names[a]], own[bn.names[b]]))
            if km > min_km and ends[0] != ends[1]:
                row = counts.setdefault((ends[0], ends[1]), dict.fromkeys(networks, 0))
                row[name] += 1
    models = [name for name in networks if name != reference]
    rows = [
        {
            "region_a": a,
            "region_b": b,
            "reference": row[reference],
            "models": sum(row[name] > 0 for name in models),
            "share": float(np.mean([row[name] > 0 for name in models])) if models else float("nan"),
            **{name: row[name] for name in models},
        }
        for (a, b), row in counts.items()
    ]
    columns = ["region_a", "region_b", "reference", "models", "share", *models]
    table = pd.DataFrame(rows, columns=columns)
    order = ["models", "reference", "region_a", "region_b"]
    return table.sort_values(order, ascending=[False, False, True, True], kind="stable", ignore_index=True)


def groups(places: Nodes, box: float | None) -> list[str]:
    """The group of each node: itself where nodes are regions, else its box of ``box`` degrees (30 when None)."""
    if box is None and places.regional:
        return list(places.names)
    step = number("box", 30.0 if box is None else box, above=0, most=180)
    words = {
        "lat": [
            f"{degrees(a, 'lat')}–{degrees(min(b, 90), 'lat')}" for a, b in pairwise(np.arange(-90, 90 + step, step))
        ],
        "lon": [f"{degrees(a, 'lon')}–{degrees(b, 'lon')}" for a, b in pairwise(np.arange(-180, 180 + step, step))],
    }
    found = []
    for name, lat, lon in zip(places.names, places.lat, places.lon, strict=True):
        if not np.isfinite(lat):
            found.append(name)
            continue
        row = min(int((lat + 90) // step), len(words["lat"]) - 1)
        column = min(int((lon + 180) // step), len(words["lon"]) - 1)
        found.append(f"{words['lat'][row]} {words['lon'][column]}")
    return found
