"""d-separation asked of any network, with nodes by name or by place."""

from collections.abc import Iterable
from typing import Any

from climatebn.errors import ClimateBNError, public, short
from climatebn.graph import Dag
from climatebn.graph.numbering import node_numbers
from climatebn.graph.separation import d_separated as separated
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.quantities import node_name


@public
def d_separated(network: Any, a: Any, b: Any, given: Iterable[Any] = ()) -> bool:
    """Whether ``given`` separates ``a`` and ``b``: then they are independent given it in every such network.

    Parameters
    ----------
    network : a fitted network, a LearnResult or a Dag.
    a, b : nodes by name, by place (lat, lon) where the network knows places, or by column number.
    given : any number of nodes, likewise.

    Returns
    -------
    True when no path between them is open.

    Examples
    --------
    >>> import climatebn as cb
    >>> dag = cb.Dag.from_arcs("abc", [("a", "b"), ("c", "b")])
    >>> cb.d_separated(dag, "a", "c"), cb.d_separated(dag, "a", "c", ["b"])
    (True, False)
    """
    dag = network if isinstance(network, Dag) else getattr(network, "dag", None)
    if not isinstance(dag, Dag):
        raise ClimateBNError(
            f"network must be a fitted network, a valid LearnResult or a Dag; got {type(network).__name__}"
        )
    places = getattr(network, "nodes", None)
    nodes = places if isinstance(places, Nodes) else None
    if isinstance(given, str):
        given = [given]
    if any(isinstance(node, float) for node in given):
        raise ClimateBNError(f"given must be a list of nodes, e.g. ['X81'] or [(-5, 225)]; got {given!r}")

    def found(node: Any) -> str | int:
        return node if isinstance(node, int) else node_name(node, dag.names, nodes)

    ends, between = node_numbers(dag.names, [(found(a), found(b))])[0], [found(node) for node in given]
    if set(ends) & {number for number, _ in node_numbers(dag.names, [(node, node) for node in between])}:
        raise ClimateBNError(f"given must not hold a or b themselves; got {short(given)}")
    return separated(dag, *ends, between)
