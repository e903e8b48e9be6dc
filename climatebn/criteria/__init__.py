"""How much evidence there is for one arc: scores, tests, and the bridge that matches them."""

from typing import Any

from climatebn.criteria.protocols import IndependenceTest, Score
from climatebn.criteria.registry import CRITERIA, criteria, find
from climatebn.criteria.stats import DiscreteStats, GaussianStats

__all__ = ["CRITERIA", "DiscreteStats", "GaussianStats", "IndependenceTest", "Score", "criteria", "find"]


def __getattr__(name: str) -> Any:
    if name in CRITERIA:
        return find(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
