"""How stable a network is: how often each arc comes back over resamples of the months and over column orders.

Months are resampled in blocks that keep their place in the year (a seasonal block bootstrap), so that persistence and
the seasons survive. What is kept of all the networks is in `averaging`.
"""

from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from climatebn.criterion.stats import GaussianStats
from climatebn.errors import ClimateBNError
from climatebn.graph import Dag, cpdag
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.jobs.executors import InProcess
from climatebn.jobs.runner import run_cells
from climatebn.jobs.study import Key, Record
from climatebn.learning import learn
from climatebn.rng import generator
from climatebn.uncertainty.averaging import averaged, data_driven_threshold, frequencies

YEAR = 12


@dataclass(frozen=True)
class Resampling:
    """What a run needs: the data and how it is learned from."""

    data: Any
    algorithm: str
    criterion: Any
    block_months: int
    seed: int
    max_seconds: float | None
    options: dict[str, Any]


@dataclass(frozen=True)
class Stability:
    """Arc frequencies and the averaged network.

    Attributes
    ----------
    table : one row a pair that was ever joined: source, target (the more frequent direction), frequency (of being
        joined), direction (share of it with that direction; an arc without one counts half), and km and places
        where known.
    threshold : frequencies above it belong to the averaged network.
    runs, unended : runs behind the frequencies, and runs left out because they did not end in their budget.
    """

    names: tuple[str, ...]
    table: pd.DataFrame = field(repr=False)
    threshold: float
    runs: int
    unended: int
    nodes: Nodes | None = field(default=None, repr=False)

    @cached_property
    def kept(self) -> pd.DataFrame:
        """The rows of the table above the threshold, most frequent first."""
        return self.table[self.table["frequency"] > self.threshold]

    @cached_property
    def dag(self) -> Dag:
        """The averaged network: from the most frequent arc down, each in its more frequent direction.

        Where that would close a cycle it gets the other direction, which then cannot.
        """
        return averaged(self.names, [tuple(pair) for pair in self.kept[["source", "target"]].to_numpy()])

    def teleconnections(self, min_km: float = 5000.0) -> pd.DataFrame:
        """Kept arcs longer than ``min_km``, longest first."""
        if "km" not in self.table:
            raise ClimateBNError("places of the nodes are not known; learn from NodeData (see climatebn.to_nodes)")
        long = self.kept[self.kept["km"] > min_km]
        return long.sort_values("km", ascending=False, kind="stable", ignore_index=True)


def stability(
    data: Any,
    algorithm: str = "tabu",
    criterion: Any = None,
    *,
    resamples: int = 20,
    orders: int = 1,
    block_months: int = YEAR,
    seed: int = 1,
    threshold: float | None = None,
    executor: Executor | None = None,
    max_seconds: float | None = None,
    progress: bool = True,
    **options: Any,
) -> Stability:
    """Learn again and again from resampled months, in shuffled column orders, and count the arcs.

    Parameters
    ----------
    data, algorithm, criterion, max_seconds, options : as for `learn`; ``max_seconds`` is for each run.
    resamples : number of resamples of the months; 0 keeps the months and changes only the column order.
    orders : column orders for each resample, the original one first.
    block_months : length of the blocks; 1 for observations that do not depend on each other.
    threshold : of the averaged network; found from the frequencies when left out.
    executor : any `concurrent.futures.Executor`, e.g. from `climatebn.jobs.open_executor`; this process when None.

    Examples
    --------
    >>> import climatebn as cb, numpy as np
    >>> x = np.random.default_rng(1).normal(size=(240, 3)) @ [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    >>> cb.stability(x, "hill_climbing", resamples=10, progress=False).dag.skeleton
    [('X1', 'X2')]
    """
    observations = to_table(data)
    _check(len(observations.values), resamples, orders, block_months, threshold)
    task = Resampling(data, algorithm, criterion, block_months, seed, max_seconds, options)
    keys: list[Key] = [(b, k) for b in range(1, resamples + 1) or (0,) for k in range(1, orders + 1)]
    records = {}
    for key, outcome in run_cells(run_once, task, keys, executor or InProcess(), name="stability", progress=progress):
        if not isinstance(outcome, Record):
            raise outcome
        records[key] = outcome
    ended = [records[key] for key in keys if records[key].ended]
    if not ended:
        raise ClimateBNError(f"none of {len(keys)} runs ended within max_seconds={max_seconds}; give them more")
    nodes = getattr(data, "nodes", None)
    table = frequencies(observations.names, ended, nodes)
    chosen = data_driven_threshold(table["frequency"].to_numpy()) if threshold is None else threshold
    return Stability(observations.names, table, chosen, len(ended), len(keys) - len(ended), nodes)


def run_once(task: Resampling, key: Key) -> Record:
    """One resample in one column order; the arcs of the equivalence class when the graph is valid."""
    resample, order = map(int, key)
    result = learn(
        resampled(task.data, task.block_months, task.seed, resample) if resample else task.data,
        task.algorithm,
        task.criterion,
        order=None if order == 1 else int(generator(task.seed, "order", resample, order).integers(2**31)),
        max_seconds=task.max_seconds,
        progress=False,
        **task.options,
    )
    if result.stopped == "time":
        return Record({}, ended=False)
    graph = cpdag(result.dag) if result.dag is not None else result.graph
    arrays = {"directed": graph.numbered_arcs, "undirected": graph.numbered_undirected}
    return Record({}, {name: np.array(pairs, dtype=np.int32).reshape(-1, 2) for name, pairs in arrays.items()})


def resampled(data: Any, block: int, seed: int, resample: int) -> Any:
    """The rows of ``data`` in blocks drawn with replacement, each row in its own month of the year."""
    table = to_table(data)
    rows = block_rows(len(table.values), block, generator(seed, "resample", resample))
    if isinstance(data, pd.DataFrame):
        return data.iloc[rows]
    return GaussianStats.of(table.values[rows], table.names)


def block_rows(n: int, block: int, random: np.random.Generator) -> np.ndarray:
    """Row numbers of one resample of n months; a block that begins in March is replaced by one that does, too.

    A block may run over the end of the last whole year and go on in the first, so that all months are equally likely.
    """
    begins = np.arange(0, n, block)
    years = random.integers(n // YEAR, size=len(begins))
    rows = (begins % YEAR + YEAR * years)[:, None] + np.arange(block)
    return (rows % (n // YEAR * YEAR)).ravel()[:n]


def _check(n: int, resamples: int, orders: int, block: int, threshold: float | None) -> None:
    if resamples < 0 or orders < 1 or max(resamples, 1) * orders < 2:
        raise ClimateBNError(f"stability needs two runs or more; got resamples={resamples}, orders={orders}")
    if n < 2 * YEAR:
        raise ClimateBNError(f"stability needs two years of months or more; got {n} months")
    if not 1 <= block <= n:
        raise ClimateBNError(f"block_months must be 1 … {n}, the number of months; got {block}")
    if threshold is not None and not 0 <= threshold < 1:
        raise ClimateBNError(f"threshold must be 0 or more and below 1; got {threshold}")
