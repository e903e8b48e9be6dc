"""Grow-Shrink: a node's Markov blanket is all that depends on it given the blanket so far (Margaritis 2003).

Grow: the first node, in column order, that depends on the target given the blanket joins it, and the scan starts
again. Shrink: the first member that is independent given the others leaves, and the scan starts again.

Conditioning sets are kept to what n observations can tell apart (a note says so). With fewer observations than nodes
bnlearn 5.2.1 goes on with pseudo-inverses, and the two can differ there.
"""

import numpy as np

from climatebn.criterion.bound_test import Session
from climatebn.errors import public
from climatebn.learning.constraint.collider_rules import Orient
from climatebn.learning.constraint.neighbours import from_blankets
from climatebn.learning.constraint.run import start
from climatebn.learning.problem import Outcome, Problem


@public
def grow_shrink(problem: Problem, *, max_condset: int | None = None, orient: Orient = "bnlearn") -> Outcome:
    """The PDAG of Grow-Shrink.

    With fewer observations than nodes conditioning sets are kept to what the data can tell apart, where bnlearn 5.2.1
    goes on with pseudo-inverses: the two can differ there.

    Parameters
    ----------
    max_condset : largest conditioning set; no limit when None.
    orient : how edges are directed: "bnlearn" (as "strongest": the strongest v-structures first), "majority",
        "conservative" or "maxp" (see `collider_rules`); False returns the skeleton.
    """
    run = start(problem, max_condset)

    def blanket(session: Session, i: int) -> list[int]:
        members = list(run.joined.get(i, ()))
        fixed = len(members)
        outside = np.ones(run.size, dtype=np.bool_)
        outside[[i, *members]] = False
        while not session.full(members):
            rest = np.flatnonzero(outside)
            place = session.first_dependent(i, rest, members)
            if place is None:
                break
            members.append(int(rest[place]))
            outside[rest[place]] = False
        while (place := session.first_independent(i, members, fixed, len(members))) is not None:
            del members[place]
        return members

    return from_blankets(run, run.each_node("blankets", blanket), orient)
