"""SI-HITON-PC, semi-interleaved: take nodes by strength of association, each if no set of those taken separates it.

Aliferis et al. (2010). Then each candidate is tested once more against all sets of the others.
"""

import numpy as np

from climatebn.criterion.bound_test import Session
from climatebn.errors import public
from climatebn.learning.constraint.collider_rules import Orient
from climatebn.learning.constraint.neighbours import from_candidates
from climatebn.learning.constraint.run import start
from climatebn.learning.problem import Outcome, Problem


@public
def si_hiton_pc(problem: Problem, *, max_condset: int | None = None, orient: Orient = False) -> Outcome:
    """The skeleton of SI-HITON-PC.

    Parameters
    ----------
    max_condset : largest conditioning set; no limit when None.
    orient : also direct edges ("bnlearn" and so on), with the nodes at distance at most 2 in the place of blankets.
    """
    run = start(problem, max_condset)

    def candidates(session: Session, i: int) -> list[int]:
        chosen = list(run.joined.get(i, ()))
        others = np.setdiff1d(run.candidates(i), chosen)
        evidences = session.row(i, others, ())
        others, evidences = others[evidences > 0], evidences[evidences > 0]
        for j in others[np.argsort(-evidences, kind="stable")].tolist():
            if session.full(chosen):
                break
            if session.search(i, j, (), chosen, smallest=1, ceiling=0).given is None:
                chosen.append(j)
        return chosen

    return from_candidates(run, run.each_node("candidates", candidates), smallest=1, orient=orient)
