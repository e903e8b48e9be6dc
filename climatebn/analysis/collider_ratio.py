r"""Unshielded v-structures i → j ← k (i, k not adjacent) as a share of the pairs of arcs that meet in a node.

The paper's random baseline is 0.25 − |A| / C(N, 2): each of two arcs points at the shared node with probability ½. In
a random DAG the directions of two such arcs are not independent (the shared node comes last of three with probability
⅓), so a baseline simulated from random DAGs, uniform orderings with |A| uniform pairs, stands beside it.
"""

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from climatebn.analysis.links import as_graph
from climatebn.errors import MANY, public, whole
from climatebn.graph import adjacent_arc_pairs, colliders
from climatebn.rng import generator


@public
@dataclass(frozen=True)
class VStructures:
    """Counts of a graph, and what random graphs of its size have.

    Attributes
    ----------
    unshielded, shielded : number of v-structures i → j ← k without, and with, an edge between i and k.
    pairs : pairs of arcs that share a node.
    ratio : unshielded / pairs; NaN where no arcs meet.
    paper_baseline : 0.25 − arcs / pairs of nodes, as the paper has it.
    simulated_mean, simulated_sd : of the ratio in random DAGs with as many nodes and arcs; NaN without simulations.
    simulations : how many random DAGs there were.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.vstructures(cb.Dag.from_arcs("abc", [("a", "b"), ("c", "b")]), simulations=0).ratio
    1.0
    """

    unshielded: int
    shielded: int
    pairs: int
    ratio: float
    paper_baseline: float
    simulated_mean: float
    simulated_sd: float
    simulations: int


@public
def vstructures(graph: Any, *, simulations: int = 20, seed: int | None = 1) -> VStructures:
    """Unshielded v-structures of a graph beside two random baselines.

    Parameters
    ----------
    graph : Dag, Pdag, LearnResult (its ``graph``) or fitted network.
    simulations : random DAGs with as many nodes and arcs; 0 leaves the simulated baseline out (NaN).
    seed : names the random DAGs.

    Returns
    -------
    VStructures: counts, their ratio to adjacent pairs of arcs, and the two baselines.

    Notes
    -----
    With a arcs between N nodes, and the baseline as Scutari, Graafland and Gutiérrez (2019) have it::

        ratio = unshielded v-structures / pairs of arcs that share a node
        paper_baseline = 0.25 − a / (N (N − 1) / 2)

    In a random DAG the directions of two arcs that meet are not independent, so the ratio is simulated too.

    Examples
    --------
    >>> import climatebn as cb
    >>> vs = cb.vstructures(cb.Dag.from_arcs("abcd", [("a", "b"), ("c", "b"), ("b", "d")]))
    >>> vs.unshielded, vs.pairs, round(vs.ratio, 3)
    (1, 3, 0.333)
    """
    simulations = whole("simulations", simulations, 0, MANY)
    pdag = as_graph(getattr(graph, "graph", graph))
    size, arcs = len(pdag), len(pdag.numbered_skeleton)
    unshielded, shielded = colliders(pdag)
    pairs = adjacent_arc_pairs(pdag)
    rng = generator(seed, "vstructures", size, arcs)
    ratios = np.array([_random_ratio(size, arcs, rng) for _ in range(simulations)]) if pairs else np.zeros(0)
    return VStructures(
        unshielded=len(unshielded),
        shielded=len(shielded),
        pairs=pairs,
        ratio=len(unshielded) / pairs if pairs else float("nan"),
        paper_baseline=0.25 - arcs / comb(size, 2) if size > 1 else float("nan"),
        simulated_mean=float(np.nanmean(ratios)) if np.isfinite(ratios).any() else float("nan"),
        simulated_sd=float(np.nanstd(ratios)) if np.isfinite(ratios).any() else float("nan"),
        simulations=simulations,
    )


def _random_ratio(size: int, arcs: int, rng: np.random.Generator) -> float:
    """The ratio of one random DAG; which names its nodes have does not matter, so the ordering is 0, 1, 2, …"""
    numbers = rng.choice(comb(size, 2), arcs, replace=False)
    child = np.floor((1 + np.sqrt(1 + 8 * numbers)) / 2).astype(np.int64)  # pair (p, c), p < c, is c(c−1)/2 + p
    parent = numbers - child * (child - 1) // 2
    degree = np.bincount(np.concatenate([parent, child]), minlength=size)
    indegree = np.bincount(child, minlength=size)
    pairs = (degree * (degree - 1) // 2).sum()
    adjacency = csr_array((np.ones(arcs, dtype=np.int64), (parent, child)), shape=(size, size))
    shielded = ((adjacency @ adjacency.T) * adjacency).sum()  # common children of nodes that are adjacent
    return float(((indegree * (indegree - 1) // 2).sum() - shielded) / pairs) if pairs else float("nan")
