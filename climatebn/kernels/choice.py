"""Which move comes next, by the rule of a full scan, without scanning everything.

The rule: additions, then deletions, then reversals, each by from-node, then to-node; a move replaces the incumbent only
if its gain is larger by more than τ. Its answer is found among the few moves near the maximum: below a gap wider than τ
no move can influence the outcome, because the first move above the gap replaces any incumbent from below it.
"""

import numpy as np

from climatebn.kernels.bitset import lowest
from climatebn.kernels.jit import jit
from climatebn.kernels.moves import TAU, Moves, is_open, look_up, move_gain
from climatebn.kernels.reachability import Network
from climatebn.kernels.ring import ADD, Ring

BLOCK = 64  # comparisons that the compiler does side by side


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
        x = moves.source[top]
        if move_gain(moves, kind, x, y) == maximum and is_open(network, moves, ring, kind, x, y):
            break
        look_up(network, moves, ring, kind, y)
    width = 2 * TAU
    while True:
        near = _near(network, moves, ring, maximum - width)
        if len(near) == 1:
            return kind, x, y
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
    best = moves.best
    found = np.empty((8, 3), dtype=np.int64)
    count = 0
    for first in range(0, 3 * nodes, BLOCK):
        last = min(first + BLOCK, 3 * nodes)
        high = 0
        for place in range(first, last):
            high += best[place] >= floor
        if high > 0:
            for place in range(first, last):
                if best[place] >= floor:
                    found, count = _collect(network, moves, ring, place // nodes, place % nodes, floor, found, count)
    return found[:count]


@jit
def _collect(
    network: Network, moves: Moves, ring: Ring, kind: int, y: int, floor: float, found: np.ndarray, count: int
) -> tuple[np.ndarray, int]:
    """Add the open moves of one kind into y to ``found``."""
    gain, parents = moves.gain[y], network.parents[y]
    for index in range(len(parents)):
        first = index << 6
        last = min(first + 64, len(gain))
        word = parents[index]
        if kind == ADD:
            high = 0
            for x in range(first, last):
                high += gain[x] >= floor
            word = ~word if high > 0 else 0
        while word != 0:
            x = first + lowest(word)
            word &= word - 1
            if x == len(gain):
                break
            if move_gain(moves, kind, x, y) >= floor and is_open(network, moves, ring, kind, x, y):
                if count == len(found):
                    more = np.empty((4 * count, 3), dtype=np.int64)
                    more[:count] = found
                    found = more
                found[count] = kind, x, y
                count += 1
    return found, count


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
