"""From lists of candidates to neighbours: symmetry, the neighbourhood step, and the common ends of the algorithms."""

from collections.abc import Sequence

from climatebn.criterion.bound_test import Session
from climatebn.learning.constraint.collider_rules import Orient, colliders_by_rule, rule_of
from climatebn.learning.constraint.orientation import colliders_from_blankets, directed, undirected, within_two
from climatebn.learning.constraint.run import Run
from climatebn.learning.problem import Outcome

Lists = list[list[int]]


def symmetric(lists: Sequence[Sequence[int]]) -> Lists:
    """Keep j in the list of i only if i is in the list of j.

    If one pair anywhere was not symmetric, all lists come in descending column order (as bnlearn has it; the order
    bears on the number of later tests, not on their outcome).
    """
    sets = [set(nodes) for nodes in lists]
    kept = [[j for j in nodes if i in sets[j]] for i, nodes in enumerate(lists)]
    if all(len(after) == len(before) for after, before in zip(kept, lists, strict=True)):
        return kept
    return [sorted(nodes, reverse=True) for nodes in kept]


def completed(lists: Sequence[list[int] | None]) -> Lists:
    """Give a node that was not done (None) all nodes that have it in their lists."""
    sets = [set(nodes or ()) for nodes in lists]
    return [
        nodes if nodes is not None else [j for j, others in enumerate(sets) if i in others]
        for i, nodes in enumerate(lists)
    ]


def neighbourhood(run: Run, session: Session, i: int, lists: Lists, *, own: bool, smallest: int = 0) -> list[int]:
    """Those in the list of i that no set separates from it.

    Sets are drawn from the list of i (``own``), or from the shorter of the two nodes' lists (a tie takes the other's).
    """
    if len(lists[i]) <= 1:
        return run.allowed(i, lists[i])
    kept = []
    for y in run.allowed(i, lists[i]):
        mine, theirs = [z for z in lists[i] if z != y], [z for z in lists[y] if z != i]
        pool = mine if own or len(mine) < len(theirs) else theirs
        if y in run.joined.get(i, ()) or session.search(i, y, (), pool, smallest, ceiling=0).given is None:
            kept.append(y)
    return kept


def from_blankets(run: Run, blankets: Sequence[list[int] | None], orient: Orient) -> Outcome:
    """The end of Grow-Shrink and Inter-IAMB: blankets, neighbours and, if asked, orientation."""
    agreed = symmetric(completed(blankets))
    lists = run.each_node("neighbours", lambda session, i: neighbourhood(run, session, i, agreed, own=False))
    neighbours = symmetric(_or_else(lists, agreed))
    return _oriented(run, neighbours, agreed, orient)


def from_candidates(run: Run, candidates: Sequence[list[int] | None], smallest: int, orient: Orient) -> Outcome:
    """The end of MMPC and SI-HITON-PC: candidates, neighbours and, if asked, orientation."""
    known = completed(candidates)
    lists = run.each_node(
        "neighbours", lambda session, i: neighbourhood(run, session, i, known, own=True, smallest=smallest)
    )
    return from_neighbours(run, _or_else(lists, known), orient)


def from_neighbours(run: Run, lists: Lists, orient: Orient) -> Outcome:
    """Neighbours that both ends agree on; oriented, if asked, with nodes at distance at most 2 as blankets."""
    return _oriented(run, symmetric(lists), within_two(lists), orient)


def _oriented(run: Run, neighbours: Lists, blankets: Lists, orient: Orient) -> Outcome:
    """Blankets tell the strongest colliders first by bnlearn's rule already."""
    rule = rule_of(orient)
    if not rule:
        return undirected(run, neighbours)
    if rule not in ("bnlearn", "strongest"):
        return directed(run, neighbours, colliders_by_rule(run, neighbours, None, rule))
    found = run.each_node("colliders", lambda session, x: colliders_from_blankets(session, neighbours, blankets, x))
    return directed(run, neighbours, [collider for some in found for collider in some or ()])


def _or_else(lists: Sequence[list[int] | None], known: Lists) -> Lists:
    return [known[i] if nodes is None else nodes for i, nodes in enumerate(lists)]
