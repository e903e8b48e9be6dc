r"""Penalised log-likelihood of one node given its parents: what BIC, AIC and LogLik share.

    local(i, Π) = log L_i − p·|Θ_i|

Gaussian, k = |Π|, n observations, RSS = (n − 1)·v of the regression of i on Π: |Θ_i| = k + 2 and

    ml:        log L_i = −n/2·log(2π·RSS/n) − n/2
    unbiased:  log L_i = −n/2·log(2π·RSS/(n − k − 1)) − (n − k − 1)/2     (what bnlearn's scores use)

Discrete: see `discrete`. A Gaussian node has at most n − 3 parents, which leaves two degrees of freedom.
"""

from collections.abc import Sequence
from operator import index
from typing import ClassVar, Literal

import numpy as np

from climatebn.criterion import discrete
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import Stats
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import public, unknown
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.local_score import local_score

Variance = Literal["ml", "unbiased"]


@public
class PenalisedLikelihood:
    """A log-likelihood with a price per parameter; a criterion adds its settings and ``penalty``."""

    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian", "discrete"})
    equivalent: ClassVar[bool] = True  # reversing a covered arc swaps the numbers of parents of its two ends
    variance: Variance

    def __post_init__(self) -> None:
        if self.variance not in ("ml", "unbiased"):
            raise unknown("variance", self.variance, ("ml", "unbiased"))

    def penalty(self, stats: Stats) -> float:
        """The price p of one parameter.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.

        Returns
        -------
        the price in nats.

        Examples
        --------
        >>> from climatebn import AIC, GaussianStats
        >>> AIC().penalty(GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]]))
        1.0
        """
        raise NotImplementedError

    def local(self, stats: Stats, node: int, parents: Sequence[int]) -> float:
        """The score of ``node`` given ``parents``.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.
        node : column number of the node.
        parents : column numbers of its parents.

        Returns
        -------
        the score in nats; larger is better.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.BIC().local(stats, 1, [0]), 3)
        -133.915
        """
        if isinstance(stats, DiscreteStats):
            return discrete.local(stats, node, parents, self.discrete_settings(stats))
        form, shift = self.form(stats), stats.balanced()[1]
        score = local_score(form, index(node), parents)
        return score + float(form.b[len(parents)] * shift[node]) if shift[node] and score > -np.inf else score

    def gains(self, stats: Stats, node: int, parents: Sequence[int], candidates: Sequence[int]) -> np.ndarray:
        """The gain of adding each candidate to ``parents``.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.
        node : column number of the node.
        parents : column numbers of its parents.
        candidates : column numbers of nodes that are not among them.

        Returns
        -------
        array of nats, one a candidate.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> cb.BIC().gains(stats, 1, [], [0]).round(3).tolist()
        [12.082]
        """
        if isinstance(stats, DiscreteStats):
            return discrete.gains(stats, node, parents, candidates, self.discrete_settings(stats))
        before = self.local(stats, node, parents)
        return np.array([self.local(stats, node, [*parents, x]) - before for x in candidates])

    def form(self, stats: GaussianStats) -> GaussianForm:
        """The compiled form for Gaussian data; remembered in ``stats.memo``.

        Parameters
        ----------
        stats : `GaussianStats` of the data.

        Returns
        -------
        `GaussianForm`: a matrix, and the numbers a, b, c of a·1 + b·log v + c·log|M| for each number of parents.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> cb.BIC().form(stats).b.tolist()
        [-50.0, -50.0]
        """
        if self not in stats.memo:
            n = stats.n
            k = np.arange(min(len(stats.names) - 1, n - 3) + 1)
            freedom = n - k - 1.0 if self.variance == "unbiased" else np.full(len(k), float(n))
            a = -n / 2 * np.log(2 * np.pi * (n - 1) / freedom) - freedom / 2 - self.penalty(stats) * (k + 2)
            stats.memo[self] = GaussianForm(stats.balanced()[0], a, np.full(len(k), -n / 2), np.zeros(len(k)))
        form: GaussianForm = stats.memo[self]
        return form

    def discrete_settings(self, stats: DiscreteStats) -> discrete.DiscreteForm:
        """The likelihood and its price, for discrete data.

        Parameters
        ----------
        stats : `DiscreteStats` of the data.

        Returns
        -------
        `DiscreteForm`, what compiled searches read.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
        >>> cb.AIC().discrete_settings(stats).penalty
        1.0
        """
        return discrete.DiscreteForm(penalty=self.penalty(stats))
