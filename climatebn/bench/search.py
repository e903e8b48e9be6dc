"""Searches beside each other and beside other packages: score, CPU seconds, held-out likelihood, arcs, SHD.

All networks are scored by the same BIC_γ. The other packages run in an environment of their own with limited CPU time
and are seen on the data of their kind; where γ > 0 only those of them whose penalty can be set.
"""

import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import climatebn as cb
from climatebn.bench import discrete_peer, engine_peer, ges_peer, search_peer
from climatebn.bench.peers import run_peer
from climatebn.bench.search_data import NAMES, Task, tasks
from climatebn.graph import Dag, Pdag, extension

PACKAGES = ("xges>=0.1.6", "causal-learn", "pybnesian", "pyarrow<19", "pyagrum", "pgmpy")  # XGES needs NumPy 1
OWN: dict[str, dict[str, Any]] = {
    "tabu": {},
    "annealing": {"knowledge": cb.Knowledge(max_parents=8)},
    "ges": {},
    "boss": {},
    "annealing, then ges": {"knowledge": cb.Knowledge(max_parents=8), "then": "ges"},
    "boss, then ges": {"then": "ges"},
    "best": {},
}
PEERS = {
    "gaussian": {
        "xges": (ges_peer, "xges"),
        "xges-0": (ges_peer, "xges-0"),
        "causal-learn boss": (search_peer, "boss"),
        "causal-learn grasp": (search_peer, "grasp"),
        "pybnesian": (engine_peer, "pybnesian"),
    },
    "discrete": {"pyagrum": (discrete_peer, "pyagrum"), "pgmpy": (discrete_peer, "pgmpy")},
}
ENOUGH, SECONDS = 72, 2.0  # columns and time of a search that is no part of the table: every kernel is in use by then
PENALISED = (ges_peer, search_peer)  # their programs take any penalty


def program_names() -> list[str]:
    """All programs, as rows name them."""
    return [*(f"climatebn {name}" for name in OWN), *(name for kind in PEERS.values() for name in kind)]


class Row(NamedTuple):
    """One program on one data set. Numbers are None where it did not end, or where they are not asked for.

    ``held_out``: log-likelihood of a row of unseen data.
    """

    data: str
    nodes: int
    gamma: float
    program: str
    score: float | None
    seconds: float
    held_out: float | None
    arcs: int | None
    shd: int | None


def compare(
    names: Sequence[str] = NAMES,
    environment: Path | None = None,
    max_seconds: int = 600,
    seed: int = 1,
    programs: Sequence[str] = (),
) -> Iterator[Row]:
    """Every program, or some, on every data set, row by row; other packages only where ``environment`` has them."""
    for task in tasks(names, seed):
        warm_up(task)
        for program, options in OWN.items():
            if programs and f"climatebn {program}" not in programs:
                continue
            started = time.process_time()
            dag = _learned(task, task.stats, program, options)
            seconds = time.process_time() - started
            again = dag if task.truth is not None else _learned(task, task.training, program, options)
            yield _row(task, f"climatebn {program}", dag, seconds, held_out(task, again))
        if environment is None:
            continue
        for program, (script, name) in PEERS[task.stats.kind].items():
            if (task.gamma > 0 and script not in PENALISED) or (programs and program not in programs):
                continue
            other, seconds = _peer(environment, script, name, task, max_seconds)
            yield _row(task, program, other, seconds, None)


def held_out(task: Task, dag: Dag) -> float:
    """The log-likelihood of a row of unseen data under a network fitted to the training data."""
    if isinstance(task.unseen, cb.DiscreteStats):
        return cb.DiscreteBN.fit(dag, task.training, iss=1.0).loglik(task.unseen) / task.unseen.n
    return cb.fit(dag, task.training).loglik(task.unseen) / len(task.unseen)


def warm_up(task: Task) -> None:
    """Compile, or load, what searches need, on some columns: no part of the times."""
    few = task.matrix[:, :ENOUGH]
    levels = task.stats.levels[:ENOUGH].tolist() if isinstance(task.stats, cb.DiscreteStats) else None
    small = few if levels is None else cb.DiscreteStats(few, levels)
    for program, options in OWN.items():
        limited = {**options, "max_seconds": SECONDS}
        cb.learn(small, program.split(",")[0], cb.BIC(task.gamma), seed=1, progress=False, **limited).uninterrupted()


def _learned(task: Task, data: Any, program: str, options: dict[str, Any]) -> Dag:
    name, score = program.split(",")[0], cb.BIC(task.gamma)
    dag = cb.learn(data, name, score, seed=1, progress=False, **options).uninterrupted().dag
    assert dag is not None  # searches always have one
    return dag


def _row(task: Task, program: str, dag: Dag | None, seconds: float, unseen: float | None) -> Row:
    nodes = len(task.stats.names)
    if dag is None:
        return Row(task.data, nodes, task.gamma, program, None, seconds, None, None, None)
    bic = cb.BIC(task.gamma)
    score = float(sum(bic.local(task.stats, node, parents) for node, parents in enumerate(dag.numbered_parents)))
    far = None if task.truth is None else cb.shd(dag, task.truth)
    return Row(task.data, nodes, task.gamma, program, score, seconds, unseen, len(dag.numbered_arcs), far)


def _peer(environment: Path, script: ModuleType, name: str, task: Task, max_seconds: int) -> tuple[Dag | None, float]:
    """The network that another package finds, None if it needs more than ``max_seconds`` of CPU time."""
    penalty = 1 + 2 * task.gamma * math.log(len(task.stats.names)) / math.log(task.stats.n)  # log n / 2 + γ log N
    more = [repr(penalty)] if script in PENALISED else []
    found = run_peer(environment, str(script.__file__), name, task.matrix, max_seconds, *more)
    if found is None:
        return None, float(max_seconds)
    seconds = float(found["seconds"])
    if "arcs" in found:
        return Dag.from_arcs(task.stats.names, found["arcs"].tolist()), seconds
    matrix = found["cpdag"]
    both = matrix & matrix.T
    edges = np.argwhere(matrix & ~both).tolist(), np.argwhere(np.triu(both)).tolist()
    return extension(Pdag.from_edges(task.stats.names, *edges)), seconds
