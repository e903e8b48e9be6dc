r"""BIC_γ of a network: Σ_i [log L_i − |Θ_i|·w·(log n / 2 + γ log N)].

γ = 0 is BIC; γ > 0 prices arcs higher where there are many nodes. Its matched test is G²_BICγ:
−n·log(1 − ρ²) > w·(log n + 2γ log N) for Gaussian data. The weight w is 1; w = 2 is the score that the climate networks
of Scutari et al. (2019) were learned with, by the numbers that the paper prints (docs/reproduction.md).
"""

import math
from dataclasses import dataclass
from numbers import Real

from climatebn.criterion.likelihood import PenalisedLikelihood, Variance
from climatebn.criterion.protocols import Stats
from climatebn.errors import ClimateBNError, public


@public
@dataclass(frozen=True)
class BIC(PenalisedLikelihood):
    """Bayesian information criterion with an extra penalty γ.

    Parameters
    ----------
    gamma : extra penalty γ ≥ 0, in units of log N per parameter.
    variance : of Gaussian residuals: "ml" (RSS/n, matches its test exactly) or "unbiased" (RSS/(n − k − 1), as
        bnlearn has it).
    weight : w > 0, times the whole price of a parameter, in the score and in its matched test alike.

    Notes
    -----
    With L_i the likelihood of node i given its parents, Θ_i its parameters, n observations of N nodes, w the weight::

        BIC_γ = Σ_i [log L_i − |Θ_i| · w · (½ log n + γ log N)]

    As a test of Gaussian data it calls X and Y dependent given Z when −n log(1 − ρ²) > w (log n + 2 γ log N), with ρ
    their partial correlation. Schwarz (1978, Ann. Statist. 6, 461–464); γ: Foygel and Drton (2010, NIPS 23); the
    matched test: Scutari, Graafland and Gutiérrez (2019).

    Examples
    --------
    With n = 100 and correlation 0.5 an arc is worth −50·log(1 − 0.25) − log(100)/2:

    >>> from climatebn import GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
    >>> round(BIC().local(stats, 1, [0]) - BIC().local(stats, 1, []), 6)
    12.081519

    Twice the price leaves log(100)/2 less of it:

    >>> round(BIC(weight=2.0).local(stats, 1, [0]) - BIC(weight=2.0).local(stats, 1, []), 6)
    9.778933
    """

    gamma: float = 0.0
    variance: Variance = "ml"
    weight: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("gamma", "weight"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Real):
                raise ClimateBNError(f"{name} must be a number; got {value!r}")
        if not 0 <= self.gamma < math.inf:
            raise ClimateBNError(f"BIC needs a finite gamma ≥ 0; got {self.gamma!r}")
        if not 0 < self.weight < math.inf:
            raise ClimateBNError(f"BIC needs a finite weight > 0; got {self.weight!r}")

    def penalty(self, stats: Stats) -> float:
        """The price of one parameter: w·(log(n)/2 + γ log N).

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data; n and N are read.

        Returns
        -------
        the price in nats.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.BIC(gamma=1).penalty(stats), 4)
        2.9957
        """
        return self.weight * (math.log(stats.n) / 2 + self.gamma * math.log(len(stats.names)))
