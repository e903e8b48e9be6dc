"""Structure learning: in which order an algorithm asks its criterion."""

from climatebn.learn.api import algorithms, learn
from climatebn.learn.knowledge import Knowledge
from climatebn.learn.problem import Conflict, Step
from climatebn.learn.result import LearnResult

__all__ = ["Conflict", "Knowledge", "LearnResult", "Step", "algorithms", "learn"]
