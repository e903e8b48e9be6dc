"""The CPDAG of a DAG: arcs shared by all Markov-equivalent DAGs stay directed, the others lose their direction.

Arcs are labelled compelled or reversible node by node in topological order (Chickering 1995): all that decides about
the arcs into a node is its last parent x in that order, and which arcs into x are compelled.
"""

from collections.abc import Collection

import numpy as np

from climatebn.errors import public
from climatebn.graph.dag import Dag
from climatebn.graph.pdag import Pdag


@public
def cpdag(dag: Dag, first: Collection[int] = ()) -> Pdag:
    """The completed partially directed graph that stands for the equivalence class of ``dag``.

    Parameters
    ----------
    dag : a directed acyclic graph.
    first : columns that are known to come first, without parents (past months): arcs out of them stay directed.

    Returns
    -------
    Pdag: arcs whose direction all equivalent DAGs share are directed, the others are not.

    Examples
    --------
    >>> cpdag(Dag.from_arcs("abc", [("a", "b"), ("b", "c")])).undirected
    [('a', 'b'), ('b', 'c')]
    >>> cpdag(Dag.from_arcs("abc", [("a", "b"), ("c", "b")])).directed
    [('a', 'b'), ('c', 'b')]
    """
    place = {node: k for k, node in enumerate(dag.numbered_order)}
    parents = [set(p) for p in dag.numbered_parents]
    compelled: list[set[int]] = [set() for _ in parents]  # the parents whose arc into this node is compelled
    for node in dag.numbered_order:
        if parents[node]:
            last = max(parents[node], key=place.__getitem__)
            chain = last in first or not compelled[last] <= parents[node]  # w → last → node, w and node apart
            collider = parents[node] - parents[last] - {last}  # a parent that is not adjacent to last
            compelled[node] = parents[node] if chain or collider else set(compelled[last])
    arcs = [(p, node) for node, ps in enumerate(compelled) for p in ps]
    undirected = [(p, node) for node, ps in enumerate(parents) for p in ps - compelled[node]]
    return Pdag(dag.names, np.array(arcs), np.array(undirected))
