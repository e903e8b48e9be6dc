"""Greedy equivalence search: best step by best step through classes of equivalent DAGs (Chickering 2002).

Forward steps insert an edge, backward steps delete one, turning steps turn one round (Hauser, Bühlmann 2012), each
phase until none of its legal steps raises the score; the phases repeat until none of them does. Each step raises the
score, so the search ends. Or the kinds of steps alternate: an insertion only where no deletion and no turn is left that
raises the score (the order of XGES: Nazaret, Blei 2024).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from climatebn.errors import ClimateBNError, OutOfTime, public, unknown
from climatebn.kernels.bitset import members, packed
from climatebn.kernels.equivalence.operators import KINDS, MOST_CLIQUES
from climatebn.learning.problem import Outcome, Problem, Step, Stopped
from climatebn.learning.score.differences import Differences
from climatebn.learning.score.equivalence_class import EquivalenceClass
from climatebn.learning.score.limits import Start, limit_met, limits
from climatebn.learning.score.operator_queue import OperatorQueue

MOVES = {"forward": "add", "backward": "delete", "turning": "reverse"}
ALTERNATING = ("backward", "turning", "forward")  # the kinds of steps where deletions come first


@public
def ges(
    problem: Problem,
    *,
    candidates: np.ndarray | None = None,
    start: Start | None = None,
    phases: Sequence[str] = ("forward", "backward", "turning"),
    deletions_first: bool = False,
) -> Outcome:
    """Greedy equivalence search with any score that is the same for equivalent DAGs.

    Parameters
    ----------
    candidates : symmetric bool matrix, the pairs that may be adjacent; all when left out.
    start : a DAG, or arcs (from, to), whose class to begin with; no arcs when left out.
    phases : of "forward", "backward", "turning", in the order to run them.
    deletions_first : instead of phases take, step by step, the best deletion that raises the score; where there is none
        the best turn, and only where there is none of these the best insertion. Ends higher more often than not, and
        takes up to three times as long.

    A call is one difference of local scores (one for an insertion or deletion, two for a turn) that was not asked
    before. ``max_parents`` of the knowledge holds in every DAG of the class found; ``forbidden`` must name both
    directions of a pair.

    >>> import climatebn as cb
    >>> cov = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 1.0]]
    >>> cb.learn(cb.GaussianStats(100, cov), "ges").graph.directed
    [('X1', 'X3'), ('X2', 'X3')]
    """
    _check(problem, phases)
    where = limits(problem, candidates, start)
    time = problem.knowledge.time
    first = np.zeros(len(where.barred), dtype=np.bool_) if time is None else time.past
    allowed = packed(_symmetric(~where.barred, problem.stats.names, first))
    differences = Differences(problem)
    graph = EquivalenceClass(len(allowed), where.start, first)
    calls = dict.fromkeys(phases, 0)
    each = [tuple(phase for phase in ALTERNATING if phase in phases)] if deletions_first else [(one,) for one in phases]
    trace: list[Step] = []
    notes: list[str] = []
    stopped: Stopped = ""
    with problem.show("ges") as progress:
        try:
            settled, turn = 0, 0  # phases in a row after which no step of theirs is left
            while settled < len(each):
                kinds = each[turn % len(each)]
                progress.describe(f"ges {' '.join(kinds)}")
                before = len(trace)
                for step in _steps(kinds, graph, differences, allowed, calls):
                    trace.append(step)
                    progress.update(1, gain=round(step.gain, 2))
                settled = settled + 1 if len(trace) == before else 1
                turn += 1
            notes += _limit_met(problem, graph, differences.most_parents)
        except OutOfTime:
            stopped = "time"
            notes.append(f"stopped after max_seconds{_where(kinds)}: the class reached by then")
        except KeyboardInterrupt:
            stopped = "interrupted"
            notes.append(f"interrupted{_where(kinds)}: the class reached by then")
    if graph.crowded:
        nodes = ", ".join(problem.stats.names[node] for node in sorted(graph.crowded)[:10])
        notes.append(
            f"not all steps were looked at: more than {MOST_CLIQUES} cliques of undirected edges around {nodes}"
        )
    directed, undirected = graph.edges()
    return Outcome(directed, undirected, calls, trace, notes=notes, stopped=stopped)


def _steps(
    kinds: Sequence[str], graph: EquivalenceClass, differences: Differences, allowed: np.ndarray, calls: dict[str, int]
) -> Iterator[Step]:
    """Take the best step of the first of these kinds that has one, while there is one."""
    queues: dict[str, OperatorQueue] = {}
    for phase in kinds:
        with _counted(calls, phase, differences):
            queues[phase] = OperatorQueue(KINDS[phase], graph, differences, allowed)
    while True:
        first = next(((phase, best) for phase, queue in queues.items() if (best := queue.best()) is not None), None)
        if first is None:
            return
        phase, best = first
        graph.apply(KINDS[phase], best.source, best.target, best.clique)
        yield Step(MOVES[phase], best.source, best.target, best.gain)
        for phase, queue in queues.items():
            with _counted(calls, phase, differences):
                queue.update()


@contextmanager
def _counted(calls: dict[str, int], phase: str, differences: Differences) -> Iterator[None]:
    """Questions asked inside are calls of a phase."""
    asked = differences.asked
    try:
        yield
    finally:
        calls[phase] += differences.asked - asked


def _where(kinds: Sequence[str]) -> str:
    """In words, where a search of phases was stopped."""
    return f" in the {kinds[0]} phase" if len(kinds) == 1 else ""


def _check(problem: Problem, phases: Sequence[str]) -> None:
    if problem.score is None or not problem.score.equivalent:
        raise ClimateBNError(
            f"ges needs a score that is the same for equivalent DAGs (BIC, AIC, BGe, BDeu); {problem.score!r} is not; "
            "use hill_climbing or tabu with it"
        )
    for phase in phases:
        if phase not in KINDS:
            raise unknown("phase", phase, KINDS)
    if problem.knowledge.required:
        raise ClimateBNError(
            "ges cannot keep required arcs: it searches classes of DAGs, not DAGs; use hill_climbing or tabu"
        )


def _symmetric(allowed: np.ndarray, names: Sequence[str], first: np.ndarray) -> np.ndarray:
    """Which pairs may be adjacent ([to, from]); one allowed in one direction only is refused, save into the present.

    ``first`` says which nodes are of the past: they have no parents in any DAG of the class.
    """
    one_way = np.argwhere(~allowed & allowed.T & ~first[:, None])
    if len(one_way):
        target, source = (names[node] for node in one_way[0])
        raise ClimateBNError(
            f"ges can keep a pair of nodes apart, not forbid one direction: {source} → {target} is forbidden, "
            f"{target} → {source} is not; forbid both, or use hill_climbing or tabu"
        )
    return np.ascontiguousarray(allowed)


def _limit_met(problem: Problem, graph: EquivalenceClass, most: int) -> list[str]:
    """In words, where the data held the search back."""
    if most == len(graph.dag) - 1 or most == problem.knowledge.max_parents:
        return []
    full = [name for name, row in zip(problem.stats.names, graph.dag, strict=True) if len(members(row)) == most]
    return limit_met(problem.stats, most, full)
