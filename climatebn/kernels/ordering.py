"""Orderings of the nodes and their scores: what a swap or an insertion changes, and which changes are accepted.

Node i has a table of sets of parents with their scores, best first. A set is a word of bits: bit b stands for its
candidate parent b. Given an ordering, the parents of i are the first set in its table all of whose members come
earlier. Moving node v past w matters to w only if v is a candidate of w: where v no longer comes before w, only if v is
in w's set; where it now does, only sets better than w's present one are looked at.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.jit import inline_jit, jit, without_owner


class Tables(NamedTuple):
    """Sets ``masks[starts[i]:starts[i + 1]]`` of node i with ``scores``, best first.

    ``bit[i, j]`` is the bit of j among the candidate parents of i, −1 if it is none of them; ``related[i, j]`` tells
    whether one of the two is a candidate parent of the other.
    """

    starts: np.ndarray
    masks: np.ndarray
    scores: np.ndarray
    bit: np.ndarray
    related: np.ndarray


@inline_jit
def _first_fitting(tables: Tables, node: int, earlier: int, end: int) -> int:
    """The first set of ``node`` before place ``end`` whose members are all in ``earlier``; ``end`` if there is none."""
    for place in range(tables.starts[node], end):
        if tables.masks[place] & ~earlier == 0:
            return place
    return end


@jit
def choose(tables: Tables, order: np.ndarray, earlier: np.ndarray, chosen: np.ndarray) -> float:
    """Write for each node the bits of the candidates that come ``earlier`` and the place ``chosen`` in its table.

    Returns the score of the ordering; −inf where a node has no fitting set.
    """
    total = 0.0
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    for node in range(len(order)):
        earlier[node] = 0
        for other in range(len(order)):
            if tables.bit[node, other] >= 0 and rank[other] < rank[node]:
                earlier[node] |= 1 << tables.bit[node, other]
        chosen[node] = _first_fitting(tables, node, earlier[node], tables.starts[node + 1])
        total += _score(tables, node, chosen[node])
    return total


@inline_jit
def _score(tables: Tables, node: int, place: int) -> float:
    return tables.scores[place] if place < tables.starts[node + 1] else -np.inf


@inline_jit
def _pass(tables: Tables, node: int, other: int, first: bool, earlier: np.ndarray, chosen: np.ndarray) -> float:
    """``other`` now comes before (``first``) or after ``node``: what that does to the score of ``node``."""
    b = tables.bit[node, other]
    if b < 0:
        return 0.0
    earlier[node] ^= 1 << b
    old = chosen[node]
    if first:
        chosen[node] = _first_fitting(tables, node, earlier[node], old)
    elif old < tables.starts[node + 1] and tables.masks[old] >> b & 1:
        chosen[node] = _first_fitting(tables, node, earlier[node], tables.starts[node + 1])
    if chosen[node] == old:
        return 0.0
    return _score(tables, node, chosen[node]) - _score(tables, node, old)


@inline_jit
def _note(undo: np.ndarray, count: int, node: int, earlier: np.ndarray, chosen: np.ndarray) -> int:
    """Keep what a move is about to change, so that it can be undone; returns how many nodes are kept."""
    undo[0, count], undo[1, count], undo[2, count] = node, earlier[node], chosen[node]
    return count + 1


@inline_jit
def _move(
    tables: Tables, order: np.ndarray, at: int, to: int, earlier: np.ndarray, chosen: np.ndarray, undo: np.ndarray
) -> tuple[float, int]:
    """Take the node at place ``at`` out and put it in at place ``to``: the change of the score; how much to undo."""
    node = order[at]
    change, count = 0.0, _note(undo, 0, node, earlier, chosen)
    step = 1 if to > at else -1
    for place in range(at, to, step):
        other = order[place + step]
        order[place] = other
        if tables.related[node, other]:
            count = _note(undo, count, other, earlier, chosen)
            change += _pass(tables, other, node, step < 0, earlier, chosen)
            change += _pass(tables, node, other, step > 0, earlier, chosen)
    order[to] = node
    return change, count


@jit
def propose(
    tables: Tables,
    order: np.ndarray,
    state: tuple[np.ndarray, np.ndarray],
    places: np.ndarray,
    least: np.ndarray,
    scores: tuple[float, float],
    best_order: np.ndarray,
) -> tuple[float, float]:
    """Make the moves (at, to) in ``places`` one by one; one that changes the score by no more than ``least`` is undone.

    ``state`` is (earlier, chosen) as `choose` writes them. ``scores``, given and returned, are those of the ordering
    and of the best one so far, which is kept in ``best_order``.
    """
    tables = without_owner(tables)
    earlier, chosen = state
    score, best = scores
    undo = np.empty((3, len(order)), np.int64)
    for i in range(len(places)):
        at, to = places[i]
        change, count = _move(tables, order, at, to, earlier, chosen, undo)
        if change > least[i]:
            score += change
            if score > best:
                best = score
                best_order[:] = order
            continue
        node = order[to]
        step = 1 if to > at else -1
        for place in range(to, at, -step):
            order[place] = order[place - step]
        order[at] = node
        for k in range(count):
            earlier[undo[0, k]], chosen[undo[0, k]] = undo[1, k], undo[2, k]
    return score, best


@jit
def worth_having(masks: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Places of the finite sets without a subset that scores no less, best first."""
    order = np.argsort(-scores, kind="mergesort")
    kept = np.empty(len(order), np.int64)
    count = 0
    for place in order:
        fresh = scores[place] > -np.inf
        for i in range(count):
            if masks[kept[i]] & ~masks[place] == 0:
                fresh = False
                break
        if fresh:
            kept[count] = place
            count += 1
    return kept[:count].copy()
