"""Another package's GES on one matrix, run as a script in that package's own environment.

    python ges_peer.py PROGRAM MATRIX.npy RESULT.npz [PENALTY]      PROGRAM: ges | xges | xges-0 | xges-default

The result holds the matrix of the CPDAG (1 at [from, to], both ways for an undirected edge) and CPU seconds. The
packages get the plain BIC, XGES that with PENALTY times its penalty; "xges-0" is XGES without its extended search,
"xges-default" has the twofold penalty that XGES comes with. Compiled code is warmed up on three columns first.
"""

import sys
import time
from importlib import import_module
from typing import Any

import numpy as np


def run(program: str, values: np.ndarray, penalty: float = 1.0) -> np.ndarray:
    """The CPDAG that a package finds."""
    package: Any = import_module(program.split("-")[0])
    if program == "ges":
        return np.asarray(package.fit_bic(values)[0] != 0)
    search = package.XGES(alpha=2.0 if program == "xges-default" else penalty)
    found = search.fit(values, extended_search=program != "xges-0", verbose=0)
    return np.asarray(found.to_adjacency_matrix() != 0)


if __name__ == "__main__":
    del sys.path[0]  # this folder, where `ges` is another file
    program, source, target, *penalty = sys.argv[1:]
    values = np.load(source)
    run(program, values[:, :3])
    started = time.process_time()
    cpdag = run(program, values, *map(float, penalty))
    np.savez(target, cpdag=cpdag, seconds=time.process_time() - started)
