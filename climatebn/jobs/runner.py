"""Runs the missing cells of a study through an executor, stores each as it ends, then finishes the study."""

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import nullcontext
from functools import partial
from os import PathLike
from typing import Any

from climatebn.errors import ClimateBNError, public, short
from climatebn.jobs.executors import InProcess, slots, worker_lost
from climatebn.jobs.folder import StudyFolder
from climatebn.jobs.run_record import recorded
from climatebn.jobs.stopping import if_stopped
from climatebn.jobs.study import Key, Record, Study
from climatebn.jobs.table import to_table, write_table
from climatebn.progress import Progress

log = logging.getLogger(__name__)
SHOWN = 3  # failed cells that are reported in full
ATTEMPTS = 3  # a cell whose worker dies this often is counted as failed


@public
def run_study(
    study: Study,
    folder: str | PathLike[str],
    config: Any = None,
    *,
    executor: Executor | None = None,
    retry: bool = False,
    progress: bool = True,
) -> str:
    """Run what is missing in ``folder``, then write the table, the figures and the report.

    Parameters
    ----------
    study : what to run (see `climatebn.study.find`).
    folder : new, empty, or left behind by an earlier run of the same study with the same configuration.
    config : the study's default (full) configuration when left out.
    executor : any `concurrent.futures.Executor`; this process when left out (see `open_executor`).
    retry : run cells again that ran out of time.
    progress : show a progress bar.

    Returns
    -------
    the summary, in words.

    Raises
    ------
    ClimateBNError where the folder belongs to another study or configuration, or is at work in another process.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from tempfile import mkdtemp
    >>> from climatebn.jobs import Record, Study
    >>> @dataclass(frozen=True)
    ... class Settings:
    ...     size: int = 3
    ...     max_seconds: float = 5.0
    >>> squares = Study(
    ...     name="squares", axes=("n",), default=Settings(), quick=Settings(1),
    ...     cells=lambda config: [(n,) for n in range(config.size)],
    ...     run_cell=lambda config, key: Record({"square": key[0] ** 2}),
    ...     finish=lambda config, table, records, folder: f"sum {table['square'].sum()}",
    ... )
    >>> run_study(squares, mkdtemp(), progress=False)
    'sum 5'
    """
    config = study.default if config is None else config
    if type(config) is not type(study.default):
        raise ClimateBNError(f"config must be a {type(study.default).__name__}; got {short(config)}")
    store = StudyFolder(folder, study, config, retry=retry)
    with store.at_work("a study"):
        keys = list(study.cells(config))
        records = _complete(study, config, store, keys, executor or InProcess(), progress)
        said = (
            f"stopped while tables and figures were made; all {len(keys)} cells are stored in {store.path}; "
            "the same command goes on from there"
        )
        with if_stopped(lambda: said):
            table = to_table(study.axes, {key: records[key] for key in keys})
            write_table(table, study.axes, store.path)
            return study.finish(config, table, records, store.path)


def _complete(
    study: Study, config: Any, store: StudyFolder, keys: list[Key], executor: Executor, progress: bool
) -> dict[Key, Record]:
    """The records of all cells: those stored, and the missing ones, each stored as it ends."""
    records = store.records(keys)
    missing = [key for key in keys if key not in records]
    if records:
        log.info("%d of %d cells are already in %s", len(records), len(keys), store.path)
    if not missing:
        return records
    failed = {}
    with if_stopped(lambda: _stored(store, keys)):
        cost = partial(study.cost, config)
        name = f"{study.name} study"
        made = run_cells(study.run_cell, config, missing, executor, name=name, cost=cost, progress=progress)
        with recorded(store.path, len(missing)) as run:
            for key, outcome in made:
                if isinstance(outcome, Record):
                    records[key] = store.write(key, outcome)
                    run.add()
                else:
                    failed[key] = outcome
                    if len(failed) <= SHOWN:
                        log.warning("cell %s failed: %s", _said(key), outcome)
    if failed:
        raise ClimateBNError(_failure(failed, len(keys), store))
    return records


def stored_cells(
    run_cell: Callable[[Any, Key], Record],
    config: Any,
    keys: Sequence[Key],
    store: StudyFolder | None,
    executor: Executor,
    *,
    name: str,
    cost: Callable[[Key], float] = lambda key: 1.0,
    progress: bool = True,
) -> dict[Key, Record]:
    """The records of cells that are no study: those in ``store``, if there is one, and the missing ones.

    Each is stored as it ends; the first that fails ends it all.
    """
    with nullcontext() if store is None else store.at_work(f"the work on this {name}"):
        records = {} if store is None else store.records(keys)
        missing = [key for key in keys if key not in records]
        with nullcontext() if store is None else if_stopped(lambda: _stored(store, keys)):
            for key, outcome in run_cells(run_cell, config, missing, executor, name=name, cost=cost, progress=progress):
                if not isinstance(outcome, Record):
                    raise outcome
                records[key] = outcome if store is None else store.write(key, outcome)
    return records


def _stored(store: StudyFolder, keys: Sequence[Key]) -> str:
    """The last words of work that was told to stop."""
    count = len(store.records(keys))
    return f"stopped with {count} of {len(keys)} cells stored in {store.path}; the same command goes on from there"


@public
def run_cells(
    run_cell: Callable[[Any, Key], Record],
    config: Any,
    keys: Sequence[Key],
    executor: Executor,
    *,
    name: str,
    cost: Callable[[Key], float] = lambda key: 1.0,
    progress: bool = True,
) -> Iterator[tuple[Key, Record | BaseException]]:
    """The cells ``keys`` as they end: each with its record, or with the error that it failed with.

    The longest come first. Only as many cells as the executor has slots are handed over at a time; a cell whose worker
    died is run again.

    Parameters
    ----------
    run_cell : configuration, key → `Record`; a function at module level where other processes run it.
    config : handed to each cell.
    keys : of the cells.
    executor : what runs them (see `open_executor`).
    name : of the work, for the progress bar.
    progress : whether to show one.
    cost : key → expected relative time.

    Returns
    -------
    iterator of (key, `Record` or exception), in the order in which cells end.

    Examples
    --------
    >>> from climatebn.jobs import Record, open_executor
    >>> with open_executor() as executor:
    ...     cells = run_cells(lambda _, key: Record({"n": key[0]}), None, [(1,), (2,)], executor, name="toy")
    ...     [(key, record.measures) for key, record in cells]
    [((1,), {'n': 1}), ((2,), {'n': 2})]
    """
    costs = {key: cost(key) for key in keys}
    waiting, running, deaths = (
        deque(sorted(keys, key=lambda key: -costs[key])),
        dict[Future[Any], Key](),
        Counter[Key](),
    )
    left, failed = TimeLeft(costs), 0
    with Progress(name, len(keys), "cell", enabled=progress, time_left=False) as bar:
        while waiting or running:
            while waiting and len(running) < slots(executor):
                key = waiting.popleft()
                running[executor.submit(timed, run_cell, config, key)] = key
            bar.update(0, running=len(running), failed=failed, left=left.said())
            done, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
            for future in done:
                key, outcome = running.pop(future), _outcome(future)
                if isinstance(outcome, BaseException) and worker_lost(outcome) and deaths[key] < ATTEMPTS - 1:
                    deaths[key] += 1
                    log.warning("the worker of cell %s died; the cell is run again", _said(key))
                    waiting.appendleft(key)
                    continue
                failed += not isinstance(outcome, Record)
                yield key, outcome
                left.done(key)
                bar.update(1)


def timed(run_cell: Callable[[Any, Key], Record], config: Any, key: Key) -> Record:
    """One cell with its time; this is what workers are handed."""
    started, cpu_started = time.perf_counter(), time.process_time()
    record = run_cell(config, key)
    return record._replace(
        seconds=round(time.perf_counter() - started, 3),
        cpu_seconds=round(time.process_time() - cpu_started, 3),
        budget=None if record.ended else config.max_seconds,
    )


class TimeLeft:
    """Time left, from the expected cost of the cells that ended and of those that did not; unknown at first."""

    def __init__(self, costs: dict[Key, float]) -> None:
        self._costs, self._total = costs, sum(costs.values())
        self._done, self._started = 0.0, time.perf_counter()

    def done(self, key: Key) -> None:
        self._done += self._costs[key]

    def said(self) -> str:
        """E.g. `4 min`; `?` as long as too little is known."""
        if self._done < 0.02 * self._total:
            return "?"
        seconds = (time.perf_counter() - self._started) * (self._total / self._done - 1)
        return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _outcome(future: Future[Any]) -> Record | BaseException:
    try:
        record: Record = future.result()
        return record
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # CancelledError is no Exception
        return error


def _failure(failed: dict[Key, BaseException], cells: int, store: StudyFolder) -> str:
    first = list(failed.items())[:SHOWN]
    shown = "; ".join(f"{_said(key)}: {type(error).__name__}: {error}" for key, error in first)
    more = f"; and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
    return f"{len(failed)} of {cells} cells failed ({shown}{more}); the others are in {store.path}; run again to retry"


def _said(key: Key) -> str:
    return ", ".join(map(str, key))
