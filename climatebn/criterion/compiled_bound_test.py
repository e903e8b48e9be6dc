"""The session of a test with a compiled form: same answers and counts as `bound_test.Session`, by kernels."""

import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from climatebn.criterion.blanket import penalties
from climatebn.criterion.bound_test import Level, Nodes, Separation, Session
from climatebn.criterion.protocols import IndependenceTest, Stats
from climatebn.errors import OutOfTime
from climatebn.kernels.gaussian import (
    branch_and_bound,
    combinations,
    conditioning,
    evidence_form,
    hpc,
    pc_level,
    subset_search,
)
from climatebn.kernels.gaussian.blanket import blanket
from climatebn.kernels.gaussian.evidence_form import EvidenceForm

SLICE = 200_000  # steps of a kernel between two looks at the clock: some hundredths of a second
CHUNK = 512  # pairs of a PC level done in one go


class CompiledSession(Session):
    """Questions to a Gaussian test. Residual rows of the last target are kept, so growing its set by one is cheap."""

    parallel = True

    def __init__(self, test: IndependenceTest, stats: Stats, spent: Callable[[], bool], form: EvidenceForm) -> None:
        super().__init__(test, stats, spent)
        self.form = form
        testable = len(form.table) - 1
        if testable < len(stats.names) - 2:  # n is small; orientation tests have one node more in their sets
            self.restrict(max(testable - 1, 0))
        self.log_alpha = -1.0 if form.kind == evidence_form.GAIN else self._log_p(np.zeros(1))[0]
        self._target, self._given = -1, np.empty(0, dtype=np.int64)
        self._rows: tuple[np.ndarray, ...] = ()
        self._regression = -1, np.empty(0, dtype=np.int64), np.empty((0, 0)), math.nan
        self._widest, self._memory = 8, subset_search.memory(8)

    def again(self, x: int, y: int, given: Nodes) -> float:
        return float(conditioning.single(self.form, x, y, _array(given))) if x != y else math.inf

    def log_p(self, evidences: np.ndarray, x: int, ys: Nodes, members: Nodes) -> np.ndarray:
        return self._log_p(evidences)

    def _log_p(self, evidences: np.ndarray) -> np.ndarray:
        return evidence_form.log_p(self.form.kind, self.form.critical, evidences)

    def row(self, x: int, ys: Nodes, given: Nodes) -> np.ndarray:
        self.calls += len(ys)
        return conditioning.evidence_row(self.form, x, _array(ys), *self._residuals(x, _array(given)))

    def around(self, x: int, ys: Nodes, members: Nodes) -> np.ndarray:
        self.calls += len(ys)
        inside = _array([z for z in members if z != x])
        columns = _array(ys)
        found = conditioning.evidence_row(self.form, x, columns, *self._residuals(x, inside))
        if len(inside):
            alone = dict(zip(inside.tolist(), self._without_each(x, inside), strict=True))
            for place, y in enumerate(columns.tolist()):
                if y in alone:
                    found[place] = alone[y]
        return found

    def beside(self, x: int, ys: Nodes, separators: Nodes, child: int) -> np.ndarray:
        self.calls += len(ys)
        return hpc.beside(self.form, x, _array(ys), _array(separators), child)

    def first_dependent(self, x: int, ys: Nodes, given: Nodes) -> int | None:
        place = conditioning.first_dependent(self.form, x, _array(ys), *self._residuals(x, _array(given)))
        self.calls += place + 1 if place >= 0 else len(ys)
        return place if place >= 0 else None

    def first_independent(self, x: int, members: Nodes, start: int, stop: int) -> int | None:
        if start >= stop:
            return None
        found = self._without_each(x, _array(members))[start:stop] <= 0
        place = int(found.argmax())
        self.calls += place + 1 if found[place] else stop - start
        return start + place if found[place] else None

    def _search(
        self, x: int, y: int, fixed: Nodes, pool: Nodes, smallest: int, largest: int, ceiling: float
    ) -> Separation:
        # x or y among the pool have no effect: the sets without them come first and decide
        others = [place for place, z in enumerate(pool) if z not in (x, y)]
        drawn, members = _array(pool)[others], _array(fixed)
        numbers, integers = self._room(len(pool))
        integers[branch_and_bound.PHASE] = branch_and_bound.START
        sizes = smallest, min(largest, len(others)), float(ceiling)
        status = branch_and_bound.UNFINISHED
        while status == branch_and_bound.UNFINISHED:
            status = subset_search.search(self.form, x, y, members, drawn, *sizes, numbers, integers, SLICE)
            if status == branch_and_bound.UNFINISHED and self.spent():
                raise OutOfTime
        if status == branch_and_bound.CONNECTED:
            self.calls += int(combinations.count(len(pool), smallest, largest))
            return Separation(None, float(numbers[0]))
        size = integers[branch_and_bound.SIZE]
        places = _array(others)[integers[branch_and_bound.CHOSEN :][:size]]
        self.calls += int(combinations.count(len(pool), smallest, size - 1) + combinations.rank(len(pool), places)) + 1
        return Separation((*fixed, *(pool[place] for place in places.tolist())), float(numbers[0]))

    def search_each(self, xs: Nodes, y: int, fixed: Nodes, pool: Nodes, ceilings: np.ndarray) -> np.ndarray:
        if len(pool):
            return super().search_each(xs, y, fixed, pool, ceilings)
        self.calls += len(xs)
        self.bare_tests += len(xs)
        found = conditioning.evidence_row(self.form, y, _array(xs), *self._residuals(y, _array(fixed)))
        return np.minimum(found, ceilings)

    def thin(
        self, x: int, ys: Nodes, fixed: Nodes, evidences: np.ndarray | None = None
    ) -> tuple[list[int], dict[int, int], np.ndarray]:
        current = np.zeros(len(ys)) if evidences is None else evidences.copy()
        only = fixed[0] if fixed else -1
        order = np.argsort(-current, kind="stable")
        separators, tests = hpc.thin(self.form, x, _array(ys), only, current, order, evidences is not None)
        self.calls += tests
        stays = separators < 0
        gone = {ys[place]: ys[separators[place]] for place in np.flatnonzero(~stays).tolist()}
        return [ys[place] for place in np.flatnonzero(stays).tolist()], gone, current[stays]

    def blanket(self, target: int, region: Nodes, first: Nodes) -> list[int]:
        nodes = _array([target, *(y for y in region if y != target)])
        place = {node: i for i, node in enumerate(nodes.tolist())}
        matrix = self.form.matrix[np.ix_(nodes, nodes)]
        matrix.flags.writeable = False  # as that of the whole form: no other specialisation of the kernels
        prices = penalties(len(nodes) - 1)
        start = _array([place[node] for node in first])
        found, rounds, capped = blanket(
            self.form._replace(matrix=matrix), start, prices, float(self.log_alpha), self.limit
        )
        self.calls += rounds * len(prices)
        self.capped |= capped
        return [int(node) for node in nodes[found]]

    def level(
        self,
        size: int,
        pairs: np.ndarray,
        starts: np.ndarray,
        items: np.ndarray,
        threads: int = 1,
        tick: Callable[[int], None] = lambda done: None,
    ) -> Level:
        count = len(pairs)
        widest = int(np.diff(starts).max(initial=0)) if size > 2 else 0
        sides, bounds = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        visited = np.zeros(count, dtype=np.bool_)
        chosen, tests = np.zeros((count, size), dtype=np.int64), np.zeros(count)
        stopped = threading.Event()

        def visit(first: int) -> int:
            part = slice(first, first + CHUNK)
            memory, done = subset_search.memory(widest), 0
            answers = sides[part], chosen[part], bounds[part], tests[part]
            while done < len(answers[0]) and not stopped.is_set() and not self.spent():
                done = pc_level.visit(self.form, size, pairs[part], starts, items, done, *answers, *memory, SLICE)
            visited[first : first + done] = True
            return done

        with ThreadPoolExecutor(threads) as pool:
            try:
                for done in pool.map(visit, range(0, count, CHUNK)):
                    tick(done)
            except BaseException:
                stopped.set()
                raise
        self.calls += int(tests.sum())
        apart = sides > 0
        sets = dict(zip(map(tuple, pairs[apart].tolist()), map(tuple, chosen[apart].tolist()), strict=True))
        return Level(sets, apart, bounds, visited)

    def _residuals(self, x: int, given: np.ndarray) -> tuple[int, np.ndarray, np.ndarray, float]:
        """Size of the set, variances and covariances with x of all columns given it, log-determinant."""
        k, known = len(given), 0
        if x == self._target:
            shared = min(k, len(self._given))
            differ = np.flatnonzero(given[:shared] != self._given[:shared])
            known = int(differ[0]) if len(differ) else shared
        if not self._rows or len(self._rows[0]) <= k:
            nodes = len(self.stats.names)
            room = 2 * k + 8
            self._rows = (*(np.empty((room, nodes)) for _ in range(3)), np.empty(room))
            known = 0
        conditioning.extend(self.form, x, given, known, *self._rows)
        self._target, self._given = x, given
        _, variances, residuals, logdets = self._rows
        return k, variances[k], residuals[k], float(logdets[k])

    def _without_each(self, x: int, members: np.ndarray) -> np.ndarray:
        """Evidence of x with each member given the others; the last regression serves again when one member left."""
        target, before, swept, logdet = self._regression
        place = int((before[: len(members)] != members).argmax()) if len(before) == len(members) + 1 else -1
        if place >= 0 and before[place] == members[place]:
            place = len(members)  # the last one left
        if target == x and place >= 0 and not math.isnan(logdet) and (before[place + 1 :] == members[place:]).all():
            logdet += math.log(swept[place, place])
            swept = conditioning.forget(swept, place)
        else:
            swept, logdet = conditioning.regression(self.form.matrix, x, members)
        self._regression = x, members, swept, logdet
        return conditioning.without_each(self.form, x, members, swept, logdet)

    def _room(self, pool: int) -> tuple[np.ndarray, np.ndarray]:
        if pool > self._widest:
            self._widest, self._memory = pool + 8, subset_search.memory(pool + 8)
        return self._memory


def _array(nodes: Nodes) -> np.ndarray:
    return np.asarray(nodes, dtype=np.int64)
