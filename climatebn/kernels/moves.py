"""The moves of a search over DAGs: what each gains, which are legal, and the best of each kind into each node.

What is kept as best is an upper bound: it is looked up again only when its node's gains changed, or when it comes first
and turns out to be illegal. A new arc only makes moves illegal; after a deletion, the moves that became legal are
looked at.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import has, lowest, meet, members, size
from climatebn.kernels.jit import jit
from climatebn.kernels.reachability import Network, cut, join
from climatebn.kernels.ring import ADD, DELETE, REVERSE, Ring, is_taboo

TAU = np.sqrt(np.finfo(np.float64).eps)  # gains closer than this are equal


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
    gain, below, parents, barred = moves.gain[y], network.below[y], network.parents[y], moves.barred[y]
    for word in range(len(barred)):
        shut = below[word] | parents[word] | barred[word]
        if shut == -1:
            continue
        first = word << 6
        last = min(first + 64, len(gain))
        better = 0
        for x in range(first, last):
            better += gain[x] > best
        if better > 0:
            for x in range(first, last):
                if gain[x] > best and (shut >> (x - first)) & 1 == 0 and not is_taboo(ring, ADD, x, y):
                    best, source = gain[x], x
    return best, source


@jit
def look_up_all(network: Network, moves: Moves, ring: Ring, y: int) -> None:
    """After the gains of y changed: its own moves, and the reversals of its arcs to its children."""
    look_up(network, moves, ring, ADD, y)
    look_up(network, moves, ring, DELETE, y)
    bound_reversals(network, moves, y)
    gain, best, source, children = moves.gain, moves.best, moves.source, network.children[y]
    first = REVERSE * len(moves.indegree)
    for index in range(len(children)):
        word = children[index]
        while word != 0:
            child = (index << 6) + lowest(word)
            word &= word - 1
            reversal = gain[child, y] + gain[y, child]
            if reversal > best[first + child]:
                best[first + child] = reversal
                source[first + child] = y


@jit
def bound_reversals(network: Network, moves: Moves, y: int) -> None:
    """An upper bound of the reversals of arcs into y, legal or not."""
    gain, parents = moves.gain, network.parents[y]
    best, source = -np.inf, -1
    for index in range(len(parents)):
        word = parents[index]
        while word != 0:
            x = (index << 6) + lowest(word)
            word &= word - 1
            reversal = gain[y, x] + gain[x, y]
            if reversal > best:
                best, source = reversal, x
    moves.best[REVERSE * len(moves.indegree) + y] = best
    moves.source[REVERSE * len(moves.indegree) + y] = source


@jit
def make(network: Network, moves: Moves, kind: int, x: int, y: int) -> None:
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
        bound_reversals(network, moves, network.bared[m])
    for m in range(members(network.children, x, network.queue)):
        bound_reversals(network, moves, network.queue[m])


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
def asked(moves: Moves, y: int, equivalent: bool) -> int:
    """How many differences a refresh of node y asks for.

    Where equivalent DAGs score the same and neither node has a parent, x → y with x > y is copied from y → x.
    """
    count = 64 * moves.barred.shape[1] - size(moves.barred, y)
    if equivalent and moves.indegree[y] == 0:
        for x in range(y + 1, len(moves.indegree)):
            count -= moves.indegree[x] == 0 and not (has(moves.barred, y, x) or has(moves.barred, x, y))
    return count
