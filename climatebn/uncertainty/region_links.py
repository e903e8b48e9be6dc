"""Links between two regions: in how many members any arc joins them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from climatebn.errors import ClimateBNError, public, unknown
from climatebn.ingest.grid.region import Region
from climatebn.ingest.grid.region_table import regions
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.uncertainty.arc_support import Graph, support_table


@public
@dataclass(frozen=True)
class RegionLinks:
    """What `Ensemble.links_between` found.

    Attributes
    ----------
    support : share of members with one arc or more between the regions.
    mean_arcs : number of arcs, mean over members.
    arcs : each such arc.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
    >>> ens.links_between(((-5, 5), (-180, -90)), ((-5, 5), (40, 100))).support > 0
    True
    """

    support: float
    mean_arcs: float
    arcs: pd.DataFrame

    def __repr__(self) -> str:
        return f"RegionLinks(support {self.support:.2f}, {self.mean_arcs:.1f} arcs a member, {len(self.arcs)} pairs)"


def region_links(
    names: tuple[str, ...], graphs: Sequence[Graph], nodes: Nodes | None, region_a: Any, region_b: Any
) -> RegionLinks:
    """See `Ensemble.links_between`."""
    if nodes is None:
        raise ClimateBNError("places of the nodes are not known; learn from NodeData (see climatebn.to_nodes)")
    a, b = (_inside(nodes, region, word) for region, word in ((region_a, "region_a"), (region_b, "region_b")))
    if (a & b).any():
        raise ClimateBNError(f"region_a and region_b must not overlap; {int((a & b).sum())} nodes lie in both")
    kept = [tuple(pairs[_joins(pairs, a, b)] for pairs in graph) for graph in graphs]
    counts = np.array([len(directed) + len(lines) for directed, lines in kept])
    table = support_table(names, kept, nodes) if counts.sum() else pd.DataFrame(columns=["source", "target", "support"])
    return RegionLinks(float((counts > 0).mean()), float(counts.mean()), table)


def _joins(pairs: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    start, end = pairs.T
    joined: np.ndarray = (a[start] & b[end]) | (b[start] & a[end])
    return joined


def _inside(nodes: Nodes, region: Any, word: str) -> np.ndarray:
    """Which nodes lie in a box."""
    box = _box(region, word)
    inside: np.ndarray = box.rows(nodes.lat) & box.columns(nodes.lon)
    if not inside.any():
        raise ClimateBNError(f"{word} holds no node: lat={box.lat}, lon={box.lon}; widen the box")
    return inside


def _box(region: Any, word: str) -> Region:
    if isinstance(region, Region):
        return region
    if isinstance(region, str):
        if region not in regions:
            raise unknown(word, region, regions)
        return regions[region]
    try:
        lat, lon = (region["lat"], region["lon"]) if isinstance(region, Mapping) else region
    except (KeyError, TypeError, ValueError):
        raise ClimateBNError(
            f"{word} must be a Region, its name, or ((south, north), (west, east)); got {region!r}"
        ) from None
    return Region(lat=lat, lon=lon)
