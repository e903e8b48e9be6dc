r"""BGe: log P(G | D) up to a constant for Gaussian data, normal–Wishart prior with α_μ and α_w = w + N.

With T = t·I, t = α_μ(w − 1)/(α_μ + 1), prior mean = sample mean, R = T + (n − 1)·cov, and k = |Π|:

    local(i, Π) = ½ log(α_μ/(n + α_μ)) − n/2·log π + lnΓ((n + w + k + 1)/2) − lnΓ((w + k + 1)/2)
                  + (w + 2k + 1)/2·log t − (n + w + k + 1)/2·log v − ½ log|R_ΠΠ|,    v = R_ii − R_iΠ R_ΠΠ⁻¹ R_Πi

Geiger and Heckerman (2002), in the corrected form of Kuipers, Moffa and Heckerman (2014).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from climatebn.criterion.prior import Prior, log_odds
from climatebn.criterion.stats import BALANCED, GaussianStats
from climatebn.errors import ClimateBNError, number, public
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.local_score import local_score


@public
@dataclass(frozen=True)
class BGe:
    """Bayesian Gaussian equivalent score; as a test, the log Bayes factor.

    Parameters
    ----------
    iss_mu : imaginary sample size α_μ of the mean, above 0.
    iss_w : degrees of freedom α_w of the Wishart prior, above N + 1; N + 2 when left out.
    prior : structure prior, "uniform" or "vsp" (each parent included with probability 1/(N − 1)).

    Notes
    -----
    With k parents Π of node i, w = α_w − N, t = α_μ (w − 1) / (α_μ + 1), R = t I + (n − 1) cov and v = R_ii − R_iΠ
    R_ΠΠ⁻¹ R_Πi, the score of a node is::

        ½ log(α_μ / (n + α_μ)) − ½ n log π + lnΓ(½(n + w + k + 1)) − lnΓ(½(w + k + 1))
            + ½ (w + 2k + 1) log t − ½ (n + w + k + 1) log v − ½ log|R_ΠΠ|

    Geiger and Heckerman (2002, Ann. Statist. 30, 1412–1440), as corrected by Kuipers, Moffa and Heckerman (2014, Ann.
    Statist. 42, 1689–1691).

    Examples
    --------
    With n = 100, unit variances and correlation 0.5 (t = 1/2, w = 2) an arc is worth:

    >>> from climatebn import GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
    >>> round(BGe().local(stats, 1, [0]) - BGe().local(stats, 1, []), 6)
    11.340267
    """

    iss_mu: float = 1.0
    iss_w: float | None = None
    prior: Prior = "uniform"

    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian"})
    equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        number("iss_mu", self.iss_mu, above=0)
        if self.iss_w is not None:
            number("iss_w", self.iss_w, above=0)
        log_odds(self.prior, 2)

    def local(self, stats: GaussianStats, node: int, parents: Sequence[int]) -> float:
        """The score of ``node`` given ``parents``.

        Parameters
        ----------
        stats : `GaussianStats` of the data.
        node : column number of the node.
        parents : column numbers of its parents.

        Returns
        -------
        the log marginal likelihood in nats, with the prior of the arcs.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.BGe().local(stats, 1, [0]), 3)
        -135.59
        """
        return local_score(self.form(stats), index(node), parents)

    def form(self, stats: GaussianStats) -> GaussianForm:
        """The compiled form; remembered in ``stats.memo``.

        Parameters
        ----------
        stats : `GaussianStats` of the data.

        Returns
        -------
        `GaussianForm`: a matrix, and the numbers a, b, c of a·1 + b·log v + c·log|M| for each number of parents.

        Raises
        ------
        ClimateBNError where ``iss_w`` is too small for these nodes, or variances are out of proportion to the prior.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> cb.BGe().form(stats).b.tolist()
        [-51.5, -52.0]
        """
        if self not in stats.memo:
            stats.memo[self] = self._build(stats)
        form: GaussianForm = stats.memo[self]
        return form

    def _build(self, stats: GaussianStats) -> GaussianForm:
        n, nodes = stats.n, len(stats.names)
        w = 2.0 if self.iss_w is None else self.iss_w - nodes
        if not 1 < w < math.inf:
            raise ClimateBNError(f"BGe needs iss_w > N + 1 = {nodes + 1}; got {self.iss_w!r}")
        t = self.iss_mu * (w - 1) / (self.iss_mu + 1)
        largest = float(np.diag(stats.cov).max())
        if largest > BALANCED / n:
            raise ClimateBNError(
                f"BGe compares variances with those of its prior, {t:g}; the largest is {largest:.3g}. Divide the data "
                "by their standard deviation"
            )
        matrix = (n - 1) * stats.cov
        matrix.flat[:: nodes + 1] += t
        matrix.flags.writeable = False
        k = np.arange(nodes)
        a = (
            math.log(self.iss_mu / (n + self.iss_mu)) / 2
            - n / 2 * math.log(math.pi)
            + gammaln((n + w + k + 1) / 2)
            - gammaln((w + k + 1) / 2)
            + (w + 2 * k + 1) / 2 * math.log(t)
            + k * log_odds(self.prior, nodes)
        )
        return GaussianForm(matrix, a, -(n + w + k + 1) / 2, np.full(nodes, -0.5))
