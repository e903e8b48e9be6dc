"""d-separation: x and y are independent given Z in every distribution that factorises over the DAG.

They are connected exactly when a path leads from x to y in the moral graph of the ancestors of {x, y} ∪ Z without Z.
"""

from collections.abc import Sequence

from climatebn.errors import public
from climatebn.graph.dag import Dag
from climatebn.graph.numbering import node_numbers


@public
def d_separated(dag: Dag, x: str | int, y: str | int, given: Sequence[str | int] = ()) -> bool:
    """Whether ``given`` separates ``x`` and ``y``: names, or column numbers.

    Parameters
    ----------
    dag : a DAG.
    x, y : the two nodes.
    given : the conditioning set.

    Returns
    -------
    bool.

    Notes
    -----
    The two are connected exactly when a path leads from one to the other in the moral graph of the ancestors of both
    and of what is given, once that is taken out (Lauritzen et al. 1990, Networks 20, 491–505).

    Examples
    --------
    >>> dag = Dag.from_arcs("abc", [("a", "b"), ("c", "b")])
    >>> d_separated(dag, "a", "c"), d_separated(dag, "a", "c", ["b"])
    (True, False)
    """
    ((start, goal),) = node_numbers(dag.names, [(x, y)])
    blocked = {node for node, _ in node_numbers(dag.names, [(node, node) for node in given])}
    relevant, queue = {start, goal} | blocked, [start, goal, *blocked]
    while queue:
        fresh = set(dag.numbered_parents[queue.pop()]) - relevant
        relevant |= fresh
        queue.extend(fresh)
    reached, queue = {start}, [start]
    while queue:
        node = queue.pop()
        around = set(dag.numbered_parents[node])
        for child in dag.numbered_children[node]:
            if child in relevant:
                around.add(child)
                around.update(dag.numbered_parents[child])
        fresh = around - reached - blocked
        if goal in fresh:
            return False
        reached |= fresh
        queue.extend(fresh)
    return True
