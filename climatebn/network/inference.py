r"""Exact inference in a discrete network by variable elimination.

    P(Q, e) = Σ_rest Π_i P(x_i | Π_i)

Nodes that are neither asked for, nor seen, nor above such a node sum to 1 and are left out. The others are summed
out one by one, each time the one whose new factor is smallest.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.graph import Dag

LARGEST = 1 << 26  # cells of one factor: 512 MB
Factor = tuple[tuple[int, ...], np.ndarray]


def eliminate(dag: Dag, tables: Sequence[np.ndarray], wanted: Sequence[int], fixed: Mapping[int, int]) -> np.ndarray:
    """The joint distribution of ``wanted`` (one axis each) given ``fixed`` (node -> level)."""
    if len(set(wanted)) < len(wanted):
        raise ClimateBNError("the nodes asked for must differ from each other")
    free = [node for node in wanted if node not in fixed]
    needed = _with_ancestors(dag, {*wanted, *fixed})
    factors = [_reduced((*dag.numbered_parents[i], i), tables[i], fixed) for i in sorted(needed)]
    sizes = {i: tables[i].shape[-1] for i in needed}
    left = needed - set(free) - set(fixed)
    while left:
        scopes = {i: {j for scope, _ in factors if i in scope for j in scope} for i in left}
        node = min(sorted(left), key=lambda i: np.prod([float(sizes[j]) for j in scopes[i]]))
        touched = [factor for factor in factors if node in factor[0]]
        factors = [factor for factor in factors if node not in factor[0]]
        factors.append(_product(touched, tuple(sorted(scopes[node] - {node})), sizes))
        left.remove(node)
    _, values = _product(factors, tuple(free), sizes)
    if not values.sum() > 0:
        seen = ", ".join(dag.names[i] for i in fixed)
        raise ClimateBNError(f"the evidence on {seen} is impossible in this network (probability 0)")
    return _with_evidence_axes(values / values.sum(), wanted, fixed, tables)


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


def _product(factors: list[Factor], keep: tuple[int, ...], sizes: Mapping[int, int]) -> Factor:
    """The product of factors, summed over all but ``keep``; scaled to a largest entry of 1 against underflow."""
    scope = {i for own, _ in factors for i in own} | set(keep)
    if np.prod([float(sizes[i]) for i in scope]) > LARGEST or len(scope) > 32:
        raise ClimateBNError(
            f"exact inference needs a table over {len(scope)} nodes at once, which is too large; "
            "ask for fewer nodes, or estimate from bn.sample(…)"
        )
    axis = {node: k for k, node in enumerate(sorted(scope))}  # einsum takes small axis numbers
    operands: list[Any] = []
    for own, values in factors:
        operands += [values, [axis[i] for i in own]]
    values = np.einsum(*operands, [axis[i] for i in keep], optimize="greedy") if factors else np.ones(())
    largest = values.max(initial=0.0)
    return keep, values / largest if largest > 0 else values


def _with_evidence_axes(
    values: np.ndarray, wanted: Sequence[int], fixed: Mapping[int, int], tables: Sequence[np.ndarray]
) -> np.ndarray:
    """Nodes that were both asked for and seen get their axis: all probability on the level seen."""
    for axis, node in enumerate(wanted):
        if node in fixed:
            certain = np.zeros(tables[node].shape[-1])
            certain[fixed[node]] = 1.0
            values = np.moveaxis(np.multiply.outer(values, certain), -1, axis)
    return values
