"""The Gaussian engine: hill climbing beside PyBNesian in one run, and how its cost grows with the number of nodes.

Beside: the first 150 and 200 nodes of the embedded anomalies, BIC with γ = 0; CPU seconds of the whole call of `learn`,
with its checks, its record and threads as they are, of its search alone, and of PyBNesian's search; and the BIC of the
networks by the same formula. Growth: the 10°, 5° and native 2.5° grids of the original NCEP file at γ = 1, each in a
fresh process that reports its own peak memory.
"""

import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import climatebn as cb
from climatebn.bench import engine_peer
from climatebn.bench.peers import run_peer
from climatebn.graph import Dag
from climatebn.learning.problem import Outcome, Problem
from climatebn.learning.score.hill_climbing import hill_climbing

PEERS = ("pybnesian",)
NODES = (150, 200)
REPEATS = 10
PERIOD = ("1981", "2010")
GRIDS = (10, 5, None)  # degrees; None: the file's own grid


class Beside(NamedTuple):
    """A program; ``arcs`` and ``bic`` are None where it did not end; ``ratio``: its seconds over those of `learn`."""

    nodes: int
    program: str
    arcs: int | None
    bic: float | None
    seconds: float
    ratio: float


class Growth(NamedTuple):
    """One search to its end; ``per_step`` is in µs, ``memory`` the peak of its process in GB."""

    nodes: int
    gamma: float
    arcs: int
    steps: int
    seconds: float
    per_step: float
    memory: float


def beside(environment: Path | None = None, max_seconds: int = 600) -> Iterator[Beside]:
    """Hill climbing of climatebn, then of PyBNesian where ``environment`` has it."""
    everywhere = cb.to_nodes(cb.anomalies(cb.load_ncep())).values
    for nodes in NODES:
        values = everywhere[:, :nodes]
        stats = cb.GaussianStats.of(values)
        whole, result = _fastest(values, _learned)
        yield Beside(nodes, "learn", len(result.dag.numbered_arcs), _bic(stats, result.dag), whole, 1.0)
        own, outcome = _fastest(values, _searched)
        dag = Dag.from_arcs(stats.names, outcome.directed)
        yield Beside(nodes, "its search", len(dag.numbered_arcs), _bic(stats, dag), own, own / whole)
        if environment is None:
            continue
        for peer in PEERS:
            found = run_peer(environment, engine_peer.__file__, peer, values, max_seconds)
            if found is None:
                yield Beside(nodes, peer, None, None, float(max_seconds), max_seconds / whole)
            else:
                other, seconds = Dag.from_arcs(stats.names, found["arcs"].tolist()), float(found["seconds"])
                yield Beside(nodes, peer, len(other.numbered_arcs), _bic(stats, other), seconds, seconds / whole)


def embedded() -> Iterator[Growth]:
    """All 648 nodes of the embedded anomalies at γ = 0.5 and 0."""
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    for gamma in (0.5, 0.0):
        yield min((search(data, gamma) for _ in range(3)), key=lambda row: row.seconds)


def growth(field: Path) -> Iterator[Growth]:
    """Hill climbing at γ = 1 on finer and finer grids of one file."""
    context = multiprocessing.get_context("spawn")
    for degrees in GRIDS:
        with ProcessPoolExecutor(1, mp_context=context) as executor:
            yield executor.submit(on_grid, field, degrees).result()


def on_grid(field: Path, degrees: float | None, gamma: float = 1.0) -> Growth:
    """The search on the anomalies of one grid, after a small one that loads the compiled code."""
    values = cb.open_field(field).sel(time=slice(*PERIOD))
    if degrees is not None:
        values = cb.regrid(values, cb.Grid.regular(degrees))
    data = cb.to_nodes(cb.anomalies(values, base=PERIOD))
    cb.learn(data.values[:, :20], "hill_climbing", progress=False).uninterrupted()
    return search(data, gamma)


def search(data: cb.NodeData, gamma: float) -> Growth:
    """One search, measured."""
    started = time.process_time()
    result = cb.learn(data, "hill_climbing", cb.BIC(gamma=gamma), progress=False).uninterrupted()
    seconds = time.process_time() - started
    steps = len(result.trace)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return Growth(
        len(data.names), gamma, len(result.graph.numbered_skeleton), steps, seconds, 1e6 * seconds / steps, memory
    )


def _fastest(values: np.ndarray, find: Callable[[np.ndarray], Any]) -> tuple[float, Any]:
    """CPU seconds of the fastest of some runs (the first one compiles), and what they found."""
    runs = []
    for _ in range(REPEATS + 1):
        started = time.process_time()
        found = find(values)
        runs.append(time.process_time() - started)
    return min(runs), found


def _searched(values: np.ndarray) -> Outcome:
    return hill_climbing(Problem(cb.GaussianStats.of(values), cb.BIC(), None, cb.Knowledge()))


def _learned(values: np.ndarray) -> cb.LearnResult:
    return cb.learn(values, "hill_climbing", cb.BIC(), progress=False).uninterrupted()


def _bic(stats: cb.GaussianStats, dag: Dag) -> float:
    return float(sum(cb.BIC().local(stats, node, parents) for node, parents in enumerate(dag.numbered_parents)))
