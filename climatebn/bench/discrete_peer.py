"""Another package's search by BIC on one table of codes, run as a script in that package's own environment.

    python discrete_peer.py PROGRAM CODES.npy RESULT.npz      PROGRAM: pyagrum (tabu) | pgmpy (hill climbing)

The result holds the arcs (from, to) as column numbers, and CPU seconds of learning, the package's own reading of its
table included. One thread: threads of pyAgrum that wait for each other count as busy, ten times the work and more on a
machine with other work to do.
"""

import sys
import time
from importlib import import_module
from typing import Any

import numpy as np


def as_table(codes: np.ndarray) -> Any:
    """The codes as a table of categories."""
    pandas: Any = import_module("pandas")
    names = [f"X{i}" for i in range(codes.shape[1])]
    return pandas.DataFrame(codes, columns=names).astype(str).astype("category")


def run(program: str, table: Any) -> np.ndarray:
    """The arcs that a package finds."""
    if program == "pyagrum":
        package: Any = import_module("pyagrum")
        learner = package.BNLearner(table)
        learner.setNumberOfThreads(1)
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
    table = as_table(np.load(source))
    run(program, table.iloc[:, :3])  # what is loaded at first use is no part of the time
    started = time.process_time()
    arcs = run(program, table)
    np.savez(target, arcs=arcs, seconds=time.process_time() - started)
