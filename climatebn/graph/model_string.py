"""A DAG as one line, in the notation of bnlearn: [A][B][C|A:B] says that A and B are the parents of C."""

import re

from climatebn.errors import ClimateBNError
from climatebn.graph.dag import Dag

_NODE = re.compile(r"\[([^\[\]|:]+)(?:\|([^\[\]|]+))?\]")
_MARKS = set("[]|:")


def from_string(model: str) -> Dag:
    """See `Dag.from_string`."""
    if not isinstance(model, str):
        raise ClimateBNError(f"a model string is text like '[A][B|A]'; got {model!r}")
    nodes: dict[str, list[str]] = {}
    place = 0
    text = model.strip()
    while place < len(text):
        found = _NODE.match(text, place)
        if found is None:
            raise ClimateBNError(f"a model string is [node] or [node|parent:parent], repeated; got {text[place:]!r}")
        name, parents = found.group(1).strip(), found.group(2)
        if name in nodes:
            raise ClimateBNError(f"a model string names each node once; {name!r} comes twice")
        nodes[name] = [part.strip() for part in parents.split(":")] if parents else []
        place = found.end()
        place += len(text[place:]) - len(text[place:].lstrip())
    missing = sorted({parent for parents in nodes.values() for parent in parents} - set(nodes))
    if missing:
        raise ClimateBNError(
            f"a model string needs a [node] for each parent: there is none for {', '.join(missing[:5])}"
        )
    return Dag.from_arcs(tuple(nodes), [(parent, name) for name, parents in nodes.items() for parent in parents])


def to_string(dag: Dag) -> str:
    """See `Dag.to_string`."""
    odd = [name for name in dag.names if _MARKS & set(name) or name != name.strip() or not name]
    if odd:
        raise ClimateBNError(f"a model string cannot hold names with [, ], |, : or outer spaces: {odd[0]!r}")
    parents = {name: ":".join(dag.parents(name)) for name in dag.names}
    return "".join(f"[{name}|{found}]" if found else f"[{name}]" for name, found in parents.items())
