"""Simulated annealing over topological orderings: the best DAG of an ordering is a table lookup for each node.

A move swaps two adjacent nodes or takes one node to another place, each kind half of the time; it is accepted with
probability min(1, exp(Δ/T)), Δ the change of the score. The temperature begins at the mean |Δ| of a hundred random
moves and falls geometrically, sweep by sweep (N moves a sweep), to a thousandth of that. The best ordering met wins.
Hill climbing goes first, so that there is an answer whenever time is over; the better of the two is handed back.
Orderings: Friedman, Koller (2003); Teyssier, Koller (2005). Annealing over them: Balov, Salzman (catnet).
"""

from collections.abc import Sequence
from dataclasses import replace
from math import comb

import numpy as np

from climatebn.errors import MANY, ClimateBNError, OutOfTime, public, whole, whole_options
from climatebn.graph import Dag
from climatebn.kernels.constants import TAU
from climatebn.kernels.ordering import Tables, choose, propose
from climatebn.learning.problem import Budget, Outcome, Problem, Stopped
from climatebn.learning.score.differences import Differences
from climatebn.learning.score.hill_climbing import walk_greedily
from climatebn.learning.score.limits import limits, past_first
from climatebn.learning.score.parent_tables import ParentTable, joined, parent_table, required_only
from climatebn.rng import generator

MOST_CANDIDATES = 62  # bits of a word
GREEDY_SECONDS = 1.0  # of hill climbing at least, so that there is an answer
COLDEST = 1e-3  # share of the first temperature that is left at the end
MOST_SETS = {"gaussian": 1_500_000, "discrete": 250_000}  # sets of parents to score, of all nodes together


@public
def annealing(
    problem: Problem,
    *,
    candidates: np.ndarray | None = None,
    max_candidates: int = 16,
    sweeps: int = 1000,
    restarts: int = 2,
) -> Outcome:
    """Simulated annealing over topological orderings.

    Given an ordering, each node has its best set of at most ``max_parents`` parents (of the knowledge; where that has
    no limit, as many as `most_parents` can afford) among its candidate parents that come earlier. Where that limit is
    met, ``notes`` names the nodes. Exact when N − 1 ≤ ``max_candidates`` and the limit is not met; never worse than
    hill climbing.

    Parameters
    ----------
    candidates : matrix, true at [from, to] where an arc may be; all when left out.
    max_candidates : candidate parents of a node at most, those of hill climbing first; see `parent_tables`.
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
    cap = differences.most_parents
    if problem.knowledge.max_parents is None:
        affordable = most_parents(len(required), max_candidates, MOST_SETS[problem.stats.kind])
        cap = differences.most_parents = min(cap, max(affordable, *(len(needed) for needed in required)))
    greedy = walk_greedily(_at_least(problem), "hill climbing first", candidates=candidates, start=None, max_iter=None)
    if greedy.stopped == "interrupted":
        return replace(greedy, calls={"greedy": greedy.calls["search"], "annealing": 0})
    first = Dag.from_arcs(problem.stats.names, greedy.directed)
    tables = [required_only(needed) for needed in required]  # until the score has been asked
    ordered = np.array(Dag.from_arcs(problem.stats.names, where.start).numbered_order)
    best = _Walk(joined(tables), *past_first(problem, ordered))
    notes: list[str] = []
    stopped: Stopped = ""
    with problem.show("annealing: tables", len(tables)) as progress:
        try:
            for node, needed in enumerate(required):
                free = np.flatnonzero(~where.barred[node]).tolist()
                tables[node] = parent_table(
                    differences, node, needed, free, max_candidates, first.numbered_parents[node]
                )
                progress.update()
            best = _Walk(joined(tables), *past_first(problem, np.array(first.numbered_order)))
            progress.describe("annealing", sweeps * (restarts + 1))
            for run in range(restarts + 1):
                rng = generator(problem.seed or 0, "annealing", run)
                walk = _Walk(best.tables, *past_first(problem, _random_order(rng, required)))
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
    climbed = float(sum(step.gain for step in greedy.trace))
    arcs = best.arcs(tables)
    notes += _limit_met(problem, arcs, cap)
    if climbed > best.best + TAU * differences.unit:
        arcs = list(greedy.directed)
        notes.append(f"the network of hill climbing scores higher, by {climbed - best.best:.6g}, and was taken")
    return Outcome(
        arcs, calls={"greedy": greedy.calls["search"], "annealing": differences.asked}, notes=notes, stopped=stopped
    )


def most_parents(nodes: int, max_candidates: int, most_sets: int) -> int:
    """The largest number of parents for which all sets of the candidates of all nodes can be scored; 4 at least.

    >>> most_parents(20, 16, 1_500_000), most_parents(60, 16, 1_500_000), most_parents(648, 16, 1_500_000)
    (16, 6, 4)
    """
    count = min(nodes - 1, max_candidates)
    sets = np.cumsum([comb(count, size) for size in range(count + 1)])
    return min(count, max(4, int(np.searchsorted(sets * nodes, most_sets, side="right")) - 1))


def _at_least(problem: Problem) -> Problem:
    """The problem with a second for hill climbing, if ``max_seconds`` leaves less."""
    limit = problem.budget.max_seconds
    return problem if limit is None else replace(problem, budget=Budget(max(limit, GREEDY_SECONDS)))


def _limit_met(problem: Problem, arcs: Sequence[tuple[int, int]], cap: int) -> list[str]:
    """In words, where the limit on the sets of parents held the search back."""
    names = problem.stats.names
    counts = np.bincount([target for _, target in arcs], minlength=len(names))
    full = [names[node] for node in np.flatnonzero(counts == cap)]
    if not full or cap in (problem.knowledge.max_parents, len(names) - 1):
        return []
    shown = ", ".join(full[:10]) + (f" and {len(full) - 10} more" if len(full) > 10 else "")
    return [
        f"{len(names)} nodes and {problem.stats.n} observations allow {cap} parents here; reached by {shown}. "
        f"Knowledge(max_parents={cap + 2}) allows more, at a cost; tabu has no such limit"
    ]


class _Walk:
    """An ordering on its way, and the best one that it has met; its first ``fixed`` nodes stay where they are."""

    def __init__(self, tables: Tables, order: np.ndarray, fixed: int = 0) -> None:
        self.tables, self.order, self.fixed = tables, order.copy(), fixed
        self.earlier, self.chosen = np.empty((2, len(order)), np.int64)
        self.score = self.best = choose(tables, order, self.earlier, self.chosen)
        self.best_order = order.copy()

    def sweep(self, rng: np.random.Generator, temperature: float, moves: int | None = None) -> None:
        """Propose as many moves as there are nodes (or ``moves``) and decide about each."""
        nodes = len(self.order) - self.fixed
        count = 0 if nodes < 2 else moves or nodes
        at = rng.integers(nodes, size=count)
        other = rng.integers(nodes - 1, size=count)
        far, near = other + (other >= at), at + 1
        near[near == nodes] -= 2
        places = np.empty((count, 2), np.int64)
        places[:, 0], places[:, 1] = at, np.where(rng.random(count) < 0.5, near, far)
        places += self.fixed
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
    whole_options(max_candidates=max_candidates, restarts=restarts)
    if not 1 <= max_candidates <= MOST_CANDIDATES:
        raise ClimateBNError(f"max_candidates must be 1 … {MOST_CANDIDATES}; got {max_candidates}")
    whole("sweeps", sweeps, 1, MANY)
