r"""Student's t = ρ √(df / (1 − ρ²)) on df = n − |Z| − 2; ρ the partial correlation given Z. Exact for Gaussian data."""

import math
from dataclasses import dataclass

from climatebn.criterion import partial_correlation
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import public
from climatebn.kernels.gaussian.evidence_form import STUDENT, EvidenceForm


@public
@dataclass(frozen=True)
class StudentT(partial_correlation.CorrelationTest):
    """Student's t test at level ``alpha`` for Gaussian data. Evidence is log α − log p.

    Parameters
    ----------
    alpha : level of the test.

    Notes
    -----
    With ρ the partial correlation of x and y given Z, and n observations; exact for Gaussian data::

        t = ρ √(df / (1 − ρ²)),      df = n − |Z| − 2

    Examples
    --------
    With n = 100 and ρ = 0.2, t = 0.2·√(98/0.96) = 2.0207 and p = 0.0460:

    >>> import math
    >>> from climatebn import GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.2], [0.2, 1.0]])
    >>> round(math.exp(StudentT(0.05).log_p(stats, 0, 1, [])), 4), StudentT(0.05).dependent(stats, 0, 1, [])
    (0.046, True)
    """

    def form(self, stats: GaussianStats) -> EvidenceForm:
        """The compiled form; remembered in ``stats.memo``.

        Parameters
        ----------
        stats : `GaussianStats` of the data, of 3 observations or more.

        Returns
        -------
        `EvidenceForm`, what compiled tests read.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.StudentT(0.05).form(stats).critical, 3)
        -2.996
        """
        if self not in stats.memo:
            stats.memo[self] = partial_correlation.form_of(STUDENT, stats, math.log(self.alpha), beyond=3)
        form: EvidenceForm = stats.memo[self]
        return form
