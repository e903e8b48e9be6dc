"""Resamples of the months in blocks drawn with replacement: whole years, so that persistence and seasons survive."""

from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.season import year_blocks

YEAR = 12
Block = str | int


def blocks_of(data: Any, n: int, block: Block) -> list[np.ndarray]:
    """The rows of each block: of each year (a winter belongs to its January), or of ``block`` months in a row."""
    if block == "year":
        if getattr(data, "time", None) is None:
            raise ClimateBNError(
                "block='year' needs dates (NodeData, see climatebn.to_nodes); for rows without dates give the number "
                "of rows in a block, e.g. block=12, or block=1 for rows that do not depend on each other"
            )
        labels = year_blocks(data)
        found = [np.flatnonzero(labels == year) for year in np.unique(labels)]
        words = f"years; the data has {len(found)}"
    else:
        if isinstance(block, bool) or not isinstance(block, int | np.integer) or block < 1:
            raise ClimateBNError(f"block must be 'year' or a whole number of rows ≥ 1; got {block!r}")
        found = [np.arange(first, min(first + int(block), n)) for first in range(0, n, int(block))]
        words = f"blocks of {block} rows; the data has {n} rows"
    if len(found) < 2:
        raise ClimateBNError(f"resampling needs a record of two blocks or more: two {words}")
    return found


def resampled_rows(blocks: list[np.ndarray], random: np.random.Generator) -> np.ndarray:
    """Row numbers of one resample: as many blocks as there are, each equally likely every time."""
    return np.concatenate([blocks[i] for i in random.integers(len(blocks), size=len(blocks))])
