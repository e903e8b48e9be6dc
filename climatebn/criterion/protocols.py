"""The two protocols through which criteria and algorithms meet. No base class is needed.

A criterion is a small frozen (hence hashable) dataclass with its settings. ``kinds`` tells which data it fits.
A *score* measures one node given its parents; a *test* measures the dependence of two nodes given others.
Any score is also a test (see `bridge`). Column numbers, never names, cross this border.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable


@runtime_checkable
class Score(Protocol):
    """Evidence for a set of parents; the score of a network is the sum over its nodes; higher is better.

    A score may also have ``form(stats)``: its compiled form (see `kernels`), which makes searches fast.
    """

    kinds: ClassVar[frozenset[str]]  # of {"gaussian", "discrete"}
    equivalent: ClassVar[bool]  # Markov-equivalent DAGs score the same

    def local(self, stats: Any, node: int, parents: Sequence[int]) -> float: ...


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
