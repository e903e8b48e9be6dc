"""Which single-arc move comes next, by the rule of a full scan, without scanning everything.

The rule: additions, then deletions, then reversals, each by from-node, then to-node; a move replaces the incumbent only
if its gain is larger by more than τ. Here each node keeps its best move of each kind as an upper bound: it is looked up
again only when it became illegal or its gains changed. The scan's answer is then found among the few moves near the
maximum: below a gap wider than τ no move can influence the outcome.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import has, lowest, meet, members, size
from climatebn.kernels.jit import jit
from climatebn.kernels.reachability import Network, cut, join
from climatebn.kernels.ring import ADD, DELETE, REVERSE, Ring, is_taboo

TAU = np.sqrt(np.finfo(np.float64).eps)  # gains closer than this are equal
BLOCK = 64


class Moves(NamedTuple):
    """What each move gains, and the best move of each kind into each node.

    gain : [to, from] of adding the arc, or of deleting it where it is present.
    best, source : [kind · N + to], an upper bound of the gain and the from-node that reaches it.
    barred : [to] arcs never asked for; kept : [to] arcs never taken away.
    indegree, most : number of parents now, and at most. frozen : nodes whose parents stay as they are.
    """

    gain: np.ndarray
    best: np.ndarray
    source: np.ndarray
    barred: np.ndarray
    kept: np.ndarray
    indegree: np.ndarray
    most: np.ndarray
    frozen: np.ndarray


def no_moves(barred: np.ndarray, kept: np.ndarray, most: np.ndarray) -> Moves:
    """All gains unknown, counted as −∞."""
    nodes = len(most)
    return Moves(
        np.full((nodes, nodes), -np.inf),
        np.full(3 * nodes, -np.inf),
        np.full(3 * nodes, -1, dtype=np.int64),
        barred,
        kept,
        np.zeros(nodes, dtype=np.int64),
        most,
        np.zeros(nodes, dtype=np.bool_),
    )


@jit
def move_gain(moves: Moves, kind: int, x: int, y: int) -> float:
    """Gain of the move; a reversal is a deletion and an addition."""
    return moves.gain[y, x] + moves.gain[x, y] if kind == REVERSE else moves.gain[y, x]


@jit
def is_open(network: Network, moves: Moves, ring: Ring, kind: int, x: int, y: int) -> bool:
    """Whether the move is legal and does not lead back to a remembered network."""
    if moves.frozen[y] or is_taboo(ring, kind, x, y):
        return False
    if kind == ADD:
        return not (has(network.below, y, x) or has(moves.barred, y, x)) and moves.indegree[y] < moves.most[y]
    if has(moves.kept, y, x):
        return False
    return kind == DELETE or (
        moves.indegree[x] < moves.most[x]
        and not has(moves.barred, x, y)
        and not moves.frozen[x]
        and not meet(network.children, x, network.above, y)
    )


@jit
def look_up(network: Network, moves: Moves, ring: Ring, kind: int, y: int) -> None:
    """Find the best open move of one kind into y."""
    best, source = -np.inf, -1
    if kind == ADD:
        best, source = _best_addition(network, moves, ring, y)
    else:
        for index in range(network.parents.shape[1]):
            word = network.parents[y, index]
            while word != 0:
                x = (index << 6) + lowest(word)
                word &= word - 1
                gain = move_gain(moves, kind, x, y)
                if gain > best and is_open(network, moves, ring, kind, x, y):
                    best, source = gain, x
    moves.best[kind * len(moves.indegree) + y] = best
    moves.source[kind * len(moves.indegree) + y] = source


@jit
def _best_addition(network: Network, moves: Moves, ring: Ring, y: int) -> tuple[float, int]:
    best, source = -np.inf, -1
    if moves.frozen[y] or moves.indegree[y] >= moves.most[y]:
        return best, source
    gain = moves.gain[y]
    for word in range(moves.barred.shape[1]):
        shut = network.below[y, word] | network.parents[y, word] | moves.barred[y, word]
        if shut == -1:
            continue
        first = word << 6
        better = 0
        for x in range(first, min(first + 64, len(gain))):
            better += gain[x] > best
        if better > 0:
            for x in range(first, min(first + 64, len(gain))):
                if gain[x] > best and (shut >> (x - first)) & 1 == 0 and not is_taboo(ring, ADD, x, y):
                    best, source = gain[x], x
    return best, source


@jit
def look_up_all(network: Network, moves: Moves, ring: Ring, y: int, children: np.ndarray) -> None:
    """After the gains of y changed: its own moves, and the reversals of its arcs to its children."""
    for kind in range(3):
        look_up(network, moves, ring, kind, y)
    for m in range(members(network.children, y, children)):
        look_up(network, moves, ring, REVERSE, children[m])


@jit
def make(network: Network, moves: Moves, ring: Ring, kind: int, x: int, y: int) -> None:
    """Carry out a move. Arcs that became legal elsewhere are looked at; gains of the changed nodes are the caller's."""
    if kind == ADD:
        join(network, x, y)
        moves.indegree[y] += 1
        return
    freed, bared = cut(network, x, y)
    moves.indegree[y] -= 1
    if kind == REVERSE:
        join(network, y, x)
        moves.indegree[x] += 1
    for m in range(freed):
        _look_at_lost(network, moves, network.freed[m])
    for m in range(bared):
        look_up(network, moves, ring, REVERSE, network.bared[m])
    for m in range(members(network.children, x, network.queue)):
        look_up(network, moves, ring, REVERSE, network.queue[m])


@jit
def _look_at_lost(network: Network, moves: Moves, y: int) -> None:
    """Arcs into y from what is no longer below it."""
    if moves.frozen[y] or moves.indegree[y] >= moves.most[y]:
        return
    for index in range(network.lost.shape[1]):
        word = network.lost[y, index] & ~moves.barred[y, index]
        while word != 0:
            x = (index << 6) + lowest(word)
            word &= word - 1
            if moves.gain[y, x] > moves.best[y] and not has(network.parents, y, x):
                moves.best[y] = moves.gain[y, x]
                moves.source[y] = x


@jit
def choose(network: Network, moves: Moves, ring: Ring, baseline: float) -> tuple[int, int, int]:
    """The move (kind, from, to) that the full scan would end with; kind −1 when none gains more than ``baseline``."""
    nodes = len(moves.indegree)
    while True:
        top = _largest(moves.best)
        maximum = moves.best[top]
        if maximum == -np.inf or maximum <= baseline + TAU:
            return -1, -1, -1
        kind, y = top // nodes, top % nodes
        if is_open(network, moves, ring, kind, moves.source[top], y):
            break
        look_up(network, moves, ring, kind, y)
    width = 2 * TAU
    while True:
        near = _near(network, moves, ring, maximum - width)
        if len(near) == 1:
            return kind, moves.source[top], y
        floor = _gap(moves, near, maximum)
        if floor - (maximum - width) > TAU:
            return _scan(moves, near, floor, baseline)
        width *= 4


@jit
def _largest(values: np.ndarray) -> int:
    """Place of the largest value."""
    best, place = values[0], 0
    for first in range(0, len(values), BLOCK):
        last = min(first + BLOCK, len(values))
        better = 0
        for m in range(first, last):
            better += values[m] > best
        if better > 0:
            for m in range(first, last):
                if values[m] > best:
                    best, place = values[m], m
    return place


@jit
def _near(network: Network, moves: Moves, ring: Ring, floor: float) -> np.ndarray:
    """All open moves (kind, from, to) with a gain of at least ``floor``."""
    nodes = len(moves.indegree)
    found = np.empty((8, 3), dtype=np.int64)
    count = 0
    for first in range(0, 3 * nodes, BLOCK):
        last = min(first + BLOCK, 3 * nodes)
        high = 0
        for place in range(first, last):
            high += moves.best[place] >= floor
        if high == 0:
            continue
        for place in range(first, last):
            if moves.best[place] < floor:
                continue
            kind, y = place // nodes, place % nodes
            for x in range(nodes):
                if moves.gain[y, x] >= floor or kind == REVERSE:
                    if has(network.parents, y, x) == (kind == ADD) or x == y:
                        continue
                    if move_gain(moves, kind, x, y) >= floor and is_open(network, moves, ring, kind, x, y):
                        if count == len(found):
                            more = np.empty((4 * count, 3), dtype=np.int64)
                            more[:count] = found
                            found = more
                        found[count] = kind, x, y
                        count += 1
    return found[:count]


@jit
def _gap(moves: Moves, near: np.ndarray, maximum: float) -> float:
    """The gain above the first gap wider than τ, going down from the maximum."""
    floor = maximum
    while True:
        lower = floor
        for m in range(len(near)):
            gain = move_gain(moves, near[m, 0], near[m, 1], near[m, 2])
            if floor - TAU <= gain < lower:
                lower = gain
        if lower == floor:
            return floor
        floor = lower


@jit
def _scan(moves: Moves, near: np.ndarray, floor: float, baseline: float) -> tuple[int, int, int]:
    """The sequential rule on the moves above ``floor``, in scan order."""
    nodes = len(moves.indegree)
    incumbent, place, winner = baseline, -1, -1
    while True:
        chosen, first = -1, 3 * nodes * nodes
        for m in range(len(near)):
            kind, x, y = near[m]
            order = (kind * nodes + x) * nodes + y
            gain = move_gain(moves, kind, x, y)
            if place < order < first and gain >= floor and gain - incumbent > TAU:
                chosen, first = m, order
        if chosen < 0:
            return near[winner, 0], near[winner, 1], near[winner, 2]
        winner, place = chosen, first
        incumbent = move_gain(moves, near[winner, 0], near[winner, 1], near[winner, 2])


@jit
def asked(moves: Moves, y: int, equivalent: bool) -> int:
    """How many differences a refresh of node y asks for.

    Where equivalent DAGs score the same and neither node has a parent, x → y with x > y is copied from y → x.
    """
    count = 64 * moves.barred.shape[1] - size(moves.barred, y)
    if equivalent and moves.indegree[y] == 0:
        for x in range(y + 1, len(moves.indegree)):
            count -= moves.indegree[x] == 0 and not (has(moves.barred, y, x) or has(moves.barred, x, y))
    return count
