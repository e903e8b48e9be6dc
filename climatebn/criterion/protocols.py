"""The protocols through which criteria and algorithms meet. No base class is needed.

A criterion is a small frozen (hence hashable) dataclass with its settings. ``kinds`` tells which data it fits.
A *score* measures one node given its parents; a *test* measures the dependence of two nodes given others.
Any score is also a test (see `bridge`). Column numbers, never names, cross this border.

`Score` or `IndependenceTest` is all that is needed. What else algorithms look for makes them faster, or tells them
more: `CompiledScore`, `DiscreteScore`, `ManyGains`, `CompiledTest`, `DiscreteTest`, `ManyTests`, `HasLevel`. They look
for nothing that is not here.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, runtime_checkable

import numpy as np

from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.stats import GaussianStats

if TYPE_CHECKING:
    from climatebn.kernels.discrete.evidence import Form
    from climatebn.kernels.gaussian.evidence_form import EvidenceForm
    from climatebn.kernels.gaussian.form import GaussianForm


ALPHA = 0.05  # level of a test unless another is given

Stats: TypeAlias = GaussianStats | DiscreteStats  # what criteria read of the data


@runtime_checkable
class Score(Protocol):
    """Evidence for a set of parents; the score of a network is the sum over its nodes; higher is better.

    Attributes
    ----------
    kinds : the data it fits, of {"gaussian", "discrete"}.
    equivalent : whether Markov-equivalent networks score the same.

    Examples
    --------
    >>> from climatebn import BIC, FisherZ
    >>> isinstance(BIC(), Score), isinstance(FisherZ(), Score)
    (True, False)
    """

    kinds: ClassVar[frozenset[str]]  # of {"gaussian", "discrete"}
    equivalent: ClassVar[bool]  # Markov-equivalent DAGs score the same

    def local(self, stats: Any, node: int, parents: Sequence[int]) -> float:
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
        >>> from climatebn import BIC, GaussianStats
        >>> round(BIC().local(GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]]), 1, [0]), 3)
        -133.915
        """


@runtime_checkable
class CompiledScore(Protocol):
    """A score with a compiled form for Gaussian data (see `kernels.gaussian.form`), which makes searches fast."""

    def form(self, stats: Any) -> "GaussianForm": ...


@runtime_checkable
class ManyGains(Protocol):
    """A score that can tell what each of many candidates would add to one set of parents, cheaper than one by one."""

    def gains(self, stats: Any, node: int, parents: Sequence[int], candidates: Sequence[int]) -> np.ndarray: ...


@runtime_checkable
class IndependenceTest(Protocol):
    """Evidence for the dependence of x and y given a set.

    ``evidence`` > 0 means dependent; larger is stronger, comparable between conditioning sets.
    ``log_p`` is the natural log of the p-value; a test without a null distribution gives −inf or 0 by its decision.

    Attributes
    ----------
    kinds : the data it fits, of {"gaussian", "discrete"}.

    Examples
    --------
    >>> from climatebn import BIC, FisherZ
    >>> isinstance(BIC(), IndependenceTest), isinstance(FisherZ(), IndependenceTest)
    (False, True)
    """

    @property
    def kinds(self) -> frozenset[str]:
        """The data it fits, of {"gaussian", "discrete"}."""

    def dependent(self, stats: Any, x: int, y: int, given: Sequence[int]) -> bool:
        """Whether x and y are dependent given the set.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        bool; True where ``evidence`` is above 0.

        Examples
        --------
        >>> from climatebn import FisherZ, GaussianStats
        >>> FisherZ(0.05).dependent(GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]]), 0, 1, [])
        True
        """

    def evidence(self, stats: Any, x: int, y: int, given: Sequence[int]) -> float:
        """How strong the evidence for dependence is.

        Parameters
        ----------
        stats : `GaussianStats` or `DiscreteStats` of the data.
        x, y : column numbers of the two nodes.
        given : column numbers of the conditioning set; none for [].

        Returns
        -------
        float; above 0 where dependent.

        Examples
        --------
        >>> from climatebn import FisherZ, GaussianStats
        >>> round(FisherZ(0.05).evidence(GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]]), 0, 1, []), 2)
        25.43
        """

    def log_p(self, stats: Any, x: int, y: int, given: Sequence[int]) -> float:
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
        >>> from climatebn import FisherZ, GaussianStats
        >>> round(FisherZ(0.05).log_p(GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]]), 0, 1, []), 2)
        -16.58
        """


@runtime_checkable
class CompiledTest(Protocol):
    """A test with a compiled form for Gaussian data (see `kernels.gaussian.evidence_form`); None where it has none."""

    def form(self, stats: Any) -> "EvidenceForm | None": ...


@runtime_checkable
class DiscreteTest(Protocol):
    """A test with a compiled form for discrete data (see `kernels.discrete.evidence`); None where it has none."""

    def discrete_form(self, stats: Any) -> "Form | None": ...


@runtime_checkable
class DiscreteScore(Protocol):
    """A score of discrete data that is a likelihood or a BDeu marginal likelihood, with its settings for these data."""

    def discrete_settings(self, stats: Any) -> Any: ...


@runtime_checkable
class ManyTests(Protocol):
    """A test that can measure x with each of ``ys`` given one set, cheaper than one by one."""

    def evidences(self, stats: Any, x: int, ys: Sequence[int], given: Sequence[int]) -> Sequence[float]: ...


@runtime_checkable
class HasLevel(Protocol):
    """A test that decides by p < ``alpha``; any other has p-values of 0 or 1 only."""

    alpha: float


Criterion: TypeAlias = Score | IndependenceTest
