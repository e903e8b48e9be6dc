"""The state of a search over DAGs: network, gains, remembered networks, and the walk so far."""

from dataclasses import dataclass

import numpy as np

from climatebn.kernels.bitset import packed
from climatebn.kernels.climb import BEST, BEST_STEP, NOW, STEPS, Walk
from climatebn.kernels.moves import TAU, Moves, no_moves
from climatebn.kernels.reachability import Network, empty_network, join
from climatebn.kernels.ring import ADD, DELETE, Ring, empty_ring
from climatebn.learn.score.limits import Limits

Arcs = list[tuple[int, int]]


@dataclass
class State:
    """Arrays that kernels change in place; ``walk`` is replaced when it needs more room."""

    network: Network
    moves: Moves
    ring: Ring
    walk: Walk
    start: Arcs

    @classmethod
    def at_start(cls, limits: Limits, list_size: int) -> "State":
        """The start network, nothing asked yet."""
        nodes = len(limits.barred)
        network = empty_network(nodes)
        most = np.full(nodes, limits.max_parents, dtype=np.int64)
        moves = no_moves(packed(limits.barred, fill=True), packed(limits.kept), most)
        for source, target in limits.start:
            join(network, source, target)
            moves.indegree[target] += 1
        walk = Walk(np.zeros((0, 3), dtype=np.int64), np.zeros(0), np.zeros(4, dtype=np.int64), np.zeros(2))
        return cls(network, moves, empty_ring(list_size), walk, limits.start)

    @property
    def steps(self) -> int:
        """How many steps have been made."""
        return int(self.walk.tally[STEPS])

    def reserve(self, steps: int) -> None:
        """Make room for a walk of ``steps`` steps."""
        if steps > len(self.walk.gains):
            more = max(steps, 2 * len(self.walk.gains)) - len(self.walk.gains)
            self.walk = self.walk._replace(
                moves=np.pad(self.walk.moves, ((0, more), (0, 0))), gains=np.pad(self.walk.gains, (0, more))
            )

    def best(self) -> Arcs:
        """The arcs of the best network of the walk."""
        improved = self.walk.total[NOW] - self.walk.total[BEST] > TAU  # the last step has not been compared yet
        arcs = set(self.start)
        for kind, x, y in self.walk.moves[: self.steps if improved else self.walk.tally[BEST_STEP]].tolist():
            if kind == ADD:
                arcs.add((x, y))
            else:
                arcs.remove((x, y))
                if kind != DELETE:
                    arcs.add((y, x))
        return sorted(arcs)
