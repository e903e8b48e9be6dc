"""PyBNesian's hill climbing on one matrix, run as a script in that package's own environment.

    python engine_peer.py pybnesian MATRIX.npy RESULT.npz

The result holds the arcs (from, to) as column numbers and CPU seconds of the search alone.
"""

import sys
import time
from importlib import import_module
from typing import Any

import numpy as np


def run(program: str, values: np.ndarray) -> tuple[np.ndarray, float]:
    """The arcs that hill climbing with the plain BIC finds, and its CPU seconds."""
    package: Any = import_module(program)
    arrow: Any = import_module("pyarrow")
    names = [f"X{i}" for i in range(values.shape[1])]
    batch = arrow.RecordBatch.from_arrays([arrow.array(column) for column in values.T], names=names)
    started = time.process_time()
    found = package.hc(batch, bn_type=package.GaussianNetworkType(), score="bic")
    seconds = time.process_time() - started
    arcs = sorted((int(a[1:]), int(b[1:])) for a, b in found.arcs())
    return np.array(arcs, dtype=np.int64).reshape(-1, 2), seconds


if __name__ == "__main__":
    program, source, target = sys.argv[1:]
    arcs, seconds = run(program, np.load(source))
    np.savez(target, arcs=arcs, seconds=seconds)
