"""Inter-IAMB: the strongest node joins the blanket, and members it makes superfluous leave at once.

Tsamardinos, Aliferis and Statnikov (2003). A blanket that came up before would start a cycle: then its newest member
leaves for good.

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
def inter_iamb(problem: Problem, *, max_condset: int | None = None, orient: Orient = "bnlearn") -> Outcome:
    """The PDAG of Inter-IAMB.

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
        barred: list[int] = []
        seen: set[frozenset[int]] = set()
        while not session.full(members):
            outside = np.ones(run.size, dtype=np.bool_)
            outside[[i, *members, *barred]] = False
            rest = np.flatnonzero(outside)
            evidences = session.row(i, rest, members)
            if not (evidences > 0).any():
                break
            members.append(int(rest[evidences.argmax()]))
            place = session.first_independent(i, members, fixed, len(members) - 1)
            while place is not None:
                del members[place]
                place = session.first_independent(i, members, place, len(members) - 1)
            if frozenset(members) in seen:
                barred.append(members.pop())
            else:
                seen.add(frozenset(members))
        return members

    return from_blankets(run, run.each_node("blankets", blanket), orient)
