"""GES beside the packages `ges` and `xges`: BIC of the network found, and CPU seconds, on the same data.

Data: samples of the four Gaussian reference networks with n = 5·|Θ| (|Θ| = 2N + |A|), and the 72 tropical nodes of the
embedded monthly anomalies (|lat| < 10°). The other packages run in an environment of their own, with limited CPU time.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import climatebn as cb
from climatebn.bench import ges_peer
from climatebn.bench.peers import run_peer
from climatebn.graph import Dag, Pdag, extension
from climatebn.network.reference import GAUSSIAN

PACKAGES = ("ges", "xges")
PEERS = ("ges", "xges-0", "xges", "xges-default")


class Row(NamedTuple):
    """One program on one data set; ``edges`` and ``bic`` are None where it did not end within its CPU time."""

    data: str
    nodes: int
    program: str
    edges: int | None
    bic: float | None
    seconds: float


def compare(environment: Path | None = None, max_seconds: int = 600, seed: int = 1) -> Iterator[Row]:
    """Every program on every data set, row by row; the other packages only where ``environment`` has them."""
    cb.learn(cb.GaussianStats(10, np.eye(3)), "ges", progress=False).uninterrupted()  # loads the compiled code
    for name, values in samples(seed):
        stats = cb.GaussianStats.of(values)
        for program, learner in OWN.items():
            started = time.process_time()
            dag: Dag | None = learner(stats)
            yield _row(name, stats, f"climatebn {program}", dag, time.process_time() - started)
        if environment is not None:
            for peer in PEERS:
                yield _row(name, stats, peer, *_peer(environment, peer, values, max_seconds))


def samples(seed: int) -> Iterator[tuple[str, np.ndarray]]:
    """The data sets by name."""
    for name in GAUSSIAN:
        network = cb.reference_network(name)
        size = 2 * len(network.names) + len(network.dag.numbered_arcs)
        yield name, network.sample(5 * size, seed=seed).to_numpy()
    field = cb.load_ncep()
    yield "tropics", cb.to_nodes(cb.anomalies(field.sel(lat=abs(field.lat) < 10))).values


def _ges(stats: cb.GaussianStats, start: Dag | None = None) -> Dag | None:
    return cb.learn(stats, "ges", start=start, progress=False).uninterrupted().dag


def _annealing_then_ges(stats: cb.GaussianStats) -> Dag | None:
    knowledge = cb.Knowledge(max_parents=8)
    return _ges(stats, cb.learn(stats, "annealing", seed=1, knowledge=knowledge, progress=False).uninterrupted().dag)


OWN: dict[str, Callable[[cb.GaussianStats], Dag | None]] = {"ges": _ges, "annealing, then ges": _annealing_then_ges}


def _row(name: str, stats: cb.GaussianStats, program: str, dag: Dag | None, seconds: float) -> Row:
    if dag is None:
        return Row(name, len(stats.names), program, None, None, seconds)
    bic = sum(cb.BIC().local(stats, node, parents) for node, parents in enumerate(dag.numbered_parents))
    return Row(name, len(dag), program, len(dag.numbered_arcs), bic, seconds)


def _peer(environment: Path, peer: str, values: np.ndarray, max_seconds: int) -> tuple[Dag | None, float]:
    """The network that another package finds, None if it needs more than ``max_seconds`` of CPU time."""
    found = run_peer(environment, ges_peer.__file__, peer, values, max_seconds)
    if found is None:
        return None, float(max_seconds)
    matrix = found["cpdag"]
    names = [str(node) for node in range(len(matrix))]
    both = matrix & matrix.T
    graph = Pdag.from_edges(names, np.argwhere(matrix & ~both).tolist(), np.argwhere(np.triu(both)).tolist())
    return extension(graph), float(found["seconds"])
