"""The portfolio that finds the highest scores: the optimum itself where nodes are few; else two climbs, and the better.

One begins with BOSS from the ordering of tabu's network, the other with annealing. Both go on with tabu and GES from
there, then BOSS again and again with nodes displaced, as long as that raises the score: BOSS wins on fields, annealing
on sparse networks of many nodes. The search ends when both climbs do, or when time is over, with an answer either way.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from climatebn.errors import public, whole_options
from climatebn.kernels.constants import TAU
from climatebn.learning.problem import Outcome, Problem
from climatebn.learning.score.annealing import annealing
from climatebn.learning.score.boss import boss
from climatebn.learning.score.exact import exact
from climatebn.learning.score.ges import ges
from climatebn.learning.score.limits import Start
from climatebn.learning.score.tabu import tabu
from climatebn.learning.several import dag_arcs, total

FEW = {"gaussian": 15, "discrete": 12}  # nodes up to which the optimum takes a second or two


@public
def best(
    problem: Problem,
    *,
    candidates: np.ndarray | None = None,
    start: Start | None = None,
    patience: int = 50,
) -> Outcome:
    """Search on while it pays, or until ``max_seconds``.

    Parameters
    ----------
    candidates : matrix, true at [from, to] where an arc may be; all when left out.
    start : a DAG, or arcs (from, to), to begin with; no arcs when left out.
    patience : rounds of BOSS without a better network after which the search ends.

    >>> import climatebn as cb
    >>> cov = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 1.0]]
    >>> cb.learn(cb.GaussianStats(100, cov), "best").dag.arcs
    [('X1', 'X3'), ('X2', 'X3')]
    """
    whole_options(patience=patience)
    stats = problem.stats
    if len(stats.names) <= FEW[stats.kind] and start is None:
        return exact(problem, candidates=candidates)
    ordered = boss(problem, candidates=candidates, start=start, patience=patience)
    highest = _climb(problem, ordered, candidates, patience)
    if highest.stopped:
        return highest
    annealed = _climb(problem, annealing(problem, candidates=candidates), candidates, patience)
    return _higher(problem, highest, annealed)


def _climb(problem: Problem, outcome: Outcome, candidates: np.ndarray | None, patience: int) -> Outcome:
    """Tabu, GES and BOSS from a network, one after the other, while they raise the score."""
    while True:
        before = total(problem, outcome)
        for search in (ges, tabu) if _has_classes(problem, candidates) else (tabu,):
            outcome = _further(problem, outcome, search, candidates=candidates)
        if outcome.stopped or total(problem, outcome) <= before + TAU * abs(before):
            return outcome
        outcome = _further(problem, outcome, boss, candidates=candidates, patience=patience)


def _further(problem: Problem, outcome: Outcome, search: Callable[..., Outcome], **options: Any) -> Outcome:
    """The better of a network and what a search makes of it; nothing is asked after a stop."""
    if outcome.stopped:
        return outcome
    return _higher(problem, outcome, search(replace(problem, attempt=0), start=dag_arcs(problem, outcome), **options))


def _higher(problem: Problem, one: Outcome, other: Outcome) -> Outcome:
    """The network with the higher score, the first of equal ones; the calls of both; how the second one ended."""
    higher = max((one, other), key=lambda outcome: total(problem, outcome))
    calls = {phase: one.calls.get(phase, 0) + other.calls.get(phase, 0) for phase in {**one.calls, **other.calls}}
    return Outcome(dag_arcs(problem, higher), calls=calls, notes=other.notes, stopped=other.stopped)


def _has_classes(problem: Problem, candidates: np.ndarray | None) -> bool:
    """Whether `ges` can take the problem: equivalent DAGs score the same, and all of them are allowed."""
    known = problem.knowledge
    free = candidates is None and not (known.forbidden or known.tiers or known.required)
    return free and problem.score is not None and problem.score.equivalent
