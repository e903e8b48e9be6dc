"""Another package's reading of a BIF file and its answers, run as a script in that package's own environment.

    python questions_peer.py pyagrum SEEN.npy RESULT.npz NETWORK.bif

SEEN has the numbers of the nodes given, one a question. The result holds CPU seconds of reading and of all questions,
and the probabilities of all nodes at the last question.
"""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np


def best(work: Callable[[], Any], rounds: int = 3) -> float:
    """CPU seconds of the quickest of some rounds."""
    seconds = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def answer(package: Any, network: Any, names: list[str], seen: int) -> np.ndarray:
    """The probabilities of all nodes, one after the other, where the node ``seen`` has its first level."""
    inference = package.LazyPropagation(network)
    inference.setNumberOfThreads(1)
    inference.setEvidence({names[seen]: 0})
    inference.makeInference()
    return np.concatenate([inference.posterior(name).toarray() for name in names])


if __name__ == "__main__":
    _, source, target, path = sys.argv[1:]
    package: Any = import_module("pyagrum")
    seen = np.load(source).tolist()
    network = package.loadBN(path)
    names = [network.variable(i).name() for i in sorted(network.nodes())]  # in the order of the file
    np.savez(
        target,
        reading=best(lambda: package.loadBN(path)),
        answers=best(lambda: [answer(package, network, names, i) for i in seen]),
        probabilities=answer(package, network, names, seen[-1]),
    )
