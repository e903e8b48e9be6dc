"""Learning from discrete data beside pyAgrum and pgmpy: arcs and CPU seconds on samples of five reference networks.

Searches use BIC, tests G² at 0.01. The other packages run in an environment of their own, with limited CPU time.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import climatebn as cb
from climatebn.bench import discrete_peer
from climatebn.bench.peers import run_peer
from climatebn.rng import generator

NETWORKS = ("alarm", "hailfinder", "win95pts", "andes", "pigs")
ALGORITHMS = ("tabu", "hill_climbing", "pc_stable", "grow_shrink", "inter_iamb", "mmhc", "h2pc")
PACKAGES = ("pyagrum", "pgmpy")


class Row(NamedTuple):
    """One program on one data set; ``edges`` is None where it did not end within its CPU time."""

    data: str
    program: str
    edges: int | None
    seconds: float


def compare(
    networks: Sequence[str] = NETWORKS, environment: Path | None = None, max_seconds: int = 300, n: int = 5000
) -> Iterator[Row]:
    """Every program on a sample of every network, row by row; the others only where ``environment`` has them.

    ``max_seconds`` of CPU time are for each run of the others.
    """
    for network in ("child", *networks):
        source: Any = cb.reference_network(network)
        stats = source.sample_stats(n, generator(1, "discrete bench", network))
        for algorithm in ALGORITHMS:
            score = algorithm in ("tabu", "hill_climbing", "mmhc", "h2pc")
            started = time.process_time()
            result = cb.learn(
                stats,
                algorithm,
                cb.BIC() if score else cb.G2(0.01),
                test=cb.G2(0.01) if algorithm in ("mmhc", "h2pc") else None,
                progress=False,
            ).uninterrupted()
            seconds = time.process_time() - started
            if network != "child":  # that one only loads the compiled code
                yield Row(network, f"climatebn {algorithm}", len(result.graph.skeleton), seconds)
        if environment is None or network == "child":
            continue
        for peer in PACKAGES:
            found = run_peer(environment, discrete_peer.__file__, peer, stats.codes, max_seconds)
            edges, seconds = (None, max_seconds) if found is None else (len(found["arcs"]), float(found["seconds"]))
            yield Row(network, peer, edges, seconds)
