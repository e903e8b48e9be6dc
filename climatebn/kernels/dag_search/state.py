"""The state of a search over DAGs: network, gains, remembered networks, and the walk so far; and how it begins."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from climatebn.kernels.bitset import bit_rows, packed, unpacked
from climatebn.kernels.constants import ADD, REVERSE, TAU
from climatebn.kernels.dag_search.moves import NOW, Moves, make
from climatebn.kernels.dag_search.reachability import CHILDREN, Network
from climatebn.kernels.dag_search.tabu_list import TabuList
from climatebn.kernels.dag_search.walk import BEST, BEST_STEP, GAINED, STEPS, Walk
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

    def best(self) -> list[tuple[int, int]]:
        """The arcs of the best network of the walk: the steps after it are taken back."""
        improved = self.walk.total[GAINED] - self.walk.total[BEST] > TAU  # the last step has not been compared yet
        best = self.steps if improved else int(self.walk.tally[BEST_STEP])
        child = unpacked(self.network.sets[CHILDREN])
        for kind, x, y in self.walk.moves[best : self.steps][::-1].tolist():
            child[x, y] = kind != ADD
            if kind == REVERSE:
                child[y, x] = False
        return [(x, y) for x, y in np.argwhere(child).tolist()]


def empty_network(nodes: int) -> Network:
    """A network without arcs."""
    return Network(np.stack([bit_rows(nodes, nodes)] * 5), np.zeros((6, nodes), dtype=np.int64))


def no_moves(barred: np.ndarray, kept: np.ndarray, most: int) -> Moves:
    """All gains unknown, counted as −∞; ``barred`` and ``kept`` are boolean [to, from]."""
    nodes = len(barred)
    return Moves(
        np.full((nodes, nodes), -np.inf),
        np.full(3 * nodes, -np.inf),
        np.full(3 * nodes, -1, dtype=np.int64),
        np.stack([packed(barred, fill=True), packed(kept)]),
        np.array([[0] * nodes, [most] * nodes], dtype=np.int64),
    )


def empty_tabu_list(size: int) -> TabuList:
    """A list that remembers ``size`` networks."""
    length = np.full(size + 1, -1, dtype=np.int64)
    length[-1] = 0
    return TabuList(np.zeros((size, 2 * size + 2, 2), dtype=np.int64), length, np.zeros((size, 3), dtype=np.int64))


def empty_walk() -> Walk:
    """No step yet, and no room for any."""
    return Walk(np.zeros((0, 3), dtype=np.int64), np.zeros(0), np.zeros(6, dtype=np.int64), np.zeros(3))


@jit
def add_arcs(network: Network, moves: Moves, arcs: np.ndarray) -> None:
    """Put the arcs (from, to) of a start network in."""
    for m in range(len(arcs)):
        make(network, moves, ADD, arcs[m, 0], arcs[m, 1])
