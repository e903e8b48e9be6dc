"""A PDAG is *valid* when its undirected edges can be directed without a cycle or a new v-structure (Dor–Tarsi 1992).

A node can be last (a sink) when no arc leaves it and each of its undirected neighbours is adjacent to all its other
neighbours. Direct its undirected edges into it, take it away, repeat; if no node can be last, there is no extension.
"""

import heapq

import numpy as np

from climatebn.errors import ClimateBNError, public
from climatebn.graph.dag import Dag
from climatebn.graph.pdag import Pdag


@public
def extension(pdag: Pdag) -> Dag:
    """A DAG with the skeleton, the arcs and the v-structures of ``pdag``; else an error that names the edges.

    Parameters
    ----------
    pdag : a partially directed graph, e.g. what PC returns.

    Returns
    -------
    Dag.

    Raises
    ------
    ClimateBNError where the graph has no such extension: it is not valid.

    Examples
    --------
    >>> extension(Pdag.from_edges("abc", undirected=[("a", "b"), ("b", "c")])).arcs
    [('a', 'b'), ('b', 'c')]
    """
    if not len(pdag.numbered_undirected):
        return Dag(pdag.names, pdag.numbered_arcs)
    children: list[set[int]] = [set() for _ in pdag.names]
    parents: list[set[int]] = [set() for _ in pdag.names]
    lines: list[set[int]] = [set() for _ in pdag.names]
    for a, b in pdag.numbered_arcs.tolist():
        children[a].add(b)
        parents[b].add(a)
    for a, b in pdag.numbered_undirected.tolist():
        lines[a].add(b)
        lines[b].add(a)
    adjacent = [children[i] | parents[i] | lines[i] for i in range(len(pdag))]

    def can_be_last(node: int) -> bool:
        return not children[node] and all(adjacent[node] <= adjacent[other] | {other} for other in lines[node])

    found: list[tuple[int, int]] = []
    waiting = [-node for node in range(len(pdag)) if can_be_last(node)]  # later columns become sinks first
    heapq.heapify(waiting)
    left = set(range(len(pdag)))
    while waiting:
        node = -heapq.heappop(waiting)
        if node not in left:
            continue
        left.remove(node)
        around = adjacent[node]
        found += [(other, node) for other in around]
        for other in around:
            children[other].discard(node)
            lines[other].discard(node)
            adjacent[other].discard(node)
        for other in around:
            if can_be_last(other):
                heapq.heappush(waiting, -other)
    if left:
        knot = [(a, b) for a, b in pdag.numbered_skeleton.tolist() if a in left and b in left]
        shown = ", ".join(f"{pdag.names[a]}–{pdag.names[b]}" for a, b in knot[:5])
        raise ClimateBNError(
            f"not valid: {len(knot)} edges among {len(left)} nodes cannot all be directed without a cycle "
            f"or a new v-structure ({shown}{' …' if len(knot) > 5 else ''})"
        )
    return Dag(pdag.names, np.array(found))
