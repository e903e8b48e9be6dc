r"""Fisher's Z = √(n − |Z| − 3)·atanh(ρ), standard normal under independence; ρ the partial correlation given Z."""

from dataclasses import dataclass

from climatebn.criterion import partial_correlation
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import public
from climatebn.kernels.gaussian.evidence_form import FISHER, EvidenceForm


@public
@dataclass(frozen=True)
class FisherZ(partial_correlation.CorrelationTest):
    """Fisher's Z test at level ``alpha`` for Gaussian data. Evidence is Z² minus its critical value.

    Parameters
    ----------
    alpha : level of the test.

    Notes
    -----
    With ρ the partial correlation of x and y given Z, and n observations; normal to a good approximation where x and y
    are independent given Z::

        Z = √(n − |Z| − 3) · atanh ρ

    Examples
    --------
    With n = 100 and ρ = 0.2, Z = √97·atanh(0.2) = 1.9966 and p = 0.0459:

    >>> import math
    >>> from climatebn import GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.2], [0.2, 1.0]])
    >>> round(math.exp(FisherZ(0.05).log_p(stats, 0, 1, [])), 4), FisherZ(0.05).dependent(stats, 0, 1, [])
    (0.0459, True)
    """

    def form(self, stats: GaussianStats) -> EvidenceForm:
        """The compiled form; remembered in ``stats.memo``.

        Parameters
        ----------
        stats : `GaussianStats` of the data, of 4 observations or more.

        Returns
        -------
        `EvidenceForm`, what compiled tests read.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.FisherZ(0.05).form(stats).critical, 3)
        3.841
        """
        if self not in stats.memo:
            critical = partial_correlation.squared_quantile(self.alpha)
            stats.memo[self] = partial_correlation.form_of(FISHER, stats, critical, beyond=4)
        form: EvidenceForm = stats.memo[self]
        return form
