"""Hill climbing over DAGs: the best single-arc move, again and again, until none raises the score.

Additions, then deletions, then reversals are compared, each by from-node, then to-node; a later move replaces an
earlier one only if it is better by more than √ε = 1.49e-8. With ``BIC(variance="unbiased")`` the arcs are bnlearn's.
`walk_greedily` is what tabu search shares: a walk from a start network whose best network is the result and whose
steps are the ``trace``. A score with a compiled Gaussian form runs in `CompiledEngine`, any other in `PythonEngine`.
"""

import time
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError, public, whole_options
from climatebn.kernels.constants import ADD, DELETE, REVERSE
from climatebn.kernels.dag_search.climb import DONE, FULL, climb
from climatebn.kernels.dag_search.moves import NOW
from climatebn.kernels.dag_search.state import State, residual_rows, with_room
from climatebn.kernels.dag_search.walk import CALLS, GAINED, SWEPT
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.learning.problem import Outcome, Problem, Stopped, Trace
from climatebn.learning.score.limits import Limits, Start, limit_met, limits
from climatebn.learning.score.python_engine import PythonEngine
from climatebn.progress import Progress

NAMES = {int(ADD): "add", int(DELETE): "delete", int(REVERSE): "reverse"}
SLICE = 0.05  # seconds of work between looks at progress, budget and Ctrl-C
CHUNK = 128  # nodes of the first sweep between such looks
ROOM = 16  # parents of a node before more memory is taken


@public
def hill_climbing(
    problem: Problem,
    *,
    candidates: np.ndarray | None = None,
    start: Start | None = None,
    max_iter: int | None = None,
) -> Outcome:
    """Climb from a start network to a local optimum.

    Parameters
    ----------
    candidates : bool [from, to], the arcs that may be asked for; all when left out.
    start : a DAG, or arcs (from, to), to begin with; no arcs when left out. Required arcs are added.
    max_iter : largest number of steps in all; no limit when None.
    """
    whole_options(max_iter=max_iter)
    return walk_greedily(problem, "hill climbing", candidates=candidates, start=start, max_iter=max_iter)


class CompiledEngine:
    """Moves a state on residual rows."""

    def __init__(self, form: GaussianForm, equivalent: bool, state: State) -> None:
        self.state, self.equivalent = state, equivalent
        form = form._replace(a=form.a / state.unit, b=form.b / state.unit, c=form.c / state.unit)
        self.most = len(form.a) - 1
        widest = int(state.moves.parents[NOW].max(initial=0))
        self.rows = residual_rows(form, min(max(ROOM, widest + 1), self.most))

    def sweep(self, nodes: int) -> None:
        """Ask for the gains of the next ``nodes`` nodes of the start network."""
        self._run(int(self.state.walk.tally[SWEPT]) + nodes, 0, 0)

    def advance(self, slice_end: int, max_losses: int) -> int:
        """Go on until step ``slice_end``; return the status of `climb`."""
        while (status := self._run(0, slice_end, max_losses)) == FULL:
            self._make_room()
        return status

    def _run(self, sweep_end: int, slice_end: int, max_losses: int) -> int:
        state = self.state
        status: int = climb(
            *(state.network, state.moves, self.rows, state.tabu_list, state.walk),
            *(max_losses, self.equivalent, sweep_end, slice_end),
        )
        return status

    def _make_room(self) -> None:
        self.rows = with_room(self.rows, min(2 * self.rows.slots.shape[1], self.most))


Engine = CompiledEngine | PythonEngine


def walk_greedily(
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
            notes = _limits_met(problem, state)
        except KeyboardInterrupt:
            stopped = "interrupted"
    return Outcome(
        directed=state.best(),
        calls={"search": int(state.walk.tally[CALLS])},
        trace=_trace(state),
        notes=[*_why(stopped, problem, max_iter), *notes],
        stopped=stopped,
    )


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
                f"{len(form.a) - 1}. Remove some of the arcs into it"
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


def _limits_met(problem: Problem, state: State) -> list[str]:
    """In words, where too few observations held the search back."""
    now, most = state.moves.parents
    asked = problem.knowledge.max_parents
    free = len(now) - 1 if asked is None else min(asked, len(now) - 1)
    full = np.array(problem.stats.names)[(now == most) & (most < free)]
    return limit_met(problem.stats, int(most[0]), full.tolist())
