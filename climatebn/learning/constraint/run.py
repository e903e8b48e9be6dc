"""What all constraint-based algorithms share around their rules: the bound test, limits, knowledge, notes.

Knowledge: a required arc is in the graph, untested, and directed; a pair forbidden both ways is not adjacent; an edge
forbidden one way is directed the other way (in the DAG, where the graph is left undirected). Blankets may still hold
nodes that are forbidden as neighbours (spouses).
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from climatebn.criterion.bound_test import Session, bind
from climatebn.errors import ClimateBNError, OutOfTime
from climatebn.learning.problem import Problem, Stopped

Found = TypeVar("Found")


@dataclass
class Run:
    """One run of an algorithm. ``stopped`` is set when time is over or the user interrupts: end with what is known."""

    problem: Problem
    joined: dict[int, list[int]]  # nodes to which knowledge joins a node, ascending; no entry means none
    parted: np.ndarray | None  # whether knowledge keeps each two nodes apart; None where it parts none
    session: Session = field(init=False)
    stopped: Stopped = ""
    notes: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.problem.stats.names)

    def candidates(self, i: int) -> np.ndarray:
        """Nodes that may be neighbours of i, in column order."""
        free = np.ones(self.size, dtype=np.bool_) if self.parted is None else ~self.parted[i]
        free[i] = False
        return np.flatnonzero(free)

    def allowed(self, i: int, nodes: Sequence[int]) -> list[int]:
        """Those of ``nodes`` that may be neighbours of i."""
        return [j for j in nodes if not self.apart(i, j)]

    def apart(self, i: int, j: int) -> bool:
        """Whether knowledge keeps two nodes from being neighbours."""
        return self.parted is not None and bool(self.parted[i, j])

    def known_collider(self, y: int, z: int) -> bool:
        """Whether time directs every edge around two nodes that it keeps apart, so that none need be asked."""
        time = self.problem.knowledge.time
        return time is not None and time.barred(y, z) and time.barred(z, y)

    def stop(self, why: Stopped, note: str) -> None:
        """Go on with what is known so far."""
        self.stopped = self.stopped or why
        self.notes.append(note)

    def over(self) -> bool:
        """Whether to end now."""
        return bool(self.stopped) or self.problem.budget.spent()

    def check_time(self) -> None:
        """Raise `OutOfTime` once time is over."""
        if self.over():
            raise OutOfTime

    @contextmanager
    def interruptible(self, note: str) -> Iterator[None]:
        """Work that is given up, with a note, when time is over or the user interrupts."""
        try:
            yield
        except OutOfTime:
            self.stop("time", note)
        except KeyboardInterrupt:
            self.stop("interrupted", note)

    def each_node(self, phase: str, work: Callable[[Session, int], Found]) -> list[Found | None]:
        """``work(session, node)`` for every node, on all threads, in column order.

        Nodes that time or an interrupt left out get None, and a note says how many.
        """
        found: list[Found | None] = [None] * self.size
        threads = min(self.problem.threads, self.size) if self.session.parallel else 1
        sessions = [self.session.fork() for _ in range(threads)]

        def share(first: int) -> None:
            for node in range(first, self.size, threads):
                if self.over():
                    break
                try:
                    found[node] = work(sessions[first], node)
                except OutOfTime:
                    break
                if first == 0:
                    display.update(min(threads, self.size - node))

        with self.problem.show(phase, self.size, "node") as display, ThreadPoolExecutor(threads) as pool:
            try:
                list(pool.map(share, range(threads)))
            except KeyboardInterrupt:
                self.stopped = "interrupted"
            except BaseException:  # SIGTERM: the pool waits for its threads, and they look at ``stopped``
                self.stopped = "interrupted"
                raise
        for session in sessions:
            self.session.absorb(session)
        missing = sum(result is None for result in found)
        if missing:
            self.stop("time", f"{phase}: cut short, {missing} of {self.size} nodes not done")
        return found

    def record(self) -> dict[str, Any]:
        """Calls and notes for the outcome, with a note on conditioning sets if their size was limited."""
        session = self.session
        limited = [f"conditioning sets were kept to at most {session.limit} nodes"] if session.capped else []
        return {
            "calls": {"tests": session.calls},
            "calls_bnlearn": {"tests": session.calls + session.bare_tests},
            "notes": (*self.notes, *limited),
            "stopped": self.stopped,
        }


def start(problem: Problem, max_condset: int | None) -> Run:
    """Bind the test of a problem and check what constraint-based algorithms cannot honour."""
    if problem.test is None:
        raise ClimateBNError("a constraint-based algorithm needs a test or a score as its criterion")
    if max_condset is not None and (not isinstance(max_condset, int) or max_condset < 0):
        raise ClimateBNError(f"max_condset must be a whole number, 0 or more, or None; got {max_condset!r}")
    if not isinstance(problem.threads, int) or problem.threads < 1:
        raise ClimateBNError(f"threads must be a whole number, 1 or more; got {problem.threads!r}")
    if problem.knowledge.max_parents is not None:
        raise ClimateBNError(
            "max_parents has no meaning for a constraint-based algorithm, whose edges may stay undirected; "
            "leave it out, limit max_condset, or use a score-based or hybrid algorithm"
        )
    parted = None
    if problem.knowledge.bars:
        table = problem.knowledge.barred_table(len(problem.stats.names))
        parted = table & table.T
    joined = _partners({(int(a), int(b)) for a, b in problem.knowledge.required})
    run = Run(problem, joined, parted)
    run.session = bind(problem.test, problem.stats, run.over)
    run.session.restrict(max_condset)
    return run


def _partners(pairs: set[tuple[int, int]]) -> dict[int, list[int]]:
    both = pairs | {(b, a) for a, b in pairs}
    return {node: sorted(b for a, b in both if a == node) for node, _ in both}
