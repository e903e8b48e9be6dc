"""The portfolio that finds the highest scores: the optimum itself where nodes are few; else BOSS from the ordering of
tabu's network, again and again with nodes displaced, and tabu once more from what BOSS found.

It goes on until time is over, or until ``patience`` rounds in a row raised nothing; it always has an answer.
"""

from dataclasses import replace

import numpy as np

from climatebn.learning.problem import Outcome, Problem
from climatebn.learning.score.boss import boss
from climatebn.learning.score.exact import exact
from climatebn.learning.score.limits import Start
from climatebn.learning.score.search import require_whole
from climatebn.learning.score.tabu import tabu
from climatebn.learning.several import total

FEW = {"gaussian": 15, "discrete": 12}  # nodes up to which the optimum takes a second or two


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
    require_whole(patience=patience)
    stats = problem.stats
    if len(stats.names) <= FEW[stats.kind] and start is None:
        return exact(problem, candidates=candidates)
    ordered = boss(problem, candidates=candidates, start=start, patience=patience)
    if ordered.stopped:
        return ordered
    polished = tabu(replace(problem, attempt=0), candidates=candidates, start=ordered.directed)
    found = max((polished, ordered), key=lambda outcome: total(problem, outcome))
    calls = {**ordered.calls, "search": ordered.calls.get("search", 0) + polished.calls["search"]}
    return Outcome(found.directed, calls=calls, notes=ordered.notes, stopped=polished.stopped)
