r"""Where a search over DAGs may go: arcs never asked for, arcs that stay, how many parents, and where it starts.

Parents are limited where observations are counted more than once, as in resamples of years. With n observations, m of
them distinct, and k parents, what chance lets one more parent explain is worth about n / (m − k − 1) · χ²/2 in
log-likelihood: every parent makes the next one more welcome, until m − 1 of them explain a node without rest, at any
price of a parameter. Without repetition the same factor is n / (n − k − 1), which a price of log(n)/2 holds in check.
So a node may have one parent for each four distinct observations: members of ensembles stay below that by themselves
unless they run away (docs/forecasts.md has both kinds counted).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from climatebn.criterion.protocols import Stats
from climatebn.errors import ClimateBNError
from climatebn.graph import Dag
from climatebn.graph.numbering import node_numbers
from climatebn.learning.problem import Problem
from climatebn.rng import generator

Start = Dag | Iterable[Sequence[str | int]]
PER_PARENT = 4  # distinct observations


class Limits(NamedTuple):
    """``barred``, ``kept`` are [to, from]; ``start`` holds the arcs (from, to) of the first network."""

    barred: np.ndarray
    kept: np.ndarray
    max_parents: int
    start: list[tuple[int, int]]


def limits(problem: Problem, candidates: np.ndarray | None, start: Start | None) -> Limits:
    """From what is known before, from the pairs that ``candidates`` ([from, to]) allows, and from a start network.

    ``start`` is a DAG (matched by names) or arcs; required arcs are added to it. Without one, a second or later attempt
    starts from a random network.
    """
    names, knowledge = problem.stats.names, problem.knowledge
    size = len(names)
    if candidates is None:
        barred = np.zeros((size, size), dtype=bool)
    else:
        if np.shape(candidates) != (size, size):
            raise ClimateBNError(f"candidates must be a {size} × {size} table; its shape is {np.shape(candidates)}")
        barred = ~np.asarray(candidates, dtype=bool).T
    np.fill_diagonal(barred, True)
    kept = np.zeros((size, size), dtype=bool)
    if knowledge.bars:
        barred |= knowledge.barred_table(size).T
    required = node_numbers(names, knowledge.required) if knowledge.required else []
    for source, target in required:
        barred[target, source] = barred[source, target] = kept[target, source] = True
    most = most_parents(problem.stats)
    if knowledge.max_parents is not None:
        most = min(knowledge.max_parents, most)
    begin = _random_arcs(problem, barred, most) if start is None and problem.attempt else _arcs(start, names)
    if not (required or begin):
        return Limits(barred, kept, most, [])
    dag = Dag.from_arcs(names, set(required) | set(begin))
    for target, parents in enumerate(dag.numbered_parents):
        if len(parents) > most:
            raise ClimateBNError(f"start gives {names[target]} {len(parents)} parents; at most {most} are allowed")
        for source in parents:
            if barred[target, source] and not kept[target, source]:
                raise ClimateBNError(f"start holds the arc {names[source]} → {names[target]}, which is not allowed")
    return Limits(barred, kept, most, [(int(a), int(b)) for a, b in dag.numbered_arcs])


def repeated(stats: Stats) -> bool:
    """Whether some observations are counted more than once."""
    return getattr(stats, "distinct", stats.n) < stats.n


def most_parents(stats: Stats) -> int:
    """Parents that a node may have: N − 1, or fewer where observations repeat each other.

    >>> from climatebn import GaussianStats
    >>> cov = [[1.0, 0.5, 0.1], [0.5, 2.0, 0.2], [0.1, 0.2, 1.0]]
    >>> most_parents(GaussianStats(12, cov)), most_parents(GaussianStats(12, cov, distinct=7))
    (2, 1)
    """
    most = len(stats.names) - 1
    return min(most, int(getattr(stats, "distinct", stats.n)) // PER_PARENT) if repeated(stats) else most


def limit_met(stats: Stats, most: int, full: Sequence[str]) -> list[str]:
    """In words, that observations allow ``most`` parents, and the nodes that have so many; nothing where none has."""
    if not len(full):
        return []
    which = f", {getattr(stats, 'distinct', stats.n)} of them distinct," if repeated(stats) else ""
    shown = ", ".join(full[:10]) + (f" and {len(full) - 10} more" if len(full) > 10 else "")
    return [f"{stats.n} observations{which} allow {most} parents; reached by {shown}"]


def past_first(problem: Problem, order: np.ndarray) -> tuple[np.ndarray, int]:
    """The same ordering with the nodes of past months, which have no parents, before all others; and their number."""
    time = problem.knowledge.time
    if time is None:
        return order, 0
    past = time.past[order]
    return np.concatenate([order[past], order[~past]]), int(past.sum())


def _arcs(start: Start | None, names: tuple[str, ...]) -> list[tuple[int, int]]:
    if start is None:
        return []
    return node_numbers(names, start.arcs if isinstance(start, Dag) else start)


def _random_arcs(problem: Problem, barred: np.ndarray, most: int) -> list[tuple[int, int]]:
    """About one arc a node, along a random ordering that keeps required arcs."""
    random, size = generator(problem.seed or 0, "start", problem.attempt), len(barred)
    required = [(int(a), int(b)) for a, b in problem.knowledge.required]
    place = np.empty(size, np.int64)
    place[random.permutation(size)] = np.arange(size)
    if required:
        place[list(Dag.from_arcs(problem.stats.names, required).numbered_order)] = np.arange(size)
    room = most - np.bincount(np.array([b for _, b in required], dtype=np.int64), minlength=size)
    arcs: list[tuple[int, int]] = []
    for a, b in random.integers(size, size=(size, 2)).tolist():
        a, b = (a, b) if place[a] < place[b] else (b, a)
        if not barred[b, a] and room[b] > 0 and (a, b) not in arcs:
            arcs.append((a, b))
            room[b] -= 1
    return arcs
