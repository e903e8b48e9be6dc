"""The session of a compiled test on discrete data: same answers and counts as `bound_test.Session`, by kernels."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from climatebn.criterion.bound_test import Level, Nodes, Separation, Session
from climatebn.criterion.discrete import ROOM, SLICE, sample_of, values_of
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import IndependenceTest
from climatebn.criterion.subset_likelihoods import SubsetLikelihoods
from climatebn.errors import OutOfTime
from climatebn.kernels.discrete import hpc, pc_level, questions, subset_search, told_tests
from climatebn.kernels.discrete.evidence import LEVEL, PEARSON, Form, critical_values
from climatebn.kernels.discrete.grouping import Sample, Work, room_for, workspace
from climatebn.kernels.discrete.pairs import MOST_LEVELS, MOST_PLANES, pair_memory, take_pool
from climatebn.kernels.discrete.values import Values
from climatebn.kernels.gaussian import combinations

NOTHING = np.empty(0)
BY_PAIRS = 2  # (or more) the level of PC from which on the last two of a set are counted beside the others
MOST_KEPT = 16  # nodes whose likelihoods given subsets of a pool are kept,
MOST_BYTES = 1 << 28  # and so much memory for all of them but the last
MANY = 1 << 9  # subsets of a pool that is worth counting anew for each of several nodes
KNOWN = 1 << 23  # sets of a level of PC whose likelihoods are remembered, at most


class DiscreteSession(Session):
    """Questions to a test on discrete data. The groups of rows of the last set are kept for sets that begin alike."""

    parallel = True

    def __init__(self, test: IndependenceTest, stats: DiscreteStats, spent: Callable[[], bool], form: Form) -> None:
        super().__init__(test, stats, spent)
        self.form = form
        levelled = form.kind in (LEVEL, PEARSON)
        self.critical = critical_values(math.exp(form.log_alpha)) if levelled else NOTHING
        self._data, self._sample = stats, sample_of(stats)
        self._values = values_of(stats, form.iss)
        self._work = workspace(self._sample, ROOM)
        self._by_likelihood = form.kind != PEARSON and not form.adjusted  # L decides
        self._kept: OrderedDict[int, SubsetLikelihoods] = OrderedDict()
        self._at_once = max(1, SLICE // (4 * stats.n))  # tests between two looks at the clock

    def again(self, x: int, y: int, given: Nodes) -> float:
        return float(questions.row(*self._kernel(len(given)), x, _array([y]), _array(given), True)[0])

    def log_p(self, evidences: np.ndarray, x: int, ys: Nodes, members: Nodes) -> np.ndarray:
        if self.log_alpha == -1.0:
            return super().log_p(evidences, x, ys, members)
        return self.log_alpha - evidences

    def row(self, x: int, ys: Nodes, given: Nodes) -> np.ndarray:
        return self._row(x, ys, given, exact=False)

    def around(self, x: int, ys: Nodes, members: Nodes) -> np.ndarray:
        return self._row(x, ys, members, exact=True)

    def _row(self, x: int, ys: Nodes, given: Nodes, exact: bool) -> np.ndarray:
        self.calls += len(ys)
        kernel, inside = self._kernel(len(given)), _array(given)
        return _joined([questions.row(*kernel, x, _array(some), inside, exact) for _, some in self._parts(ys)])

    def beside(self, x: int, ys: Nodes, separators: Nodes, child: int) -> np.ndarray:
        self.calls += len(ys)
        kernel, order = self._kernel(2), np.argsort(separators, kind="stable")  # one set after the other
        others, apart, found = _array(ys)[order], _array(separators)[order], np.empty(len(ys))
        found[order] = _joined(
            [questions.beside(*kernel, x, some, apart[first:], child) for first, some in self._parts(others)]
        )
        return found

    def first_dependent(self, x: int, ys: Nodes, given: Nodes) -> int | None:
        kernel, inside = self._kernel(len(given)), _array(given)
        for first, some in self._parts(ys):
            place = questions.first_dependent(*kernel, x, _array(some), inside)
            self.calls += place + 1 if place >= 0 else len(some)
            if place >= 0:
                return first + int(place)
        return None

    def first_independent(self, x: int, members: Nodes, start: int, stop: int) -> int | None:
        if start >= stop:
            return None
        if self.spent():
            raise OutOfTime
        kernel = self._kernel(len(members))
        place = questions.first_independent(*kernel, x, _array(members), start, stop)
        self.calls += place + 1 - start if place >= 0 else stop - start
        return int(place) if place >= 0 else None

    def _search(
        self, x: int, y: int, fixed: Nodes, pool: Nodes, smallest: int, largest: int, ceiling: float
    ) -> Separation:
        least = np.array([ceiling], dtype=np.float64)
        status, progress = self._slices(_array([x]), y, fixed, pool, smallest, largest, least, ceiling <= 0)
        if status == subset_search.CONNECTED:
            return Separation(None, float(least[0]))
        places = progress[subset_search.CHOSEN :][: progress[subset_search.SIZE]].tolist()
        return Separation((*fixed, *(pool[place] for place in places)), min(float(least[0]), 0.0))

    def search_each(self, xs: Nodes, y: int, fixed: Nodes, pool: Nodes, ceilings: np.ndarray) -> np.ndarray:
        least = np.array(ceilings, dtype=np.float64)
        self.bare_tests += len(xs)
        self._slices(_array(xs), y, fixed, pool, 0, self._top(pool, None), least, decide=False)
        return least

    def _slices(
        self,
        xs: np.ndarray,
        y: int,
        fixed: Nodes,
        pool: Nodes,
        smallest: int,
        top: int,
        least: np.ndarray,
        decide: bool,
    ) -> tuple[int, np.ndarray]:
        """Status and place of a search over the subsets of a pool, slice by slice."""
        kernel = self._kernel(len(fixed) + top)
        alive, progress = np.ones(len(xs), np.bool_), _first(smallest, top)
        members, others = _array(fixed), _array(pool)
        many = combinations.count(len(pool), smallest, top) >= MANY
        long = self._by_likelihood and (len(xs) == 1 or many)  # then L of all subsets may be worth having
        status = subset_search.UNFINISHED
        while status == subset_search.UNFINISHED:
            status = subset_search.search(*kernel, xs, y, members, others, top, decide, least, alive, progress, SLICE)
            if status == subset_search.UNFINISHED and self.spent():
                raise OutOfTime
            if status == subset_search.UNFINISHED and long:
                status = self._each_by_subsets(xs, y, members, others, top, decide, least, alive, progress)
                long = False
        self.calls += int(progress[subset_search.TESTS])
        return status, progress

    def thin(
        self, x: int, ys: Nodes, fixed: Nodes, evidences: np.ndarray | None = None
    ) -> tuple[list[int], dict[int, int], np.ndarray]:
        count, ranked = len(ys), evidences is not None
        current = np.zeros(count) if evidences is None else evidences.astype(np.float64)
        order = np.argsort(-current, kind="stable")
        single, pair = np.full(count, hpc.UNKNOWN), np.full((count, count), hpc.UNKNOWN)
        separators, progress = np.full(count, -1), np.array([0, count, 0])
        kernel, nodes, members = self._kernel(len(fixed) + 1), _array(ys), _array(fixed)
        answers = single, pair, separators, progress
        while not hpc.thin(*kernel, x, nodes, members, current, order, ranked, *answers, SLICE):
            if self.spent():
                raise OutOfTime
        self.calls += int(progress[2])
        stays = separators < 0
        gone = {ys[place]: ys[separators[place]] for place in np.flatnonzero(~stays).tolist()}
        return [ys[place] for place in np.flatnonzero(stays).tolist()], gone, current[stays]

    def level(
        self,
        size: int,
        pairs: np.ndarray,
        starts: np.ndarray,
        items: np.ndarray,
        threads: int = 1,
        tick: Callable[[int], None] = lambda done: None,
    ) -> Level:
        nodes = len(starts) - 1
        adjacent = np.zeros((nodes, nodes), np.bool_)
        adjacent[np.repeat(np.arange(nodes), np.diff(starts)), items] = True
        degree = np.diff(starts)
        x, y = pairs.T
        bounds = np.maximum(degree[x], degree[y]) - 1
        bounds[bounds < size] = 0
        apart, visited = np.zeros(len(pairs), np.bool_), np.zeros(len(pairs), np.bool_)
        chosen, tests = np.zeros((len(pairs), size), np.int64), np.zeros(len(pairs))
        stopped = threading.Event()
        more = (DiscreteSession(self.test, self._data, self.spent, self.form) for _ in range(threads - 1))
        kernels = [session._kernel(size) for session in (self, *more)]
        together = self._by_likelihood
        seconds = [workspace(self._sample, size) for _ in range(threads)] if together else []
        levels, columns = self._sample.levels, int(degree.max(initial=0))
        levels = np.where(levels > MOST_LEVELS, 0, levels)
        planes = min(int((adjacent @ levels).max(initial=0)), MOST_PLANES) if together and size >= BY_PAIRS else 0
        by_pairs = [[pair_memory(self._sample, columns, planes, size) for _ in range(2)] for _ in range(threads)]

        def visit(thread: int, side: int, ends: np.ndarray, asked: np.ndarray) -> None:
            """Every so many-th node with its pairs of one side."""
            other = y if side == 0 else x
            reduced = adjacent if side == 1 and size == 1 else adjacent[:0]
            for node in range(thread, nodes, threads):
                places = asked[ends[asked] == node]
                parted, sets, made = apart[places], chosen[places], tests[places]
                pool = items[starts[node] : starts[node + 1]]
                subsets, shared = combinations.count(len(pool), size, size), together and len(places) > 0
                shared = shared and subsets <= KNOWN and 2 * len(places) > len(pool)
                first = size + 1 if shared else size
                asked_for = (
                    *kernels[thread],
                    node,
                    other[places],
                    pool,
                    reduced,
                    parted,
                    sets,
                    made,
                    _first(first, first),
                )
                memory = (seconds[thread], np.full(int(subsets), hpc.UNKNOWN), *by_pairs[thread]) if shared else ()
                kernel = pc_level.visit_together if shared else pc_level.visit
                many = shared and size > 1 and (planes == 0 or size > 3)
                for one in by_pairs[thread] if shared else ():
                    take_pool(self._sample, one, pool)
                try:
                    while len(places) and not kernel(*asked_for, SLICE, *memory):
                        if stopped.is_set() or self.spent():
                            raise OutOfTime
                        if many and self._visited_by_subsets(*asked_for):
                            break
                        many = False
                except OutOfTime:
                    stopped.set()
                    return
                apart[places], chosen[places], tests[places] = parted, sets, made
                visited[places] |= apart[places] | (side == 1)
                if thread == 0 and self.spent():
                    stopped.set()
                if stopped.is_set():
                    return

        def run(side: int, ends: np.ndarray, asked: np.ndarray) -> None:
            before = int(visited.sum())
            with ThreadPoolExecutor(threads) as pool:
                try:
                    list(pool.map(lambda thread: visit(thread, side, ends, asked), range(threads)))
                except BaseException:
                    stopped.set()
                    raise
            tick(int(visited.sum()) - before)

        run(0, x, np.flatnonzero(degree[x] - 1 >= size))
        if not stopped.is_set():
            wanted = ~apart & (degree[y] - 1 >= size)
            wanted[wanted] = [self._differ(adjacent, a, b, size) for a, b in pairs[wanted].tolist()]
            visited |= ~wanted
            run(1, y, np.flatnonzero(wanted))
        self.calls += int(tests.sum())
        bounds[apart] = 0
        sets = dict(zip(map(tuple, pairs[apart].tolist()), map(tuple, chosen[apart].tolist()), strict=True))
        return Level(sets, apart, bounds, visited)

    def _visited_by_subsets(
        self,
        sample: Sample,
        values: Values,
        work: Work,
        form: Form,
        critical: np.ndarray,
        node: int,
        partners: np.ndarray,
        pool: np.ndarray,
        adjacent: np.ndarray,
        apart: np.ndarray,
        sets: np.ndarray,
        tests: np.ndarray,
        progress: np.ndarray,
    ) -> bool:
        """Go on with a long visit of `level` by L of all subsets; False where the pool is too large for that."""
        subsets = self._subsets(node, pool)
        if subsets is None:
            return False
        size = int(progress[subset_search.SIZE])
        subsets.make(size - 1, size, values, form, self.spent)
        asked_for = node, partners, pool, apart, sets, tests, progress
        while not told_tests.visit(subsets.told, sample.levels, form, critical, *asked_for):
            if self.spent():
                raise OutOfTime
        return True

    def _each_by_subsets(
        self,
        xs: np.ndarray,
        y: int,
        fixed: np.ndarray,
        pool: np.ndarray,
        top: int,
        decide: bool,
        least: np.ndarray,
        alive: np.ndarray,
        progress: np.ndarray,
    ) -> int:
        """Go on with a long search for one x after the other; those with too large a pool for that stay ``alive``."""
        status, begun, tests = subset_search.UNFINISHED, progress.copy(), 0
        for i in np.flatnonzero(alive).tolist():
            own = begun.copy()
            told = self._searched_by_subsets(int(xs[i]), y, fixed, pool, top, decide, least[i : i + 1], own)
            if told is not None:
                status, alive[i], progress[:] = told, False, own
                tests += int(own[subset_search.TESTS] - begun[subset_search.TESTS])
        if alive.any():
            status, progress[:] = subset_search.UNFINISHED, begun
        progress[subset_search.TESTS] = begun[subset_search.TESTS] + tests
        return status

    def _searched_by_subsets(
        self,
        x: int,
        y: int,
        fixed: np.ndarray,
        pool: np.ndarray,
        top: int,
        decide: bool,
        least: np.ndarray,
        progress: np.ndarray,
    ) -> int | None:
        """The status of a long search, gone on with by L of all subsets; None where the pool is too large for that."""
        columns = np.setdiff1d(np.concatenate([fixed, pool, [y]]), [x])
        if len(np.intersect1d(fixed, pool)) or (subsets := self._subsets(x, columns)) is None:
            return None
        bit = np.zeros(len(self._sample.levels), np.int64)
        bit[columns] = 1 << np.arange(len(columns))
        member, bit[y] = int(bit[y]), 0  # in the set y does nothing
        given = int(np.bitwise_or.reduce(bit[fixed], initial=0))
        q = float(self._sample.levels[fixed[bit[fixed] > 0]].astype(float).prod())
        members, base = bit[pool], given.bit_count()
        while (size := int(progress[subset_search.SIZE])) <= top:
            if self.spent():
                raise OutOfTime
            without = int((members == 0).sum())
            subsets.make(max(base + size - without, 0), base + size + 1, self._values, self.form, self.spent)
            told = subsets.told, self._sample.levels, self.form, self.critical, x, y, member, given
            if told_tests.search(*told, pool, members, q, decide, least, progress):
                return subset_search.SEPARATED
        return subset_search.CONNECTED

    def _subsets(self, node: int, pool: np.ndarray) -> SubsetLikelihoods | None:
        """L of a node given subsets of a pool; the last ones are kept."""
        kept = self._kept.get(node)
        if kept is None or not np.array_equal(kept.pool, pool):
            kept = SubsetLikelihoods.of(self._sample, node, pool)
            if kept is not None:
                self._kept[node] = kept
                taken = sum(one.nbytes for one in self._kept.values())
                while len(self._kept) > MOST_KEPT or (taken > MOST_BYTES and len(self._kept) > 1):
                    taken -= self._kept.popitem(last=False)[1].nbytes
        return kept

    @staticmethod
    def _differ(adjacent: np.ndarray, x: int, y: int, size: int) -> bool:
        """Whether the second node of a pair has sets of its own to try."""
        if size == 1:
            return bool((adjacent[y] & ~adjacent[x]).sum() > 1)  # x itself is one
        unlike = adjacent[x] ^ adjacent[y]
        return bool(unlike.sum() > 2)  # x and y themselves are two

    def _kernel(self, size: int) -> tuple[Sample, Values, Work, Form, np.ndarray]:
        """What a kernel needs, with room for sets of ``size`` columns."""
        if size > room_for(self._work):
            self._work = workspace(self._sample, 2 * size)
        return self._sample, self._values, self._work, self.form, self.critical

    def _parts(self, ys: Nodes) -> Iterator[tuple[int, Nodes]]:
        """Runs of ``ys`` with the place where each begins; the clock is looked at before each."""
        for first in range(0, len(ys), self._at_once):
            if self.spent():
                raise OutOfTime
            yield first, ys[first : first + self._at_once]


def _first(size: int, room: int) -> np.ndarray:
    """The progress of a search before its first subset of a size."""
    return np.concatenate([[size, 0], np.arange(room + 1)]).astype(np.int64)


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0)


def _array(nodes: Nodes) -> np.ndarray:
    return np.asarray(nodes, dtype=np.int64)
