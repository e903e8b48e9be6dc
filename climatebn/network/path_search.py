r"""The open paths between two nodes, the strongest first, and what each adds to their covariance.

A path is open when it has no collider: up the arcs from a to a top t (a itself perhaps), then down to b, no node twice.

    Cov(a, b) = Σ over open paths of  Var(t) · Π coefficients      (Wright 1934; simple treks, Sullivant et al. 2010)

Where parents are nearly collinear, coefficients above 1 of opposite sign make long ways whose shares are huge and
cancel (10⁸ times the covariance at the poles of a 10° field). So paths are looked for by their strength, the product
of the partial correlations of their arcs (child and parent given the other parents), which no detour can raise.

A path is a pair of directed paths from t that share only t. How strong the best completion of any two beginnings is, is
known exactly (see `climatebn.kernels.disjoint_paths`), so that best-first search takes no step in vain. A region or
combination is a node below its own nodes.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from climatebn.errors import ClimateBNError
from climatebn.kernels.disjoint_paths import best_pairs, best_tops
from climatebn.network.linear_gaussian import LinearGaussian
from climatebn.network.quantities import Quantity, quantity
from climatebn.progress import Progress

Way = tuple[int, Any]  # a node and the way to it from the top
LARGEST = 12_000  # ancestors: the table of bounds then takes 0.6 GB
COLUMNS = ["path", "share", "fraction", "strength", "kind", "nodes"]


class Product(NamedTuple):
    """Of the arcs of a beginning: their coefficients multiplied, and their strengths."""

    weight: float
    strength: float

    def times(self, other: "Product") -> "Product":
        """With further arcs."""
        return Product(self.weight * other.weight, self.strength * other.strength)


class Path(NamedTuple):
    """What it adds to the covariance, its strength, its nodes from a to b, and the one at its top."""

    share: float
    strength: float
    nodes: list[int]
    peak: int


@dataclass(frozen=True)
class Ends:
    """The ancestors of two nodes a and b in topological order; node i has the children child[start[i]:start[i + 1]]."""

    names: tuple[str, ...]
    variances: np.ndarray
    start: np.ndarray
    child: np.ndarray
    weight: np.ndarray
    strength: np.ndarray
    a: int
    b: int

    def arcs(self, node: int) -> Iterator[tuple[int, Product]]:
        """Children of a node, with coefficient and strength of the arc."""
        for arc in range(self.start[node], self.start[node + 1]):
            yield int(self.child[arc]), Product(float(self.weight[arc]), float(self.strength[arc]))


def paths(bn: LinearGaussian, a: Any, b: Any, top: int | None, max_steps: int) -> pd.DataFrame:
    """See `GaussianBN.paths`."""
    if top is not None and top < 1:
        raise ClimateBNError(f"top must be 1 or more, or None for all paths; got {top!r}")
    first, second = (quantity(key, bn.names, bn.nodes, "path") for key in (a, b))
    if first == second:
        raise ClimateBNError(f"a path needs two different ends; both are {first.label}")
    rows = np.stack([_row(bn, one) for one in (first, second)])
    columns = bn.covariance_with(rows.T)
    moments = rows @ columns
    ends = _ends(bn, (first, second), rows)
    found, complete = _strongest(ends, top, max_steps)
    covariance = float(moments[0, 1])
    found.sort(key=lambda path: -abs(path.share))
    table = pd.DataFrame([_told(ends, path, covariance) for path in found], columns=COLUMNS)
    own = "sd" if bn.own_units == "sd" else bn.units or "data"
    listed = float(table["share"].sum()) if found else 0.0
    table.attrs = {
        "source": first.label,
        "target": second.label,
        "covariance": covariance,
        "correlation": covariance / float(np.sqrt(moments[0, 0] * moments[1, 1])),
        "listed": listed,
        "rest": covariance - listed,
        "complete": complete,
        "units": {
            "share": f"({own})²",
            "fraction": "1",
            "strength": "1",
        },
    }
    return table


def _row(bn: LinearGaussian, one: Quantity) -> np.ndarray:
    """A quantity as weights of nodes in own units; in a network in sd it counts in its own sd, too."""
    row = np.zeros(len(bn.names))
    if one.node is not None:
        row[one.node] = 1.0
        return row
    row[list(one.numbers)] = np.array(one.weights) * bn.into("data")[1][list(one.numbers)]
    if bn.own_units == "sd":
        row /= np.sqrt(row @ bn.covariance_with(row[:, None])[:, 0])
    return row


def _ends(bn: LinearGaussian, quantities: tuple[Quantity, Quantity], rows: np.ndarray) -> Ends:
    names, numbers = list(bn.names), []
    source, target = bn.dag.numbered_arcs.T
    weight, strength = bn.arc_coefficients, arc_partial_correlations(bn)
    sd = np.sqrt(bn.variances())
    for one, row in zip(quantities, rows, strict=True):
        if one.node is not None:
            numbers.append(one.node)
            continue
        parts = np.array(one.numbers)
        share = np.abs(row[parts]) * sd[parts]
        source, target = np.append(source, parts), np.append(target, np.full(len(parts), len(names)))
        weight, strength = np.append(weight, row[parts]), np.append(strength, share / share.sum())
        numbers.append(len(names))
        names.append(one.label)
    order = np.append(bn.triangle.order, np.arange(len(bn.names), len(names)))
    kept = order[_ancestors(source, target, numbers, len(names))[order]]
    if len(kept) > LARGEST:
        raise ClimateBNError(f"paths takes ends with up to {LARGEST} ancestors; these have {len(kept)}")
    place = np.full(len(names), -1)
    place[kept] = np.arange(len(kept))
    inside = (place[source] >= 0) & (place[target] >= 0)
    by_source = np.argsort(place[source[inside]], kind="stable")
    first, second = (int(place[number]) for number in numbers)
    return Ends(
        names=tuple(names[i] for i in kept),
        variances=np.append(bn.variances(), np.zeros(len(names) - len(sd)))[kept],  # an added node is never a top
        start=np.searchsorted(place[source[inside]][by_source], np.arange(len(kept) + 1)),
        child=place[target[inside]][by_source],
        weight=weight[inside][by_source],
        strength=strength[inside][by_source],
        a=first,
        b=second,
    )


def arc_partial_correlations(bn: LinearGaussian) -> np.ndarray:
    """|partial correlation| of parent and child of each arc given the other parents, in the order of ``dag.arcs``.

    Of a fitted network from the likelihood of its arcs, ρ² = 1 − exp(−2ΔL/n); else from its own covariance.
    """
    if bn.arc_loglik is not None and bn.n is not None:
        return np.sqrt(-np.expm1(-2 * np.maximum(bn.arc_loglik, 0.0) / bn.n))
    covariance = bn.covariance()
    found: dict[tuple[int, int], float] = {}
    for child, parents in enumerate(bn.dag.numbered_parents):
        if parents:
            left = 1 / np.diag(np.linalg.pinv(covariance[np.ix_(parents, parents)]))  # of a parent given the others
            explained = bn.coefficients[list(parents), [child] * len(parents)] ** 2 * left
            ratio = np.sqrt(explained / (explained + bn.residual_variances[child]))
            found |= {(parent, child): float(value) for parent, value in zip(parents, ratio, strict=True)}
    return np.array([found[parent, child] for parent, child in bn.dag.numbered_arcs.tolist()])


def _ancestors(source: np.ndarray, target: np.ndarray, nodes: list[int], size: int) -> np.ndarray:
    """Whether each node is one of ``nodes`` or has a directed path to one."""
    parents: list[list[int]] = [[] for _ in range(size)]
    for parent, child in zip(source.tolist(), target.tolist(), strict=True):
        parents[child].append(parent)
    found = np.zeros(size, dtype=bool)
    waiting = list(nodes)
    found[waiting] = True
    while waiting:
        fresh = [parent for parent in parents[waiting.pop()] if not found[parent]]
        found[fresh] = True
        waiting += fresh
    return found


def _strongest(ends: Ends, top: int | None, max_steps: int) -> tuple[list[Path], bool]:
    """The strongest open paths, and whether there are no others."""
    best = best_pairs(ends.start, ends.child, ends.strength, ends.a, ends.b)
    tops = best_tops(ends.start, ends.child, ends.strength, best, ends.a, ends.b)
    ticket = count()
    queue: list[tuple[float, int, Product, int, Way | None, Way | None]] = []

    def push(bound: float, product: Product, peak: int, up: Way | None, down: Way | None) -> None:
        if bound > 0:
            heapq.heappush(queue, (-bound, next(ticket), product, peak, up, down))

    def branch(product: Product, peak: int, up: Way, down: Way) -> None:
        push(product.strength * float(best[up[0], down[0]]), product, peak, up, down)

    for peak in np.flatnonzero(tops).tolist():
        push(tops[peak], Product(float(ends.variances[peak]), 1.0), peak, None, None)
    found: list[Path] = []
    with Progress("paths", max_steps, "step") as display:
        for _ in range(max_steps):
            if not queue or len(found) == top:
                break
            display.update(1)
            _, _, product, peak, up, down = heapq.heappop(queue)
            if up is None or down is None:
                ways = [(child, weight, (child, (peak, None))) for child, weight in ends.arcs(peak)]
                stay = [(peak, Product(1.0, 1.0), (peak, None))]
                for x, first, one in stay if peak == ends.a else ways:
                    for y, second, other in stay if peak == ends.b else ways:
                        if x != y:
                            branch(product.times(first).times(second), peak, one, other)
                continue
            x, y = up[0], down[0]
            if x == ends.a and y == ends.b:
                found.append(Path(*product, [*_nodes(up), *_nodes(down)[-2::-1]], peak))
            elif y == ends.b or (x != ends.a and x < y):
                for child, weight in ends.arcs(x):
                    if child != y:
                        branch(product.times(weight), peak, (child, up), down)
            else:
                for child, weight in ends.arcs(y):
                    if child != x:
                        branch(product.times(weight), peak, up, (child, down))
    return found, not queue


def _nodes(way: Way | None) -> list[int]:
    """The nodes of a path from its end back to its top."""
    nodes = []
    while way is not None:
        nodes.append(way[0])
        way = way[1]
    return nodes


def _told(ends: Ends, path: Path, covariance: float) -> dict[str, Any]:
    """A path as a row of the table."""
    turn = path.nodes.index(path.peak)
    words = ends.names[path.nodes[0]]
    for place, node in enumerate(path.nodes[1:]):
        words += f" {'←' if place < turn else '→'} {ends.names[node]}"
    return {
        "path": words,
        "share": path.share,
        "fraction": path.share / covariance if covariance else np.nan,
        "strength": path.strength,
        "kind": "forward" if turn == 0 else "backward" if turn == len(path.nodes) - 1 else "common cause",
        "nodes": tuple(ends.names[node] for node in path.nodes),
    }
