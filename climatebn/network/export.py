"""Networks for other programs: networkx, GraphML (Gephi, Cytoscape, yEd) and node-link JSON (D3, Cytoscape)."""

import io
import json
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from climatebn.files import write_text, write_whole
from climatebn.ingest.grid.distance import great_circle
from climatebn.network.gaussian_bn import GaussianBN

if TYPE_CHECKING:
    import networkx


def to_networkx(bn: GaussianBN) -> "networkx.DiGraph":
    """Nodes with lat, lon and residual variance; arcs with their coefficient, and with km where nodes have places."""
    import networkx

    graph = networkx.DiGraph(scale=bn.scale, units=bn.units)
    for i, name in enumerate(bn.names):
        place = {}
        if bn.nodes is not None and np.isfinite(bn.nodes.lat[i]):
            place = {"lat": float(bn.nodes.lat[i]), "lon": float(bn.nodes.lon[i])}
        graph.add_node(name, residual_variance=float(bn.residual_variances[i]), **place)
    for (a, b), weight in zip(bn.dag.arcs, bn.arc_coefficients.tolist(), strict=True):
        graph.add_edge(a, b, coefficient=weight)
    if bn.nodes is not None:
        start, end = bn.dag.numbered_arcs.T
        km = great_circle(bn.nodes.lat[start], bn.nodes.lon[start], bn.nodes.lat[end], bn.nodes.lon[end])
        known = {arc: one for arc, one in zip(bn.dag.arcs, km.tolist(), strict=True) if np.isfinite(one)}
        networkx.set_edge_attributes(graph, known, "km")
    return graph


def to_graphml(bn: GaussianBN, path: str | PathLike[str]) -> None:
    """Write GraphML."""
    import networkx

    content = io.BytesIO()
    networkx.write_graphml(to_networkx(bn), content)
    write_whole(path, content.getvalue())


def to_json(bn: GaussianBN, path: str | PathLike[str]) -> None:
    """Write node-link JSON: ``nodes`` with id, ``edges`` with source and target."""
    import networkx

    record = networkx.node_link_data(to_networkx(bn), edges="edges")
    write_text(path, json.dumps(record, ensure_ascii=False))
