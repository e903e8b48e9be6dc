"""v-structures: colliders i → j ← k, *unshielded* where i and k are not adjacent."""

from itertools import combinations

import numpy as np

from climatebn.errors import public
from climatebn.graph.dag import Dag
from climatebn.graph.pdag import Pdag

Collider = tuple[int, int, int]


@public
def colliders(graph: Dag | Pdag) -> tuple[list[Collider], list[Collider]]:
    """(unshielded, shielded) colliders (i, j, k) with arcs i → j ← k, i < k, in column numbers.

    Parameters
    ----------
    graph : Dag or Pdag.

    Returns
    -------
    two lists of (i, j, k).

    Examples
    --------
    >>> colliders(Dag.from_arcs("abc", [("a", "b"), ("c", "b")]))
    ([(0, 1, 2)], [])
    """
    pdag = Pdag.from_dag(graph) if isinstance(graph, Dag) else graph
    parents: list[list[int]] = [[] for _ in pdag.names]
    for a, b in pdag.numbered_arcs.tolist():
        parents[b].append(a)
    adjacent = set(map(tuple, pdag.numbered_skeleton.tolist()))
    both: tuple[list[Collider], list[Collider]] = ([], [])
    for node, found in enumerate(parents):
        for i, k in combinations(sorted(found), 2):
            both[(i, k) in adjacent].append((i, node, k))
    return both


@public
def adjacent_arc_pairs(graph: Dag | Pdag) -> int:
    """Pairs of edges that share a node: the sum over nodes of C(degree, 2).

    Parameters
    ----------
    graph : Dag or Pdag; the direction of edges does not matter.

    Returns
    -------
    int.

    Examples
    --------
    >>> adjacent_arc_pairs(Dag.from_arcs("abc", [("a", "b"), ("c", "b")]))
    1
    """
    pdag = Pdag.from_dag(graph) if isinstance(graph, Dag) else graph
    degree = np.bincount(pdag.numbered_skeleton.ravel(), minlength=len(pdag))
    return int((degree * (degree - 1) // 2).sum())
