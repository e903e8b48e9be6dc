"""Tigramite on one record, run as a script in that package's own environment.

    python lagged_peer.py pcmci|pcmciplus MATRIX.npy RESULT.npz

ParCorr, lags up to 2, α = 0.01; the result holds the lagged arcs (source, target, lag) and CPU seconds.
"""

import sys
import time
from importlib import import_module
from typing import Any

import numpy as np


def run(program: str, values: np.ndarray) -> np.ndarray:
    """The lagged arcs that a program finds."""
    table: Any = import_module("tigramite.data_processing")
    search: Any = import_module("tigramite.pcmci")
    tests: Any = import_module("tigramite.independence_tests.parcorr")
    pcmci = search.PCMCI(dataframe=table.DataFrame(values), cond_ind_test=tests.ParCorr(), verbosity=0)
    if program == "pcmci":
        found = pcmci.run_pcmci(tau_min=1, tau_max=2, pc_alpha=0.01, alpha_level=0.01)
    else:
        found = pcmci.run_pcmciplus(tau_min=0, tau_max=2, pc_alpha=0.01)
    source, target, lag = np.nonzero(np.asarray(found["graph"]) == "-->")
    arcs = np.column_stack([source, target, lag])
    return arcs[arcs[:, 2] > 0]


if __name__ == "__main__":
    program, source, goal = sys.argv[1:]
    values = np.load(source)
    run(program, values[:100, :3])
    started = time.process_time()
    arcs = run(program, values)
    np.savez(goal, arcs=arcs, seconds=time.process_time() - started)
