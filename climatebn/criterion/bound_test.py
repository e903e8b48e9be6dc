"""A test bound to its data: it answers the questions that algorithms ask, and counts the tests they stand for.

`bind` gives a `Session`. Its questions are defined here in plain Python, test by test in the order that an algorithm
names, and work for any `IndependenceTest` that has ``evidence`` (those with ``evidences`` make tests that share a set
together). A test with a compiled form (``form(stats)``) gets a `CompiledSession` or, for discrete data, a
`DiscreteSession`, which give the same answers and counts without asking every test one by one.

``calls`` counts each test once. ``bare_tests`` counts, among them, the subset searches' tests on the empty (or only
the fixed) set, which bnlearn counts twice: calls + bare_tests is bnlearn's ``ntests``.
"""

import math
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from climatebn.criterion.blanket import blanket
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import CompiledTest, DiscreteTest, HasLevel, IndependenceTest, ManyTests, Stats
from climatebn.errors import OutOfTime

Nodes = Sequence[int] | np.ndarray
TOGETHER = 64  # tests made at once, at most: between two looks at the clock


class Separation(NamedTuple):
    """Answer of a subset search: the first set that separates, or None and the least evidence of all sets."""

    given: tuple[int, ...] | None
    evidence: float


class Level(NamedTuple):
    """Answer of one level of PC-Stable.

    ``sets`` holds the sets of the ``separated`` pairs; ``bounds`` the size of sets up to which each pair is still worth
    a visit (0: separated, or nothing to try). Pairs not ``visited`` were not examined, for want of time.
    """

    sets: dict[tuple[int, int], tuple[int, ...]]
    separated: np.ndarray
    bounds: np.ndarray
    visited: np.ndarray


def bind(test: IndependenceTest, stats: Stats, spent: Callable[[], bool] = lambda: False) -> "Session":
    """The session of a test on data; ``spent`` is asked during long searches whether time is over."""
    if isinstance(stats, DiscreteStats) and isinstance(test, DiscreteTest):
        counted = test.discrete_form(stats)
        if counted is not None:
            from climatebn.criterion.discrete_bound_test import DiscreteSession

            return DiscreteSession(test, stats, spent, counted)
    form = test.form(stats) if stats.kind == "gaussian" and isinstance(test, CompiledTest) else None
    if form is None:
        return Session(test, stats, spent)
    from climatebn.criterion.compiled_bound_test import CompiledSession

    return CompiledSession(test, stats, spent, form)


class Session:
    """Questions to a test, answered one test at a time."""

    parallel = False  # whether threads help

    def __init__(self, test: IndependenceTest, stats: Stats, spent: Callable[[], bool]) -> None:
        self.test, self.stats, self.spent = test, stats, spent
        self.calls = 0
        self.bare_tests = 0
        self.log_alpha = math.log(test.alpha) if isinstance(test, HasLevel) else -1.0  # without a level, p is 0 or 1
        self.limit = len(stats.names)  # on the size of the sets that searches draw; `capped` once it was felt
        self.capped = False

    def restrict(self, max_condset: int | None) -> None:
        """Draw no larger sets than this (None: than the data allow)."""
        self.limit = self.limit if max_condset is None else min(self.limit, max_condset)

    def full(self, members: Nodes) -> bool:
        """Whether a set is too large to be conditioned on."""
        self.capped |= len(members) > self.limit
        return len(members) > self.limit

    def fork(self) -> "Session":
        """The same test, data and limit with counts of its own, for another thread."""
        session = bind(self.test, self.stats, self.spent)
        session.restrict(self.limit)
        return session

    def absorb(self, other: "Session") -> None:
        """Add the counts of another session."""
        self.calls += other.calls
        self.bare_tests += other.bare_tests
        self.capped |= other.capped

    def _top(self, pool: Nodes, largest: int | None) -> int:
        """The largest size of subsets that a search draws."""
        wanted = len(pool) if largest is None else min(largest, len(pool))
        self.capped |= wanted > self.limit
        return min(wanted, self.limit)

    def evidence(self, x: int, y: int, given: Nodes) -> float:
        """One test."""
        self.calls += 1
        if self.calls % 256 == 0 and self.spent():
            raise OutOfTime
        return self.again(x, y, given)

    def again(self, x: int, y: int, given: Nodes) -> float:
        """The evidence of a test that was counted before. A node depends on itself; x or y in the set do nothing."""
        return math.inf if x == y else self.test.evidence(self.stats, x, y, [z for z in given if z not in (x, y)])

    def log_p(self, evidences: np.ndarray, x: int, ys: Nodes, members: Nodes) -> np.ndarray:
        """log p of the tests that `around` made (not counted again)."""
        if self.log_alpha == -1.0:
            return np.where(evidences > 0, -np.inf, 0.0)
        return np.array([self.test.log_p(self.stats, x, y, [z for z in members if z not in (x, y)]) for y in ys])

    def row(self, x: int, ys: Nodes, given: Nodes) -> np.ndarray:
        """Evidence of x with each of ``ys`` given one set; any number not above 0 where there is none."""
        found: list[float] = []
        for start in range(0, len(ys), TOGETHER):
            found += self._together(x, ys[start : start + TOGETHER], given)
        self.calls += len(ys)
        return np.array(found)

    def _together(self, x: int, ys: Nodes, given: Nodes) -> Sequence[float]:
        """Some tests of `row`, not counted; all at once where the test can."""
        if self.spent():
            raise OutOfTime
        if isinstance(self.test, ManyTests) and not {x, *given} & {*ys} and x not in given:
            return self.test.evidences(self.stats, x, [int(y) for y in ys], [int(z) for z in given])
        return [self.again(x, y, given) for y in ys]

    def around(self, x: int, ys: Nodes, members: Nodes) -> np.ndarray:
        """Evidence of x with each of ``ys`` given the members other than y itself."""
        return np.array([self.evidence(x, y, [z for z in members if z != y]) for y in ys])

    def beside(self, x: int, ys: Nodes, separators: Nodes, child: int) -> np.ndarray:
        """Evidence of x with each of ``ys`` given ``child`` and the separator of y (−1: given ``child`` alone)."""
        sets = [(child,) if z < 0 else (z, child) for z in separators]
        return np.array([self.evidence(x, y, given) for y, given in zip(ys, sets, strict=True)])

    def first_dependent(self, x: int, ys: Nodes, given: Nodes) -> int | None:
        """Place of the first of ``ys`` that depends on x given one set."""
        start, size = 0, 1
        while start < len(ys):
            found = self._together(x, ys[start : start + size], given)
            place = next((i for i, evidence in enumerate(found) if evidence > 0), None)
            if place is not None:
                self.calls += place + 1
                return start + place
            self.calls += len(found)
            start, size = start + size, min(2 * size, TOGETHER)
        return None

    def first_independent(self, x: int, members: Nodes, start: int, stop: int) -> int | None:
        """Place, in start … stop − 1, of the first member independent of x given all other members."""
        for place in range(start, stop):
            if self.evidence(x, members[place], [*members[:place], *members[place + 1 :]]) <= 0:
                return place
        return None

    def search(
        self,
        x: int,
        y: int,
        fixed: Nodes,
        pool: Nodes,
        smallest: int = 0,
        largest: int | None = None,
        ceiling: float = math.inf,
    ) -> Separation:
        """x and y given ``fixed`` and each subset of ``pool``, sizes ascending, up to the first that separates.

        ``ceiling``: evidence above it is of no interest (0: only the decision counts), which saves work.
        """
        top = self._top(pool, largest)
        if smallest > top:
            return Separation(None, ceiling)
        self.bare_tests += smallest == 0
        if x == y:  # a node depends on itself
            self.calls += sum(math.comb(len(pool), size) for size in range(smallest, top + 1))
            return Separation(None, ceiling)
        return self._search(x, y, fixed, pool, smallest, top, ceiling)

    def _search(
        self, x: int, y: int, fixed: Nodes, pool: Nodes, smallest: int, largest: int, ceiling: float
    ) -> Separation:
        """The tests of a `search` that has some to make."""
        least = ceiling
        for size in range(smallest, largest + 1):
            for chosen in combinations(pool, size):
                evidence = self.evidence(x, y, [*fixed, *chosen])
                least = min(least, evidence)
                if evidence <= 0:
                    return Separation((*fixed, *chosen), least)
        return Separation(None, least)

    def search_each(self, xs: Nodes, y: int, fixed: Nodes, pool: Nodes, ceilings: np.ndarray) -> np.ndarray:
        """The least evidence of a search for each x over all subsets of one pool (at most its ceiling)."""
        found = [
            self.search(x, y, fixed, pool, ceiling=ceiling).evidence
            for x, ceiling in zip(xs, ceilings.tolist(), strict=True)
        ]
        return np.array(found)

    def thin(
        self, x: int, ys: Nodes, fixed: Nodes, evidences: np.ndarray | None = None
    ) -> tuple[list[int], dict[int, int], np.ndarray]:
        """Take those away that one other of ``ys`` (with ``fixed``) separates from x, one after the other.

        The others are tried in their order; with ``evidences``, those of most evidence first, and the evidence of a y
        that stays falls to the least one seen. Returns who stays, the separator of each who goes, the evidences.
        """
        current = np.zeros(len(ys)) if evidences is None else evidences.copy()
        left = list(range(len(ys)))
        separator: dict[int, int] = {}
        for place, y in enumerate(ys):
            others = [i for i in left if i != place]
            if evidences is not None:
                others.sort(key=lambda i: -current[i])
            answer = self.search(x, y, fixed, [ys[i] for i in others], 1, 1)
            if answer.given is not None:
                separator[y] = answer.given[-1]
                left.remove(place)
            elif evidences is not None:
                current[place] = min(current[place], answer.evidence)
        return [ys[i] for i in left], separator, current[left]

    def blanket(self, target: int, region: Nodes, first: Nodes) -> list[int]:
        """The inner IAMB of HPC: see `climatebn.criterion.blanket`."""
        return blanket(self, target, region, first)

    def level(
        self,
        size: int,
        pairs: np.ndarray,
        starts: np.ndarray,
        items: np.ndarray,
        threads: int = 1,
        tick: Callable[[int], None] = lambda done: None,
    ) -> Level:
        """PC-Stable's visits of ``pairs`` at one level: subsets of the neighbours of one end, then of the other.

        The neighbours of node i are items[starts[i]:starts[i + 1]], ascending, as they were before the level.
        ``tick`` is told how many more pairs are done.
        """
        count = len(pairs)
        separated, bounds, visited = (np.zeros(count, dtype=kind) for kind in (np.bool_, np.int64, np.bool_))
        answer = Level({}, separated, bounds, visited)
        around = [items[a:b].tolist() for a, b in pairwise(starts.tolist())]
        for place, (x, y) in enumerate(pairs.tolist()):
            first, second = ([z for z in around[i] if z != j] for i, j in ((x, y), (y, x)))
            answer.bounds[place] = max(len(first), len(second))
            if answer.bounds[place] < size:
                answer.bounds[place] = 0
            if size == 1:
                second = [z for z in second if z not in first]
            lists = [(x, y, first)] if len(first) >= size else []
            lists += [(y, x, second)] if len(second) >= size and first != second else []
            try:
                for a, b, pool in lists:
                    found = self.search(a, b, (), pool, size, size, ceiling=0)
                    if found.given is not None:
                        answer.sets[x, y] = found.given
                        answer.separated[place], answer.bounds[place] = True, 0
                        break
            except OutOfTime:
                return answer
            answer.visited[place] = True
            tick(1)
        return answer
