"""A walk over DAGs, step by step. Hill climbing is tabu search that remembers nothing and never loses."""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.constants import REVERSE, TAU
from climatebn.kernels.dag_search.choice import choose
from climatebn.kernels.dag_search.moves import Moves, asked, look_up_all, make, move_gain
from climatebn.kernels.dag_search.reachability import Network
from climatebn.kernels.dag_search.tabu_list import TabuList, remember, taboo_moves, toggle
from climatebn.kernels.jit import inner_jit, jit, part_jit

STEPS, CALLS, LOSSES, BEST_STEP, SWEPT, WIDEST = (np.int64(place) for place in range(6))  # in `Walk.tally`
GAINED, BEST, START = np.int64(0), np.int64(1), np.int64(2)  # in `Walk.total`


class Walk(NamedTuple):
    """Where the search has been: ``moves[s]`` = kind, from, to of step s; ``total`` = gain since the start, now and at
    the best network, and the score of the start network.

    ``tally`` counts steps, differences asked for, losing steps in a row, the step of the best network, nodes of the
    first sweep that are done, and the largest number of parents so far.
    """

    moves: np.ndarray
    gains: np.ndarray
    tally: np.ndarray
    total: np.ndarray


@part_jit
def next_move(network: Network, moves: Moves, tabu_list: TabuList, walk: Walk, max_losses: int) -> tuple[int, int, int]:
    """The move of the round that begins, or kind −1 when the search is over."""
    if walk.total[GAINED] - walk.total[BEST] > TAU:
        walk.total[BEST] = walk.total[GAINED]
        walk.tally[BEST_STEP] = walk.tally[STEPS]
        walk.tally[LOSSES] = 0
    remember(tabu_list)
    taboo = taboo_moves(tabu_list, network.sets)
    kind, x, y = choose(network, moves, taboo, 0.0)
    if kind < 0 and walk.tally[LOSSES] < max_losses:
        walk.tally[LOSSES] += 1
        kind, x, y = choose(network, moves, taboo, -np.inf)
    _release(moves, taboo)
    return kind, x, y


@inner_jit
def _release(moves: Moves, taboo: np.ndarray) -> None:
    """Moves that led back may be the best of their node again; an upper bound is all that is needed."""
    for m in range(len(taboo)):
        kind, x, y = taboo[m, 0], taboo[m, 1], taboo[m, 2]
        place = kind * len(moves.gain) + y
        gain = move_gain(moves.gain, kind, x, y)
        if gain > moves.best[place]:
            moves.best[place] = gain
            moves.source[place] = x


@part_jit
def step(
    network: Network, moves: Moves, tabu_list: TabuList, walk: Walk, kind: int, x: int, y: int, rise: float
) -> None:
    """Make the move and write it down; ``rise`` is what it adds to the score."""
    place = walk.tally[STEPS]
    walk.moves[place, 0], walk.moves[place, 1], walk.moves[place, 2] = kind, x, y
    walk.gains[place] = move_gain(moves.gain, kind, x, y)
    walk.tally[STEPS] += 1
    walk.total[GAINED] += rise
    make(network, moves, kind, x, y)
    toggle(tabu_list, x, y)
    if kind == REVERSE:
        toggle(tabu_list, y, x)


@jit
def propose(network: Network, moves: Moves, tabu_list: TabuList, walk: Walk, max_losses: int) -> tuple[int, int, int]:
    """`next_move`, called from Python."""
    return next_move(network, moves, tabu_list, walk, max_losses)


@jit
def take(
    network: Network, moves: Moves, tabu_list: TabuList, walk: Walk, kind: int, x: int, y: int, rise: float
) -> None:
    """`step`, called from Python."""
    step(network, moves, tabu_list, walk, kind, x, y, rise)


@jit
def use_new_gains(network: Network, moves: Moves, tabu_list: TabuList, walk: Walk, y: int, equivalent: bool) -> None:
    """Count the differences that Python asked for node y, and look up its moves."""
    walk.tally[CALLS] += asked(moves, y, equivalent)
    look_up_all(network, moves, tabu_list.taboo[:0], y)
