"""HPC, hybrid parents and children: a superset of the neighbours, a superset of the spouses, then IAMB within both.

De Morais and Aussem (2010). The inner IAMB controls the false discovery rate (Peña 2008), and a node that the first
look misses is kept if it finds the target from its own side.

In that last step bnlearn 5.2.1 can condition on the node itself. With Gaussian data that has no effect; with discrete
data its G² is then 0 and the edge is lost. Here a node in its own set does nothing, so that more true edges are found.
"""

import numpy as np

from climatebn.criterion.bound_test import Session
from climatebn.errors import public
from climatebn.learning.constraint.collider_rules import Orient
from climatebn.learning.constraint.neighbours import completed, from_neighbours
from climatebn.learning.constraint.run import Run, start
from climatebn.learning.problem import Outcome, Problem


@public
def hpc(problem: Problem, *, max_condset: int | None = None, orient: Orient = False) -> Outcome:
    """The skeleton of HPC.

    A node in its own conditioning set does nothing here. bnlearn 5.2.1 loses edges of discrete data by it (G² = 0).

    Parameters
    ----------
    max_condset : largest conditioning set; no limit when None.
    orient : also direct edges ("bnlearn" and so on), with the nodes at distance at most 2 in the place of blankets.
    """
    run = start(problem, max_condset)
    lists = run.each_node("neighbours", lambda session, x: _neighbours(run, session, x))
    return from_neighbours(run, completed(lists), orient)


def _neighbours(run: Run, session: Session, x: int) -> list[int]:
    joined = run.joined.get(x, [])
    near, evidences, separators = _superset(run, session, x)
    spouses = _spouses(run, session, x, near, separators) if len(near) > 1 and not session.full([x]) else []
    found = near
    if len(near) > 2 or spouses:
        strongest = np.argsort(-evidences, kind="stable")[:2]
        first = [near[place] for place in strongest.tolist()]
        region = [x, *near, *spouses]
        found = _filtered(session, x, session.blanket(x, region, first))
        for y in near:
            if y not in found:
                members = session.blanket(y, region, first)
                if x in members and x in _filtered(session, y, members):
                    found.append(y)
    return run.allowed(x, list(dict.fromkeys([*joined, *found])))


def _superset(run: Run, session: Session, x: int) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Nodes that no single other one separates from x, weakest first; their least evidence; who separated the rest."""
    separators = np.full(run.size, -1)
    others, evidences = _weakest_first(run.candidates(x), session.row(x, run.candidates(x), ()))
    near = others.tolist()
    if len(near) > 1 and not session.full([x]):
        near, gone, evidences = session.thin(x, near, (), evidences)
        separators[list(gone.keys())] = list(gone.values())
    return near, evidences, separators


def _spouses(run: Run, session: Session, x: int, near: list[int], separators: np.ndarray) -> list[int]:
    """Nodes outside that a near one makes dependent on x: parents of common children, it may be."""
    outside = np.ones(run.size, dtype=np.bool_)
    outside[[x, *near]] = False
    found: list[int] = []
    for child in near:
        asked = np.flatnonzero(outside & (separators != child) & ((separators < 0) | (session.limit > 1)))
        dependent, _ = _weakest_first(asked, session.beside(x, asked, separators[asked], child))
        if len(dependent):
            found += session.thin(x, dependent.tolist(), (child,))[0]
    return list(dict.fromkeys(found))


def _weakest_first(nodes: np.ndarray, evidences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Those that are dependent, by rising evidence."""
    nodes, evidences = nodes[evidences > 0], evidences[evidences > 0]
    ranked = np.argsort(evidences, kind="stable")
    return nodes[ranked], evidences[ranked]


def _filtered(session: Session, target: int, members: list[int]) -> list[int]:
    """Members that no set of the others separates from the target."""
    return [
        y for y in members if session.search(target, y, (), [z for z in members if z != y], ceiling=0).given is None
    ]
