"""The state of a search over DAGs: network, gains, remembered networks, and the walk so far."""

from dataclasses import dataclass

import numpy as np

from climatebn.kernels.bitset import unpacked
from climatebn.kernels.constants import ADD, REVERSE, TAU
from climatebn.kernels.dag_search.moves import NOW, Moves, no_moves
from climatebn.kernels.dag_search.reachability import CHILDREN, Network, empty_network
from climatebn.kernels.dag_search.tabu_list import TabuList, empty_tabu_list
from climatebn.kernels.dag_search.walk import BEST, BEST_STEP, GAINED, STEPS, Walk, add_arcs, empty_walk
from climatebn.learning.score.limits import Limits


@dataclass
class State:
    """Arrays that kernels change in place; ``walk`` is replaced when it needs more room. Gains are in ``unit``s."""

    network: Network
    moves: Moves
    tabu_list: TabuList
    walk: Walk
    unit: float = 1.0

    @classmethod
    def at_start(cls, limits: Limits, list_size: int) -> "State":
        """The start network, nothing asked yet."""
        network = empty_network(len(limits.barred))
        moves = no_moves(limits.barred, limits.kept, limits.max_parents)
        add_arcs(network, moves, np.array(limits.start, dtype=np.int64).reshape(-1, 2))
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
            more = max(steps, 2 * len(self.walk.gains)) - len(self.walk.gains)
            self.walk = self.walk._replace(
                moves=np.pad(self.walk.moves, ((0, more), (0, 0))), gains=np.pad(self.walk.gains, (0, more))
            )

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
