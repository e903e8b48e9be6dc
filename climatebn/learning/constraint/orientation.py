"""From a skeleton and its colliders to a PDAG: knowledge first, then colliders, strongest first, then propagation."""

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from climatebn.criterion.bound_test import Session
from climatebn.kernels import orientation as kernel
from climatebn.learning.constraint.run import Run
from climatebn.learning.problem import Conflict, Outcome

Sets = dict[tuple[int, int], tuple[int, ...]]  # the separating set of a pair, smaller number first


class Collider(NamedTuple):
    """y → x ← z with y, z not adjacent. Those with the largest priority are directed first."""

    y: int
    x: int
    z: int
    priority: float


def unshielded(neighbours: Sequence[Sequence[int]]) -> Iterable[tuple[int, int, int]]:
    """(y, x, z): y < z neighbours of x and not of each other, by x, then y, then z."""
    sets = [set(nodes) for nodes in neighbours]
    for x, nodes in enumerate(neighbours):
        for y, z in combinations(sorted(nodes), 2):
            if z not in sets[y]:
                yield y, x, z


def colliders_from_sets(
    run: Run, neighbours: Sequence[Sequence[int]], sets: Sets, certain_first: bool = False
) -> list[Collider]:
    """Colliders whose centre is not in the set that separated its ends (∅ unless ``sets`` holds another).

    bnlearn directs those first whose separating test was least certain; ``certain_first`` the most certain ones.
    Ends that knowledge keeps apart were never tested: they are asked about as in `colliders_from_blankets`.
    """
    found, strengths, session = [], {}, run.session
    blankets = within_two(neighbours) if run.parted is not None else []
    for y, x, z in unshielded(neighbours):
        if run.apart(y, z):
            if not (run.stopped or run.known_collider(y, z)):
                with run.interruptible("colliders: cut short, some edges stay undirected"):
                    run.check_time()
                    found += dependent_collider(session, y, x, z, blankets)
            continue
        given = sets.get((y, z), ())
        if x not in given:
            if (y, z) not in strengths:
                strengths[y, z] = session.again(y, z, given)
            found.append(Collider(y, x, z, -strengths[y, z] if certain_first else strengths[y, z]))
    return found


def colliders_from_blankets(
    session: Session, neighbours: Sequence[Sequence[int]], blankets: Sequence[Sequence[int]], x: int
) -> list[Collider]:
    """Colliders at x: no set with x, drawn from the smaller blanket of the two ends, separates them."""
    found = []
    for y, z in combinations(sorted(neighbours[x]), 2):
        if z not in neighbours[y]:
            found += dependent_collider(session, y, x, z, blankets)
    return found


def dependent_collider(session: Session, y: int, x: int, z: int, blankets: Sequence[Sequence[int]]) -> list[Collider]:
    """The collider y → x ← z, or nothing."""
    of_y = [node for node in blankets[y] if node not in (x, z)]
    of_z = [node for node in blankets[z] if node not in (x, y)]
    answer = session.search(y, z, (x,), of_y if len(of_y) < len(of_z) else of_z)
    return [Collider(y, x, z, answer.evidence)] if answer.given is None else []


def within_two(neighbours: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each node those at distance at most 2: neighbours of its neighbours, then its neighbours."""
    around = (dict.fromkeys([*chain.from_iterable(neighbours[j] for j in nodes), *nodes]) for nodes in neighbours)
    return [[j for j in found if j != i] for i, found in enumerate(around)]


def directed(run: Run, neighbours: Sequence[Sequence[int]], colliders: Sequence[Collider]) -> Outcome:
    """Direct the skeleton; what could not be directed is returned as conflicts."""
    starts, items = compressed(neighbours)
    state = np.zeros((run.size, run.size), dtype=np.int8)
    for i, nodes in enumerate(neighbours):
        state[i, list(nodes)] = kernel.OPEN
    reach = np.zeros((run.size, (run.size + 63) // 64), dtype=np.uint64)
    known = _direct_known(run, state, reach)

    ranked = sorted(colliders, key=lambda collider: -collider.priority)  # a stable sort
    triples = np.array([collider[:3] for collider in ranked], dtype=np.int64).reshape(-1, 3)
    fates = kernel.apply_colliders(state, reach, triples)
    conflicts = []
    for (y, x, z), fate in zip(triples.tolist(), fates.tolist(), strict=True):
        if fate == kernel.CYCLE:
            conflicts.append(Conflict((y, x, z), "cycle"))
        elif fate == kernel.CONTRADICTED:
            against_knowledge = (x, y) in known or (x, z) in known
            conflicts.append(
                Conflict((y, x, z), "contradicts knowledge" if against_knowledge else "contradicting v-structures")
            )
    kernel.propagate(state, reach, starts, items)

    edges = [(i, j) for i, nodes in enumerate(neighbours) for j in sorted(nodes) if i < j]
    frozen = {
        kernel.FROZEN_CYCLE: "cycle or new v-structure",
        kernel.FROZEN_COLLIDER: "new v-structure either way",
        kernel.FROZEN_KNOWN: "cycle",
    }
    conflicts += [Conflict((i, j), frozen[state[i, j]]) for i, j in edges if state[i, j] in frozen]
    return Outcome(
        directed=[(i, j) if state[i, j] == kernel.OUT else (j, i) for i, j in edges if state[i, j] >= kernel.OUT],
        undirected=[(i, j) for i, j in edges if state[i, j] < kernel.OUT],
        conflicts=conflicts,
        **run.record(),
    )


def undirected(run: Run, neighbours: Sequence[Sequence[int]]) -> Outcome:
    """The skeleton as it is."""
    return Outcome(
        directed=(),
        undirected=[(i, j) for i, nodes in enumerate(neighbours) for j in sorted(nodes) if i < j],
        **run.record(),
    )


def compressed(neighbours: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Lists of neighbours one behind the other, ascending, and where each starts."""
    starts = np.cumsum([0, *map(len, neighbours)])
    items = np.array([j for nodes in neighbours for j in sorted(nodes)], dtype=np.int64)
    return starts, items


def _direct_known(run: Run, state: np.ndarray, reach: np.ndarray) -> set[tuple[int, int]]:
    """Direct required arcs, then edges forbidden one way (those that would close a cycle are frozen)."""
    known = set()
    for a, b in run.problem.knowledge.directions(np.argwhere(np.triu(state == kernel.OPEN)).tolist()):
        if state[a, b] != kernel.OPEN:
            continue
        if kernel.leads(reach, b, a):
            state[a, b] = state[b, a] = kernel.FROZEN_KNOWN
        else:
            kernel.direct(state, reach, a, b)
            known.add((a, b))
    return known
