r"""Exact inference in a discrete network: one order of elimination serves all nodes that are asked for.

    P(Q, e) = Σ_rest Π_i P(x_i | Π_i)

Nodes that are neither asked for, nor seen, nor above such a node sum to 1 and are left out. The others are summed out
in one order (see `elimination_order`), which is found once for a network whose nodes are all asked for. Each has a
table: the product of the factors in which it is the first of that order, and of the messages sent to it; summed over
the node, that is its own message, sent to the table of the next node in it. So tables form a tree. For distributions of
single nodes messages go back from the roots: a table times what the table above it knows, and did not hear from it, is
the joint distribution of its nodes with the evidence.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.graph import Dag
from climatebn.network.elimination_order import cells_of, elimination_order, neighbours_in

LARGEST = 1 << 26  # cells of one table: 512 MB
TOGETHER = 1 << 27  # cells of all tables that are kept for the way back
LARGE = 1 << 22  # cells of all tables for which a better order is worth its search
Factor = tuple[tuple[int, ...], np.ndarray]


class Plan(NamedTuple):
    """Nodes in their order, the scope of each one's table (itself first), and the factors given with it."""

    order: list[int]
    scopes: dict[int, tuple[int, ...]]
    factors: dict[int, list[Factor]]
    sizes: dict[int, int]


def joint(dag: Dag, tables: Sequence[np.ndarray], wanted: Sequence[int], fixed: Mapping[int, int]) -> np.ndarray:
    """The joint distribution of ``wanted`` (one axis each) given ``fixed`` (node -> level)."""
    if len(set(wanted)) < len(wanted):
        raise ClimateBNError("the nodes asked for must differ from each other")
    free = [node for node in wanted if node not in fixed]
    plan = _plan(dag, tables, wanted, fixed, free)
    left = _collect(plan, plan.order[: len(plan.order) - len(free)])
    values = _product(plan, tuple(free), [factor for node in (*free, -1) for factor in left.get(node, [])])
    return _with_evidence_axes(_normalised(dag, values, fixed), wanted, fixed, tables)


def marginals(
    dag: Dag, tables: Sequence[np.ndarray], wanted: Sequence[int], fixed: Mapping[int, int]
) -> dict[int, np.ndarray]:
    """The distribution of each of ``wanted`` given ``fixed``."""
    free = [node for node in wanted if node not in fixed]
    plan = _plan(dag, tables, wanted, fixed, ())
    cells = sum(float(np.prod([float(plan.sizes[i]) for i in scope])) for scope in plan.scopes.values())
    if len(free) < 2 or cells > TOGETHER:
        return {node: joint(dag, tables, [node], fixed) for node in wanted}
    found = _there_and_back(plan, set(free))
    certain = {node: np.eye(tables[node].shape[-1])[fixed[node]] for node in wanted if node in fixed}
    return {node: certain[node] if node in certain else _normalised(dag, found[node], fixed) for node in wanted}


def _plan(
    dag: Dag, tables: Sequence[np.ndarray], wanted: Sequence[int], fixed: Mapping[int, int], last: Sequence[int]
) -> Plan:
    needed = sorted(_with_ancestors(dag, {*wanted, *fixed}))
    factors = [_reduced((*dag.numbered_parents[i], i), tables[i], fixed) for i in needed]
    sizes = {i: tables[i].shape[-1] for i in needed if i not in fixed}
    order, around = _order(dag, tables, [scope for scope, _ in factors], sizes, last, len(needed) == len(dag))
    place = {node: k for k, node in enumerate(order)}
    scopes = {node: (node, *sorted(near, key=place.__getitem__)) for node, near in zip(order, around, strict=True)}
    plan = Plan(order, scopes, {node: [] for node in (*order, -1)}, sizes)
    for scope, values in factors:
        axes = sorted(range(len(scope)), key=lambda axis: place[scope[axis]])
        _hand_on(plan.factors, (tuple(scope[axis] for axis in axes), values.transpose(axes)))
    return plan


def _order(
    dag: Dag,
    tables: Sequence[np.ndarray],
    scopes: list[tuple[int, ...]],
    sizes: Mapping[int, int],
    last: Sequence[int],
    whole: bool,
) -> tuple[list[int], list[set[int]]]:
    """The order for these nodes: that of the ``whole`` network without evidence, where its tables stay small."""
    if whole and not last:
        order = [i for i in _order_of_all(dag, tuple(table.shape[-1] for table in tables)) if i in sizes]
        around = neighbours_in(order, scopes, sizes)
        if cells_of(order, around, sizes) <= LARGE:
            return order, around
    return elimination_order(scopes, sizes, last)


@lru_cache(maxsize=16)
def _order_of_all(dag: Dag, levels: tuple[int, ...]) -> list[int]:
    scopes = [(*parents, i) for i, parents in enumerate(dag.numbered_parents)]
    return elimination_order(scopes, dict(enumerate(levels)))[0]


def _hand_on(factors: dict[int, list[Factor]], factor: Factor) -> None:
    """Give a factor to the table of its first node; one without nodes goes to −1."""
    factors.setdefault(factor[0][0] if factor[0] else -1, []).append(factor)


def _collect(plan: Plan, nodes: Sequence[int]) -> dict[int, list[Factor]]:
    """Sum nodes out; the factors that are left, by their first node."""
    factors = {node: list(own) for node, own in plan.factors.items()}
    for node in nodes:
        table = _product(plan, plan.scopes[node], factors.pop(node))
        _hand_on(factors, (plan.scopes[node][1:], _scaled(table.sum(axis=0))))
    return factors


def _there_and_back(plan: Plan, wanted: set[int]) -> dict[int, np.ndarray]:
    """P(node, e), up to a constant, of each wanted node."""
    factors = {node: list(own) for node, own in plan.factors.items()}
    tables: dict[int, np.ndarray] = {}
    sent: dict[int, np.ndarray] = {}
    for node in plan.order:
        tables[node] = _product(plan, plan.scopes[node], factors.pop(node))
        sent[node] = _scaled(tables[node].sum(axis=0))
        _hand_on(factors, (plan.scopes[node][1:], sent[node]))
    impossible = any(not values.any() for _, values in factors[-1])
    asked = set(wanted)  # tables to look at: those asked for, and all above them
    for node in plan.order:
        if node in asked:
            asked.update(plan.scopes[node][1:2])
    found: dict[int, np.ndarray] = {}
    for node in reversed(plan.order):
        if node not in asked:
            continue
        scope = plan.scopes[node]
        if len(scope) > 1:
            above = plan.scopes[scope[1]]
            others = tuple(axis for axis, i in enumerate(above) if i not in scope)
            known = tables[scope[1]].sum(axis=others)
            news = np.divide(known, sent[node], out=np.zeros_like(known), where=sent[node] > 0)
            tables[node] = _scaled(tables[node] * news)
        if node in wanted:
            found[node] = tables[node].reshape(len(tables[node]), -1).sum(axis=1) * (not impossible)
    return found


def _product(plan: Plan, scope: tuple[int, ...], factors: list[Factor]) -> np.ndarray:
    """The product of factors as a table over ``scope``, an axis each; small factors first."""
    shape = tuple(plan.sizes[i] for i in scope)
    if np.prod([float(size) for size in shape]) > LARGEST or len(scope) > 32:
        raise ClimateBNError(
            f"exact inference needs a table over {len(scope)} nodes at once, which is too large; "
            "ask for fewer nodes, or estimate from bn.sample(…)"
        )
    values = np.ones((1,) * len(scope))
    for own, factor in sorted(factors, key=lambda item: item[1].size):
        axes = sorted(range(len(own)), key=lambda axis: scope.index(own[axis]))
        room = [plan.sizes[i] if i in own else 1 for i in scope]
        values = values * factor.transpose(axes).reshape(room)
    return values if values.shape == shape else np.broadcast_to(values, shape)


def _scaled(values: np.ndarray) -> np.ndarray:
    """The same up to a factor, with a largest entry of 1: products of many do not underflow."""
    largest = values.max(initial=0.0)
    return values / largest if largest > 0 else values


def _normalised(dag: Dag, values: np.ndarray, fixed: Mapping[int, int]) -> np.ndarray:
    total = values.sum()
    if not total > 0:
        seen = ", ".join(dag.names[i] for i in fixed)
        raise ClimateBNError(f"the evidence on {seen} is impossible in this network (probability 0)")
    normalised: np.ndarray = values / total
    return normalised


def _with_ancestors(dag: Dag, nodes: set[int]) -> set[int]:
    found, waiting = set(nodes), list(nodes)
    while waiting:
        above = set(dag.numbered_parents[waiting.pop()]) - found
        found |= above
        waiting.extend(above)
    return found


def _reduced(scope: tuple[int, ...], table: np.ndarray, fixed: Mapping[int, int]) -> Factor:
    index = tuple(fixed[i] if i in fixed else slice(None) for i in scope)
    return tuple(i for i in scope if i not in fixed), np.asarray(table[index])


def _with_evidence_axes(
    values: np.ndarray, wanted: Sequence[int], fixed: Mapping[int, int], tables: Sequence[np.ndarray]
) -> np.ndarray:
    """Nodes that were both asked for and seen get their axis: all probability on the level seen."""
    for axis, node in enumerate(wanted):
        if node in fixed:
            certain = np.eye(tables[node].shape[-1])[fixed[node]]
            values = np.moveaxis(np.multiply.outer(values, certain), -1, axis)
    return values
