r"""Log-likelihood of a network: Σ_i log L_i. It never asks for fewer arcs; searches with it need ``max_parents``."""

from dataclasses import dataclass

from climatebn.criterion.likelihood import PenalisedLikelihood, Variance
from climatebn.criterion.protocols import Stats
from climatebn.errors import public


@public
@dataclass(frozen=True)
class LogLik(PenalisedLikelihood):
    """Log-likelihood at the fitted parameters; ``variance`` as in `BIC`.

    Parameters
    ----------
    variance : "ml" or "unbiased", as in `BIC`.

    Notes
    -----
    Σ_i log L_i, the logarithm of each node's likelihood given its parents. It never prefers fewer arcs, so a search
    with it needs ``max_parents``.

    Examples
    --------
    With n = 100 and correlation 0.5 an arc is worth −50·log(1 − 0.25):

    >>> from climatebn import GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
    >>> round(LogLik().local(stats, 1, [0]) - LogLik().local(stats, 1, []), 6)
    14.384104
    """

    variance: Variance = "ml"

    def penalty(self, stats: Stats) -> float:
        """The price of one parameter: nothing.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.

        Returns
        -------
        0.0.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> cb.LogLik().penalty(stats)
        0.0
        """
        return 0.0
