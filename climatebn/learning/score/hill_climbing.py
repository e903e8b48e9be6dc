"""Hill climbing over DAGs: the best single-arc move, again and again, until none raises the score.

Additions, then deletions, then reversals are compared, each by from-node, then to-node; a later move replaces an
earlier one only if it is better by more than √ε = 1.49e-8. With ``BIC(variance="unbiased")`` the arcs are bnlearn's.
"""

import numpy as np

from climatebn.learning.problem import Outcome, Problem
from climatebn.learning.score.limits import Start
from climatebn.learning.score.search import require_whole, search


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
    require_whole(max_iter=max_iter)
    return search(problem, "hill climbing", candidates=candidates, start=start, max_iter=max_iter)
