"""Several runs for one answer: one search after the other (``then``), or the best of several beginnings (``restarts``).

Run 0 begins as the algorithm does by itself; run r > 0 begins elsewhere, by the random stream of the seed and r: at a
random network, or with the random choices that the algorithm makes anyway. The network with the highest score wins, the
earliest of equal ones. Which run wins does not depend on the number of workers.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from climatebn.errors import MANY, ClimateBNError, short, whole
from climatebn.graph import Dag, Pdag, extension
from climatebn.jobs.executors import open_executor
from climatebn.learning.problem import Outcome, Problem
from climatebn.learning.registry import ALGORITHMS, find, option_names


def one_after_other(algorithm: str, then: str | Sequence[str] | None) -> tuple[str, ...]:
    """The algorithms to run one after the other, checked."""
    following = (then,) if isinstance(then, str) else tuple(() if then is None else then)
    if not following:
        return (algorithm,)
    takes = [
        name for name, entry in ALGORITHMS.items() if entry.kind == "score" and "start" in option_names(find(name)[1])
    ]
    for name in following:
        if not isinstance(name, str) or name not in takes:
            raise ClimateBNError(f"then must name searches that take a start ({', '.join(takes)}); got {short(name)}")
    if ALGORITHMS[algorithm].kind == "constraint":
        raise ClimateBNError(f"then= needs a first algorithm that has a score; {algorithm} is constraint-based")
    return algorithm, *following


def run_all(
    problem: Problem, names: Sequence[str], options: Mapping[str, Any], restarts: int | None, workers: int | None
) -> Outcome:
    """The outcome of a chain of algorithms, the best one of ``restarts`` + 1 runs; ``options`` are the first one's."""
    restarts = None if restarts is None else whole("restarts", restarts)
    if restarts is not None and restarts > MANY:
        raise ClimateBNError(f"restarts must be at most {MANY}; got {restarts}")
    own = "restarts" in option_names(_function(names[0]))
    if own and restarts is not None:
        options = {**options, "restarts": restarts}
    if own or not restarts:
        return run_chain(problem, names, options)
    if problem.score is None:
        raise ClimateBNError(f"restarts= needs a score to choose by; {names[0]} uses tests only")
    with nullcontext() if workers is None else open_executor(workers) as executor:
        outcomes = list(_attempts(problem, names, options, restarts, executor))
    totals = [total(problem, outcome) for outcome in outcomes]
    best = outcomes[totals.index(max(totals))]
    calls = {phase: sum(outcome.calls.get(phase, 0) for outcome in outcomes) for phase in best.calls}
    ends = [outcome.stopped for outcome in outcomes if outcome.stopped]
    return replace(best, calls=calls, stopped=ends[0] if ends else "")


def _attempts(
    problem: Problem, names: Sequence[str], options: Mapping[str, Any], restarts: int, executor: Executor | None
) -> Sequence[Outcome]:
    runs = [replace(problem, attempt=attempt) for attempt in range(restarts + 1)]
    if executor is not None:
        quiet = [replace(run, progress=False) for run in runs]
        return [future.result() for future in [executor.submit(run_chain, run, names, options) for run in quiet]]
    outcomes = []
    for run in runs:
        outcomes.append(run_chain(run, names, options))
        if outcomes[-1].stopped in ("time", "interrupted"):
            break
    return outcomes


def run_chain(problem: Problem, names: Sequence[str], options: Mapping[str, Any]) -> Outcome:
    """Each algorithm begins with the network of the one before it."""
    outcome = _function(names[0])(problem, **options)
    for name in names[1:]:
        if outcome.stopped == "interrupted":
            break
        following = _function(name)(problem, start=dag_arcs(problem, outcome))
        both = {phase: outcome.calls.get(phase, 0) + following.calls.get(phase, 0) for phase in outcome.calls}
        outcome = replace(
            following if total(problem, following) >= total(problem, outcome) else outcome,
            calls=following.calls | both,
            calls_bnlearn=outcome.calls_bnlearn | following.calls_bnlearn,
            trace=(*outcome.trace, *following.trace),
            notes=(*outcome.notes, *following.notes),
            stopped=outcome.stopped or following.stopped,
        )
    return outcome


def dag_arcs(problem: Problem, outcome: Outcome) -> list[tuple[int, int]]:
    """The arcs of a DAG of the outcome's class, in column numbers."""
    return [(int(a), int(b)) for a, b in _dag(problem, outcome).numbered_arcs]


def total(problem: Problem, outcome: Outcome) -> float:
    """The score of the outcome's network."""
    return problem.total(_dag(problem, outcome))


def _dag(problem: Problem, outcome: Outcome) -> Dag:
    if not outcome.undirected:
        return Dag.from_arcs(problem.stats.names, outcome.directed)
    return extension(Pdag.from_edges(problem.stats.names, outcome.directed, outcome.undirected))


def _function(name: str) -> Callable[..., Outcome]:
    return find(name)[1]
