"""The state of a search over DAGs: network, gains, remembered networks, the walk so far; how each begins and ends."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from climatebn.kernels.bitset import drop, members, put, size
from climatebn.kernels.constants import ADD, REVERSE, TAU
from climatebn.kernels.dag_search.moves import BARRED, KEPT, NOW, Moves, make
from climatebn.kernels.dag_search.reachability import CHILDREN, Network
from climatebn.kernels.dag_search.tabu_list import TabuList
from climatebn.kernels.dag_search.walk import BEST, BEST_STEP, GAINED, STEPS, Walk
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.residual_rows import BLOCK, Rows
from climatebn.kernels.jit import jit


@dataclass
class State:
    """Arrays that kernels change in place; ``walk`` is replaced when it needs more room. Gains are in ``unit``s."""

    network: Network
    moves: Moves
    tabu_list: TabuList
    walk: Walk
    unit: float = 1.0

    @classmethod
    def at_start(
        cls, barred: np.ndarray, kept: np.ndarray, most: int, start: Sequence[tuple[int, int]], list_size: int
    ) -> "State":
        """The network of the arcs ``start``, nothing asked yet; ``barred`` and ``kept`` are boolean [to, from]."""
        network, moves = empty_network(len(barred)), no_moves(barred, kept, most)
        if start:
            add_arcs(network, moves, np.array(start, dtype=np.int64))
        return cls(network, moves, empty_tabu_list(list_size), empty_walk())

    @property
    def steps(self) -> int:
        """How many steps have been made."""
        return int(self.walk.tally[STEPS])

    @property
    def arcs(self) -> int:
        """How many arcs the network has now."""
        return int(self.moves.parents[NOW].sum())

    def reserve(self, steps: int) -> None:
        """Make room for a walk of ``steps`` steps."""
        if steps > len(self.walk.gains):
            before, room = len(self.walk.gains), max(steps, 2 * len(self.walk.gains))
            moves, gains = np.zeros((room, 3), dtype=np.int64), np.zeros(room)
            moves[:before], gains[:before] = self.walk.moves, self.walk.gains
            self.walk = self.walk._replace(moves=moves, gains=gains)

    def best(self) -> np.ndarray:
        """The arcs (from, to) of the best network of the walk: the steps after it are taken back."""
        improved = self.walk.total[GAINED] - self.walk.total[BEST] > TAU  # the last step has not been compared yet
        best = self.steps if improved else int(self.walk.tally[BEST_STEP])
        arcs: np.ndarray = arcs_before(self.network.sets[CHILDREN], self.walk.moves[best : self.steps])
        return arcs


def empty_network(nodes: int) -> Network:
    """A network without arcs."""
    return Network(_no_sets(5, nodes), np.zeros((6, nodes), dtype=np.int64))


def no_moves(barred: np.ndarray, kept: np.ndarray, most: int) -> Moves:
    """All gains unknown, counted as −∞; ``barred`` and ``kept`` are boolean [to, from]."""
    nodes = len(barred)
    places = (3 * nodes + 63) // 64 * 64
    moves = Moves(
        np.full((nodes, nodes), -np.inf),
        np.full(places, -np.inf),
        np.full(places, -1, dtype=np.int64),
        _no_sets(2, nodes),
        np.repeat(np.array([[0], [most]], dtype=np.int64), nodes, axis=1),
        np.empty((16, 3), dtype=np.int64),
    )
    write_limits(moves.limits, np.ascontiguousarray(barred), np.ascontiguousarray(kept))
    return moves


def _no_sets(kinds: int, nodes: int) -> np.ndarray:
    """Empty sets of nodes, [kind, node, word]."""
    return np.zeros((kinds, nodes, (nodes + 63) // 64), dtype=np.int64)


def empty_tabu_list(size: int) -> TabuList:
    """A list that remembers ``size`` networks."""
    length = np.full(size + 1, -1, dtype=np.int64)
    length[-1] = 0
    return TabuList(np.zeros((size, 2 * size + 2, 2), dtype=np.int64), length, np.zeros((size, 3), dtype=np.int64))


def empty_walk() -> Walk:
    """No step yet, and no room for any."""
    return Walk(np.zeros((0, 3), dtype=np.int64), np.zeros(0), np.zeros(6, dtype=np.int64), np.zeros(3))


def residual_rows(form: GaussianForm, capacity: int) -> Rows:
    """Rows of nodes without parents; room for ``capacity`` parents."""
    nodes = len(form.matrix)
    diagonal = np.diag(form.matrix).copy()
    return Rows(
        form.matrix,
        np.stack([form.a, form.b, form.c]),
        diagonal,
        form.matrix.copy(),
        np.tile(diagonal, (nodes, 1)),
        np.zeros((nodes, capacity), dtype=np.int64),
        np.zeros((nodes, capacity * (capacity + 1) // 2)),
        np.zeros(nodes, dtype=np.int64),
        np.zeros(nodes),
        np.zeros((7, max(nodes, BLOCK))),
    )


def with_room(rows: Rows, capacity: int) -> Rows:
    """The same rows with room for more parents."""
    nodes = len(rows.size)
    slots = np.zeros((nodes, capacity), dtype=np.int64)
    slots[:, : rows.slots.shape[1]] = rows.slots
    inverse = np.zeros((nodes, capacity * (capacity + 1) // 2))
    inverse[:, : rows.inverse.shape[1]] = rows.inverse
    return rows._replace(slots=slots, inverse=inverse)


@jit
def write_limits(limits: np.ndarray, barred: np.ndarray, kept: np.ndarray) -> None:
    """The tables [to, from] as sets; numbers beyond the last node are barred."""
    nodes = len(barred)
    for y in range(nodes):
        for x in range(64 * limits.shape[2]):
            if x >= nodes or barred[y, x]:
                put(limits[BARRED, y], x)
            if x < nodes and kept[y, x]:
                put(limits[KEPT, y], x)


@jit
def add_arcs(network: Network, moves: Moves, arcs: np.ndarray) -> None:
    """Put the arcs (from, to) of a start network in."""
    for m in range(len(arcs)):
        make(network, moves, ADD, arcs[m, 0], arcs[m, 1])


@jit
def arcs_before(children: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The arcs (from, to), sorted, of a network from which the last ``steps`` are taken back."""
    sets = children.copy()
    for m in range(len(steps) - 1, -1, -1):
        kind, x, y = steps[m, 0], steps[m, 1], steps[m, 2]
        if kind == ADD:
            drop(sets[x], y)
        else:
            put(sets[x], y)
        if kind == REVERSE:
            drop(sets[y], x)
    count = 0
    for x in range(len(sets)):
        count += size(sets[x])
    arcs, count = np.empty((count, 2), np.int64), 0
    for x in range(len(sets)):
        for y in members(sets[x]):
            arcs[count, 0], arcs[count, 1] = x, y
            count += 1
    return arcs
