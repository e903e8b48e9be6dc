r"""BIC_γ of a network: Σ_i [log L_i − |Θ_i|·(log n / 2 + γ log N)].

γ = 0 is BIC; γ > 0 prices arcs higher where there are many nodes. Its matched test is G²_BICγ:
−n·log(1 − ρ²) > log n + 2γ log N for Gaussian data.
"""

import math
from dataclasses import dataclass

from climatebn.criterion.likelihood import PenalisedLikelihood, Variance
from climatebn.criterion.stats import Stats
from climatebn.errors import ClimateBNError


@dataclass(frozen=True)
class BIC(PenalisedLikelihood):
    """Bayesian information criterion with an extra penalty γ.

    Parameters
    ----------
    gamma : extra penalty γ ≥ 0, in units of log N per parameter.
    variance : of Gaussian residuals: "ml" (RSS/n, matches its test exactly) or "unbiased" (RSS/(n − k − 1), as
        bnlearn has it).

    With n = 100 and correlation 0.5 an arc is worth −50·log(1 − 0.25) − log(100)/2:

    >>> from climatebn import GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
    >>> round(BIC().local(stats, 1, [0]) - BIC().local(stats, 1, []), 6)
    12.081519
    """

    gamma: float = 0.0
    variance: Variance = "ml"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.gamma < math.inf:
            raise ClimateBNError(f"BIC needs a finite gamma ≥ 0; got {self.gamma!r}")

    def penalty(self, stats: Stats) -> float:
        """The price of one parameter: log(n)/2 + γ log N."""
        return math.log(stats.n) / 2 + self.gamma * math.log(len(stats.names))
