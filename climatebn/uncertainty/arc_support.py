r"""Many graphs as one: the support of each arc, and the arcs that have enough of it.

Supports p of all pairs have the distribution function F. The ideal network has supports 0 and 1 only, a share t of
zeros; the t closest to F is the one that minimises ∫₀¹ |F(x) − t| dx (Scutari & Nagarajan 2013). F does not fall, so
this is its median over x, t = F(½), and the arcs above F⁻¹(t) are kept: the threshold is the largest support that is
not above ½.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from climatebn.graph import Dag
from climatebn.ingest.grid.distance import great_circle
from climatebn.ingest.nodes.nodes import Nodes

Graph = tuple[np.ndarray, np.ndarray]  # directed and undirected pairs of column numbers


def support_table(names: tuple[str, ...], graphs: Sequence[Graph], nodes: Nodes | None) -> pd.DataFrame:
    """One row a pair that was ever joined: source, target, support, direction, and km where places are known."""
    size = len(names)
    weighted = [(directed, 1.0) for directed, _ in graphs]
    weighted += [(pairs, 0.5) for _, lines in graphs for pairs in (lines, lines[:, ::-1])]
    codes = np.concatenate([pairs[:, 0].astype(np.int64) * size + pairs[:, 1] for pairs, _ in weighted])
    amounts = np.concatenate([np.full(len(pairs), amount) for pairs, amount in weighted])
    arcs, inverse = np.unique(codes, return_inverse=True)
    votes = pd.Series(np.bincount(inverse, amounts, minlength=len(arcs)), index=arcs)
    a, b = np.unique(np.sort(np.column_stack([arcs // size, arcs % size]), axis=1), axis=0).T
    forward = votes.reindex(a * size + b, fill_value=0.0).to_numpy()
    backward = votes.reindex(b * size + a, fill_value=0.0).to_numpy()
    turned = backward > forward
    a, b = np.where(turned, b, a), np.where(turned, a, b)
    labels = np.array(names, dtype=object)
    table = pd.DataFrame(
        {
            "source": labels[a],
            "target": labels[b],
            "support": (forward + backward) / len(graphs),
            "direction": np.maximum(forward, backward) / (forward + backward),
        }
    )
    if nodes is not None:
        table["km"] = great_circle(nodes.lat[a], nodes.lon[a], nodes.lat[b], nodes.lon[b])
    words = {"support": "share of members that have the arc", "direction": "share of these with this direction"}
    ordered = table.sort_values(["support", "direction"], ascending=False, kind="stable", ignore_index=True)
    ordered.attrs = {"long_name": words, "units": {"support": "1", "direction": "1", "km": "km"}}
    return ordered


def data_driven_threshold(support: np.ndarray) -> float:
    """F⁻¹(F(½)): the largest support that is not above one half; 0 when there is none.

    >>> data_driven_threshold(np.array([0.0460, 0.2242, 0.3921, 0.7689, 0.8935, 0.9439]))
    0.3921
    """
    return float(np.max(support[support <= 0.5], initial=0.0))


def averaged(names: tuple[str, ...], arcs: list[tuple[str, str]]) -> Dag:
    """A DAG with all ``arcs``, the earlier ones in their own direction if need be at the cost of the later ones'."""
    number = {name: i for i, name in enumerate(names)}
    children: list[list[int]] = [[] for _ in names]
    for parent, child in ((number[a], number[b]) for a, b in arcs):
        if _reaches(children, child, parent):
            parent, child = child, parent
        children[parent].append(child)
    return Dag.from_arcs(names, [(parent, child) for parent, found in enumerate(children) for child in found])


def _reaches(children: list[list[int]], start: int, goal: int) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        node = waiting.pop()
        if node == goal:
            return True
        fresh = [child for child in children[node] if child not in seen]
        seen.update(fresh)
        waiting += fresh
    return False
