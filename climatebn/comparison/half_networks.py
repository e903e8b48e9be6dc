"""Networks of the halves of every record and of their resamples: cells of `climatebn.jobs`, on any executor, resumable.

A cell is one model and ten resamples of both its halves (number 0: the halves themselves), a pure function of the data,
the settings and its key, so that the networks are the same bits whatever the workers.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from climatebn.comparison.halves import Half, prepared
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import ClimateBNError
from climatebn.jobs.folder import CellFolder
from climatebn.jobs.runner import stored_cells
from climatebn.jobs.study import Key, Record
from climatebn.learning import learn
from climatebn.network.fitting import fit
from climatebn.provenance import array_hash, to_json
from climatebn.rng import generator
from climatebn.uncertainty.member import Member
from climatebn.uncertainty.relearning import chosen_executor
from climatebn.uncertainty.resampling import resampled_rows

TOGETHER = 10  # resamples in a cell


@dataclass(frozen=True)
class Task:
    """What a cell needs."""

    halves: Mapping[str, tuple[Half, Half]]
    names: tuple[str, ...]
    algorithm: str
    criterion: Any
    scale: str
    paired: bool
    seed: int
    max_seconds: float | None
    options: dict[str, Any]


@dataclass(frozen=True)
class _Settings:
    """What makes a cell, apart from its key, the data and the time it may take."""

    algorithm: str
    criterion: str
    scale: str
    paired: bool
    seed: int
    options: str
    max_seconds: float


class HalfNetworks:
    """The networks found, one for each model, half (0, 1) and number; None where a graph was not valid."""

    def __init__(self, records: Mapping[Key, Record]) -> None:
        self._records = records

    def network(self, model: str, half: int, number: int) -> Member | None:
        """The network of a half (number 0) or of one of its resamples."""
        arrays = self._records[(model, -(-number // TOGETHER))].arrays
        parts = [arrays.get(f"{half} {number} {part}") for part in Member.__annotations__]
        return None if any(part is None for part in parts) else Member(*(part for part in parts if part is not None))


def half_networks(
    task: Task,
    resamples: int,
    workers: int | Executor | None,
    folder: str | PathLike[str] | None,
    progress: bool,
) -> HalfNetworks:
    """Learn and fit what is missing in ``folder``; all of it where there is none."""
    keys: list[Key] = [(model, part) for model in task.halves for part in range(-(-resamples // TOGETHER) + 1)]
    store = None if folder is None else _folder(folder, task)
    with chosen_executor(workers) as executor:
        records = stored_cells(
            learn_cell, task, keys, store, executor, name="comparison", cost=_cost, progress=progress
        )
    return HalfNetworks(records)


def learn_cell(task: Task, key: Key) -> Record:
    """The networks of one cell."""
    model, part = str(key[0]), int(key[1])
    numbers = range((part - 1) * TOGETHER + 1, part * TOGETHER + 1) if part else range(1)
    arrays: dict[str, np.ndarray] = {}
    for number in numbers:
        for side, half in enumerate(task.halves[model]):
            stream = ("half", side, number) if task.paired else (model, "half", side, number)
            rows = resampled_rows(half.blocks, generator(task.seed, *stream)) if number else None
            found = _learned(task, model, half, rows)
            if found is not None:
                arrays |= {f"{side} {number} {name}": getattr(found, name) for name in Member.__annotations__}
    return Record({"networks": len(arrays) // len(Member.__annotations__)}, arrays)


def _learned(task: Task, model: str, half: Half, rows: np.ndarray | None) -> Member | None:
    values = prepared(half, rows, task.scale)
    distinct = len(values) if rows is None else len(np.unique(rows))
    try:
        stats = GaussianStats.of(values, task.names, distinct=distinct)
        result = learn(
            stats,
            task.algorithm,
            task.criterion,
            seed=task.seed,
            max_seconds=task.max_seconds,
            progress=False,
            **task.options,
        ).uninterrupted()
        if result.dag is None:
            if rows is not None:
                return None
            raise ClimateBNError(f"the graph of one half is not valid ({result.reason}); take another algorithm")
        return Member.of(fit(result.dag, values))
    except ClimateBNError as error:
        raise ClimateBNError(f"{model}: {error}") from None


def _cost(key: Key) -> float:
    return TOGETHER if key[1] else 1.0


def _folder(path: str | PathLike[str], task: Task) -> CellFolder:
    settings = _Settings(
        task.algorithm,
        repr(task.criterion),
        task.scale,
        task.paired,
        task.seed,
        to_json({name: repr(value) for name, value in task.options.items()}),
        float("inf") if task.max_seconds is None else task.max_seconds,
    )
    inputs = {
        model: array_hash(*(array for half in pair for array in _arrays(half))) for model, pair in task.halves.items()
    }
    return CellFolder(path, "comparison", settings, inputs)


def _arrays(half: Half) -> Iterator[np.ndarray]:
    yield half.values
    yield np.zeros(0) if half.months is None else half.months
    yield from half.blocks
    yield np.array([half.detrend])
