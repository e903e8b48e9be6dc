"""Which move comes next, by the rule of a full scan, without scanning everything.

The rule: additions, then deletions, then reversals, each by from-node, then to-node; a move replaces the incumbent only
if its gain is larger by more than τ. Its answer is found among the few moves near the maximum: below a gap wider than τ
no move can influence the outcome, because the first move above the gap replaces any incumbent from below it.
"""

import numpy as np

from climatebn.kernels.constants import ADD, TAU
from climatebn.kernels.dag_search.moves import BARRED, Moves, any_above, is_open, look_up, move_gain
from climatebn.kernels.dag_search.reachability import BELOW, PARENTS, Network
from climatebn.kernels.jit import inline_jit, inner_jit

BLOCK = 64  # numbers compared side by side


@inline_jit
def choose(network: Network, moves: Moves, taboo: np.ndarray, baseline: float) -> tuple[int, int, int]:
    """The move (kind, from, to) that the full scan would end with; kind −1 when none gains more than ``baseline``."""
    nodes, gain = len(moves.gain), moves.gain
    while True:
        top = _largest(moves.best)
        maximum = moves.best[top]
        if maximum == -np.inf or maximum <= baseline + TAU:
            return -1, -1, -1
        kind, x, y = top // nodes, moves.source[top], top % nodes
        if move_gain(gain, kind, x, y) == maximum and is_open(network, moves, taboo, kind, x, y):
            break
        look_up(network, moves, taboo, kind, y)
    width, found = 2 * TAU, np.empty((16, 3), dtype=np.int64)
    while True:
        count = _near(network, moves, taboo, maximum - width, found)
        if count == 1:
            return kind, x, y
        if count > len(found):
            found = np.empty((count, 3), dtype=np.int64)
            _near(network, moves, taboo, maximum - width, found)
        floor = _gap(gain, found[:count], maximum)
        if floor - (maximum - width) > TAU:
            return _scan(gain, found[:count], floor, baseline)
        width *= 4


@inner_jit
def _largest(values: np.ndarray) -> int:
    """Place of the largest value."""
    best, place = values[0], 0
    for first in range(0, len(values), BLOCK):
        block = values[first : first + BLOCK]
        if any_above(block, best):
            for m in range(len(block)):
                if block[m] > best:
                    best, place = block[m], first + m
    return place


@inline_jit
def _near(network: Network, moves: Moves, taboo: np.ndarray, floor: float, found: np.ndarray) -> int:
    """Write the open moves (kind, from, to) that gain more than ``floor``, as far as there is room; count them all."""
    nodes, best, count = len(moves.gain), moves.best, 0
    for first in range(0, 3 * nodes, BLOCK):
        block = best[first : first + BLOCK]
        if any_above(block, floor):
            for m in range(len(block)):
                if block[m] > floor:
                    kind, y = (first + m) // nodes, (first + m) % nodes
                    count += _collect(network, moves, taboo, kind, y, floor, found[min(count, len(found)) :])
    return count


@inner_jit
def _collect(
    network: Network, moves: Moves, taboo: np.ndarray, kind: int, y: int, floor: float, found: np.ndarray
) -> int:
    """The moves of one kind into y among those of `_near`."""
    gain, row = moves.gain, moves.gain[y]
    below, parents, barred = network.sets[BELOW, y], network.sets[PARENTS, y], moves.limits[BARRED, y]
    count = 0
    for index in range(len(parents)):
        block = row[index << 6 : (index + 1) << 6]
        word = parents[index]
        if kind == ADD:
            word = ~(below[index] | word | barred[index]) if any_above(block, floor) else 0
        for m in range(len(block) if word != 0 else 0):
            x = (index << 6) + m
            if (word >> m) & 1 and move_gain(gain, kind, x, y) > floor and is_open(network, moves, taboo, kind, x, y):
                if count < len(found):
                    found[count, 0], found[count, 1], found[count, 2] = kind, x, y
                count += 1
    return count


@inner_jit
def _gap(gain: np.ndarray, near: np.ndarray, maximum: float) -> float:
    """The gain above the first gap wider than τ, going down from the maximum."""
    floor = maximum
    while True:
        lower = floor
        for m in range(len(near)):
            value = move_gain(gain, near[m, 0], near[m, 1], near[m, 2])
            if floor - TAU <= value < lower:
                lower = value
        if lower == floor:
            return floor
        floor = lower


@inner_jit
def _scan(gain: np.ndarray, near: np.ndarray, floor: float, baseline: float) -> tuple[int, int, int]:
    """The sequential rule on the moves that gain at least ``floor``, in scan order."""
    nodes = len(gain)
    incumbent, place, winner = baseline, -1, -1
    while True:
        chosen, first = -1, 3 * nodes * nodes
        for m in range(len(near)):
            kind, x, y = near[m, 0], near[m, 1], near[m, 2]
            order = (kind * nodes + x) * nodes + y
            value = move_gain(gain, kind, x, y)
            if place < order < first and value >= floor and value - incumbent > TAU:
                chosen, first = m, order
        if chosen < 0:
            return near[winner, 0], near[winner, 1], near[winner, 2]
        winner, place = chosen, first
        incumbent = move_gain(gain, near[winner, 0], near[winner, 1], near[winner, 2])
