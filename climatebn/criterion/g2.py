r"""G² = −n·log(1 − ρ²), the likelihood ratio of the arc, on 1 degree of freedom; ρ the partial correlation given Z.

Discrete: G² = 2 Σ n_ijk log(n_ijk n_++k / (n_i+k n_+jk)) on (R − 1)(C − 1) L degrees of freedom, or on those of
the levels seen in each of the L configurations.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from climatebn.criterion import discrete, partial_correlation
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import ALPHA, Stats
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import public
from climatebn.kernels.chi_square_tail import log_chi_square_tail
from climatebn.kernels.discrete.evidence import LEVEL, Form
from climatebn.kernels.gaussian.evidence_form import RATIO, EvidenceForm


@public
@dataclass(frozen=True)
class G2:
    """Likelihood-ratio test at level ``alpha``. Evidence is G² minus its critical value (discrete: log α − log p).

    Discrete data: ``df="nominal"`` takes (r_x − 1)(r_y − 1) q_Z degrees of freedom, seen or not, as bnlearn's mi;
    ``df="adjusted"`` only those of levels seen in each configuration of the set, as bnlearn's mi-adf and causal-learn.
    Where tables are sparse (many levels, large sets, few rows) the nominal test has more degrees than the data can fill
    and calls almost nothing dependent: true edges are lost. Take adjusted ones there; nominal ones to repeat published
    results. With every cell filled the two are the same test.

    Parameters
    ----------
    alpha : level of the test.
    df : "nominal" or "adjusted", of discrete data.

    Notes
    -----
    Gaussian data, ρ the partial correlation of x and y given Z; discrete data, n_ijk the counts in configuration k of
    Z::

        G² = −n log(1 − ρ²)                                  on 1 degree of freedom
        G² = 2 Σ_ijk n_ijk log(n_ijk n_++k / (n_i+k n_+jk))

    Compared with the χ² distribution.

    Examples
    --------
    With n = 100 and ρ = 0.2, G² = −100·log(0.96) = 4.082 and p = 0.0433:

    >>> import math
    >>> from climatebn import GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.2], [0.2, 1.0]])
    >>> round(math.exp(G2(0.05).log_p(stats, 0, 1, [])), 4), G2(0.05).dependent(stats, 0, 1, [])
    (0.0433, True)
    """

    alpha: float = ALPHA
    df: str = "nominal"

    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian", "discrete"})

    def __post_init__(self) -> None:
        partial_correlation.require_level(self.alpha)
        discrete.require_degrees(self.df)

    def dependent(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> bool:
        """Whether p < α.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        bool.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> cb.G2(0.05).dependent(stats, 0, 1, [])
        True
        """
        return self.evidence(stats, x, y, given) > 0

    def evidence(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """How far the test is above its level.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        G² minus its critical value (Gaussian), or log α − log p (discrete); above 0 where dependent.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.G2(0.05).evidence(stats, 0, 1, []), 3)
        24.927
        """
        if isinstance(stats, DiscreteStats):
            return math.log(self.alpha) - self.log_p(stats, x, y, given)
        return partial_correlation.measure(self.form(stats), x, y, given)

    def log_p(self, stats: Stats, x: int, y: int, given: Sequence[int]) -> float:
        """Natural log of the p-value.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        log p, 0 or below.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.G2(0.05).log_p(stats, 0, 1, []), 3)
        -16.322
        """
        if isinstance(stats, DiscreteStats):
            return log_chi_square_tail(*discrete.statistics(stats, x, [y], given, pearson=False, df=self.df)[0])
        return partial_correlation.log_p(self.form(stats), x, y, given)

    def discrete_form(self, stats: DiscreteStats) -> Form:
        """The compiled form for discrete data.

        Parameters
        ----------
        stats : `DiscreteStats` of the data.

        Returns
        -------
        `Form`, what compiled tests read.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
        >>> type(cb.G2(0.05).discrete_form(stats)).__name__
        'Form'
        """
        return discrete.form_of_test(stats, LEVEL, alpha=self.alpha, df=self.df)

    def form(self, stats: GaussianStats) -> EvidenceForm:
        """The compiled form for Gaussian data; remembered in ``stats.memo``.

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
        >>> round(cb.G2(0.05).form(stats).critical, 3)
        3.841
        """
        if self not in stats.memo:
            critical = partial_correlation.squared_quantile(self.alpha)
            stats.memo[self] = partial_correlation.form_of(RATIO, stats, critical, beyond=3)
        form: EvidenceForm = stats.memo[self]
        return form
