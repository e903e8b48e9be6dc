"""What an algorithm is given (`Problem`) and what it hands back (`Outcome`), in column numbers."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from climatebn.criterion.protocols import IndependenceTest, Score
from climatebn.criterion.stats import Stats
from climatebn.learning.knowledge import Knowledge
from climatebn.progress import Progress

Stopped = Literal["", "time", "interrupted", "max_iter"]  # why a run ended early; "" when it did not


class Step(NamedTuple):
    """One step of a search: ``move`` is add, delete or reverse, of the arc ``source`` → ``target``."""

    move: str
    source: Any
    target: Any
    gain: float


class Trace(Sequence[Step]):
    """Steps kept as arrays, (move, source, target) a row; each becomes a `Step` when it is looked at."""

    def __init__(self, rows: np.ndarray, gains: np.ndarray, moves: Mapping[int, str], names: Sequence[Any]) -> None:
        self.rows, self.gains, self.moves, self.names = rows, gains, moves, names

    def named(self, names: Sequence[str]) -> "Trace":
        """The same steps between names."""
        return Trace(self.rows, self.gains, self.moves, names)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Step]:
        for (move, source, target), gain in zip(self.rows.tolist(), self.gains.tolist(), strict=True):
            yield Step(self.moves[move], self.names[source], self.names[target], gain)

    @overload
    def __getitem__(self, place: int) -> Step: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, place: int | slice) -> Step | tuple[Step, ...]:
        if isinstance(place, slice):
            return tuple(Trace(self.rows[place], self.gains[place], self.moves, self.names))
        move, source, target = self.rows[place].tolist()
        return Step(self.moves[move], self.names[source], self.names[target], float(self.gains[place]))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Trace({len(self)} steps)"


class Conflict(NamedTuple):
    """An edge or collider that could not be directed, and why: cycle, new v-structure, contradicting v-structures."""

    nodes: tuple[Any, ...]
    why: str


@dataclass
class Budget:
    """A limit on wall-clock seconds, asked by algorithms between units of work."""

    max_seconds: float | None = None
    started: float = field(default_factory=time.perf_counter)

    def spent(self) -> bool:
        """Whether the time is over."""
        return self.max_seconds is not None and time.perf_counter() - self.started >= self.max_seconds


@dataclass(frozen=True)
class Problem:
    """Data statistics, the criterion, and everything around a run that is not the algorithm's own option.

    ``score`` is set for score-based and hybrid algorithms, ``test`` for constraint-based and hybrid ones. ``attempt``
    counts runs of the same search from different beginnings (see `several`).
    """

    stats: Stats
    score: Score | None
    test: IndependenceTest | None
    knowledge: Knowledge
    seed: int | None = None
    budget: Budget = field(default_factory=Budget)
    threads: int = 1
    progress: bool = False
    attempt: int = 0

    def show(self, description: str, total: int | None = None, unit: str = "step") -> Progress:
        """A progress display for this run."""
        return Progress(description, total, unit, enabled=self.progress)


@dataclass(frozen=True)
class Outcome:
    """A learned graph in column numbers, how much was asked, and what was not done.

    ``calls`` maps each phase (e.g. "restrict", "maximise") to its number of calls; ``calls_bnlearn`` has the phases
    that bnlearn counts otherwise. ``trace`` and ``conflicts`` hold column numbers. ``stopped`` tells why the run ended
    early, ``notes`` says in words what was cut short (time, depth, interrupt); both are empty when it is complete.
    """

    directed: Sequence[tuple[int, int]]
    undirected: Sequence[tuple[int, int]] = ()
    calls: dict[str, int] = field(default_factory=dict)
    trace: Sequence[Step] = ()
    conflicts: Sequence[Conflict] = ()
    notes: Sequence[str] = ()
    stopped: Stopped = ""
    calls_bnlearn: dict[str, int] = field(default_factory=dict)

    def phases_bnlearn(self) -> dict[str, int]:
        """The calls of every phase as bnlearn counts them."""
        return self.calls | self.calls_bnlearn
