"""`ensemble`: the same network learned again and again from resampled years, on any executor, resumable.

Each member is a cell of `climatebn.jobs`: a pure function of the data, the settings and its own number, so that the
members are the same bits whatever the workers; number 0 is the network of the whole record.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from os import PathLike
from typing import Any, overload

import numpy as np

from climatebn.criterion import BIC
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import MANY, ClimateBNError, public, whole
from climatebn.graph import Dag, cpdag
from climatebn.ingest.nodes.lags import in_time, lags_of
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.jobs.executors import open_executor
from climatebn.jobs.runner import stored_cells
from climatebn.jobs.study import Key, Record
from climatebn.learning import learn
from climatebn.network.dynamic_fitting import fitted as fitted_rows
from climatebn.network.fitting import fit, standardise
from climatebn.provenance import array_hash, history_line, with_history
from climatebn.rng import generator
from climatebn.uncertainty.dynamic_ensemble import DynamicEnsemble
from climatebn.uncertainty.dynamic_member import DynamicMember
from climatebn.uncertainty.ensemble_model import Ensemble
from climatebn.uncertainty.member import Member
from climatebn.uncertainty.member_folder import MemberFolder
from climatebn.uncertainty.resampling import Block, blocks_of, resampled_rows

GAMMA = 0.5  # of the members when no criterion is given; `ensemble` says what was measured
SINGLE: Key = (0,)


@dataclass(frozen=True)
class Task:
    """What a member needs: the data and how it is learned from."""

    values: np.ndarray
    names: tuple[str, ...]
    blocks: list[np.ndarray]
    algorithm: str
    criterion: Any
    member_criterion: Any
    seed: int
    max_seconds: float | None
    options: dict[str, Any]


@overload
def ensemble(
    data: Any, algorithm: str = ..., criterion: Any = ..., *, lags: None = None, **options: Any
) -> Ensemble: ...
@overload
def ensemble(
    data: Any, algorithm: str = ..., criterion: Any = ..., *, lags: Sequence[int], **options: Any
) -> DynamicEnsemble: ...
@public
def ensemble(
    data: Any,
    algorithm: str = "tabu",
    criterion: Any = None,
    *,
    resamples: int = 100,
    block: Block = "year",
    gamma: float | None = None,
    seed: int = 0,
    workers: int | Executor | None = None,
    folder: str | PathLike[str] | None = None,
    max_seconds: float | None = None,
    lags: Sequence[int] | None = None,
    progress: bool = True,
    **options: Any,
) -> Ensemble | DynamicEnsemble:
    """Learn and fit a network again and again from resampled years; their mean is a model that knows how sure it is.

    Parameters
    ----------
    data, algorithm, criterion, options : as for `learn`; the criterion is BIC(gamma=0.5) when left out.
    resamples : number of members. One is allowed and has no interval.
    block : "year" draws whole years with replacement (a winter belongs to its January); a number draws blocks of that
        many rows, 1 for observations that do not depend on each other.
    gamma : γ of the members, if it is to differ from that of the criterion, which the single network is learned with.
    workers : number of processes, or any `concurrent.futures.Executor` (see `climatebn.jobs.open_executor`, Dask
        included); this machine's threads when None. The members are the same in any case.
    folder : where finished members are kept; the same call goes on from there after an interrupt, also with more
        ``resamples``.
    max_seconds : for each member; members that do not end are counted (``unended``) and left out.
    seed : names the random years.
    progress : show a progress bar.
    lags : of networks in time, as for `learn`: the result is a `DynamicEnsemble`, whose coefficients are the mean of
        those of its members. Rows of the lagged table are drawn, so that no month meets a past that is not its own.

    Notes
    -----
    With R_m the correlations that member m implies, of M members, the model is::

        R̄ = (1/M) Σ_m R_m,      interval = answer ± 1.645 standard deviations of the members' own answers

    Resampled years repeat months, so that chance makes a search at a small γ add parents without end; a node of a
    member may have one parent for each four different months (docs/forecasts.md says what that changes).

    Nominal 90 % intervals of 12 members held .89 to .93 of single places and .84 to .86 of the means of a far region
    where simulated months persist as the field's do. Where they are independent, sparse members understate means of far
    regions, and the intervals held .52 (γ = 1) to .87 (γ = 0) of them: there take ``gamma=0.25`` (0 with fewer places
    than months). The default, 0.5, errs less than denser members on persistent months, and lies between coverage and
    held-out skill (docs/certainty.md has all tables).

    Returns
    -------
    `Ensemble`: asks like a network (`condition`, `propagate`, `sample`, `covariance`), and answers with intervals.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=5, progress=False)
    >>> ens
    Ensemble(5 members of hill_climbing, BIC(gamma=1, variance='ml', weight=1.0), 72 nodes, 264 … 287 arcs)
    >>> answer = ens.propagate({(-5, -135): 2.0})
    >>> sorted(name for name in answer.data_vars if name.startswith("difference"))
    ['difference', 'difference_high', 'difference_low', 'difference_sd', 'difference_single']
    """
    data, months = in_time(data, lags)
    if months:
        options = {**options, "lags": months}
    table = to_table(data)
    if table.levels is not None:
        raise ClimateBNError("ensemble is for Gaussian data; this is discrete")
    if isinstance(resamples, bool) or not isinstance(resamples, int | np.integer) or not 1 <= resamples <= MANY:
        raise ClimateBNError(f"resamples must be a whole number ≥ 1, at most {MANY}; got {resamples!r}")
    criterion = BIC(gamma=GAMMA) if criterion is None else criterion
    task = Task(
        table.values,
        table.names,
        blocks_of(data, len(table.values), block),
        algorithm,
        criterion,
        with_gamma(criterion, gamma),
        whole("seed", seed),
        max_seconds,
        options,
    )
    keys: list[Key] = [SINGLE, *((number,) for number in range(1, int(resamples) + 1))]
    records = _records(task, keys, workers, folder, progress)
    asked = {"resamples": resamples, "block": block, "gamma": gamma, "seed": seed, **options}
    facts = {"input": array_hash(table.values), "criterion": criterion}
    line = history_line("ensemble", {"algorithm": algorithm, **asked}, **facts)
    return gathered(task, [records[key] for key in keys[1:]], records[SINGLE], data, line)


def gathered(
    task: Task, members: Sequence[Record], single: Record | None, data: Any, line: str = ""
) -> Ensemble | DynamicEnsemble:
    """The ensemble of members that `learn_member` learned; ``line`` of its making goes into its history."""
    nodes = getattr(data, "nodes", None)
    attrs = dict(getattr(data, "attrs", None) or {})
    months = task.options.get("lags")
    parts: dict[str, Any] = {
        "graphs": tuple(_graph(record) for record in members if record.ended),
        "algorithm": task.algorithm,
        "criterion": repr(task.member_criterion),
        "single_criterion": repr(task.criterion),
        "invalid": sum(record.ended and not record.measures["valid"] for record in members),
        "unended": sum(not record.ended for record in members),
        "n": len(task.values),
        "nodes": nodes if isinstance(nodes, Nodes) else None,
        "units": getattr(data, "units", None) or "",
        "history": with_history(attrs, line)["history"] if line else str(attrs.get("history", "")),
    }
    kind = DynamicMember if months else Member
    fitted = tuple(_member(kind, record) for record in members if _valid(record))
    alone = _member(kind, single) if single is not None and _valid(single) else None
    if months:
        return DynamicEnsemble.of(task.values, task.names, months, members=fitted, single=alone, **parts)
    sample = standardise(task.values, task.names)
    return Ensemble(
        names=task.names,
        members=fitted,
        single=alone,
        centre=sample.mean,
        spread=sample.sd,
        recipe=(task.algorithm, task.member_criterion, len(members)),
        **parts,
    )


def with_gamma(criterion: Any, gamma: float | None) -> Any:
    """The criterion with another γ."""
    if gamma is None:
        return criterion
    if not is_dataclass(criterion) or isinstance(criterion, type) or not hasattr(criterion, "gamma"):
        raise ClimateBNError(f"gamma= is for a criterion with γ, e.g. BIC(); {criterion!r} has none")
    return replace(criterion, gamma=gamma)


def learn_member(task: Task, key: Key) -> Record:
    """One member: learned and fitted; a graph that is not valid has no parameters and is never repaired."""
    number = int(key[0])
    rows = np.arange(len(task.values))
    if number:
        rows = resampled_rows(task.blocks, generator(task.seed, "resample", number))
    values = task.values[rows]
    criterion = task.member_criterion if number else task.criterion
    stats = GaussianStats.of(values, task.names, distinct=len(np.unique(rows)))
    result = learn(
        stats, task.algorithm, criterion, seed=task.seed, max_seconds=task.max_seconds, progress=False, **task.options
    ).uninterrupted()
    if result.stopped == "time":
        return Record({"valid": False}, ended=False)
    past = set(np.flatnonzero(lags_of(task.names)).tolist()) if result.lags else set()
    graph = cpdag(result.dag, past) if result.dag is not None else result.graph
    arrays = {"directed": _pairs(graph.numbered_arcs), "undirected": _pairs(graph.numbered_undirected)}
    if result.dag is not None:
        own = (
            _fitted_in_time(task, result.dag, values) if result.lags else Member.of(fit(result.dag, values, scale="sd"))
        )
        arrays |= {name: getattr(own, name) for name in type(own).__annotations__}
    return Record({"valid": result.dag is not None}, arrays)


def _fitted_in_time(task: Task, dag: Dag, values: np.ndarray) -> DynamicMember:
    """A member in standard deviations of the whole record, so that coefficients can be averaged."""
    present = task.values[:, lags_of(task.names) == 0]
    return DynamicMember.of(fitted_rows(dag, values, present.mean(axis=0), present.std(axis=0, ddof=1)))


def _member(kind: Any, record: Record) -> Any:
    """The member of a record."""
    return kind(*(record.arrays[name] for name in kind.__annotations__))


@contextmanager
def chosen_executor(workers: int | Executor | None) -> Iterator[Executor]:
    """The executor for a number of processes, or the one that was given; threads of this machine when None."""
    if isinstance(workers, bool) or not (workers is None or isinstance(workers, int) or hasattr(workers, "submit")):
        raise ClimateBNError(f"workers must be a number of processes or an executor; got {workers!r}")
    if workers is None:
        with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
            yield threads
    elif isinstance(workers, int):
        with open_executor(workers) as executor:
            yield executor
    else:
        yield workers


def _records(
    task: Task, keys: list[Key], workers: int | Executor | None, folder: str | PathLike[str] | None, progress: bool
) -> dict[Key, Record]:
    store = None if folder is None else MemberFolder(folder, task)
    with chosen_executor(workers) as executor:
        records = stored_cells(learn_member, task, keys, store, executor, name="ensemble", progress=progress)
    if not any(records[key].ended for key in keys[1:]):
        raise ClimateBNError(f"no member ended within max_seconds={task.max_seconds}; give them more")
    return records


def _valid(record: Record) -> bool:
    return record.ended and bool(record.measures["valid"])


def _graph(record: Record) -> tuple[np.ndarray, np.ndarray]:
    return record.arrays["directed"], record.arrays["undirected"]


def _pairs(pairs: Any) -> np.ndarray:
    return np.array(list(pairs), dtype=np.int32).reshape(-1, 2)
