r"""The two halves of a record, each prepared anew: its own climatology, its own trend, its own standard deviations.

A half that kept the climatology or the trend of the whole would know something of the other half. Removing them from
anomalies of the whole record is the same as removing them from the field itself, because both are least-squares fits.
"""

from typing import NamedTuple

import numpy as np

from climatebn.comparison.records import Record
from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.season import year_blocks
from climatebn.kernels.constants import ROUNDING_OF_VALUES


class Half(NamedTuple):
    """Rows of a half as they were given, their months, and the rows of each block that is drawn as one."""

    values: np.ndarray
    months: np.ndarray | None
    blocks: list[np.ndarray]
    detrend: bool


def halves(record: Record, block: int | None = None) -> tuple[Half, Half]:
    """First and last half, of whole years where rows have dates; of an odd number the middle one is left out."""
    labels = year_blocks(record.time) if record.time is not None else np.arange(len(record.values)) // (block or 1)
    blocks = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    each = len(blocks) // 2
    if each < 2:
        word = "years" if record.time is not None else "blocks of rows"
        raise ClimateBNError(f"{record.name}: each half needs two {word} or more; the record has {len(blocks)}")
    first, second = (_half(record, part) for part in (blocks[:each], blocks[len(blocks) - each :]))
    return first, second


def prepared(half: Half, rows: np.ndarray | None, scale: str) -> np.ndarray:
    """A half, or a resample of its ``rows``, without its own climatology and trend, in its own standard deviations."""
    values = half.values if rows is None else half.values[rows]
    months = None if half.months is None else half.months if rows is None else half.months[rows]
    calendar = np.zeros(len(values), dtype=np.int64) if months is None else months % 12
    values = values - _means(values, calendar)
    if half.detrend:
        clock = np.arange(len(values), dtype=np.float64) if months is None else months.astype(np.float64)
        clock = clock - _means(clock[:, None], calendar)[:, 0]
        values = values - np.outer(clock, clock @ values / (clock @ clock))
    return scaled(values, scale)


def scaled(values: np.ndarray, scale: str) -> np.ndarray:
    """Centred columns, divided by their standard deviation where ``scale`` is "sd"."""
    centred: np.ndarray = values - values.mean(axis=0)
    if scale != "sd":
        return centred
    sd = centred.std(axis=0, ddof=1)
    return centred / np.where(sd > ROUNDING_OF_VALUES, sd, 1.0)


def _half(record: Record, blocks: list[np.ndarray]) -> Half:
    first, last = int(blocks[0][0]), int(blocks[-1][-1]) + 1
    part = record.rows(slice(first, last))
    return Half(part.values, part.months, [rows - first for rows in blocks], record.detrended)


def _means(values: np.ndarray, calendar: np.ndarray) -> np.ndarray:
    """The mean of its calendar month, for each row."""
    there, place = np.unique(calendar, return_inverse=True)
    sums = np.zeros((len(there), values.shape[1]))
    np.add.at(sums, place, values)
    means: np.ndarray = (sums / np.bincount(place)[:, None])[place]
    return means
