"""Tigramite on one record, run as a script in that package's own environment.

    python lagged_peer.py pcmci|pcmciplus MATRIX.npy RESULT.npz

ParCorr, lags up to 2, α = 0.01; the result holds the lagged arcs (source, target, lag) and CPU seconds. PCMCI makes its
tests one by one, so that its arcs at a false discovery rate of 0.01 (Benjamini–Hochberg) are there as well.
"""

import sys
import time
from importlib import import_module
from typing import Any

import numpy as np

ALPHA = 0.01


def run(program: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """The lagged arcs that a program finds; of PCMCI also those of corrected p-values."""
    table: Any = import_module("tigramite.data_processing")
    search: Any = import_module("tigramite.pcmci")
    tests: Any = import_module("tigramite.independence_tests.parcorr")
    pcmci = search.PCMCI(dataframe=table.DataFrame(values), cond_ind_test=tests.ParCorr(), verbosity=0)
    if program == "pcmciplus":
        return {"arcs": arcs(pcmci.run_pcmciplus(tau_min=0, tau_max=2, pc_alpha=ALPHA)["graph"] == "-->")}
    found = pcmci.run_pcmci(tau_min=1, tau_max=2, pc_alpha=ALPHA, alpha_level=ALPHA)
    corrected = pcmci.get_corrected_pvalues(found["p_matrix"], tau_min=1, tau_max=2, fdr_method="fdr_bh")
    return {"arcs": arcs(found["graph"] == "-->"), "corrected": arcs(corrected <= ALPHA)}


def arcs(there: Any) -> np.ndarray:
    """(source, target, lag) of the lagged arcs."""
    found = np.argwhere(np.asarray(there))
    return found[found[:, 2] > 0]


if __name__ == "__main__":
    program, source, goal = sys.argv[1:]
    values = np.load(source)
    run(program, values[:100, :3])
    started = time.process_time()
    found: dict[str, Any] = dict(run(program, values))
    np.savez(goal, seconds=time.process_time() - started, **found)
