"""Simulated annealing over topological orderings: the best DAG of an ordering is a table lookup for each node.

A move swaps two adjacent nodes or takes one node to another place, each kind half of the time; it is accepted with
probability min(1, exp(Δ/T)), Δ the change of the score. The temperature begins at the mean |Δ| of a hundred random
moves and falls geometrically, sweep by sweep (N moves a sweep), to a thousandth of that. The best ordering met wins.
Orderings: Friedman, Koller (2003); Teyssier, Koller (2005). Annealing over them: Balov, Salzman (catnet).
"""

import numpy as np

from climatebn.errors import ClimateBNError, OutOfTime
from climatebn.graph import Dag
from climatebn.kernels.ordering import Tables, choose, propose
from climatebn.learning.problem import Outcome, Problem, Stopped
from climatebn.learning.score.differences import Differences
from climatebn.learning.score.limits import limits
from climatebn.learning.score.parent_tables import ParentTable, joined, parent_table, required_only
from climatebn.learning.score.search import require_whole
from climatebn.rng import generator

MOST_CANDIDATES = 62  # bits of a word
COLDEST = 1e-3  # share of the first temperature that is left at the end
MOST_PARENTS = 4  # where the knowledge has no limit: sets of parents are enumerated


def annealing(
    problem: Problem,
    *,
    candidates: np.ndarray | None = None,
    max_candidates: int = 16,
    sweeps: int = 1000,
    restarts: int = 2,
) -> Outcome:
    """Simulated annealing over topological orderings.

    Given an ordering, each node has its best set of at most ``max_parents`` parents (of the knowledge; 4 when that has
    no limit) among its candidate parents that come earlier. This is exact when N − 1 ≤ ``max_candidates``.

    Parameters
    ----------
    candidates : matrix, true at [from, to] where an arc may be; all when left out.
    max_candidates : candidate parents of a node at most; see `parent_tables` for how they are chosen.
    sweeps : temperatures of one run; N moves at each.
    restarts : further runs from other random orderings.

    A call is one difference of local scores; all are asked while the tables are made. ``seed`` names the random moves;
    without one they are those of seed 0.

    >>> import climatebn as cb
    >>> cov = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 1.0]]
    >>> cb.learn(cb.GaussianStats(100, cov), "annealing", seed=1).dag.arcs
    [('X1', 'X3'), ('X2', 'X3')]
    """
    _check(max_candidates, sweeps, restarts)
    where = limits(problem, candidates, None)
    required = [np.flatnonzero(row).tolist() for row in where.kept]
    differences = Differences(problem)
    if problem.knowledge.max_parents is None:
        differences.most_parents = min(differences.most_parents, MOST_PARENTS)
    tables = [required_only(needed) for needed in required]  # until the score has been asked
    best = _Walk(joined(tables), np.array(Dag.from_arcs(problem.stats.names, where.start).numbered_order))
    notes: list[str] = []
    stopped: Stopped = ""
    with problem.show("annealing: tables", len(tables)) as progress:
        try:
            for node, needed in enumerate(required):
                free = np.flatnonzero(~where.barred[node]).tolist()
                tables[node] = parent_table(differences, node, needed, free, max_candidates)
                progress.update()
            best = _Walk(joined(tables), best.order)
            progress.describe("annealing", sweeps * (restarts + 1))
            for run in range(restarts + 1):
                rng = generator(problem.seed or 0, "annealing", run)
                walk = _Walk(best.tables, _random_order(rng, required))
                temperature = walk.spread(rng)
                factor = COLDEST ** (1 / max(sweeps - 1, 1))
                for _ in range(sweeps):
                    if problem.budget.spent():
                        raise OutOfTime
                    walk.sweep(rng, temperature)
                    temperature *= factor
                    if walk.best > best.best:
                        best = walk
                    progress.update(1, gain=round(best.best, 2))
        except OutOfTime:
            stopped = "time"
            notes.append("stopped after max_seconds: the best network so far")
        except KeyboardInterrupt:
            stopped = "interrupted"
            notes.append("interrupted: the best network so far")
    return Outcome(best.arcs(tables), calls={"annealing": differences.asked}, notes=notes, stopped=stopped)


class _Walk:
    """An ordering on its way, and the best one that it has met."""

    def __init__(self, tables: Tables, order: np.ndarray) -> None:
        self.tables, self.order = tables, order.copy()
        self.earlier, self.chosen = np.empty((2, len(order)), np.int64)
        self.score = self.best = choose(tables, order, self.earlier, self.chosen)
        self.best_order = order.copy()

    def sweep(self, rng: np.random.Generator, temperature: float, moves: int | None = None) -> None:
        """Propose as many moves as there are nodes (or ``moves``) and decide about each."""
        nodes = len(self.order)
        count = 0 if nodes < 2 else moves or nodes
        at = rng.integers(nodes, size=count)
        other = rng.integers(nodes - 1, size=count)
        far = other + (other >= at)
        near = np.where(at + 1 < nodes, at + 1, at - 1)
        places = np.stack([at, np.where(rng.random(count) < 0.5, near, far)], axis=1)
        self.score, self.best = propose(
            self.tables,
            self.order,
            (self.earlier, self.chosen),
            places,
            temperature * np.log1p(-rng.random(count)),
            (self.score, self.best),
            self.best_order,
        )

    def spread(self, rng: np.random.Generator) -> float:
        """Mean change of the score, up or down, over a hundred random moves that are all accepted."""
        changes = []
        for _ in range(100):
            before = self.score
            self.sweep(rng, np.inf, moves=1)
            changes.append(abs(self.score - before))
        return float(np.mean(changes))

    def arcs(self, tables: list[ParentTable]) -> list[tuple[int, int]]:
        """The best DAG of the best ordering."""
        choose(self.tables, self.best_order, self.earlier, self.chosen)
        masks = self.tables.masks[self.chosen].tolist()
        return sorted(
            (parent, node)
            for node, (table, mask) in enumerate(zip(tables, masks, strict=True))
            for bit, parent in enumerate(table.candidates)
            if mask >> bit & 1
        )


def _random_order(rng: np.random.Generator, required: list[list[int]]) -> np.ndarray:
    """A random ordering in which required parents come first."""
    waiting = rng.permutation(len(required)).tolist()
    order: list[int] = []
    while waiting:
        node = next(node for node in waiting if set(required[node]) <= set(order))
        waiting.remove(node)
        order.append(node)
    return np.array(order, dtype=np.int64)


def _check(max_candidates: int, sweeps: int, restarts: int) -> None:
    require_whole(max_candidates=max_candidates, sweeps=sweeps, restarts=restarts)
    if not 1 <= max_candidates <= MOST_CANDIDATES:
        raise ClimateBNError(f"max_candidates must be 1 … {MOST_CANDIDATES}; got {max_candidates}")
    if sweeps < 1:
        raise ClimateBNError(f"sweeps must be 1 or more; got {sweeps}")
