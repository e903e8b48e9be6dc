"""The search loop: choose, check, make, refresh. Hill climbing is tabu search that remembers nothing and never loses.

Runs a slice of steps and hands back a status, so that Python can show progress and be interrupted between slices.
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.bitset import insert, members, remove
from climatebn.kernels.choice import choose
from climatebn.kernels.jit import jit
from climatebn.kernels.local_score import local_value
from climatebn.kernels.moves import TAU, Moves, asked, look_up_all, make, move_gain
from climatebn.kernels.reachability import Network
from climatebn.kernels.residual_rows import Rows, append, rebuild, write_gains
from climatebn.kernels.ring import ADD, REVERSE, Ring, forbid, remember, toggle

MORE, DONE, FULL = 0, 1, 2  # status: the slice is over; no move is left; a node needs room for more parents
STEPS, CALLS, LOSSES, BEST_STEP = 0, 1, 2, 3  # places in `Walk.tally`
NOW, BEST = 0, 1  # places in `Walk.total`


class Walk(NamedTuple):
    """Where the search has been: ``moves[s]`` = kind, from, to of step s; ``total`` = gain since the start."""

    moves: np.ndarray
    gains: np.ndarray
    tally: np.ndarray
    total: np.ndarray


@jit
def propose(network: Network, moves: Moves, ring: Ring, walk: Walk, max_losses: int) -> tuple[int, int, int]:
    """The next move of the round that begins, or kind −1 when the search is over."""
    if walk.total[NOW] - walk.total[BEST] > TAU:
        walk.total[BEST] = walk.total[NOW]
        walk.tally[BEST_STEP] = walk.tally[STEPS]
    remember(ring)
    forbid(ring, network.parents)
    kind, x, y = choose(network, moves, ring, 0.0)
    if kind >= 0:
        if walk.total[NOW] + move_gain(moves, kind, x, y) - walk.total[BEST] > TAU:
            walk.tally[LOSSES] = 0
    elif walk.tally[LOSSES] < max_losses:
        walk.tally[LOSSES] += 1
        kind, x, y = choose(network, moves, ring, -np.inf)
    _release(moves, ring)
    return kind, x, y


@jit
def _release(moves: Moves, ring: Ring) -> None:
    """Moves that led back may be the best of their node again; an upper bound is all that is needed."""
    for m in range(ring.state[0]):
        kind, x, y = ring.taboo[m]
        gain = move_gain(moves, kind, x, y)
        place = kind * len(moves.indegree) + y
        if gain > moves.best[place]:
            moves.best[place] = gain
            moves.source[place] = x
    ring.state[0] = 0


@jit
def take(network: Network, moves: Moves, ring: Ring, walk: Walk, kind: int, x: int, y: int, rise: float) -> None:
    """Make the move and write it down."""
    step = walk.tally[STEPS]
    walk.moves[step] = kind, x, y
    walk.gains[step] = move_gain(moves, kind, x, y)
    walk.tally[STEPS] += 1
    walk.total[NOW] += rise
    make(network, moves, kind, x, y)
    toggle(ring, x, y)
    if kind == REVERSE:
        toggle(ring, y, x)


@jit
def refresh(network: Network, moves: Moves, rows: Rows, ring: Ring, walk: Walk, y: int, equivalent: bool) -> None:
    """Ask again for the gains of node y."""
    write_gains(rows, y, moves.gain[y])
    walk.tally[CALLS] += asked(moves, y, equivalent)
    look_up_all(network, moves, ring, y)


@jit
def carry_out(
    network: Network, moves: Moves, rows: Rows, ring: Ring, walk: Walk, kind: int, x: int, y: int, rise: float
) -> None:
    """Make the move and bring the rows of the changed nodes up to date."""
    take(network, moves, ring, walk, kind, x, y, rise)
    if kind == ADD:
        append(rows, y, x)
    else:
        rebuild(rows, network.parents, y)
        if kind == REVERSE:
            append(rows, x, y)


@jit
def rise_of(network: Network, rows: Rows, kind: int, x: int, y: int) -> float:
    """What the move adds to the score when both scores are computed from scratch."""
    rise = _difference(network, rows, y, x, kind == ADD)
    if kind == REVERSE:
        rise += _difference(network, rows, x, y, True)
    return rise


@jit
def _difference(network: Network, rows: Rows, node: int, parent: int, add: bool) -> float:
    before = members(network.parents, node, network.queue)
    old = local_value(rows.matrix, rows.a, rows.b, rows.c, node, network.queue[:before])
    if add:
        insert(network.parents, node, parent)
    else:
        remove(network.parents, node, parent)
    after = members(network.parents, node, network.queue)
    new = local_value(rows.matrix, rows.a, rows.b, rows.c, node, network.queue[:after])
    if add:
        remove(network.parents, node, parent)
    else:
        insert(network.parents, node, parent)
    return new - old


@jit
def begin(
    network: Network, moves: Moves, rows: Rows, ring: Ring, walk: Walk, first: int, last: int, equivalent: bool
) -> None:
    """Rows and gains of nodes ``first`` … ``last`` − 1 of the start network."""
    for y in range(first, last):
        rebuild(rows, network.parents, y)
        refresh(network, moves, rows, ring, walk, y, equivalent)


@jit
def climb(
    network: Network,
    moves: Moves,
    rows: Rows,
    ring: Ring,
    walk: Walk,
    max_losses: int,
    equivalent: bool,
    slice_end: int,
) -> int:
    """Go on until step ``slice_end``. A gaining step that does not raise the score from scratch freezes its nodes."""
    while walk.tally[STEPS] < slice_end:
        kind, x, y = propose(network, moves, ring, walk, max_losses)
        if kind < 0:
            return DONE
        gain = move_gain(moves, kind, x, y)
        rise = rise_of(network, rows, kind, x, y)
        if gain > TAU and rise <= TAU / 2:
            moves.frozen[y] = True
            look_up_all(network, moves, ring, y)
            if kind == REVERSE:
                moves.frozen[x] = True
                look_up_all(network, moves, ring, x)
            ring.state[1] -= 1  # the round is repeated: its network is put into the same place again
            continue
        carry_out(network, moves, rows, ring, walk, kind, x, y, rise)
        refresh(network, moves, rows, ring, walk, y, equivalent)
        if kind == REVERSE:
            refresh(network, moves, rows, ring, walk, x, equivalent)
        fullest = max(rows.size[y], rows.size[x])
        if fullest == rows.slots.shape[1] and fullest < len(rows.a) - 1:
            return FULL
    return MORE
