"""Reading a BIF file, and exact answers for all nodes given one, beside pyAgrum: CPU seconds on reference networks.

The best of three rounds, in an own process here and there. A round reads the file, or asks six times for every node.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

import climatebn as cb
from climatebn.bench import questions_peer
from climatebn.bench.peers import run_peer

NETWORKS = ("alarm", "hailfinder", "win95pts", "andes", "pathfinder", "pigs")
PACKAGES = ("pyagrum",)
QUESTIONS = 6


class Row(NamedTuple):
    """One program on one network; ``difference`` of its probabilities from ours, the largest; None for ours."""

    data: str
    program: str
    reading: float
    answers: float
    difference: float | None


def compare(
    networks: Sequence[str] = NETWORKS, environment: Path | None = None, max_seconds: int = 300
) -> Iterator[Row]:
    """Both programs on every network, row by row; pyAgrum only where ``environment`` has it."""
    for network in networks:
        with TemporaryDirectory() as folder:
            path = str(Path(folder, f"{network}.bif"))
            source: Any = cb.reference_network(network)
            cb.write_bif(source, path)
            bn = cb.read_bif(path)
            seen = np.linspace(0, len(bn.names) - 1, QUESTIONS).round().astype(np.int64)
            given = [{bn.names[i]: bn.levels[i][0]} for i in seen.tolist()]
            reading = questions_peer.best(partial(cb.read_bif, path))
            answers = questions_peer.best(partial(_ask, bn, given))
            yield Row(network, "climatebn", reading, answers, None)
            if environment is None:
                continue
            found = run_peer(environment, questions_peer.__file__, "pyagrum", seen, max_seconds, path)
            if found is None:
                yield Row(network, "pyagrum", max_seconds, max_seconds, None)
                continue
            own = np.concatenate([bn.condition(given[-1])[name].to_numpy() for name in bn.names])
            seconds = float(found["reading"]), float(found["answers"])
            yield Row(network, "pyagrum", *seconds, float(np.abs(own - found["probabilities"]).max()))


def _ask(network: cb.DiscreteBN, given: list[dict[str, str]]) -> None:
    for one in given:
        network.condition(one)
