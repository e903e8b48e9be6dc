"""What one more parent of a node is worth, by any score: the only question that `ges` and `annealing` ask.

A Gaussian score answers from its compiled form. Any other is asked by ``gains`` or ``local`` and the answer kept:
where equivalent DAGs score the same, adding x to parents S of y is worth as much as adding y to parents S of x.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from climatebn.criterion import discrete
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import DiscreteScore, ManyGains
from climatebn.errors import OutOfTime
from climatebn.kernels.gaussian.additions import additions
from climatebn.learning.problem import Problem
from climatebn.learning.score.limits import most_parents
from climatebn.learning.score.question_count import QuestionCount

KEPT = 1 << 24  # places for answers to keep: 128 MB


class Differences:
    """Score differences of one problem; ``most_parents`` is what score and knowledge allow.

    ``asked`` counts them: each (target, parents, source) once, however often a search comes back to it.
    """

    def __init__(self, problem: Problem) -> None:
        stats, limit = problem.stats, problem.knowledge.max_parents
        score: Any = problem.score
        self.score, self.stats, self.budget, self.asked = score, stats, problem.budget, 0
        self.form, self.unit = problem.form, problem.unit
        self.counted: tuple[DiscreteStats, discrete.DiscreteForm] | None = None
        if isinstance(stats, DiscreteStats) and isinstance(score, DiscreteScore):
            self.counted = stats, score.discrete_settings(stats)
        able = most_parents(stats) if self.form is None else min(most_parents(stats), len(self.form.a) - 1)
        self.most_parents = able if limit is None else min(able, limit)
        self._kept: OrderedDict[tuple[int, ...], dict[int, np.ndarray]] = OrderedDict()  # parents: target: by source
        self._rows = 0
        self._questions = QuestionCount(len(stats.names))

    def additions(
        self,
        target: np.ndarray,
        starts: np.ndarray,
        items: np.ndarray,
        which: np.ndarray,
        source: np.ndarray,
        *,
        once: bool = False,
    ) -> np.ndarray:
        """Gain of adding ``source[i]`` to set s = which[i] (``items[starts[s]:starts[s + 1]]``) of ``target[s]``.

        NaN where the score cannot tell. ``which`` ascends. ``once``: none of this will be asked again, so that a
        discrete likelihood may count all of it in one go and remember nothing.
        """
        if self.budget.spent():
            raise OutOfTime
        new: slice | np.ndarray = slice(None)
        if self.score.equivalent:  # without parents x → y and y → x are one difference
            new = (starts[which] < starts[which + 1]) | (source < target[which])
        self.asked += self._questions.note(target, starts, items, which[new], source[new])
        if self.form is not None:
            return additions(self.form, target, starts, items, which, source)
        if once and self.counted is not None:
            stats, settings = self.counted
            return discrete.many_gains(stats, target, starts, items, which, source, settings, self.budget.spent)
        gains = np.empty(len(which))
        for s in np.unique(which):
            if self.budget.spent():
                raise OutOfTime
            run = slice(*np.searchsorted(which, (s, s + 1)))
            parents = sorted(items[starts[s] : starts[s + 1]].tolist())
            gains[run] = self._remembered(int(target[s]), tuple(parents), source[run])
        return gains

    def _remembered(self, target: int, parents: tuple[int, ...], sources: np.ndarray) -> np.ndarray:
        rows = self._kept.setdefault(parents, {})
        self._kept.move_to_end(parents)
        if target not in rows:
            rows[target] = np.full(len(self.stats.names), np.nan)
            self._rows += 1
        row = rows[target]
        if self.score.equivalent:
            for x in sources[np.isnan(row[sources])].tolist():
                if x in rows:
                    row[x] = rows[x][target]
        fresh = sources[np.isnan(row[sources])].tolist()
        if fresh:
            row[fresh] = self._ask(target, parents, fresh)
        while self._rows * len(row) > KEPT:
            self._rows -= len(self._kept.popitem(last=False)[1])
        return row[sources]

    def _ask(self, target: int, parents: tuple[int, ...], sources: list[int]) -> Sequence[float] | np.ndarray:
        if isinstance(self.score, ManyGains):
            return self.score.gains(self.stats, target, parents, sources)
        before = self.score.local(self.stats, target, parents)
        return [self.score.local(self.stats, target, tuple(sorted((*parents, x)))) - before for x in sources]
