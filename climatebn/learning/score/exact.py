"""The network with the highest score of all, by dynamic programming over sets of nodes: the oracle for every search."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from climatebn.errors import ClimateBNError, OutOfTime, public
from climatebn.kernels.order_search.subsets import best_parents, best_sinks, family_scores
from climatebn.learning.problem import Budget, Outcome, Problem, Stopped
from climatebn.learning.score.differences import Differences
from climatebn.learning.score.limits import limits
from climatebn.learning.score.tabu import tabu

MOST_NODES = 20
CHUNK = 1 << 12  # sets between looks at the clock


@public
def exact(problem: Problem, *, candidates: np.ndarray | None = None) -> Outcome:
    """The optimum, for up to 20 nodes: time and memory double with each node.

    Parameters
    ----------
    candidates : matrix, true at [from, to] where an arc may be; all when left out.

    Every set of parents that knowledge and data allow is scored once: that is one call. ``max_parents`` of the
    knowledge makes it faster. When time is over before the optimum is known the answer is that of `tabu`, with a note.

    >>> import climatebn as cb
    >>> cov = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.5, 0.5, 1.0]]
    >>> cb.learn(cb.GaussianStats(100, cov), "exact").dag.arcs
    [('X1', 'X3'), ('X2', 'X3')]
    """
    size = len(problem.stats.names)
    if size > MOST_NODES:
        raise ClimateBNError(
            f"exact is for {MOST_NODES} nodes or fewer; {size} nodes would need {_memory(size)}. "
            "Use algorithm='boss' or 'best', or fewer nodes"
        )
    where = limits(problem, candidates, None)
    differences = Differences(problem)
    tables = np.full((size, 1 << (size - 1)), -np.inf)
    chosen = np.empty(tables.shape, np.int32)
    asked = 0
    try:
        with problem.show("exact", size, "node") as progress:
            for node in range(size):
                asked += _score_all(problem, differences, node, tables[node])
                _honour(where.barred[node] & ~where.kept[node], where.kept[node], node, tables[node])
                best_parents(tables[node], chosen[node])
                progress.update()
            total, sink = np.empty(1 << size), np.zeros(1 << size, np.int8)
            best_sinks(tables, total, sink)
    except (OutOfTime, KeyboardInterrupt) as cut:
        stopped: Stopped = "interrupted" if isinstance(cut, KeyboardInterrupt) else "time"
        why = "interrupted" if stopped == "interrupted" else "stopped after max_seconds"
        found = tabu(replace(problem, budget=Budget()), candidates=candidates)  # milliseconds, for so few nodes
        notes = [f"{why} before the optimum was known: this is the network of tabu"]
        return Outcome(found.directed, calls={"exact": asked, **found.calls}, notes=notes, stopped=stopped)
    return Outcome(_arcs(size, sink, chosen), calls={"exact": asked})


def _score_all(problem: Problem, differences: Differences, node: int, out: np.ndarray) -> int:
    """Score every set of parents of a node; how many there were."""
    most = differences.most_parents
    if differences.form is not None:
        for first in range(0, len(out), CHUNK):
            if problem.budget.spent():
                raise OutOfTime
            family_scores(differences.form, node, most, out, first, min(first + CHUNK, len(out)))
        return int(np.sum(out > -np.inf))
    others = [j for j in range(len(problem.stats.names)) if j != node]
    asked = 0
    for count in range(most + 1):
        for parents in combinations(range(len(others)), count):
            if problem.budget.spent():
                raise OutOfTime
            word = sum(1 << bit for bit in parents)
            out[word] = differences.score.local(problem.stats, node, [others[bit] for bit in parents])
            asked += 1
    return asked


def _honour(barred: np.ndarray, kept: np.ndarray, node: int, scores: np.ndarray) -> None:
    """Take out the sets that knowledge does not allow."""
    words = np.arange(len(scores))
    for bit, (never, always) in enumerate(zip(np.delete(barred, node), np.delete(kept, node), strict=True)):
        held = words >> bit & 1 == 1
        if never:
            scores[held] = -np.inf
        if always:
            scores[~held] = -np.inf


def _arcs(size: int, sink: np.ndarray, chosen: np.ndarray) -> list[tuple[int, int]]:
    word, arcs = (1 << size) - 1, []
    while word:
        node = int(sink[word])
        word &= ~(1 << node)
        others = [j for j in range(size) if j != node]
        rest = sum(1 << bit for bit, j in enumerate(others) if word >> j & 1)
        held = int(chosen[node, rest])
        arcs += [(j, node) for bit, j in enumerate(others) if held >> bit & 1]
    return sorted(arcs)


def _memory(size: int) -> str:
    """What the tables would take, in words."""
    gigabytes = (size * 12 * 2.0 ** (size - 1) + 9 * 2.0**size) / 1e9
    return f"{gigabytes:.0f} GB" if gigabytes < 1e6 else "more than a million GB"
