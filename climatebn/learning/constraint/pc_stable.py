"""PC-Stable: start from the complete graph; part each pair that some set of neighbours separates.

Sets grow by one from level to level, and the neighbours are those at the start of the level, so the skeleton does not
depend on the order of the columns (Colombo and Maathuis 2014). A pair goes on to larger sets as long as one of its
ends has enough neighbours. Unshielded colliders are those whose centre is not in the separating set.

bnlearn 5.2.1 gives a pair up earlier at level 1, when the neighbours of one end are among those of the other; it then
misses some separations by two nodes. Here such a pair goes on, so that a d-separation oracle yields the true skeleton.
"""

import numpy as np

from climatebn.errors import public
from climatebn.learning.constraint.collider_rules import Orient, colliders_by_rule, rule_of
from climatebn.learning.constraint.orientation import Sets, colliders_from_sets, directed, undirected
from climatebn.learning.constraint.run import Run, start
from climatebn.learning.problem import Outcome, Problem
from climatebn.progress import Progress


@public
def pc_stable(problem: Problem, *, max_condset: int | None = None, orient: Orient = "bnlearn") -> Outcome:
    """The PDAG of PC-Stable.

    A pair goes on to larger sets where bnlearn 5.2.1 gives it up at level 1: no separation by two nodes is missed.

    Parameters
    ----------
    max_condset : largest conditioning set; no limit when None.
    orient : how edges are directed; False returns the skeleton. "bnlearn" applies v-structures by the least certain
        separating test first, for the same arcs as bnlearn; "strongest" by the most certain one, which is closer to the
        truth in most samples; "majority", "conservative" and "maxp" ask all separating sets (see `collider_rules`).

    When time is over, pairs not yet examined stay adjacent and a note counts them.
    """
    rule = rule_of(orient)
    run = start(problem, max_condset)
    with problem.show("level 0", run.size, "node") as display:
        pairs = _dependent_pairs(run, display)
        pairs, sets = _levels(run, pairs, display)
    neighbours: list[list[int]] = [[] for _ in range(run.size)]
    for i, j in pairs.tolist():
        neighbours[i].append(j)
        neighbours[j].append(i)
    if not rule:
        return undirected(run, neighbours)
    if rule in ("bnlearn", "strongest"):
        return directed(run, neighbours, colliders_from_sets(run, neighbours, sets, rule == "strongest"))
    return directed(run, neighbours, colliders_by_rule(run, neighbours, sets, rule))


def _dependent_pairs(run: Run, display: Progress) -> np.ndarray:
    """Level 0: the pairs i < j that are not independent, in lexicographic order."""
    rows = []
    for i in range(run.size):
        joined = [j for j in run.joined.get(i, ()) if j > i]
        later = run.candidates(i)
        asked = np.setdiff1d(later[later > i], joined)
        kept = asked
        if not run.stopped:
            with run.interruptible(f"level 0: cut short at node {i + 1} of {run.size}, further pairs stay adjacent"):
                run.check_time()
                kept = asked[run.session.row(i, asked, ()) > 0]
                run.session.bare_tests += len(asked)
        kept = np.union1d(kept, joined).astype(np.int64)
        rows.append(np.column_stack([np.full(len(kept), i), kept]))
        display.update()
    return np.concatenate(rows)


def _levels(
    run: Run, pairs: np.ndarray, display: Progress
) -> tuple[np.ndarray, dict[tuple[int, int], tuple[int, ...]]]:
    """Levels 1, 2, …: the pairs that stay, and the sets that separated the others."""
    sets: Sets = {}
    bounds = np.full(len(pairs), run.size)
    for i, joined in run.joined.items():
        bounds[(pairs[:, 0] == i) & np.isin(pairs[:, 1], joined)] = 0  # never asked
    size = 0
    while not run.stopped and (bounds > size).any():
        if run.session.full(range(size + 1)):
            break
        size += 1
        asked = bounds >= size
        display.describe(f"level {size}", int(asked.sum()))
        with run.interruptible(f"level {size}: interrupted, its pairs stay adjacent"):
            around = _adjacency(pairs, run.size)
            answer = run.session.level(size, pairs[asked], *around, run.problem.threads, display.update)
            if not answer.visited.all():
                missing = len(answer.visited) - int(answer.visited.sum())
                run.stop("time", f"level {size}: out of time, {missing} of {len(answer.visited)} pairs not examined")
            sets.update(answer.sets)
            bounds[asked] = np.where(answer.visited, answer.bounds, bounds[asked])
            stays = np.ones(len(pairs), dtype=np.bool_)
            stays[asked] = ~answer.separated
            pairs, bounds = pairs[stays], bounds[stays]
    return pairs, sets


def _adjacency(pairs: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The neighbours of all nodes one behind the other, ascending, and where each node's start."""
    both = np.concatenate([pairs, pairs[:, ::-1]])
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    return np.searchsorted(both[:, 0], np.arange(size + 1)), np.ascontiguousarray(both[:, 1])
