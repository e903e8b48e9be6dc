"""Steps of a search that asks its score from Python: discrete data, and scores that users write.

The moves are chosen by the same kernels as in the compiled loop; only the gains of the changed nodes come from the
score. One that is a `DiscreteScore` tells all of a node in one go. Any other may have ``gains(stats, node, parents,
candidates) -> array``, the gain of adding each candidate to the parents (ascending column numbers); otherwise
differences of ``local`` are taken, as for deletions.
"""

from typing import Any

import numpy as np

from climatebn.criterion import discrete
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import DiscreteScore, ManyGains, Stats
from climatebn.errors import ClimateBNError
from climatebn.kernels.bitset import listed
from climatebn.kernels.constants import REVERSE, TAU
from climatebn.kernels.dag_search.climb import DONE, MORE
from climatebn.kernels.dag_search.moves import NOW, move_gain
from climatebn.kernels.dag_search.reachability import PARENTS
from climatebn.kernels.dag_search.state import State
from climatebn.kernels.dag_search.walk import SWEPT, propose, take, use_new_gains


class PythonEngine:
    """Moves a state by the gains that ``score`` tells; ``askable`` is [to, from]."""

    def __init__(self, score: Any, stats: Stats, askable: np.ndarray, state: State) -> None:
        self.score, self.stats, self.askable, self.state = score, stats, askable, state
        self.counted: tuple[DiscreteStats, discrete.DiscreteForm] | None = None
        if isinstance(stats, DiscreteStats) and isinstance(score, DiscreteScore):
            self.counted = stats, score.discrete_settings(stats)
        self.many = isinstance(score, ManyGains)
        self.changed: list[int] = []  # nodes whose gains are out of date

    def sweep(self, nodes: int) -> None:
        """Ask for the gains of the next ``nodes`` nodes of the start network, the last one first."""
        for _ in range(nodes):
            self._refresh(len(self.askable) - 1 - int(self.state.walk.tally[SWEPT]))
            self.state.walk.tally[SWEPT] += 1

    def advance(self, slice_end: int, max_losses: int) -> int:
        """Go on until step ``slice_end``; return the status of `climb`."""
        state = self.state
        while True:
            self._catch_up()
            if state.steps >= slice_end:
                return MORE
            kind, x, y = propose(state.network, state.moves, state.tabu_list, state.walk, max_losses)
            if kind < 0:
                return DONE
            self._make(kind, x, y)

    def _make(self, kind: int, x: int, y: int) -> None:
        """Make one move."""
        state = self.state
        gain = move_gain(state.moves.gain, kind, x, y)
        take(state.network, state.moves, state.tabu_list, state.walk, kind, x, y, gain)
        self.changed += [y, x] if kind == REVERSE else [y]

    def _catch_up(self) -> None:
        while self.changed:
            self._refresh(self.changed[0])
            self.changed.pop(0)

    def _refresh(self, node: int) -> None:
        state = self.state
        state.moves.gain[node] = self._gains(node)
        use_new_gains(state.network, state.moves, state.tabu_list, state.walk, node, self.score.equivalent)

    def _gains(self, node: int) -> np.ndarray:
        parents = listed(self.state.network.sets[PARENTS, node])
        others = self.askable[node].copy()
        others[parents] = False
        known = np.zeros(len(others), dtype=np.bool_)
        if self.score.equivalent and not parents:  # the same difference, asked the other way round, is known
            known = others & self.askable[:, node] & (self.state.moves.parents[NOW] == 0)
            known[: node + 1] = False
        asked = np.flatnonzero(others & ~known)
        gain = self._told(node, parents, asked)
        gain[known] = self.state.moves.gain[known, node] * self.state.unit
        if np.isnan(gain).any() or (gain == np.inf).any():
            raise ClimateBNError(
                f"{self.score!r} gives no number for {self.stats.names[node]} with parents "
                f"[{', '.join(self.stats.names[p] for p in parents)}] or one more or less of them; "
                "a score is finite, or −inf for parents that it rules out"
            )
        gain /= self.state.unit
        gain[np.abs(gain) < TAU] = 0.0
        return gain

    def _told(self, node: int, parents: list[int], asked: np.ndarray) -> np.ndarray:
        """Gains of further parents and of fewer, as the score tells them; −∞ where it is not asked."""
        if self.counted is not None:
            stats, settings = self.counted
            gain = discrete.differences(stats, node, parents, asked, settings)
            gain[parents] = np.where(self.askable[node, parents], gain[parents], -np.inf)
            return gain
        gain, here = np.full(len(self.askable), -np.inf), self.score.local(self.stats, node, parents)
        gain[asked] = self._additions(node, parents, asked.tolist(), here)
        for parent in parents:
            if self.askable[node, parent]:
                gain[parent] = self.score.local(self.stats, node, [p for p in parents if p != parent]) - here
        return gain

    def _additions(self, node: int, parents: list[int], candidates: list[int], here: float) -> Any:
        if self.many:
            return self.score.gains(self.stats, node, parents, candidates)
        return [self.score.local(self.stats, node, sorted([*parents, x])) - here for x in candidates]
