"""Compilation of the kernels before any budget runs, with a count of functions done; nothing is shown once cached."""

import warnings
from collections.abc import Callable
from typing import Any

from climatebn.errors import ClimateBNWarning
from climatebn.ingest import NodeData
from climatebn.progress import Progress

NODES = 24
FUNCTIONS = 123  # that tabu search and H2PC have compiled in a new installation, as counted there


def compiled(data: NodeData, first: str, learn: Callable[[NodeData, str], Any], progress: bool) -> None:
    """Learn from a few nodes with ``first`` and with H2PC, so that compilation is not counted against any budget.

    The number of functions is known for tabu search; for another first algorithm the bar shows no percentage.
    """
    from numba.core import event

    class Counter(event.Listener):
        """Tells the bar each function that numba has compiled."""

        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            bar.update()

    total = FUNCTIONS if first == "tabu" else None
    few = data.select(data.names[:NODES])
    with Progress("compiling (once in an installation)", total, "function", enabled=progress) as bar:
        counter = Counter()
        event.register("numba:compile", counter)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ClimateBNWarning)  # the data itself is judged when it is learned from
                for algorithm in (first, "h2pc"):
                    learn(few, algorithm)
        finally:
            event.unregister("numba:compile", counter)
