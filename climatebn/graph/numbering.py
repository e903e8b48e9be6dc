"""Names outside, numbers inside: ``arcs`` holds names, ``numbered_arcs`` column numbers, and so for every word."""

from collections.abc import Iterable, Sequence

import numpy as np

from climatebn.errors import ClimateBNError, short, unknown


def node_numbers(names: Sequence[str], pairs: Iterable[Sequence[str | int]]) -> list[tuple[int, int]]:
    """Pairs of names (or of column numbers) as pairs of column numbers."""
    number = {name: i for i, name in enumerate(names)}
    if len(number) != len(names):
        raise ClimateBNError("names of nodes must differ from each other")
    try:
        pairs = [(a, b) for a, b in (pairs.tolist() if isinstance(pairs, np.ndarray) else pairs)]
    except (TypeError, ValueError):
        raise ClimateBNError(
            f"arcs must be (from, to) pairs of nodes, e.g. [('X1', 'X2')]; got {short(pairs)}"
        ) from None
    if all(type(node) is int and 0 <= node < len(names) for pair in pairs for node in pair):  # the usual case
        return [(int(a), int(b)) for a, b in pairs]

    def find(node: str | int) -> int:
        if isinstance(node, str):
            if node not in number:
                raise unknown("node", node, names)
            return number[node]
        if not isinstance(node, int | np.integer) or isinstance(node, bool):
            raise ClimateBNError(f"a node must be a name or a column number; got {short(node)}")
        if not 0 <= node < len(names):
            raise ClimateBNError(f"node number {node} is outside 0 … {len(names) - 1}")
        return int(node)

    return [(find(a), find(b)) for a, b in pairs]


def number_of(names: Sequence[str], name: str) -> int:
    """The column number of one name; a name that is not there is an error."""
    if name not in names:
        raise unknown("node", name, names)
    return names.index(name)
