"""Discrete data as integer codes in the order of a network's nodes and of their levels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.learning_table import Table, to_table
from climatebn.network.columns import positions

Levels = tuple[tuple[str, ...], ...]


def coded(names: Sequence[str], data: Any, known: Sequence[Sequence[str]] | None = None) -> tuple[np.ndarray, Levels]:
    """Codes, one column a node, and the names of the levels: those of the data, or those ``known`` to a network."""
    table = _table(data)
    if table.levels is None:
        raise ClimateBNError("a discrete network needs discrete data: a DataFrame of categories, or DiscreteStats")
    columns = positions(names, table.names)
    codes = np.asfortranarray(table.values[:, columns], dtype=np.int32)
    own = tuple(table.levels[i] for i in columns)
    if known is None:
        return codes, own
    levels = tuple(map(tuple, known))
    if own == levels:
        return codes, own
    if isinstance(data, DiscreteStats):  # bare codes: they are the network's, if they fit
        wrong = [name for name, a, b in zip(names, own, levels, strict=True) if len(a) != len(b)]
        if wrong:
            raise ClimateBNError(f"data and network differ in the number of levels of: {', '.join(wrong[:5])}")
        return codes, levels
    for i, name in enumerate(names):
        place = {level: k for k, level in enumerate(levels[i])}
        met = [own[i][k] for k in np.unique(codes[:, i])]
        foreign = [level for level in met if level not in place]
        if foreign:
            raise ClimateBNError(
                f"column {name} holds levels that the network does not know: {', '.join(foreign[:5])}; "
                f"its levels are {', '.join(levels[i][:10])}"
            )
        codes[:, i] = np.array([place.get(level, 0) for level in own[i]], dtype=np.int32)[codes[:, i]]
    return codes, levels


def _table(data: Any) -> Table:
    if not isinstance(data, DiscreteStats):
        return to_table(data)
    return Table(data.codes, data.names, tuple(tuple(map(str, range(count))) for count in data.levels))
