"""Tabu search over DAGs: climb; at an optimum take the smallest loss, but never back to one of the last networks.

Whole networks are remembered, the last ``list_size``. A step that gains nothing is a loss; after ``max_losses`` of them
without a new best network the search ends with the best network seen.
"""

import numpy as np

from climatebn.errors import MANY, public, whole, whole_options
from climatebn.learning.problem import Outcome, Problem
from climatebn.learning.score.hill_climbing import walk_greedily
from climatebn.learning.score.limits import Start


@public
def tabu(
    problem: Problem,
    *,
    candidates: np.ndarray | None = None,
    start: Start | None = None,
    list_size: int = 10,
    max_losses: int = 10,
    max_iter: int | None = None,
) -> Outcome:
    """Search past local optima.

    Parameters
    ----------
    candidates : bool [from, to], the arcs that may be asked for; all when left out.
    start : a DAG, or arcs (from, to), to begin with; no arcs when left out. Required arcs are added.
    list_size : how many of the last networks must not be visited again.
    max_losses : how many losing steps may follow each other without a new best network.
    max_iter : largest number of steps in all; no limit when None.
    """
    whole("max_losses", max_losses, 0, MANY)
    whole_options(list_size=list_size, max_iter=max_iter)
    return walk_greedily(
        problem,
        "tabu search",
        candidates=candidates,
        start=start,
        max_iter=max_iter,
        list_size=list_size,
        max_losses=max_losses,
    )
