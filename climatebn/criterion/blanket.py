"""IAMB within a region with control of the false discovery rate (Peña 2008), as HPC asks for it.

Of the u nodes asked about, the one of rank k by evidence is dependent if log p + log(u/k · H_u) ≤ log α, H_u = Σ 1/k.
"""

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from climatebn.criterion.bound_test import Nodes, Session


@cache
def penalties(count: int) -> np.ndarray:
    """log(u/k · H_u) of each rank k = 1 … u."""
    spread = math.log(count * sum(1 / k for k in range(1, count + 1)))
    prices: np.ndarray = spread - np.log(np.arange(1, count + 1))
    prices.flags.writeable = False
    return prices


def blanket(session: "Session", target: int, region: "Nodes", first: "Nodes") -> list[int]:
    """IAMB within a region from a given start, with control of the false discovery rate.

    The target itsession may be in the start; it then stays, without effect on any test.
    """
    asked = [y for y in region if y != target]
    prices = penalties(len(asked))
    members = list(first)
    frozen: set[int] = set()
    added = removed = None
    states: list[set[int]] = []
    while not session.full(members):
        if set(members) in states:  # undo the last change for good
            if removed is not None:
                members.append(removed)
                frozen.add(removed)
            elif added is not None:
                members.remove(added)
                frozen.add(added)
            states.pop()
        states.append(set(members))
        evidences = session.around(target, asked, members)
        ranked = np.argsort(-evidences, kind="stable")
        log_q = session.log_p(evidences, target, asked, members)[ranked] + prices
        rejected = log_q <= session.log_alpha
        order = [asked[place] for place in ranked.tolist()]
        leaving = [
            y
            for y, stays in zip(reversed(order), rejected[::-1].tolist(), strict=True)
            if not stays and y in members and y != added and y not in frozen
        ]
        if leaving:
            added, removed = None, leaving[0]
            members.remove(removed)
            continue
        joining = [
            y
            for y, joins in zip(order, rejected.tolist(), strict=True)
            if joins and y not in members and y != removed and y not in frozen
        ]
        if not joining:
            break
        added, removed = joining[0], None
        members.append(added)
    return members
