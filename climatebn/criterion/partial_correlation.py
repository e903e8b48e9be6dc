"""What all tests of partial correlations share: their methods, their compiled form, and one test made with it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, ClassVar

import numpy as np

from climatebn.criterion.protocols import ALPHA
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import ClimateBNError, number, public, require_nodes
from climatebn.kernels.gaussian import conditioning, evidence_form
from climatebn.kernels.gaussian.evidence_form import EvidenceForm
from climatebn.kernels.gaussian.form import GaussianForm


@public
@dataclass(frozen=True)
class CorrelationTest(ABC):
    """A test at level ``alpha`` for Gaussian data. What tests differ in is ``form``."""

    alpha: float = ALPHA

    kinds: ClassVar[frozenset[str]] = frozenset({"gaussian"})

    def __post_init__(self) -> None:
        require_level(self.alpha)

    @abstractmethod
    def form(self, stats: GaussianStats) -> EvidenceForm:
        """The compiled form; remembered in ``stats.memo``.

        Parameters
        ----------
        stats : `GaussianStats` of the data.

        Returns
        -------
        `EvidenceForm`, what compiled tests read.

        Examples
        --------
        >>> from climatebn import FisherZ, GaussianStats
        >>> FisherZ(0.05).form(GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])).n
        100.0
        """

    def dependent(self, stats: GaussianStats, x: int, y: int, given: Sequence[int]) -> bool:
        """Whether p < α.

        Parameters
        ----------
        stats : `GaussianStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        bool.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> cb.FisherZ(0.05).dependent(stats, 0, 1, [])
        True
        """
        return self.evidence(stats, x, y, given) > 0

    def evidence(self, stats: GaussianStats, x: int, y: int, given: Sequence[int]) -> float:
        """The measure of the test, minus its critical value.

        Parameters
        ----------
        stats : `GaussianStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        float; above 0 where dependent.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.FisherZ(0.05).evidence(stats, 0, 1, []), 3)
        25.427
        """
        return measure(self.form(stats), x, y, given)

    def log_p(self, stats: GaussianStats, x: int, y: int, given: Sequence[int]) -> float:
        """Natural log of the p-value.

        Parameters
        ----------
        stats : `GaussianStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        log p, 0 or below.

        Examples
        --------
        >>> import climatebn as cb
        >>> stats = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])
        >>> round(cb.FisherZ(0.05).log_p(stats, 0, 1, []), 3)
        -16.58
        """
        return log_p(self.form(stats), x, y, given)


def require_level(alpha: Any) -> None:
    """Raise an error unless alpha is a significance level."""
    number("alpha", alpha, above=0, below=1)


def squared_quantile(alpha: float) -> float:
    """z² with P(χ²₁ > z²) = α."""
    from scipy.special import ndtri

    return float(ndtri(alpha / 2) ** 2)


def form_of(kind: int, stats: GaussianStats, critical: float, beyond: int) -> EvidenceForm:
    """The form of a test that needs ``beyond`` observations beyond the size of the conditioning set."""
    if stats.n < beyond:
        raise ClimateBNError(f"this test needs at least {beyond} observations; the data has {stats.n}")
    table = np.zeros((min(stats.n - beyond, len(stats.names)) + 1, 6))
    table[:, 0] = [evidence_form.square_at(kind, float(stats.n), critical, k, 0.0) for k in range(len(table))]
    return EvidenceForm(kind, float(stats.n), critical, stats.balanced()[0], table)


def form_of_gain(form: GaussianForm, stats: GaussianStats) -> EvidenceForm:
    """The form of the sign of a score's gain."""
    a, b, c = (np.pad(each, (0, 1), mode="edge") for each in (form.a, form.b, form.c))
    table = np.column_stack([np.zeros(len(form.a)), np.diff(a), b[:-1], b[1:], c[:-1], c[1:]])
    return EvidenceForm(evidence_form.GAIN, float(stats.n), 0.0, form.matrix, table)


def measure(form: EvidenceForm, x: int, y: int, given: Sequence[int]) -> float:
    """Evidence of one test."""
    require_nodes(len(form.matrix), [x, y], given)
    if len(given) >= len(form.table):
        raise ClimateBNError(
            f"a test given {len(given)} nodes is not possible with n = {form.n:.0f} observations; "
            f"the largest conditioning set has {len(form.table) - 1}"
        )
    return float(conditioning.single(form, index(x), index(y), np.array([*given], dtype=np.int64)))


def log_p(form: EvidenceForm, x: int, y: int, given: Sequence[int]) -> float:
    """log p of one test."""
    return float(evidence_form.log_p(form.kind, form.critical, np.array([measure(form, x, y, given)]))[0])
