"""Lagged arcs found again: records of random networks in time, beside tigramite's PCMCI and PCMCI+ (ParCorr).

Truth: random sparse stable networks, N nodes, two parents a node at lags 1 and 2, coefficients ±0.2 … 0.4. Precision
and recall of lagged arcs, and CPU seconds of each program on the same records; then the 72 tropical places of the
embedded anomalies with lags 0, 1, 2, of which the truth is not known.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import climatebn as cb
from climatebn.bench import lagged_peer
from climatebn.bench.peers import run_peer
from climatebn.rng import generator

PACKAGES = ("tigramite", "joblib")  # the second is needed by the first, which does not say so
PEERS = ("pcmci", "pcmciplus")
LAGS = (1, 2)
PARENTS = 2
Arcs = set[tuple[int, int, int]]  # (source, target, lag)


class Row(NamedTuple):
    """One program on one record; precision and recall are None without a truth, all is where it did not end."""

    data: str
    program: str
    arcs: int | None
    precision: float | None
    recall: float | None
    seconds: float


def compare(
    environment: Path | None = None, max_seconds: int = 600, records: int = 3, nodes: int = 50, n: int = 2000
) -> Iterator[Row]:
    """Every program on every record, row by row; tigramite only where ``environment`` has it."""
    _learned(np.eye(10, 3) + np.arange(30).reshape(10, 3) % 7, (1,), 0.5)  # loads the compiled code
    for number in range(records):
        values, truth = simulated(nodes, n, number)
        yield from _rows(f"random {number + 1}", values, LAGS, 0.5, truth, environment, max_seconds)
    field = cb.load_ncep()
    tropics = cb.to_nodes(cb.anomalies(field.sel(lat=abs(field.lat) < 10))).values
    yield from _rows("tropics", tropics, (0, 1, 2), 1.0, None, environment, max_seconds)


def simulated(nodes: int, n: int, seed: int) -> tuple[np.ndarray, Arcs]:
    """A record of n months of a random stable network, and its arcs."""
    random = generator(seed, "lagged")
    weights = np.zeros((len(LAGS), nodes, nodes))
    while True:
        weights[:] = 0.0
        for target in range(nodes):
            for pick in random.choice(nodes * len(LAGS), PARENTS, replace=False):
                weights[pick // nodes, target, pick % nodes] = random.uniform(0.2, 0.4) * random.choice([-1, 1])
        companion = np.zeros((2 * nodes, 2 * nodes))
        companion[:nodes] = np.concatenate(list(weights), axis=1)
        companion[nodes:, :nodes] = np.eye(nodes)
        if np.abs(np.linalg.eigvals(companion)).max() < 0.95:
            break
    values = random.normal(size=(n + 200, nodes))
    for t in range(2, len(values)):
        values[t] += weights[0] @ values[t - 1] + weights[1] @ values[t - 2]
    found = np.argwhere(weights).tolist()
    return values[200:], {(source, target, LAGS[k]) for k, target, source in found}


def _learned(values: np.ndarray, lags: tuple[int, ...], gamma: float) -> Arcs:
    size = values.shape[1]
    result = cb.learn(values, "tabu", cb.BIC(gamma=gamma), lags=lags, progress=False).uninterrupted()
    past = [lag for lag in lags if lag]
    arcs = [] if result.dag is None else result.dag.numbered_arcs.tolist()
    return {(a % size, b, past[a // size - 1]) for a, b in arcs if a >= size}


def _rows(
    name: str,
    values: np.ndarray,
    lags: tuple[int, ...],
    gamma: float,
    truth: Arcs | None,
    environment: Path | None,
    max_seconds: int,
) -> Iterator[Row]:
    started = time.process_time()
    yield _row(name, f"climatebn tabu γ={gamma:g}", _learned(values, lags, gamma), truth, time.process_time() - started)
    for peer in PEERS if environment is not None else ():
        assert environment is not None
        found = run_peer(environment, lagged_peer.__file__, peer, values, max_seconds)
        if found is None:
            yield Row(name, peer, None, None, None, float(max_seconds))
        else:
            for label, key in ((peer, "arcs"), (f"{peer}, FDR 0.01", "corrected")):
                if key in found:
                    arcs = {(int(a), int(b), int(lag)) for a, b, lag in found[key]}
                    yield _row(name, label, arcs, truth, float(found["seconds"]))


def _row(name: str, program: str, arcs: Arcs, truth: Arcs | None, seconds: float) -> Row:
    if truth is None:
        return Row(name, program, len(arcs), None, None, seconds)
    hits = len(arcs & truth)
    return Row(name, program, len(arcs), hits / max(len(arcs), 1), hits / len(truth), seconds)
