"""`learn`: one call from data, algorithm and criterion to a `LearnResult`."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from climatebn.criterion.bridge import as_test
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import Criterion, IndependenceTest, Score, Stats
from climatebn.criterion.registry import as_criterion
from climatebn.criterion.stats import GaussianStats, require_distinct
from climatebn.errors import ClimateBNError, number, public, short, unknown, whole
from climatebn.graph import Dag, Pdag, extension
from climatebn.ingest.nodes.doubts import notes_on
from climatebn.ingest.nodes.lags import in_time, lags_of
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.jobs.executors import MOST_WORKERS
from climatebn.learning.knowledge import Knowledge
from climatebn.learning.problem import Budget, Conflict, Outcome, Problem, Step, Trace
from climatebn.learning.registry import ALGORITHMS, Algorithm, described_options, find, option_names
from climatebn.learning.result import LearnResult
from climatebn.learning.several import one_after_other, run_all
from climatebn.learning.time_order import TimeOrder
from climatebn.provenance import array_hash, history_line, versions, with_history
from climatebn.rng import generator

if TYPE_CHECKING:
    from climatebn.ingest.nodes.learning_table import Tabular

    Data: TypeAlias = Tabular | GaussianStats | DiscreteStats


@public
def learn(
    data: "Data",
    algorithm: str = "tabu",
    criterion: Criterion | type[Criterion] | str | None = "BIC",
    *,
    test: Criterion | type[Criterion] | str | None = None,
    lags: Sequence[int] | None = None,
    knowledge: Knowledge | None = None,
    order: Sequence[int] | int | None = None,
    seed: int | None = None,
    max_seconds: float | None = None,
    then: str | Sequence[str] | None = None,
    restarts: int | None = None,
    workers: int | None = None,
    threads: int = 1,
    progress: bool = True,
    **options: Any,
) -> LearnResult:
    """Learn the structure of a Bayesian network.

    Parameters
    ----------
    data : NodeData, DataFrame (categorical columns make it discrete), 2-D array, GaussianStats or DiscreteStats.
    algorithm : a name that `climatebn.algorithms()` lists.
    criterion : a score or a test, e.g. ``cb.BIC(gamma=0.5)``; its class, or a name that `climatebn.criteria()` lists,
        stands for its defaults. A score given to a constraint-based algorithm becomes its matched test; a hybrid
        algorithm uses it for both phases.
    test : another test for the restrict phase of a hybrid algorithm, given like ``criterion``.
    lags : a network in time (see `climatebn.lagged`): months before the present that may act on it, e.g. (0, 1, 2);
        without 0 no arcs within a month. Arcs run forward in time, ``X81@-2`` → X300, or within the present month; the
        past has no parents. n is the number of months that have the months before them; N, for a criterion that counts
        nodes as BIC with γ does, is the number of all columns, present and past.
    knowledge : arcs that must be there, arcs that must not, and how many parents a node may have; none when left out.
    order : the column order to learn in: a permutation of 0 … N − 1, or the seed of one. Results keep the names.
    seed : names the random moves of annealing and of restarts; without one they are those of seed 0.
    max_seconds : stop after this wall-clock time with what has been found; ``stopped`` is then "time".
    threads : threads of a constraint-based algorithm; the answer is the same with any number.
    progress : show a progress bar.
    then : a search, or several, that go on from the network found: ``"annealing"``, then ``"ges"``.
    restarts : further runs from other beginnings, drawn from ``seed``; the network with the highest score is returned.
    workers : processes for those runs; this one when left out.
    **options : the algorithm's own options, e.g. ``max_iter``; `climatebn.algorithms("tabu")` lists those of tabu.

    Returns
    -------
    LearnResult, with the graph, its DAG, its score, what it cost and how it was made.

    Examples
    --------
    >>> import climatebn as cb, numpy as np
    >>> x = np.random.default_rng(1).normal(size=(500, 1))
    >>> data = np.hstack([x, x + np.random.default_rng(2).normal(size=(500, 1))])
    >>> cb.learn(data, "hill_climbing").dag.arcs
    [('X1', 'X2')]
    """
    entry, function = find(algorithm)
    known = option_names(function)
    if knowledge is not None and not isinstance(knowledge, Knowledge):
        raise ClimateBNError(f"knowledge must be a Knowledge, e.g. cb.Knowledge(required=[…]); got {short(knowledge)}")
    seed = None if seed is None else whole("seed", seed)
    max_seconds = None if max_seconds is None else number("max_seconds", max_seconds, least=0, finite=False)
    threads = whole("threads", threads, 1, MOST_WORKERS)
    workers = None if workers is None else whole("workers", workers, least=1)
    for name in options.keys() - set(known):
        raise unknown(f"option of {algorithm}", name, known)
    names = (algorithm,) if then is None else one_after_other(algorithm, then)
    told = {} if restarts is None else {"restarts": restarts}
    plain = data
    data, months = in_time(data, lags)
    stats = to_stats(data)
    notes = notes_on(plain, stats.n, len(stats.names), stacklevel=3, past=bool(months))
    if isinstance(stats, GaussianStats):
        require_distinct(stats)
    criterion = _criterion("BIC" if criterion is None else criterion)
    test = None if test is None else _criterion(test)
    score, matched = _roles(algorithm, entry, criterion, test, stats)
    permutation = _permutation(order, len(stats.names))
    seen = stats if order is None else stats.permuted(permutation)
    known_before = knowledge
    if months:
        known_before = replace(knowledge or Knowledge(), time=TimeOrder.of(lags_of(seen.names), months))
    problem = Problem(
        stats=seen,
        score=score,
        test=matched,
        knowledge=known_before.numbered(seen.names, getattr(data, "nodes", None)) if known_before else Knowledge(),
        seed=seed,
        budget=Budget(max_seconds),
        threads=threads,
        progress=progress,
    )
    started = time.perf_counter()
    if then is None and restarts is None:
        outcome = function(problem, **options)
    else:
        outcome = run_all(problem, names, options, restarts, workers)
    seconds = time.perf_counter() - started
    calls = sum(outcome.calls.values())
    words = repr(criterion) if test is None else f"{criterion!r}, test={test!r}"
    line = history_line(
        f"learn {', then '.join(names)}, {words}",
        ({"lags": months} if months else {}) | options | told,
        input=array_hash(stats.cov if isinstance(stats, GaussianStats) else stats.codes),
        order=None if order is None else order if isinstance(order, int) else "given",
        seed=seed,
        calls=calls,
        stopped=outcome.stopped or None,
    )
    found = _named(outcome, stats.names, permutation, problem.knowledge)
    total = None
    if score is not None and found["dag"] is not None:
        in_columns = problem if order is None else replace(problem, stats=stats)
        total = in_columns.total(found["dag"])
        found["notes"] += tuple(in_columns.floored(found["dag"]))
    found["notes"] += (*_time_note(months, stats), *notes)
    return LearnResult(
        **found,
        score=total,
        nodes=getattr(data, "nodes", None),
        lags=months,
        history=with_history(getattr(data, "attrs", None) or {}, line)["history"],
        calls=calls,
        phase_calls=dict(outcome.calls),
        calls_bnlearn=sum(outcome.phases_bnlearn().values()),
        phase_calls_bnlearn=outcome.phases_bnlearn(),
        seconds=seconds,
        algorithm=", then ".join(names),
        criterion=words,
        options={name: repr(value) for name, value in (options | told).items()},
        order=tuple(permutation.tolist()),
        seed=seed,
        versions=versions(),
    )


def _time_note(lags: tuple[int, ...], stats: Stats) -> tuple[str, ...]:
    if not lags:
        return ()
    return (
        f"lags {', '.join(map(str, lags))}: {stats.n} months have the months before them; the criterion's N is "
        f"{len(stats.names)}, the columns of the present and of the past",
    )


def to_stats(data: Any) -> Stats:
    """The statistics that criteria read, from any data that `learn` takes."""
    if isinstance(data, GaussianStats | DiscreteStats):
        return data
    if isinstance(data, NodeData):
        return GaussianStats.of(data.values, data.nodes.names)
    table = to_table(data)
    if table.levels is None:
        return GaussianStats.of(table.values, table.names)
    return DiscreteStats(table.values, [len(levels) for levels in table.levels], table.names)


def _criterion(given: Any) -> Criterion:
    """A criterion as it is, or from its class or name."""
    return given if isinstance(given, Score | IndependenceTest) and not isinstance(given, type) else as_criterion(given)


@public
def algorithms(name: str | None = None) -> dict[str, str]:
    """Every algorithm with its class and what it does; or the options of one, with type, default and meaning.

    Parameters
    ----------
    name : an algorithm whose options are wanted; all algorithms when left out.

    Returns
    -------
    names with what each is; or options with type, default and meaning.

    Examples
    --------
    >>> algorithms()["tabu"]
    'score: greedy search that may step down and never returns'
    >>> algorithms("tabu")["list_size"]
    'int = 10: how many of the last networks must not be visited again.'
    """
    if name is not None:
        return described_options(name)
    return {
        key: f"{one.kind}: {one.summary}{'' if one.directs else ' (neighbours only)'}"
        for key, one in ALGORITHMS.items()
    }


def _roles(
    algorithm: str, entry: Algorithm, criterion: Any, test: Any, stats: Stats
) -> tuple[Score | None, IndependenceTest | None]:
    """The score and the test that an algorithm of this class works with."""
    for given in (criterion, test):
        if given is not None and stats.kind not in given.kinds:
            hint = "" if stats.kind == "discrete" else " (codes of categories: a DataFrame, .astype('category'))"
            kinds = " or ".join(sorted(given.kinds))
            raise ClimateBNError(f"{given!r} is for {kinds} data; the data is {stats.kind}{hint}")
    if test is not None and entry.kind != "hybrid":
        raise ClimateBNError(f"test= is for hybrid algorithms; {algorithm} is {entry.kind}-based, use criterion=")
    if entry.kind == "constraint":
        return None, as_test(criterion)
    if not isinstance(criterion, Score):
        fits = ", ".join(name for name, other in ALGORITHMS.items() if other.kind == "constraint")
        raise ClimateBNError(
            f"{algorithm} needs a score; {criterion!r} is a test. Give a score (e.g. BIC()), "
            f"or use an algorithm that takes tests: {fits}"
        )
    return criterion, as_test(test if test is not None else criterion) if entry.kind == "hybrid" else None


def _permutation(order: Sequence[int] | int | None, size: int) -> np.ndarray:
    if order is None:
        return np.arange(size)
    if isinstance(order, int | np.integer) and not isinstance(order, bool):
        return generator(whole("order", order), "order").permutation(size)
    permutation = np.asarray(order)
    if permutation.dtype.kind not in "iu" or not np.array_equal(np.sort(permutation, axis=None), np.arange(size)):
        raise ClimateBNError(f"order must be a permutation of 0 … {size - 1}, or a seed; got {short(order)}")
    return permutation.ravel()


def _named(outcome: Outcome, names: tuple[str, ...], permutation: np.ndarray, knowledge: Knowledge) -> dict[str, Any]:
    """Graph, DAG, trace and conflicts in the data's own columns and names; what is known directs edges of the DAG."""
    back = permutation.tolist()
    directed, undirected = (
        np.array(edges, dtype=np.int64).reshape(-1, 2) for edges in (outcome.directed, outcome.undirected)
    )
    graph = Pdag(names, permutation[directed], permutation[undirected])
    seen = [names[column] for column in back]
    dag: Dag | None
    try:
        if len(undirected):
            known = [(back[a], back[b]) for a, b in knowledge.directions(outcome.undirected)]
            dag, reason = extension(_as_known(graph, known)), ""
        else:
            dag, reason = Dag(names, graph.numbered_arcs), ""
    except ClimateBNError as error:
        dag, reason = None, str(error)
    return {
        "graph": graph,
        "dag": dag,
        "valid": dag is not None,
        "reason": reason,
        "trace": outcome.trace.named(seen)
        if isinstance(outcome.trace, Trace)
        else tuple(Step(move, seen[source], seen[target], gain) for move, source, target, gain in outcome.trace),
        "conflicts": tuple(Conflict(tuple(seen[i] for i in c.nodes), c.why) for c in outcome.conflicts),
        "notes": tuple(outcome.notes),
        "stopped": outcome.stopped,
    }


def _as_known(graph: Pdag, arcs: Sequence[tuple[int, int]]) -> Pdag:
    """The graph with those of its undirected edges directed of which the direction is known."""
    if not arcs:
        return graph
    lines = set(map(tuple, graph.numbered_undirected.tolist()))
    known = {(a, b) for a, b in arcs if (min(a, b), max(a, b)) in lines}
    rest = lines - known - {(b, a) for a, b in known}
    return Pdag.from_edges(graph.names, [*graph.numbered_arcs.tolist(), *known], sorted(rest))
