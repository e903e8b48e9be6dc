r"""Pearson's X² = Σ (n_ijk − e_ijk)² / e_ijk,  e_ijk = n_i+k n_+jk / n_++k, on (R − 1)(C − 1) L degrees of freedom.

Or on those of the levels seen in each of the L configurations.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from climatebn.criterion import discrete
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import ALPHA
from climatebn.errors import ClimateBNError, public
from climatebn.kernels.chi_square_tail import log_chi_square_tail
from climatebn.kernels.discrete.evidence import PEARSON, Form


@public
@dataclass(frozen=True)
class ChiSquare:
    """Pearson's test of independence for discrete data at level ``alpha``.

    Evidence is log α − log p: unlike the statistic, it compares tests of different degrees of freedom.

    ``df="nominal"`` takes (r_x − 1)(r_y − 1) q_Z degrees of freedom, seen or not, as bnlearn's x2;
    ``df="adjusted"`` only those of levels seen in each configuration of the set, as bnlearn's x2-adf and causal-learn.
    Where tables are sparse (many levels, large sets, few rows) the nominal test has more degrees than the data can fill
    and calls almost nothing dependent: true edges are lost. Take adjusted ones there; nominal ones to repeat published
    results. With every cell filled the two are the same test.

    Parameters
    ----------
    alpha : level of the test.
    df : "nominal" or "adjusted".

    Notes
    -----
    With n_ijk the counts in configuration k of Z, compared with the χ² distribution::

        X² = Σ_ijk (n_ijk − e_ijk)² / e_ijk,      e_ijk = n_i+k n_+jk / n_++k

    Examples
    --------
    >>> from climatebn import DiscreteStats
    >>> stats = DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
    >>> ChiSquare(0.05).dependent(stats, 0, 1, [])
    True
    """

    alpha: float = ALPHA
    df: str = "nominal"

    kinds: ClassVar[frozenset[str]] = frozenset({"discrete"})

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise ClimateBNError(f"alpha must lie between 0 and 1; got {self.alpha!r}")
        discrete.require_degrees(self.df)

    def dependent(self, stats: DiscreteStats, x: int, y: int, given: Sequence[int]) -> bool:
        """Whether p < α.

        Parameters
        ----------
        stats : `DiscreteStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        bool.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
        >>> cb.ChiSquare(0.05).dependent(stats, 0, 1, [])
        True
        """
        return self.evidence(stats, x, y, given) > 0

    def evidence(self, stats: DiscreteStats, x: int, y: int, given: Sequence[int]) -> float:
        """log α − log p.

        Parameters
        ----------
        stats : `DiscreteStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        nats; above 0 where dependent.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
        >>> round(cb.ChiSquare(0.05).evidence(stats, 0, 1, []), 3)
        0.094
        """
        return math.log(self.alpha) - self.log_p(stats, x, y, given)

    def log_p(self, stats: DiscreteStats, x: int, y: int, given: Sequence[int]) -> float:
        """Natural log of the p-value.

        Parameters
        ----------
        stats : `DiscreteStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        log p, 0 or below.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
        >>> round(cb.ChiSquare(0.05).log_p(stats, 0, 1, []), 3)
        -3.09
        """
        return log_chi_square_tail(*discrete.statistics(stats, x, [y], given, pearson=True, df=self.df)[0])

    def discrete_form(self, stats: DiscreteStats) -> Form:
        """The compiled form.

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
        >>> type(cb.ChiSquare(0.05).discrete_form(stats)).__name__
        'Form'
        """
        return discrete.form_of_test(stats, PEARSON, alpha=self.alpha, df=self.df)
