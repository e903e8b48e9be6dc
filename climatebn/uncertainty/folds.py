"""Held-out years: contiguous blocks of them, with climatology and scale from the other years only."""

from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.season import calendar_months, year_blocks


def year_folds(data: Any, folds: int) -> list[np.ndarray]:
    """The rows held out in each fold: contiguous years, as equal in number as can be."""
    if not isinstance(data, NodeData):
        raise ClimateBNError(f"held-out years need dates: give NodeData; got {type(data).__name__}")
    years = year_blocks(data)
    every = np.unique(years)
    if isinstance(folds, bool) or not isinstance(folds, int | np.integer) or not 2 <= folds <= len(every):
        raise ClimateBNError(f"folds must be 2 … {len(every)}, the number of years; got {folds!r}")
    return [np.flatnonzero(np.isin(years, part)) for part in np.array_split(every, int(folds))]


def standardised(data: NodeData, held_out: np.ndarray) -> tuple[NodeData, np.ndarray]:
    """The other years, and the held-out rows, both in sd about the calendar month's mean of the other years."""
    seen = np.setdiff1d(np.arange(len(data)), held_out)
    months = calendar_months(data.time)
    values = np.empty_like(data.values)
    for month in np.unique(months):
        base = seen[months[seen] == month]
        if not len(base):
            raise ClimateBNError(f"calendar month {month} is only in held-out years; give fewer folds or more years")
        rows = months == month
        values[rows] = data.values[rows] - data.values[base].mean(axis=0)
    spread = values[seen].std(axis=0, ddof=1)
    if not (spread > 0).all():
        flat = data.names[int(np.argmin(spread))]
        raise ClimateBNError(f"{flat} does not vary in the years that are not held out; drop it first")
    values /= spread
    return NodeData(values[seen], data.nodes, data.time[seen], "sd", whitening=data.whitening), values[held_out]
