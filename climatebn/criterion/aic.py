r"""AIC of a network: Σ_i [log L_i − |Θ_i|]."""

from dataclasses import dataclass

from climatebn.criterion.likelihood import PenalisedLikelihood, Variance
from climatebn.criterion.protocols import Stats
from climatebn.errors import public


@public
@dataclass(frozen=True)
class AIC(PenalisedLikelihood):
    """Akaike information criterion, on the scale of the log-likelihood; ``variance`` as in `BIC`.

    Parameters
    ----------
    variance : "ml" or "unbiased", as in `BIC`.

    Notes
    -----
    With L_i the likelihood of node i given its parents and Θ_i its parameters::

        AIC = Σ_i [log L_i − |Θ_i|]

    Akaike (1974, IEEE Trans. Automat. Contr. 19, 716–723), there times −2.

    Examples
    --------
    With n = 100 and correlation 0.5 an arc is worth −50·log(1 − 0.25) − 1:

    >>> from climatebn import GaussianStats
    >>> stats = GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
    >>> round(AIC().local(stats, 1, [0]) - AIC().local(stats, 1, []), 6)
    13.384104
    """

    variance: Variance = "ml"

    def penalty(self, stats: Stats) -> float:
        """The price of one parameter: 1.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.

        Returns
        -------
        1.0, in nats.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> cb.AIC().penalty(stats)
        1.0
        """
        return 1.0
