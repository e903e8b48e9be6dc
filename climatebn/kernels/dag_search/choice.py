"""Which move comes next, by the rule of a full scan, without scanning everything.

The rule: additions, then deletions, then reversals, each by from-node, then to-node; a move replaces the incumbent only
if its gain is larger by more than τ. Its answer is found among the few moves near the maximum: below a gap wider than τ
no move can influence the outcome, because the first move above the gap replaces any incumbent from below it.
"""

import numpy as np

from climatebn.kernels.bitset import lowest
from climatebn.kernels.constants import ADD, TAU
from climatebn.kernels.dag_search.moves import BARRED, Moves, above, is_open, look_up, move_gain
from climatebn.kernels.dag_search.reachability import BELOW, PARENTS, Network
from climatebn.kernels.jit import inline_jit, inner_jit

LOWERED = -1
UNSIGNED = np.int64(2**63 - 1)  # all bits but the sign


@inline_jit
def choose(network: Network, moves: Moves, taboo: np.ndarray, baseline: float) -> tuple[int, int, int]:
    """The move (kind, from, to) that the full scan would end with; kind −1 when none gains more than ``baseline``."""
    gain, near, width = moves.gain, moves.near, 2 * TAU
    while True:
        maximum = _largest(moves.best)
        if maximum == -np.inf or maximum <= baseline + TAU:
            return -1, -1, -1
        count = _near(network, moves, taboo, maximum - width, near)
        if count == LOWERED:
            continue
        if count == 1:
            return near[0, 0], near[0, 1], near[0, 2]
        if count > len(near):
            near = np.empty((count, 3), dtype=np.int64)
            _near(network, moves, taboo, maximum - width, near)
        floor = _gap(gain, near[:count], maximum)
        if floor - (maximum - width) > TAU:
            return _scan(gain, near[:count], floor, baseline)
        width *= 4


@inner_jit
def _largest(values: np.ndarray) -> float:
    """The largest value, none of which is NaN.

    As whole numbers, of which the processor compares several at once: their order is that of the values when all bits
    but the sign of the negative ones are turned round.
    """
    bits = values.view(np.int64)
    top = bits[0] ^ ((bits[0] >> 63) & UNSIGNED)
    for m in range(len(bits)):
        top = max(top, bits[m] ^ ((bits[m] >> 63) & UNSIGNED))
    return np.int64(top ^ ((top >> 63) & UNSIGNED)).view(np.float64)


@inline_jit
def _near(network: Network, moves: Moves, taboo: np.ndarray, floor: float, found: np.ndarray) -> int:
    """Write the open moves (kind, from, to) that gain more than ``floor``, as far as there is room; count them all.

    If no open move reaches a bound that is above ``floor``, it is lowered, and that is said instead.
    """
    nodes, best, count = len(moves.gain), moves.best, 0
    for first in range(0, len(best), 64):
        word = above(best[first : first + 64], floor)
        while word != 0:
            place = first + lowest(word)
            word &= word - 1
            kind, x, y = place // nodes, moves.source[place], place % nodes
            if move_gain(moves.gain, kind, x, y) != best[place] or not is_open(network, moves, taboo, kind, x, y):
                look_up(network, moves, taboo, kind, y)
                return LOWERED
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
        word = parents[index]
        if kind == ADD:
            word = above(row[index << 6 : (index + 1) << 6], floor) & ~(below[index] | word | barred[index])
        while word != 0:
            x = (index << 6) + lowest(word)
            word &= word - 1
            if move_gain(gain, kind, x, y) > floor and is_open(network, moves, taboo, kind, x, y):
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
