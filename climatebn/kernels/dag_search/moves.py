"""The moves of a search over DAGs: what each gains, which are open, and the best of each kind into each node.

What is kept as best is an upper bound: it is looked up again only when its node's gains changed, or when it comes first
and turns out not to be open. A new arc only closes moves; after a deletion, the moves that it opened are looked at.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import in_set, lowest, meet, size, write_members
from climatebn.kernels.constants import ADD, DELETE, REVERSE
from climatebn.kernels.dag_search.reachability import (
    ABOVE,
    BELOW,
    CHILDREN,
    LOST,
    LOST_ABOVE,
    LOST_BELOW,
    PARENTS,
    QUEUE,
    Network,
    cut,
    join,
)
from climatebn.kernels.dag_search.tabu_list import is_taboo
from climatebn.kernels.jit import inline_jit, inner_jit, jit

BARRED, KEPT = np.int64(0), np.int64(1)  # sets of arcs into a node: never asked for, never taken away
NOW, MOST = np.int64(0), np.int64(1)  # number of parents


class Moves(NamedTuple):
    """What each move gains, and the best move of each kind into each node.

    gain : [to, from] of adding the arc, or of deleting it where it is present.
    best, source : [kind · N + to], an upper bound of the gain and the from-node that reaches it; room for whole 64s.
    limits : [BARRED or KEPT, to] sets of from-nodes; parents : [NOW or MOST, to] their number.
    near : room for a few moves (kind, from, to) among which the rule chooses.
    """

    gain: np.ndarray
    best: np.ndarray
    source: np.ndarray
    limits: np.ndarray
    parents: np.ndarray
    near: np.ndarray


@jit
def move_gain(gain: np.ndarray, kind: int, x: int, y: int) -> float:
    """Gain of the move; a reversal is a deletion and an addition."""
    return gain[y, x] + gain[x, y] if kind == REVERSE else gain[y, x]


@jit
def is_open(network: Network, moves: Moves, taboo: np.ndarray, kind: int, x: int, y: int) -> bool:
    """Whether the move is legal and does not lead back to a remembered network."""
    sets, limits, parents = network.sets, moves.limits, moves.parents
    if is_taboo(taboo, kind, x, y):
        return False
    if kind == ADD:
        return not (in_set(sets, BELOW, y, x) or in_set(limits, BARRED, y, x)) and parents[NOW, y] < parents[MOST, y]
    if kind == DELETE or in_set(limits, KEPT, y, x):
        return not in_set(limits, KEPT, y, x)
    shut = in_set(limits, BARRED, x, y) or parents[NOW, x] >= parents[MOST, x]
    return not (shut or meet(sets[CHILDREN, x], sets[ABOVE, y]))  # no other path from x to y


@inner_jit
def above(values: np.ndarray, level: float) -> np.int64:
    """The places of larger values, of at most 64, as a set: without a branch for each."""
    word = np.int64(0)
    for m in range(len(values)):
        word |= np.int64(values[m] > level) << np.int64(m)
    return word


@inner_jit
def look_up(network: Network, moves: Moves, taboo: np.ndarray, kind: int, y: int) -> None:
    """Find the best open move of one kind into y."""
    best, source = -np.inf, -1
    if kind == ADD:
        best, source = _best_addition(network, moves, taboo, y)
    else:
        gain, parents = moves.gain, network.sets[PARENTS, y]
        for index in range(len(parents)):
            word = parents[index]
            while word != 0:
                x = (index << 6) + lowest(word)
                word &= word - 1
                value = move_gain(gain, kind, x, y)
                if value > best and is_open(network, moves, taboo, kind, x, y):
                    best, source = value, x
    moves.best[kind * len(moves.gain) + y] = best
    moves.source[kind * len(moves.gain) + y] = source


@inline_jit
def _best_addition(network: Network, moves: Moves, taboo: np.ndarray, y: int) -> tuple[float, int]:
    best, source = -np.inf, -1
    if moves.parents[NOW, y] >= moves.parents[MOST, y]:
        return best, source
    gain, below, parents, barred = (
        moves.gain[y],
        network.sets[BELOW, y],
        network.sets[PARENTS, y],
        moves.limits[BARRED, y],
    )
    for index in range(len(barred)):
        first = index << 6
        block = gain[first : first + 64]
        word = above(block, best) & ~(below[index] | parents[index] | barred[index])
        while word != 0:
            x = first + lowest(word)
            word &= word - 1
            if not is_taboo(taboo, ADD, x, y):
                best, source = gain[x], x
                word &= above(block, best)
    return best, source


@inline_jit
def look_up_all(network: Network, moves: Moves, taboo: np.ndarray, y: int) -> None:
    """After the gains of y changed: its own moves, and the reversals of its arcs to its children."""
    look_up(network, moves, taboo, ADD, y)
    look_up(network, moves, taboo, DELETE, y)
    bound_reversals(network, moves, y)
    gain, best, source, children = moves.gain, moves.best, moves.source, network.sets[CHILDREN, y]
    first = REVERSE * len(gain)
    for index in range(len(children)):
        word = children[index]
        while word != 0:
            child = (index << 6) + lowest(word)
            word &= word - 1
            value = gain[child, y] + gain[y, child]
            if value > best[first + child]:
                best[first + child] = value
                source[first + child] = y


@inner_jit
def bound_reversals(network: Network, moves: Moves, y: int) -> None:
    """An upper bound of the reversals of arcs into y, open or not."""
    gain, parents = moves.gain, network.sets[PARENTS, y]
    best, source = -np.inf, -1
    for index in range(len(parents)):
        word = parents[index]
        while word != 0:
            x = (index << 6) + lowest(word)
            word &= word - 1
            value = gain[y, x] + gain[x, y]
            if value > best:
                best, source = value, x
    moves.best[REVERSE * len(gain) + y] = best
    moves.source[REVERSE * len(gain) + y] = source


@inline_jit
def make(network: Network, moves: Moves, kind: int, x: int, y: int) -> None:
    """Carry out a move and look at those that it opened elsewhere; gains of the changed nodes are the caller's."""
    if kind == ADD:
        join(network, x, y)
        moves.parents[NOW, y] += 1
        return
    lost_below, lost_above = cut(network, x, y)
    moves.parents[NOW, y] -= 1
    if kind == REVERSE:
        join(network, y, x)
        moves.parents[NOW, x] += 1
    for m in range(lost_below):
        _look_at_lost(network, moves, network.lists[LOST_BELOW, m])
    for m in range(lost_above):
        bound_reversals(network, moves, network.lists[LOST_ABOVE, m])
    queue = network.lists[QUEUE]
    for m in range(write_members(network.sets[CHILDREN, x], queue)):
        bound_reversals(network, moves, queue[m])


@inner_jit
def _look_at_lost(network: Network, moves: Moves, y: int) -> None:
    """Arcs into y from what is no longer below it."""
    if moves.parents[NOW, y] >= moves.parents[MOST, y]:
        return
    gain, lost, barred = moves.gain[y], network.sets[LOST, y], moves.limits[BARRED, y]
    for index in range(len(lost)):
        word = lost[index] & ~barred[index]
        while word != 0:
            x = (index << 6) + lowest(word)
            word &= word - 1
            if gain[x] > moves.best[y] and not in_set(network.sets, PARENTS, y, x):
                moves.best[y] = gain[x]
                moves.source[y] = x


@inner_jit
def asked(moves: Moves, y: int, equivalent: bool) -> int:
    """How many differences a refresh of node y asks for.

    Where equivalent DAGs score the same and neither node has a parent, x → y with x > y is copied from y → x.
    """
    limits, parents = moves.limits, moves.parents
    count = 64 * limits.shape[2] - size(limits[BARRED, y])
    if equivalent and parents[NOW, y] == 0:
        for x in range(y + 1, len(moves.gain)):
            count -= parents[NOW, x] == 0 and not (in_set(limits, BARRED, y, x) or in_set(limits, BARRED, x, y))
    return count
