"""Structural Hamming distance: pairs of nodes whose edge differs (absent, undirected, either direction)."""

from climatebn.errors import ClimateBNError, public
from climatebn.graph.cpdag import cpdag
from climatebn.graph.dag import Dag
from climatebn.graph.pdag import Pdag


@public
def shd(a: Dag | Pdag, b: Dag | Pdag) -> int:
    """SHD between the CPDAGs of two graphs over the same names; a PDAG that is given is compared as it is.

    Parameters
    ----------
    a, b : Dag or Pdag over the same names.

    Returns
    -------
    the number of pairs of nodes whose edge differs.

    Examples
    --------
    >>> shd(Dag.from_arcs("abc", [("a", "b"), ("b", "c")]), Dag.from_arcs("abc", [("c", "b"), ("b", "a")]))
    0
    """
    if set(a.names) != set(b.names):
        only = sorted(set(a.names) ^ set(b.names))
        raise ClimateBNError(f"graphs must have the same nodes; only in one of them: {', '.join(only[:10])}")
    first, second = _edges(a), _edges(b)
    return sum(first.get(pair) != second.get(pair) for pair in first.keys() | second.keys())


def _edges(graph: Dag | Pdag) -> dict[frozenset[str], tuple[str, ...]]:
    """Each adjacent pair with the heads of its edge: one for an arc, none for an undirected edge."""
    pdag = cpdag(graph) if isinstance(graph, Dag) else graph
    arcs: dict[frozenset[str], tuple[str, ...]] = {frozenset(arc): (arc[1],) for arc in pdag.directed}
    return arcs | {frozenset(line): () for line in pdag.undirected}
