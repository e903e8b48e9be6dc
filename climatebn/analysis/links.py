"""One view of anything that has arcs (fitted network, LearnResult, Dag, Pdag): who joins whom, and where."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.graph import Dag, Pdag
from climatebn.ingest.grid.distance import great_circle
from climatebn.ingest.nodes.lags import is_lagged, lags_of
from climatebn.ingest.nodes.nodes import Nodes


@dataclass(frozen=True)
class Links:
    """Edges of a graph: rows (from, to) of column numbers, whether each is directed, and the places of the nodes."""

    graph: Pdag
    edges: np.ndarray
    directed: np.ndarray
    places: Nodes | None

    @property
    def nodes(self) -> Nodes:
        """The places of the nodes; an error where there are none."""
        if self.places is None:
            raise ClimateBNError("places of the nodes are not known; give data=, the NodeData that was learned from")
        return self.places

    def km(self) -> np.ndarray:
        """Great-circle length of each edge."""
        lat, lon = self.nodes.lat, self.nodes.lon
        start, end = self.edges.T
        return great_circle(lat[start], lon[start], lat[end], lon[end])


def links(network: Any, data: Any = None) -> Links:
    """Edges of a network, with places from itself or from ``data``.

    A LearnResult counts as the DAG it found; if it is not valid, as its graph with directed and undirected edges.
    """
    graph = as_graph(network)
    places = getattr(network, "nodes", None)
    if places is None:
        places = getattr(data, "nodes", None)
    edges = np.concatenate([graph.numbered_arcs, graph.numbered_undirected])
    directed = np.arange(len(edges)) < len(graph.numbered_arcs)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    if isinstance(places, Nodes) and is_lagged(graph.names) and not places.lag.any():
        places = places.with_past(sorted(set(lags_of(graph.names).tolist()) - {0}))
    known = places.select(graph.names) if isinstance(places, Nodes) else None
    return Links(graph, edges[order], directed[order], known)


def as_graph(network: Any) -> Pdag:
    """The graph of a network, as a PDAG."""
    for candidate in (network, getattr(network, "dag", None), getattr(network, "graph", None)):
        if isinstance(candidate, Dag):
            return Pdag.from_dag(candidate)
        if isinstance(candidate, Pdag):
            return candidate
    raise ClimateBNError(f"a fitted network, LearnResult, Dag or Pdag is needed; got {type(network).__name__}")
