"""The columns of any data, put in the order of a network's nodes."""

from collections.abc import Sequence
from typing import Any

from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.learning_table import Table, to_table


def positions(names: Sequence[str], data_names: Sequence[str]) -> list[int]:
    """Where each node stands among the columns of the data; columns that are no nodes are passed over."""
    place = {name: i for i, name in enumerate(data_names)}
    missing = [name for name in names if name not in place]
    if missing:
        raise ClimateBNError(
            f"data has no column for {len(missing)} of the {len(names)} nodes: {', '.join(missing[:5])} …; "
            f"its columns are {', '.join(list(data_names)[:5])} …"
        )
    return [place[name] for name in names]


def aligned(names: Sequence[str], data: Any) -> Table:
    """The table of ``data`` with one column a node, found by name (by place in a plain array)."""
    table = to_table(data)
    if not hasattr(data, "names") and not hasattr(data, "columns"):
        if table.values.shape[1] != len(names):
            raise ClimateBNError(f"data has {table.values.shape[1]} columns; the network has {len(names)} nodes")
        return table._replace(names=tuple(names))
    columns = positions(names, table.names)
    levels = None if table.levels is None else tuple(table.levels[i] for i in columns)
    return Table(table.values[:, columns], tuple(names), levels)
