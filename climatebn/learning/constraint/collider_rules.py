"""Which unshielded triples y – x – z are colliders, by all sets that separate y and z instead of the first one found.

Sets are drawn from the neighbours of y and from those of z, up to one node more than any pair needed. "conservative": x
is in none of the separating sets (Ramsey, Zhang, Spirtes 2006); "majority": in fewer than half of them (Colombo,
Maathuis 2014); "maxp": not in the one whose test is most certain of independence (Ramsey 2016). Where the rule does not
tell, the triple is no collider. The most certain separations direct their edges first.
"""

from collections.abc import Sequence
from itertools import chain, combinations
from typing import Literal

import numpy as np

from climatebn.errors import unknown
from climatebn.learning.constraint.orientation import Collider, Sets, dependent_collider, unshielded, within_two
from climatebn.learning.constraint.run import Run

Orient = bool | Literal["bnlearn", "strongest", "majority", "conservative", "maxp"]
RULES = ("bnlearn", "strongest", "majority", "conservative", "maxp")


def rule_of(orient: Orient) -> str:
    """The name of the rule: "" to leave edges undirected; True is bnlearn's rule."""
    if isinstance(orient, bool):
        return "bnlearn" if orient else ""
    if orient not in RULES:
        raise unknown("orient", orient, RULES)
    return orient


def colliders_by_rule(run: Run, neighbours: Sequence[Sequence[int]], sets: Sets | None, rule: str) -> list[Collider]:
    """The colliders by "majority", "conservative" or "maxp".

    ``sets`` holds the separating sets that are known (∅ for a pair that is not there); None: search for them first.
    Ends that knowledge keeps apart are asked about as `colliders_from_sets` does.
    """
    found: list[Collider] = []
    separations: dict[tuple[int, int], list[tuple[float, tuple[int, ...]]]] = {}
    blankets = within_two(neighbours) if run.parted is not None else []
    with run.interruptible("colliders: cut short, some edges stay undirected"):
        triples = [(y, x, z) for y, x, z in unshielded(neighbours) if not run.known_collider(y, z)]
        tested = {(y, z) for y, _, z in triples if not run.apart(y, z)}
        known = sets if sets is not None else {pair: _first(run, *pair, neighbours) for pair in sorted(tested)}
        largest = max(map(len, known.values()), default=0) + 1
        for y, x, z in triples:
            run.check_time()
            if (y, z) not in tested:
                found += dependent_collider(run.session, y, x, z, blankets)
                continue
            if (y, z) not in separations:
                separations[y, z] = _separations(run, y, z, neighbours, largest, known.get((y, z), ()))
            held = separations[y, z]
            if held and _is_collider(x, held, rule):
                found.append(Collider(y, x, z, -min(held)[0]))
    return found


def _first(run: Run, y: int, z: int, neighbours: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """A set of neighbours of one end that separates a pair; ∅ when there is none."""
    for end in (y, z):
        answer = run.session.search(y, z, (), [node for node in neighbours[end] if node not in (y, z)])
        if answer.given is not None:
            return tuple(sorted(map(int, answer.given)))
    return ()


def _is_collider(x: int, separations: list[tuple[float, tuple[int, ...]]], rule: str) -> bool:
    with_x = sum(x in given for _, given in separations)
    if rule == "maxp":
        return x not in min(separations)[1]
    return with_x == 0 if rule == "conservative" else with_x < len(separations) / 2


def _separations(
    run: Run, y: int, z: int, neighbours: Sequence[Sequence[int]], largest: int, known: tuple[int, ...]
) -> list[tuple[float, tuple[int, ...]]]:
    """Every set that separates y and z, with the evidence of its test (0 or less; the least is the most certain)."""
    pools = ([node for node in neighbours[end] if node not in (y, z)] for end in (y, z))
    drawn = (combinations(sorted(pool), size) for pool in pools for size in range(min(len(pool), largest) + 1))
    every = dict.fromkeys(chain(chain.from_iterable(drawn), [tuple(sorted(known))]))
    tested = ((float(run.session.row(y, np.array([z]), given)[0]), given) for given in every)
    return [(evidence, given) for evidence, given in tested if evidence <= 0]
