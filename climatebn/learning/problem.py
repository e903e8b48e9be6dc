"""What an algorithm is given (`Problem`) and what it hands back (`Outcome`), in column numbers."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from climatebn.criterion.protocols import CompiledScore, IndependenceTest, Score, Stats
from climatebn.criterion.stats import EPSILON, GaussianStats
from climatebn.graph import Dag
from climatebn.kernels.constants import COLLINEAR, TAU
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.local_score import local_scores
from climatebn.learning.knowledge import Knowledge
from climatebn.progress import Progress

Stopped = Literal["", "time", "interrupted", "max_iter"]  # why a run ended early; "" when it did not
Arcs = Sequence[tuple[int, int]] | np.ndarray  # (from, to) in column numbers, in an array one row an arc


class Step(NamedTuple):
    """One step of a search.

    Attributes
    ----------
    move : "add", "delete" or "reverse".
    source, target : the arc.
    gain : of the score, in nats.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> cb.learn(tropics, "hill_climbing", cb.BIC(gamma=1), progress=False).trace[0].move
    'add'
    """

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
    """An edge or collider that could not be directed.

    Attributes
    ----------
    nodes : two or three of them.
    why : cycle, new v-structure, contradicting v-structures.

    Examples
    --------
    >>> Conflict(("a", "b"), "cycle").why
    'cycle'
    """

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

    @cached_property
    def form(self) -> GaussianForm | None:
        """The compiled form of the score on Gaussian data, where it has one."""
        if isinstance(self.stats, GaussianStats) and isinstance(self.score, CompiledScore):
            return self.score.form(self.stats)
        return None

    @cached_property
    def unit(self) -> float:
        """The unit in which a search counts scores; in it, differences below √ε = 1.49e-8 are none.

        A score of size s is known to about ε·s. Where 4 ε·s exceeds √ε (Gaussian data: from about a million
        observations on) it is a power of 2 above 1; else it is 1, which is bnlearn's tolerance.
        """
        return unit_of(self._largest_form() if self.form is not None else self._largest_score())

    def _largest_form(self) -> float:
        """The largest local score that the form can give, in size."""
        assert self.form is not None
        matrix, a, b, c = self.form
        logs = np.abs(np.log(np.diag(matrix))).max(initial=0.0) - math.log(COLLINEAR)
        return float((np.abs(a) + (np.abs(b) + np.arange(len(a)) * np.abs(c)) * logs).max(initial=0.0))

    def _largest_score(self) -> float:
        """The largest local score of a node without parents, in size: what they can explain is no more."""
        score: Any = self.score
        found = np.abs([score.local(self.stats, node, []) for node in range(len(self.stats.names))])
        return float(np.max(found, initial=0.0, where=np.isfinite(found)))

    def total(self, dag: Dag) -> float:
        """The score of a network: the sum over its nodes."""
        if self.form is not None:
            return float(local_scores(self.form, *dag.parent_rows).sum())
        score: Any = self.score
        return float(sum(score.local(self.stats, node, parents) for node, parents in enumerate(dag.numbered_parents)))

    def floored(self, dag: Dag) -> list[str]:
        """A note for nodes of a network whose parents leave less of their variance than scores can tell; else nothing.

        >>> stats = GaussianStats(50, [[1.0, 1 - 1e-12], [1 - 1e-12, 1.0]], ["a", "b"])
        >>> Problem(stats, None, None, Knowledge()).floored(Dag.from_arcs("ab", ["ab"]))[0][:73]
        'nearly collinear nodes: a leave less than 1e-10 of the variance of b, whi'
        """
        if not isinstance(self.stats, GaussianStats):
            return []
        names, matrix, (starts, items) = self.stats.names, self.stats.balanced()[0], dag.parent_rows
        counts = np.diff(starts)
        room = counts.max(initial=0) + 1
        share = GaussianForm(matrix, np.zeros(room), np.ones(room), np.zeros(room))
        least = np.log(COLLINEAR * np.diag(matrix)) + 1e-9
        met = np.flatnonzero((local_scores(share, starts, items) <= least) & (counts > 0)).tolist()
        if not met:
            return []
        parents = dag.numbered_parents
        shown = ", ".join(names[parent] for parent in parents[met[0]][:10])
        others = f" (likewise {', '.join(names[node] for node in met[1:10])})" if len(met) > 1 else ""
        return [
            f"nearly collinear nodes: {shown} leave less than {COLLINEAR:g} of the variance of {names[met[0]]}, which "
            f"then counts as that share{others}; drop one"
        ]

    def show(self, description: str, total: int | None = None, unit: str = "step") -> Progress:
        """A progress display for this run."""
        return Progress(description, total, unit, enabled=self.progress)


def unit_of(size: float) -> float:
    """The smallest power of 2, 1 or more, whose √ε part is above the rounding errors of scores of ``size``.

    >>> unit_of(1e5), unit_of(1e10)
    (1.0, 1024.0)
    """
    ratio = 4 * EPSILON * size / TAU
    return 1.0 if not 1 < ratio < math.inf else 2.0 ** math.ceil(math.log2(ratio))


@dataclass(frozen=True)
class Outcome:
    """A learned graph in column numbers, how much was asked, and what was not done.

    ``calls`` maps each phase (e.g. "restrict", "maximise") to its number of calls; ``calls_bnlearn`` has the phases
    that bnlearn counts otherwise. ``trace`` and ``conflicts`` hold column numbers. ``stopped`` tells why the run ended
    early, ``notes`` says in words what was cut short (time, depth, interrupt); both are empty when it is complete.
    """

    directed: Arcs
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
