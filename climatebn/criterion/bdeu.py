r"""BDeu: log P(G | D) up to a constant for discrete data, Dirichlet prior of imaginary sample size ``iss``.

    Σ_i Σ_j [lnΓ(α_ij) − lnΓ(α_ij + n_ij) + Σ_k lnΓ(α_ijk + n_ijk) − lnΓ(α_ijk)],   α_ijk = iss / (r_i q_i)

Heckerman, Geiger, Chickering (1995).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from climatebn.criterion import discrete
from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.prior import Prior, log_odds
from climatebn.errors import number, public


@public
@dataclass(frozen=True)
class BDeu:
    """Bayesian Dirichlet equivalent uniform score; as a test, the log Bayes factor.

    Parameters
    ----------
    iss : imaginary sample size, above 0.
    prior : structure prior, "uniform" or "vsp" (each parent included with probability 1/(N − 1)).

    Notes
    -----
    With r_i levels of node i, q_i configurations j of its parents, n_ijk the counts and α_ijk = iss / (r_i q_i)::

        Σ_j [lnΓ(α_ij) − lnΓ(α_ij + n_ij) + Σ_k (lnΓ(α_ijk + n_ijk) − lnΓ(α_ijk))]

    Heckerman, Geiger and Chickering (1995, Mach. Learn. 20, 197–243).

    Examples
    --------
    >>> from climatebn import DiscreteStats
    >>> stats = DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
    >>> bool(BDeu().local(stats, 1, [0]) > BDeu().local(stats, 1, []))
    True
    """

    iss: float = 1.0
    prior: Prior = "uniform"

    kinds: ClassVar[frozenset[str]] = frozenset({"discrete"})
    equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        number("iss", self.iss, above=0)
        log_odds(self.prior, 2)

    def discrete_settings(self, stats: DiscreteStats) -> discrete.DiscreteForm:
        """Its settings for these data.

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
        >>> cb.BDeu(iss=2).discrete_settings(stats).iss
        2
        """
        return discrete.DiscreteForm(iss=self.iss, arc=log_odds(self.prior, len(stats.names)))

    def local(self, stats: DiscreteStats, node: int, parents: Sequence[int]) -> float:
        """The score of ``node`` given ``parents``.

        Parameters
        ----------
        stats : `DiscreteStats` of the data.
        node : column number of the node.
        parents : column numbers of its parents.

        Returns
        -------
        the log marginal likelihood in nats, with the prior of the arcs.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
        >>> round(cb.BDeu().local(stats, 1, [0]), 3)
        -1.751
        """
        return discrete.local(stats, node, parents, self.discrete_settings(stats))

    def gains(self, stats: DiscreteStats, node: int, parents: Sequence[int], candidates: Sequence[int]) -> np.ndarray:
        """The gain of adding each candidate to ``parents``.

        Parameters
        ----------
        stats : `DiscreteStats` of the data.
        node : column number of the node.
        parents : column numbers of its parents.
        candidates : column numbers of nodes that are not among them.

        Returns
        -------
        array of nats, one a candidate.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.DiscreteStats([[0, 0], [1, 1], [0, 0], [1, 1]], levels=[2, 2])
        >>> cb.BDeu().gains(stats, 1, [], [0]).round(3).tolist()
        [2.002]
        """
        return discrete.gains(stats, node, parents, candidates, self.discrete_settings(stats))
