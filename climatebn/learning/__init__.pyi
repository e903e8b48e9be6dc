from .api import algorithms, learn
from .knowledge import Knowledge
from .problem import Conflict, Step
from .result import LearnResult

__all__ = [
    "Conflict",
    "Knowledge",
    "LearnResult",
    "Step",
    "algorithms",
    "learn",
]
