"""Order search of causal-learn on one matrix, run as a script in that package's own environment.

    python search_peer.py PROGRAM MATRIX.npy RESULT.npz [PENALTY]      PROGRAM: boss | grasp

The result holds the matrix of the CPDAG (1 at [from, to], both ways for an undirected edge) and CPU seconds. The score
is the plain BIC (causal-learn's λ = 0.5) with PENALTY times its penalty; the searches' random choices are as they fall.
"""

import sys
import time
from importlib import import_module
from typing import Any

import numpy as np

MODULES = {"boss": "BOSS", "grasp": "GRaSP"}


def run(program: str, values: np.ndarray, penalty: float = 1.0) -> np.ndarray:
    """The CPDAG that a search finds."""
    module: Any = import_module(f"causallearn.search.PermutationBased.{MODULES[program]}")
    found = getattr(module, program)(values, parameters={"lambda_value": penalty / 2}, verbose=False).graph
    return np.asarray(found == -1)  # a tail at the first node: an arc from it, or an undirected edge


if __name__ == "__main__":
    program, source, target, *penalty = sys.argv[1:]
    values = np.load(source)
    run(program, values[:, :3])  # what is loaded at first use is no part of the time
    started = time.process_time()
    cpdag = run(program, values, *map(float, penalty))
    np.savez(target, cpdag=cpdag, seconds=time.process_time() - started)
