"""Greedy search over DAGs by single arcs: what hill climbing and tabu share.

A walk from a start network; each step adds, deletes or reverses one arc, chosen by the rule in `kernels.choice`. The
result is the best network of the walk; ``trace`` holds the whole walk.
"""

import time
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError, whole
from climatebn.kernels.constants import ADD, DELETE, REVERSE
from climatebn.kernels.dag_search.climb import DONE
from climatebn.kernels.dag_search.state import State
from climatebn.kernels.dag_search.walk import CALLS, GAINED
from climatebn.learning.problem import Outcome, Problem, Stopped, Trace
from climatebn.learning.score.compiled_engine import CompiledEngine
from climatebn.learning.score.limits import Limits, Start, limits
from climatebn.learning.score.python_engine import PythonEngine
from climatebn.progress import Progress

NAMES = {int(ADD): "add", int(DELETE): "delete", int(REVERSE): "reverse"}
SLICE = 0.05  # seconds of work between looks at progress, budget and Ctrl-C
CHUNK = 128  # nodes of the first sweep between such looks

Engine = CompiledEngine | PythonEngine


def search(
    problem: Problem,
    description: str,
    *,
    candidates: np.ndarray | None,
    start: Start | None,
    max_iter: int | None,
    list_size: int = 0,
    max_losses: int = 0,
) -> Outcome:
    """Walk until no move is left, time is over or Ctrl-C is pressed. Hill climbing has no list and no losses."""
    bounds = limits(problem, candidates, start)
    state = State.at_start(bounds.barred, bounds.kept, bounds.max_parents, bounds.start, list_size)
    stopped: Stopped = ""
    notes: list[str] = []
    with problem.show(description) as progress:
        try:
            engine = _engine(problem, bounds, state)
            stopped = _first_sweep(problem, engine, len(problem.stats.names))
            stopped = stopped or _walk(problem, engine, state, progress, max_losses, max_iter)
            notes = _limits_met(problem, state, bounds)
        except KeyboardInterrupt:
            stopped = "interrupted"
    return Outcome(
        directed=state.best(),
        calls={"search": int(state.walk.tally[CALLS])},
        trace=_trace(state),
        notes=[*_why(stopped, problem, max_iter), *notes],
        stopped=stopped,
    )


def require_whole(**options: int | None) -> None:
    """Raise an error for an option that is not a whole number from 0."""
    for name, value in options.items():
        if value is not None:
            whole(name, value)


def _engine(problem: Problem, bounds: Limits, state: State) -> Engine:
    """The compiled loop for a Gaussian form, else the score asked from Python."""
    score: Any = problem.score
    form, state.unit = problem.form, problem.unit
    if form is not None:
        now, most = state.moves.parents
        np.minimum(most, len(form.a) - 1, out=most)
        if (now > most).any():
            crowded = problem.stats.names[int(np.argmax(now - most))]
            raise ClimateBNError(
                f"start and required arcs give {crowded} {now.max()} parents; {problem.stats.n} observations allow "
                f"{len(form.a) - 1}. Take arcs into it away"
            )
        return CompiledEngine(form, score.equivalent, state)
    return PythonEngine(score, problem.stats, ~bounds.barred, state)


def _first_sweep(problem: Problem, engine: Engine, nodes: int) -> Stopped:
    """All differences of the start network."""
    for first in range(0, nodes, CHUNK):
        engine.sweep(min(CHUNK, nodes - first))
        if problem.budget.spent():
            return "time"
    return ""


def _walk(
    problem: Problem, engine: Engine, state: State, progress: Progress, max_losses: int, max_iter: int | None
) -> Stopped:
    """Climb, slice by slice, until no move is left; otherwise say why it ended."""
    length = 16
    while True:
        before, started = state.steps, time.perf_counter()
        goal = before + length if max_iter is None else min(before + length, max_iter)
        state.reserve(goal)
        status = engine.advance(goal, max_losses)
        shown = {"arcs": state.arcs, "gain": round(float(state.walk.total[GAINED] * state.unit), 1)}
        progress.update(state.steps - before, **shown)
        if status == DONE:
            return ""
        if state.steps == max_iter:
            return "max_iter"
        if problem.budget.spent():
            return "time"
        seconds = max(time.perf_counter() - started, 1e-6)
        length = max(1, min(int(length * SLICE / seconds), 4 * length))


def _why(stopped: Stopped, problem: Problem, max_iter: int | None) -> list[str]:
    """In words, why the walk ended before an optimum."""
    words = {
        "time": f"stopped after max_seconds = {problem.budget.max_seconds}: this is the best network so far",
        "interrupted": "interrupted: this is the best network so far",
        "max_iter": f"stopped after max_iter = {max_iter} steps",
    }
    return [words[stopped]] if stopped else []


def _trace(state: State) -> Trace:
    rows, gains = state.walk.moves[: state.steps], state.walk.gains[: state.steps] * state.unit
    return Trace(rows, gains, NAMES, range(len(state.moves.gain)))


def _limits_met(problem: Problem, state: State, bounds: Limits) -> list[str]:
    """In words, where too few observations held the search back."""
    now, most = state.moves.parents
    full = np.array(problem.stats.names)[(now == most) & (most < bounds.max_parents)]
    if len(full) == 0:
        return []
    shown = ", ".join(full[:10]) + (f" and {len(full) - 10} more" if len(full) > 10 else "")
    return [f"{problem.stats.n} observations allow {most[0]} parents; reached by {shown}"]
