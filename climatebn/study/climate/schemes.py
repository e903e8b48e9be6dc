"""The criteria of a climate network: matched, and as the paper's climate networks were learned by all its numbers.

matched : score and test have the same price of a parameter, log n / 2 + γ log N (the test: log n + 2γ log N).
as_run : for γ > 0 the score has twice that price, the test is as printed; hybrid algorithms test by the one and search
    by the other. γ = 0 is the same in both, and so is every constraint-based network: such cells are run once,
    as "both".
"""

from typing import Any, NamedTuple

from climatebn.criterion import find as find_criterion
from climatebn.learning.registry import ALGORITHMS, variant

SCHEMES = ("matched", "as_run")
BOTH = "both"
WORDS = {"matched": "matched", "as_run": "as run", BOTH: "matched and as run"}
AS_RUN_WEIGHT = 2.0


class Criteria(NamedTuple):
    """What `learn` is given: a score or what becomes a test, and another test for the first phase of a hybrid."""

    criterion: Any
    test: Any = None

    def said(self) -> str:
        """As `LearnResult.criterion` has it."""
        return repr(self.criterion) if self.test is None else f"{self.criterion!r}, test={self.test!r}"


def scheme_of(algorithm: str, gamma: float, scheme: str) -> str:
    """The scheme, or "both" where it makes no difference."""
    return BOTH if gamma == 0 or ALGORITHMS[variant(algorithm)[0]].kind == "constraint" else scheme


def criteria_of(scheme: str, algorithm: str, gamma: float, variance: str) -> Criteria:
    """The score and the test of a cell."""
    matched = find_criterion("BIC")(gamma=gamma, variance=variance)
    if scheme_of(algorithm, gamma, scheme) != "as_run":
        return Criteria(matched)
    score = find_criterion("BIC")(gamma=gamma, variance=variance, weight=AS_RUN_WEIGHT)
    return Criteria(score, matched if ALGORITHMS[variant(algorithm)[0]].kind == "hybrid" else None)
