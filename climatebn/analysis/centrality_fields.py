r"""Centrality of each node of the skeleton on the map, and communities of nodes.

Area-weighted connectivity (Tsonis et al. 2006): the share of the globe's area that a node is joined to,
Σ_{j ~ i} cos φ_j / Σ_j cos φ_j.
"""

from typing import Any

import numpy as np
import xarray as xr
from scipy.sparse import coo_array

from climatebn.analysis.links import Links, links
from climatebn.errors import ClimateBNError, public
from climatebn.network.labels import on_map


@public
def centrality(network: Any, data: Any = None, sources: int | None = None, seed: int = 1) -> xr.Dataset:
    """Degree, betweenness and area-weighted connectivity of each node, on the map.

    Parameters
    ----------
    network : fitted network, LearnResult, Dag or Pdag.
    data : NodeData; gives places that the network lacks.
    sources : betweenness from that many random nodes (an estimate) instead of all; for thousands of nodes.
    seed : names the random nodes.

    Returns
    -------
    Dataset on the map: degree (number of arcs), betweenness and area_weighted_connectivity (shares, 0 … 1).

    Raises
    ------
    ClimateBNError where ``sources`` is not 1 … N.

    Notes
    -----
    The area-weighted connectivity of node i, with φ the latitudes::

        Σ_{j joined to i} cos φ_j / Σ_j cos φ_j

    Tsonis, Swanson and Roebber (2006, Bull. Amer. Meteor. Soc. 87, 585–595).

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> found = cb.analysis.centrality(cb.Dag.from_arcs(data.names, [("X1", "X2"), ("X1", "X3")]), data)
    >>> int(found["degree"].max()), float(found["betweenness"].max()) > 0
    (2, True)
    """
    import networkx

    edges = links(network, data)
    size = len(edges.graph)
    if sources is not None and not 1 <= sources <= size:
        raise ClimateBNError(f"sources must be 1 … {size}, the number of nodes; got {sources}")
    between = networkx.betweenness_centrality(skeleton(edges), k=sources, seed=seed)
    area = edges.nodes.areas()
    ones = np.ones(len(edges.edges))
    joined = coo_array((ones, tuple(edges.edges.T)), shape=(size, size))
    joined = joined + joined.T
    fields = {
        "degree": (joined.sum(axis=1), "number of arcs"),
        "betweenness": (np.array([between[i] for i in range(size)]), "share of shortest paths that pass the node"),
        "area_weighted_connectivity": (joined @ area / area.sum(), "share of the area that the node is joined to"),
    }
    return xr.Dataset(
        {
            name: on_map(edges.graph.names, edges.nodes, values, name, long_name=words, units="1")
            for name, (values, words) in fields.items()
        },
        attrs={"betweenness_sources": size if sources is None else sources},
    )


@public
def communities(network: Any, data: Any = None, resolution: float = 1.0, seed: int = 1) -> xr.DataArray:
    """Louvain communities of the skeleton on the map: 1 is the largest; modularity is in the attributes.

    Parameters
    ----------
    network : fitted network, LearnResult, Dag or Pdag.
    data : NodeData; gives places that the network lacks.
    resolution : above 1 for more and smaller communities, below 1 for fewer.
    seed : names the random order in which nodes are visited.

    Returns
    -------
    DataArray of whole numbers from 1 on the map; attributes modularity and communities (how many).

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> found = cb.analysis.communities(cb.Dag.from_arcs(data.names, [("X1", "X2"), ("X1", "X3")]), data)
    >>> found.attrs["communities"], int((found == 1).sum())
    (70, 3)
    """
    import networkx

    edges = links(network, data)
    graph = skeleton(edges)
    found = networkx.community.louvain_communities(graph, resolution=resolution, seed=seed)
    found = sorted(found, key=lambda group: (-len(group), min(group)))
    label = np.empty(len(edges.graph))
    for number, group in enumerate(found, start=1):
        label[list(group)] = number
    modularity = networkx.community.modularity(graph, found, resolution=resolution) if len(edges.edges) else 0.0
    words = {"long_name": "community, by size", "units": "1", "modularity": modularity, "communities": len(found)}
    return on_map(edges.graph.names, edges.nodes, label, "community", **words)


def skeleton(edges: Links) -> Any:
    """The undirected networkx graph of all edges, nodes as column numbers."""
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(edges.graph)))
    graph.add_edges_from(edges.edges.tolist())
    return graph
