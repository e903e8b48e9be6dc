r"""Any score is a test: x and y depend on each other given Z when adding y to the parents Z of x raises the score.

For a penalised likelihood that is a G² test whose critical value is the price of the parameters, twice:

    BIC_γ, Gaussian:  −n·log(1 − ρ²) > log n + 2γ log N         discrete:  G² > df·(log n + 2γ log N)

(twice the difference of the scores with ``variance="ml"``; how a score estimates variances does not concern its test).
Any other score decides by the sign of its gain: with BGe or BDeu, the log Bayes factor.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from climatebn.criterion import discrete, partial_correlation
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.likelihood import PenalisedLikelihood
from climatebn.criterion.protocols import CompiledScore, DiscreteScore, IndependenceTest, ManyGains, Score, Stats
from climatebn.criterion.stats import GaussianStats
from climatebn.kernels.discrete.evidence import GAIN, PRICE, Form
from climatebn.kernels.gaussian.evidence_form import RATIO, EvidenceForm


def as_test(criterion: Any) -> IndependenceTest:
    """A test as it is; a score as its matched test.

    >>> from climatebn import BIC, GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.2], [0.2, 1.0]])
    >>> as_test(BIC()).dependent(stats, 0, 1, [])  # 4.082 < log 100 = 4.605
    False
    """
    if isinstance(criterion, IndependenceTest):
        return criterion
    if isinstance(criterion, PenalisedLikelihood):
        return MatchedG2(criterion)
    return SignOfGain(criterion)


@dataclass(frozen=True)
class ScoreAsTest(ABC):
    """A score that decides as a test."""

    score: Any

    @property
    def kinds(self) -> frozenset[str]:
        """The data that the score fits."""
        kinds: frozenset[str] = self.score.kinds
        return kinds

    @abstractmethod
    def evidence(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """What the score has for an arc between x and y."""

    def dependent(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> bool:
        """Whether the arc is worth its price."""
        return self.evidence(stats, x, y, given) > 0


@dataclass(frozen=True)
class MatchedG2(ScoreAsTest):
    """The G² test that a penalised likelihood makes: evidence is G² minus twice the price of the arc."""

    score: PenalisedLikelihood

    def evidence(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """G² − df·2·penalty."""
        return self.evidences(stats, x, [y], given)[0]

    def evidences(self, stats: Stats, x: int, ys: Sequence[int], given: Sequence[int]) -> list[float]:
        """The same of x with each y; discrete rows are grouped by ``given`` once."""
        if isinstance(stats, GaussianStats):
            return [partial_correlation.measure(self.form(stats), x, y, given) for y in ys]
        price = 2 * self.score.penalty(stats)
        found = discrete.statistics(stats, x, ys, given, pearson=False)
        return [statistic - df * price for statistic, df in found]

    def log_p(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """log p of G²; by the decision for discrete data, whose level changes from test to test."""
        if isinstance(stats, DiscreteStats):
            return -math.inf if self.dependent(stats, x, y, given) else 0.0
        return partial_correlation.log_p(self.form(stats), x, y, given)

    def discrete_form(self, stats: DiscreteStats) -> Form:
        """The compiled form for discrete data."""
        return discrete.form_of_test(stats, PRICE, price=2 * self.score.penalty(stats))

    def form(self, stats: GaussianStats) -> EvidenceForm:
        """The compiled form for Gaussian data; remembered in ``stats.memo``."""
        if self not in stats.memo:
            critical = 2 * self.score.penalty(stats)
            stats.memo[self] = partial_correlation.form_of(RATIO, stats, critical, beyond=3)
        form: EvidenceForm = stats.memo[self]
        return form


@dataclass(frozen=True)
class SignOfGain(ScoreAsTest):
    """Dependent when y among the parents of x raises the score; evidence is the gain."""

    score: Score

    def evidence(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """By how much."""
        return self.score.local(stats, x, [*given, y]) - self.score.local(stats, x, given)

    def evidences(self, stats: Stats, x: int, ys: Sequence[int], given: Sequence[int]) -> Sequence[float]:
        """The same of x with each y; scores with ``gains`` group rows once (one alone may be remembered)."""
        if len(ys) > 1 and isinstance(self.score, ManyGains):
            gains: list[float] = self.score.gains(stats, x, given, ys).tolist()
            return gains
        return [self.evidence(stats, x, y, given) for y in ys]

    def log_p(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """−inf when dependent, else 0: a gain has no null distribution."""
        return -math.inf if self.dependent(stats, x, y, given) else 0.0

    def discrete_form(self, stats: DiscreteStats) -> Form | None:
        """The compiled form for discrete data, where the score has one."""
        if not isinstance(self.score, DiscreteScore):
            return None
        settings = self.score.discrete_settings(stats)
        if settings.penalty:
            return None
        return discrete.form_of_test(stats, GAIN, iss=settings.iss, arc=settings.arc)

    def form(self, stats: Stats) -> EvidenceForm | None:
        """The compiled form for Gaussian data, where the score has one."""
        if not isinstance(stats, GaussianStats) or not isinstance(self.score, CompiledScore):
            return None
        if self not in stats.memo:
            stats.memo[self] = partial_correlation.form_of_gain(self.score.form(stats), stats)
        form: EvidenceForm = stats.memo[self]
        return form
