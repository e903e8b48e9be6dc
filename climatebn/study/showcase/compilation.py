"""Compilation of the kernels before any budget runs, with a count of functions done; nothing is shown once cached."""

import warnings
from concurrent.futures import Executor
from typing import Any

from climatebn.criterion import BIC
from climatebn.errors import ClimateBNWarning
from climatebn.ingest import NodeData
from climatebn.learning import learn
from climatebn.progress import Progress

NODES = 24


def compiled(data: NodeData, first: str, executor: Executor, progress: bool) -> None:
    """Learn from a few nodes with ``first`` here, and with the tests of H2PC in a worker at the same time.

    So no compilation is counted against a budget. H2PC's search is that of tabu. The bar counts functions, without a
    percentage: how many there are depends on what is cached.
    """
    from numba.core import event

    class Counter(event.Listener):
        """Tells the bar each function that numba has compiled."""

        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            bar.update()

    few = data.select(data.names[:NODES])
    with Progress("compiling (once in an installation)", None, "function", enabled=progress) as bar:
        counter = Counter()
        event.register("numba:compile", counter)
        try:
            tests = executor.submit(learn_quietly, few, "hpc")
            learn_quietly(few, first)
            tests.result()
            learn_quietly(few, "h2pc")
        finally:
            event.unregister("numba:compile", counter)


def learn_quietly(few: NodeData, algorithm: str) -> int:
    """The number of arcs; the data itself is judged when it is learned from."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimateBNWarning)
        return len(learn(few, algorithm, BIC(gamma=0.5), progress=False).uninterrupted().graph.numbered_skeleton)
