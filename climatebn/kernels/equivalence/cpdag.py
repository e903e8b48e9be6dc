"""A class of Markov-equivalent DAGs as three arrays of node sets, and how it changes by one arc.

``parents`` and ``neighbours`` are the CPDAG (directed into, undirected with), ``dag`` the parents in one DAG of the
class. The undirected part falls into chordal components; maximum cardinality search directs one without a new
v-structure, and may begin with any clique (Tarjan, Yannakakis 1984). So a DAG of the class in which chosen neighbours
come first is always at hand: change one arc in it, and complete it again.
"""

import numpy as np

from climatebn.kernels.bitset import differ, drop, has, is_empty, members, put, within
from climatebn.kernels.equivalence.operators import DELETE, INSERT, TURN
from climatebn.kernels.jit import jit


@jit
def topological_order(dag: np.ndarray) -> np.ndarray:
    """Nodes in an order in which parents come first; shorter than the number of nodes where there is a cycle."""
    nodes = len(dag)
    children = np.zeros_like(dag)
    waiting = np.zeros(nodes, np.int64)
    order = np.empty(nodes, np.int64)
    found = 0
    for node in range(nodes):
        for parent in members(dag[node]):
            put(children[parent], node)
            waiting[node] += 1
        if waiting[node] == 0:
            order[found] = node
            found += 1
    done = 0
    while done < found:
        for child in members(children[order[done]]):
            waiting[child] -= 1
            if waiting[child] == 0:
                order[found] = child
                found += 1
        done += 1
    return order[:found]


@jit
def complete(
    dag: np.ndarray, first: np.ndarray, parents: np.ndarray, neighbours: np.ndarray, children: np.ndarray
) -> None:
    """Write the CPDAG of ``dag`` into the other three (rule as in `graph.cpdag`).

    Nodes that are known to come ``first`` have no parents in any DAG: arcs out of them are directed, as if each had two
    parents of its own that nothing else is joined to.
    """
    order = topological_order(dag)
    place = np.empty(len(dag), np.int64)
    place[order] = np.arange(len(order))
    parents[:] = 0
    neighbours[:] = 0
    children[:] = 0
    spare = np.empty(dag.shape[1], np.int64)
    for node in order:
        last = -1
        for parent in members(dag[node]):
            if last < 0 or place[parent] > place[last]:
                last = parent
        if last < 0:
            continue
        spare[:] = dag[node] & ~dag[last]
        drop(spare, last)
        if first[last] or not is_empty(spare) or not within(parents[last], dag[node]):
            parents[node] = dag[node]
        else:
            parents[node] = parents[last]
            spare[:] = dag[node] & ~parents[last]
            neighbours[node] |= spare
            for other in members(spare):
                put(neighbours[other], node)
        for parent in members(parents[node]):
            put(children[parent], node)


@jit
def direct(dag: np.ndarray, neighbours: np.ndarray, first: np.ndarray) -> None:
    """Direct anew the undirected component of ``first``: these nodes come first, the others by cardinality search."""
    nodes = len(dag)
    weight = np.full(nodes, -1)  # −1: outside the component, or numbered already
    component = np.empty(nodes, np.int64)
    component[0] = first[0]
    weight[first[0]] = 0
    found, done = 1, 0
    while done < found:
        for other in members(neighbours[component[done]]):
            if weight[other] < 0:
                weight[other] = 0
                component[found] = other
                found += 1
        done += 1
    for step in range(found):
        node = -1
        if step < len(first):
            node = first[step]
        else:
            for other in component[:found]:
                if weight[other] >= 0 and (node < 0 or weight[other] > weight[node]):
                    node = other
        weight[node] = -1
        for other in members(neighbours[node]):
            if weight[other] >= 0:
                weight[other] += 1
                put(dag[other], node)
                drop(dag[node], other)


@jit
def _begin(clique: np.ndarray, *others: int) -> np.ndarray:
    first = np.empty(len(clique) + len(others), np.int64)
    first[: len(clique)] = clique
    for i in range(len(others)):
        first[len(clique) + i] = others[i]
    return first


@jit
def change(dag: np.ndarray, neighbours: np.ndarray, kind: int, source: int, target: int, clique: np.ndarray) -> None:
    """Carry out a step of `operators` in ``dag``: of target's neighbours, ``clique`` and no others come before it."""
    if not has(neighbours[target], source):
        direct(dag, neighbours, _begin(clique, target))
        if kind == TURN:
            direct(dag, neighbours, np.array([source]))
    elif kind == TURN:
        direct(dag, neighbours, _begin(clique, target, source))
    else:
        direct(dag, neighbours, _begin(clique, source, target))
    if kind == TURN:
        drop(dag[source], target)
    if kind == DELETE:
        drop(dag[target], source)
    else:
        put(dag[target], source)


@jit
def touched(
    kind: int,
    source: int,
    target: int,
    before: tuple[np.ndarray, np.ndarray, np.ndarray],
    after: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What a step has changed, for the steps of one kind: targets, (target, source) pairs, and (from, to) pairs.

    All steps into a target, and the steps of a (target, source) pair, may be others now; no semi-directed path leads
    along from – to any more. A step into v reads parents and neighbours of v and what is adjacent among the nodes it
    names; turns read also the children of v, and parents and neighbours of its children and neighbours.
    ``before``, ``after``: parents, neighbours, children.
    """
    old_parents, old_neighbours, old_children = before
    parents, neighbours, children = after
    nodes = len(parents)
    whole = np.zeros(nodes, np.bool_)
    pairs = np.empty((2 * nodes + 2, 2), np.int64)
    count = 0
    for v in range(nodes):
        own = differ(parents[v], old_parents[v]) or differ(neighbours[v], old_neighbours[v])
        whole[v] |= own
        near = neighbours[v] | children[v] if kind == TURN else neighbours[v]
        whole[v] |= has(near, source) and has(near, target)
        if kind == TURN:
            whole[v] |= differ(children[v], old_children[v])
            if own:
                for other in members(parents[v] | neighbours[v]):
                    whole[other] = True
    if kind == INSERT:
        for v in range(nodes):
            if not whole[v] and (has(neighbours[v], target) or v == target):
                pairs[count] = v, source
                count += 1
            if not whole[v] and (has(neighbours[v], source) or v == source):
                pairs[count] = v, target
                count += 1
    return np.flatnonzero(whole), pairs[:count].copy(), _lost(old_neighbours | old_children, neighbours | children)


@jit
def _lost(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The pairs (row, member) that were in ``before`` and are no longer in ``after``."""
    found = np.empty((64, 2), np.int64)
    count = 0
    for node in range(len(before)):
        if differ(before[node], after[node]):
            for other in members(before[node] & ~after[node]):
                if count == len(found):
                    found = np.concatenate((found, np.empty_like(found)))
                found[count] = node, other
                count += 1
    return found[:count].copy()
