"""Kernels are compiled before the clock of a cell starts: on a new machine that takes longer than most cells."""

from functools import cache
from typing import Any

import numpy as np

from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.protocols import Stats
from climatebn.criterion.stats import GaussianStats
from climatebn.learning import learn
from climatebn.rng import generator


def _chains(rng: np.random.Generator) -> np.ndarray:
    """Chains that meet, in so many months that any γ leaves edges, and pairs that only other nodes separate."""
    values = rng.normal(size=(20_000, 8))
    for node, causes in ((2, [0, 1]), (3, [2]), (4, [3]), (5, [0]), (6, [5, 4])):
        values[:, node] += values[:, causes].sum(axis=1)
    return values


@cache
def compile_kernels(algorithm: str, criterion: Any, kind: str) -> None:
    """Learn once in a process from a little data of a kind, "gaussian" or "discrete"."""
    rng = generator(1, "compile")
    if kind == "gaussian":
        small: Stats = GaussianStats.of(_chains(rng))
    else:  # few and many levels: both ways of counting
        cause = rng.integers(0, 3, (200, 1))
        codes = np.where(rng.random((200, 6)) < 0.7, cause, rng.integers(0, 3, (200, 6)))
        small = DiscreteStats(codes, [3, 3, 3, 3, 40, 40])
    learn(small, algorithm, criterion, seed=1, progress=False).uninterrupted()
