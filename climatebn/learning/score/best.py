"""The portfolio that finds the highest scores: the optimum itself where nodes are few; else BOSS from the ordering of
tabu's network, again and again with nodes displaced, then tabu and GES from what BOSS found, and BOSS once more from
there while they raise the score.

It goes on until time is over, or until ``patience`` rounds in a row raised nothing; it always has an answer.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from climatebn.errors import public, whole_options
from climatebn.kernels.constants import TAU
from climatebn.learning.problem import Outcome, Problem
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
    outcome = boss(problem, candidates=candidates, start=start, patience=patience)
    while True:
        before = total(problem, outcome)
        for search in (tabu, ges) if _has_classes(problem, candidates) else (tabu,):
            outcome = _further(problem, outcome, search, candidates=candidates)
        if outcome.stopped or total(problem, outcome) <= before + TAU * abs(before):
            return outcome
        outcome = _further(problem, outcome, boss, candidates=candidates, patience=patience)


def _further(problem: Problem, outcome: Outcome, search: Callable[..., Outcome], **options: Any) -> Outcome:
    """The better of a network and what a search makes of it; nothing is asked after a stop."""
    if outcome.stopped:
        return outcome
    found = search(replace(problem, attempt=0), start=dag_arcs(problem, outcome), **options)
    better = max((outcome, found), key=lambda one: total(problem, one))
    calls = {
        phase: outcome.calls.get(phase, 0) + found.calls.get(phase, 0) for phase in {**outcome.calls, **found.calls}
    }
    return Outcome(dag_arcs(problem, better), calls=calls, notes=found.notes, stopped=found.stopped)


def _has_classes(problem: Problem, candidates: np.ndarray | None) -> bool:
    """Whether `ges` can take the problem: equivalent DAGs score the same, and all of them are allowed."""
    known = problem.knowledge
    free = candidates is None and not (known.forbidden or known.tiers or known.required)
    return free and problem.score is not None and problem.score.equivalent
