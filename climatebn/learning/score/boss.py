"""BOSS, best order score search: one node after the other goes to its best place in an ordering (Andrews et al. 2023).

The score of an ordering is that of the DAG in which each node has the parents that grow-shrink finds among its
predecessors; in a network in time the present month is ordered, and the past comes before all of it. Sweeps over all
nodes, in random order, go on until no move raises the score. Then some nodes of the best ordering are put elsewhere at
random and the climb begins again; the best ordering met wins. The first ordering is that of tabu's network: from an
arbitrary one, such as the column order, climbs on discrete data often end far below.
"""

from dataclasses import replace

import numpy as np

from climatebn.errors import OutOfTime, public, whole_options
from climatebn.graph import Dag
from climatebn.kernels.constants import TAU
from climatebn.learning.problem import Outcome, Problem, Stopped
from climatebn.learning.score.limits import Limits, Start, limits
from climatebn.learning.score.order_forest import OrderForest, Ordering
from climatebn.learning.score.tabu import tabu
from climatebn.learning.several import total
from climatebn.progress import Progress
from climatebn.rng import generator


@public
def boss(
    problem: Problem,
    *,
    candidates: np.ndarray | None = None,
    start: Start | None = None,
    rounds: int | None = None,
    displaced: int = 4,
    patience: int | None = None,
) -> Outcome:
    """Best order score search.

    Parameters
    ----------
    candidates : matrix, true at [from, to] where an arc may be; all when left out.
    start : a DAG, or arcs (from, to), whose topological order to begin with; the network of tabu when left out.
    rounds : climbs after the first one, each from the best ordering so far with ``displaced`` nodes put elsewhere;
        2000 / N of them, at least 3 and at most 50, when left out.
    displaced : how many nodes each round puts elsewhere.
    patience : rather than a number of rounds, go on until so many in a row have raised nothing.

    A call is one difference of local scores that was not asked before for the same target and parents.
    ``seed`` names the random choices; without one they are those of seed 0.

    >>> import climatebn as cb
    >>> cov = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 1.0]]
    >>> cb.learn(cb.GaussianStats(100, cov), "boss", seed=1).dag.arcs
    [('X1', 'X3'), ('X2', 'X3')]
    """
    whole_options(rounds=rounds, displaced=displaced, patience=patience)
    begun = tabu(problem, candidates=candidates) if start is None else None
    if begun is not None and begun.stopped:
        return begun
    climber: Climber | None = None
    notes: list[str] = []
    stopped: Stopped = ""
    with problem.show("boss") as progress:
        try:
            where = limits(problem, candidates, start if begun is None else begun.directed)
            climber = Climber(problem, where, progress)
            few = min(50, max(3, 2000 // len(climber.first))) if rounds is None else rounds
            climber.climb(climber.forest.ordering(climber.first))
            made = idle = 0
            while made < few if patience is None else idle < patience:
                idle = 0 if climber.again(displaced) else idle + 1
                made += 1
        except OutOfTime:
            stopped = "time"
            notes.append("stopped after max_seconds: the best network so far")
        except KeyboardInterrupt:
            if begun is None and climber is None:
                raise
            stopped = "interrupted"
            notes.append("interrupted: the best network so far")
    if climber is None:
        assert begun is not None
        return replace(begun, notes=notes, stopped=stopped)
    found = Outcome(climber.arcs(), calls={"boss": climber.forest.asked}, notes=notes, stopped=stopped)
    if begun is None:
        return found
    higher = begun.directed if total(problem, begun) > total(problem, found) else found.directed
    return replace(found, directed=higher, calls=begun.calls | found.calls)


class Climber:
    """Climbs in the space of orderings, and the best ordering that they met."""

    def __init__(self, problem: Problem, where: Limits, progress: Progress) -> None:
        self.forest, self.progress = OrderForest(problem, where), progress
        self.kept = where.kept & ~self.forest.standing
        self.start = where.start
        order = np.array(Dag.from_arcs(problem.stats.names, where.start).numbered_order, dtype=np.int64)
        self.first = order[~self.forest.standing[order]]
        self.best: Ordering | None = None
        self._random = generator(problem.seed or 0, "boss", problem.attempt)

    def climb(self, here: Ordering) -> None:
        """Sweep until no move raises the score."""
        self._keep(here)
        moved = True
        while moved:
            moved = False
            nodes = np.sort(here.order)
            for better in self.forest.improve_each(here, nodes[self._random.permutation(len(nodes))]):
                if better:
                    moved = True
                    self._keep(here)
            assert self.best is not None
            self.progress.update(1, score=round(self.best.score, 2))

    def again(self, displaced: int) -> bool:
        """Climb from the best ordering with some nodes put elsewhere; whether that found a better one."""
        assert self.best is not None
        order, before = self.best.order, self.best.score
        for _ in range(displaced):
            v, place = self._random.integers(len(order), size=2).tolist()
            order = np.insert(np.delete(order, v), place, order[v])
        self.climb(self.forest.ordering(self._legal(order)))
        return self.best.score > before + TAU * max(1.0, abs(before))

    def arcs(self) -> list[tuple[int, int]]:
        """Those of the best ordering met; of the start where none was."""
        return self.start if self.best is None else self.forest.arcs(self.best)

    def _keep(self, here: Ordering) -> None:
        if self.best is None or here.score > self.best.score:
            self.best = Ordering(here.order.copy(), here.worth.copy())

    def _legal(self, order: np.ndarray) -> np.ndarray:
        """The same ordering, with required parents moved before their children where need be."""
        if not self.kept.any():
            return order
        placed: list[int] = []
        waiting = order.tolist()
        while waiting:
            node = next(v for v in waiting if not np.setdiff1d(np.flatnonzero(self.kept[v]), placed).size)
            waiting.remove(node)
            placed.append(node)
        return np.array(placed, dtype=np.int64)
