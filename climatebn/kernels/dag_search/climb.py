"""The whole search loop for a Gaussian score: propose, check, make, refresh.

Runs a slice of steps and hands back a status, so that Python can show progress and be interrupted between slices.
Nearly collinear nodes can lend a move a gain that is only rounding error. So each gaining step is checked by the local
scores from scratch; if they do not rise, their difference becomes its gain and the round is repeated. Hence the score,
a function of the network alone, rises from loss to loss, and as there are finitely many networks the search ends.
"""

from climatebn.kernels.bitset import flip, write_members
from climatebn.kernels.constants import ADD, REVERSE, TAU
from climatebn.kernels.dag_search.moves import Moves, asked, look_up_all, move_gain
from climatebn.kernels.dag_search.reachability import PARENTS, QUEUE, Network
from climatebn.kernels.dag_search.tabu_list import TabuList, forget
from climatebn.kernels.dag_search.walk import BEST, CALLS, GAINED, START, STEPS, SWEPT, WIDEST, Walk, next_move, step
from climatebn.kernels.gaussian.local_score import local_value
from climatebn.kernels.gaussian.residual_rows import Rows, append, rebuild, write_gains
from climatebn.kernels.jit import inline_jit, inner_jit, jit, part_jit, without_owner

MORE, DONE, FULL = 0, 1, 2  # status: the slice is over; no move is left; a node needs room for more parents
REPEATS = 10_000


@jit
def climb(
    network: Network,
    moves: Moves,
    rows: Rows,
    tabu_list: TabuList,
    walk: Walk,
    max_losses: int,
    equivalent: bool,
    sweep_end: int,
    slice_end: int,
) -> int:
    """Go on until ``sweep_end`` nodes have been asked for the first time, then until step ``slice_end``."""
    network, moves, rows = without_owner(network), without_owner(moves), without_owner(rows)
    tabu_list, walk = without_owner(tabu_list), without_owner(walk)
    while walk.tally[SWEPT] < sweep_end:
        walk.tally[SWEPT] += 1
        _begin(network, moves, rows, tabu_list, walk, len(moves.gain) - walk.tally[SWEPT], equivalent)
    repeats = REPEATS  # rounds repeated in this slice, at most: no slice runs unbounded
    while walk.tally[STEPS] < slice_end and repeats > 0:
        if walk.tally[WIDEST] == rows.slots.shape[1] and walk.tally[WIDEST] < rows.table.shape[1] - 1:
            return FULL
        if max_losses > 0 and walk.total[GAINED] - walk.total[BEST] > TAU:
            walk.total[GAINED] = rows.score.sum() - walk.total[START]  # a new best must not come from a sum of errors
        kind, x, y = next_move(network, moves, tabu_list, walk, max_losses)
        if kind < 0:
            return DONE
        scores = _from_scratch(network, rows, kind, x, y)
        rise = (scores[0] - rows.score[y]) + (scores[1] - rows.score[x])  # summed as `move_gain` does: the same bits
        if move_gain(moves.gain, kind, x, y) > TAU and rise <= TAU / 2:
            _correct(network, moves, rows, tabu_list, kind, x, y, scores)
            forget(tabu_list)
            repeats -= 1
        else:
            _carry_out(network, moves, rows, tabu_list, walk, kind, x, y, scores, equivalent)
    return MORE


@inner_jit
def _begin(
    network: Network, moves: Moves, rows: Rows, tabu_list: TabuList, walk: Walk, y: int, equivalent: bool
) -> None:
    """Rows and gains of a node of the start network."""
    queue = network.lists[QUEUE]
    parents = queue[: write_members(network.sets[PARENTS, y], queue)]
    rebuild(rows, y, parents)
    rows.score[y] = local_value(rows.matrix, rows.table, y, parents)
    walk.total[START] += rows.score[y]
    _refresh(network, moves, rows, tabu_list, walk, y, equivalent)


@inline_jit
def _from_scratch(network: Network, rows: Rows, kind: int, x: int, y: int) -> tuple[float, float]:
    """Local scores of y and x after the move, by a computation that knows nothing of the walk."""
    return _flipped(network, rows, y, x), _flipped(network, rows, x, y) if kind == REVERSE else rows.score[x]


@inline_jit
def _flipped(network: Network, rows: Rows, node: int, parent: int) -> float:
    """The local score of a node with one parent more, or less if it is there."""
    sets, queue = network.sets, network.lists[QUEUE]
    flip(sets, PARENTS, node, parent)
    count = write_members(sets[PARENTS, node], queue)
    flip(sets, PARENTS, node, parent)
    return local_value(rows.matrix, rows.table, node, queue[:count])


@inner_jit
def _correct(
    network: Network,
    moves: Moves,
    rows: Rows,
    tabu_list: TabuList,
    kind: int,
    x: int,
    y: int,
    scores: tuple[float, float],
) -> None:
    """The gain of the move is what the local scores from scratch say."""
    moves.gain[y, x] = scores[0] - rows.score[y]
    if kind == REVERSE:
        moves.gain[x, y] = scores[1] - rows.score[x]
    for turn in range(2 if kind == REVERSE else 1):
        look_up_all(network, moves, tabu_list.taboo[:0], y if turn == 0 else x)


@part_jit
def _carry_out(
    network: Network,
    moves: Moves,
    rows: Rows,
    tabu_list: TabuList,
    walk: Walk,
    kind: int,
    x: int,
    y: int,
    scores: tuple[float, float],
    equivalent: bool,
) -> None:
    """Make the move and bring the changed nodes, whose new local ``scores`` are known, up to date."""
    step(network, moves, tabu_list, walk, kind, x, y, (scores[0] - rows.score[y]) + (scores[1] - rows.score[x]))
    rows.score[y], rows.score[x] = scores
    queue = network.lists[QUEUE]
    for turn in range(2 if kind == REVERSE else 1):
        node = y if turn == 0 else x
        if turn == 0 and kind != ADD:
            rebuild(rows, y, queue[: write_members(network.sets[PARENTS, y], queue)])
        else:
            append(rows, node, x if turn == 0 else y)
        _refresh(network, moves, rows, tabu_list, walk, node, equivalent)


@inline_jit
def _refresh(
    network: Network, moves: Moves, rows: Rows, tabu_list: TabuList, walk: Walk, y: int, equivalent: bool
) -> None:
    """Ask again for the gains of node y."""
    walk.tally[WIDEST] = max(walk.tally[WIDEST], rows.size[y])
    walk.tally[CALLS] += asked(moves, y, equivalent)
    write_gains(rows, y, moves.gain[y])
    look_up_all(network, moves, tabu_list.taboo[:0], y)
