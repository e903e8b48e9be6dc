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
    """Evidence for a set of parents; the score of a network is the sum over its nodes; higher is better."""

    kinds: ClassVar[frozenset[str]]  # of {"gaussian", "discrete"}
    equivalent: ClassVar[bool]  # Markov-equivalent DAGs score the same

    def local(self, stats: Any, node: int, parents: Sequence[int]) -> float: ...


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
    """

    @property
    def kinds(self) -> frozenset[str]: ...  # of {"gaussian", "discrete"}

    def dependent(self, stats: Any, x: int, y: int, given: Sequence[int]) -> bool: ...
    def evidence(self, stats: Any, x: int, y: int, given: Sequence[int]) -> float: ...
    def log_p(self, stats: Any, x: int, y: int, given: Sequence[int]) -> float: ...


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
