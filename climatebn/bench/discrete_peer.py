"""Another package's search by BIC on one table of codes, run as a script in that package's own environment.

    python discrete_peer.py PROGRAM CODES.npy RESULT.npz      PROGRAM: pyagrum (tabu) | pgmpy (hill climbing)

The result holds the arcs (from, to) as column numbers, and CPU seconds.
"""

import sys
import time
from importlib import import_module
from typing import Any

import numpy as np


def run(program: str, codes: np.ndarray) -> np.ndarray:
    """The arcs that a package finds."""
    pandas: Any = import_module("pandas")
    names = [f"X{i}" for i in range(codes.shape[1])]
    table = pandas.DataFrame(codes, columns=names).astype(str).astype("category")
    if program == "pyagrum":
        package: Any = import_module("pyagrum")
        learner = package.BNLearner(table)
        learner.useScoreBIC()
        learner.useLocalSearchWithTabuList()
        found = [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in learner.learnDAG().arcs()]
    else:
        estimators: Any = import_module("pgmpy.estimators")
        found = estimators.HillClimbSearch(table).estimate(scoring_method="bic-d", show_progress=False).edges()
    arcs = sorted((int(a[1:]), int(b[1:])) for a, b in found)
    return np.array(arcs, dtype=np.int64).reshape(-1, 2)


if __name__ == "__main__":
    program, source, target = sys.argv[1:]
    codes = np.load(source)
    run(program, codes[:, :3])  # what is loaded at first use is no part of the time
    started = time.process_time()
    arcs = run(program, codes)
    np.savez(target, arcs=arcs, seconds=time.process_time() - started)
