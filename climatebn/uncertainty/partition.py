r"""Regions of the sphere at random: k-means of the places' unit vectors, weighted by cos(lat)."""

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.nodes import Nodes

ROUNDS = 100


def partition(nodes: Nodes, regions: int, random: np.random.Generator) -> np.ndarray:
    """The region, 0 … regions − 1, of each node; another partition for each state of ``random``."""
    if isinstance(regions, bool) or not isinstance(regions, int | np.integer) or not 2 <= regions <= len(nodes):
        raise ClimateBNError(f"regions must be 2 … {len(nodes)}, the number of places; got {regions!r}")
    lat, lon = np.deg2rad(nodes.lat), np.deg2rad(nodes.lon)
    places = np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    weights = np.maximum(np.cos(lat), 1e-3)
    centres = places[random.choice(len(places), regions, replace=False, p=weights / weights.sum())]
    labels = np.full(len(places), -1)
    for _ in range(ROUNDS):
        found = np.argmax(places @ centres.T, axis=1)
        if np.array_equal(found, labels):
            break
        labels = found
        for region in range(regions):
            inside = labels == region
            if inside.any():
                middle = weights[inside] @ places[inside]
                centres[region] = middle / max(float(np.linalg.norm(middle)), 1e-12)
    return labels
