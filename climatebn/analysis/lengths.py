"""How long arcs are: each, their distribution beside that of all pairs of nodes, and where the long ones end."""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.analysis.arc_table import arc_frame
from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.analysis.links import links
from climatebn.errors import ClimateBNError, public
from climatebn.ingest.grid.distance import EARTH_RADIUS_KM, great_circle
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.labels import on_map


@public
def arc_lengths(network: Any, data: Any = None) -> pd.DataFrame:
    """The great-circle length of every arc.

    Parameters
    ----------
    network : fitted network, LearnResult, Dag or Pdag.
    data : NodeData; gives places that the network lacks.

    Returns
    -------
    DataFrame, a row an arc: source, target, km, and the places of both ends (degrees, and in words).

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> cb.analysis.arc_lengths(cb.Dag.from_arcs(data.names, [("X81", "X82")]), data)["km"].round().tolist()
    [1112.0]
    """
    edges = links(network, data)
    table = arc_frame(edges.graph.names, edges.edges, edges.nodes)
    table.attrs = {"units": {"km": "km"}, "long_name": {"km": "great-circle length of the arc"}}
    return table


@public
def long_share(network: Any, data: Any = None, min_km: float = TELECONNECTION_KM) -> float:
    """The share of arcs longer than ``min_km``; 0 where there is no arc.

    Parameters
    ----------
    network : fitted network, LearnResult, Dag or Pdag.
    data : NodeData; gives places that the network lacks.
    min_km : great-circle length in km.

    Returns
    -------
    float, 0 … 1.

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> cb.analysis.long_share(cb.Dag.from_arcs(data.names, [("X81", "X82"), ("X81", "X441")]), data)
    0.5
    """
    km = links(network, data).km()
    return float((km > min_km).mean()) if len(km) else 0.0


@public
def length_distribution(network: Any, data: Any = None, step_km: float = 500.0) -> pd.DataFrame:
    """Arcs by length, beside the number of pairs of nodes that far apart.

    Parameters
    ----------
    network : fitted network, LearnResult, Dag or Pdag.
    data : NodeData; gives places that the network lacks.
    step_km : width of the classes in km.

    Returns
    -------
    DataFrame, a row a class: from_km, to_km, arcs, pairs (of nodes that far apart), density (arcs / pairs).

    Raises
    ------
    ClimateBNError where ``step_km`` is not above 0.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> table = cb.analysis.length_distribution(cb.Dag.from_arcs(tropics.names, [("X1", "X2")]), tropics, step_km=5000)
    >>> table[["to_km", "arcs", "pairs"]].values[:2].tolist()
    [[5000.0, 1.0, 612.0], [10000.0, 0.0, 648.0]]
    """
    if not step_km > 0:
        raise ClimateBNError(f"step_km must be positive; got {step_km}")
    edges = links(network, data)
    bounds = np.arange(0, np.pi * EARTH_RADIUS_KM + step_km, step_km)
    arcs, pairs = np.histogram(edges.km(), bounds)[0], _pairs(edges.nodes, bounds)
    density = np.divide(arcs, pairs, out=np.full(len(arcs), np.nan), where=pairs > 0)
    table = pd.DataFrame(
        {"from_km": bounds[:-1], "to_km": bounds[1:], "arcs": arcs, "pairs": pairs, "density": density}
    )
    table.attrs = {
        "units": {"from_km": "km", "to_km": "km", "arcs": "1", "pairs": "1", "density": "1"},
        "long_name": {"arcs": "arcs", "pairs": "pairs of nodes", "density": "share of pairs joined by an arc"},
    }
    return table


@public
def long_degree(network: Any, data: Any = None, min_km: float = TELECONNECTION_KM) -> xr.DataArray:
    """The number of arcs longer than ``min_km`` that begin or end at each node, on the map.

    Parameters
    ----------
    network : fitted network, LearnResult, Dag or Pdag.
    data : NodeData; gives places that the network lacks.
    min_km : great-circle length in km.

    Returns
    -------
    DataArray of whole numbers on the map.

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> found = cb.analysis.long_degree(cb.Dag.from_arcs(data.names, [("X81", "X82"), ("X81", "X441")]), data)
    >>> int(found.max()), int(found.sum())
    (1, 2)
    """
    edges = links(network, data)
    ends = edges.edges[edges.km() > min_km]
    count = np.bincount(ends.ravel(), minlength=len(edges.graph))
    words = f"arcs longer than {min_km:g} km"
    return on_map(edges.graph.names, edges.nodes, count, "long_degree", long_name=words, units="1")


def _pairs(nodes: Nodes, bounds: np.ndarray) -> np.ndarray:
    """Pairs of nodes by distance, a row at a time, so that a large grid needs no N × N matrix."""
    total = np.zeros(len(bounds) - 1, dtype=np.int64)
    for i in range(len(nodes) - 1):
        km = great_circle(nodes.lat[i], nodes.lon[i], nodes.lat[i + 1 :], nodes.lon[i + 1 :])
        total += np.histogram(km, bounds)[0]
    return total
