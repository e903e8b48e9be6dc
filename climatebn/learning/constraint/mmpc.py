"""MMPC, max-min parents and children: add the node whose weakest association, over all sets, is strongest.

Tsamardinos, Brown and Aliferis (2006). Each round tests only sets with the newest member in them: the least evidence
over all other sets is known from the rounds before. Then each candidate is tested against all sets of the others.
"""

import numpy as np

from climatebn.criterion.bound_test import Session
from climatebn.errors import public
from climatebn.learning.constraint.collider_rules import Orient
from climatebn.learning.constraint.neighbours import from_candidates
from climatebn.learning.constraint.run import start
from climatebn.learning.problem import Outcome, Problem


@public
def mmpc(problem: Problem, *, max_condset: int | None = None, orient: Orient = False) -> Outcome:
    """The skeleton of MMPC.

    Parameters
    ----------
    max_condset : largest conditioning set; no limit when None.
    orient : also direct edges ("bnlearn" and so on), with the nodes at distance at most 2 in the place of blankets.
    """
    run = start(problem, max_condset)

    def candidates(session: Session, i: int) -> list[int]:
        joined = run.joined.get(i, [])
        chosen: list[int] = []
        left = run.candidates(i)
        least = np.full(len(left), np.inf)
        while not session.full(chosen):
            least = session.search_each(left, i, chosen[-1:], chosen[:-1], least)
            if len(chosen) < len(joined):
                best = int(np.flatnonzero(left == joined[len(chosen)])[0])
            elif (least > 0).any():
                best = int(least.argmax())
            else:
                break
            chosen.append(int(left[best]))
            stays = least > 0
            stays[best] = False
            if joined:
                stays |= np.isin(left, joined[len(chosen) :])
            left, least = left[stays], least[stays]
        return chosen

    return from_candidates(run, run.each_node("candidates", candidates), smallest=0, orient=orient)
