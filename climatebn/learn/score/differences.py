"""What one more parent of a node is worth, by any score: the only question that `ges` and `annealing` ask.

A Gaussian score answers from its compiled form. Any other is asked by ``gains`` or ``local`` and the answer kept:
where equivalent DAGs score the same, adding x to parents S of y is worth as much as adding y to parents S of x.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from climatebn.kernels.additions import additions
from climatebn.learn.problem import Problem

KEPT = 1 << 20  # answers kept


class OutOfTime(Exception):
    """The time of the problem's budget is over."""


class Differences:
    """Score differences of one problem; ``asked`` counts them. ``most_parents`` is what score and knowledge allow."""

    def __init__(self, problem: Problem) -> None:
        stats, limit = problem.stats, problem.knowledge.max_parents
        score: Any = problem.score
        self.score, self.stats, self.budget, self.asked = score, stats, problem.budget, 0
        self.form = score.form(stats) if stats.kind == "gaussian" and hasattr(score, "form") else None
        able = len(stats.names) if self.form is None else min(len(stats.names), len(self.form.a))
        self.most_parents = able - 1 if limit is None else min(able - 1, limit)
        self._kept: OrderedDict[tuple[Any, ...], float] = OrderedDict()

    def additions(
        self, target: np.ndarray, starts: np.ndarray, items: np.ndarray, which: np.ndarray, source: np.ndarray
    ) -> np.ndarray:
        """Gain of adding ``source[i]`` to set s = which[i] (``items[starts[s]:starts[s + 1]]``) of ``target[s]``.

        NaN where the score cannot tell. ``which`` ascends.
        """
        if self.budget.spent():
            raise OutOfTime
        self.asked += len(which)
        if self.score.equivalent:  # without parents x → y and y → x are one difference
            alone = starts[which] == starts[which + 1]
            self.asked -= int(np.count_nonzero(alone & (source > target[which])))
        if self.form is not None:
            return additions(self.form, target, starts, items, which, source)
        gains = np.empty(len(which))
        for s in np.unique(which):
            run = slice(*np.searchsorted(which, (s, s + 1)))
            parents = sorted(items[starts[s] : starts[s + 1]].tolist())
            gains[run] = self._remembered(int(target[s]), tuple(parents), source[run].tolist())
        return gains

    def _remembered(self, target: int, parents: tuple[int, ...], sources: list[int]) -> list[float]:
        keys = [(parents, *(sorted((x, target)) if self.score.equivalent else (x, target))) for x in sources]
        fresh = [source for source, key in zip(sources, keys, strict=True) if key not in self._kept]
        answers = dict(zip(fresh, self._ask(target, parents, fresh), strict=True)) if fresh else {}
        found = [self._kept[key] if key in self._kept else answers[s] for s, key in zip(sources, keys, strict=True)]
        self._kept.update(zip(keys, found, strict=True))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def _ask(self, target: int, parents: tuple[int, ...], sources: list[int]) -> Sequence[float]:
        if hasattr(self.score, "gains"):
            return [float(gain) for gain in self.score.gains(self.stats, target, parents, sources)]
        before = self.score.local(self.stats, target, parents)
        return [self.score.local(self.stats, target, tuple(sorted((*parents, x)))) - before for x in sources]
