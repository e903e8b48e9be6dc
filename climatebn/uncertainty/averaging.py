r"""Many networks as one: the frequency of each arc, and the arcs that are frequent enough.

Frequencies p of all pairs have the distribution function F. The ideal network has frequencies 0 and 1 only, a share t
of zeros; the t closest to F is the one that minimises ∫₀¹ |F(x) − t| dx (Scutari & Nagarajan 2013). F does not fall, so
this is its median over x, t = F(½), and the arcs above F⁻¹(t) are kept: the threshold is the largest frequency that is
not above ½.
"""

import numpy as np
import pandas as pd

from climatebn.analysis.arc_table import arc_frame
from climatebn.graph import Dag
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.jobs.study import Record


def frequencies(names: tuple[str, ...], runs: list[Record], nodes: Nodes | None) -> pd.DataFrame:
    """The table of `Stability`, the most frequent pair first."""
    size = len(names)
    votes = np.zeros((size, size))
    for record in runs:
        a, b = record.arrays["directed"].T
        votes[a, b] += 1
        a, b = record.arrays["undirected"].T
        votes[a, b] += 0.5
        votes[b, a] += 0.5
    joined = np.triu(votes + votes.T, 1)
    a, b = np.nonzero(joined)
    turned = votes[b, a] > votes[a, b]
    a, b = np.where(turned, b, a), np.where(turned, a, b)
    count = votes[a, b] + votes[b, a]
    shares = {"frequency": count / len(runs), "direction": votes[a, b] / count}
    table = arc_frame(names, np.column_stack([a, b]), nodes, **shares)
    return table.sort_values(["frequency", "direction"], ascending=False, kind="stable", ignore_index=True)


def data_driven_threshold(frequency: np.ndarray) -> float:
    """F⁻¹(F(½)): the largest frequency that is not above one half; 0 when there is none.

    >>> data_driven_threshold(np.array([0.0460, 0.2242, 0.3921, 0.7689, 0.8935, 0.9439]))
    0.3921
    """
    return float(np.max(frequency[frequency <= 0.5], initial=0.0))


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
