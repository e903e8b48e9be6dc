"""The paper's questions Q1–Q5, over all panels: who is more accurate, who is faster, and is size a matter?"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from climatebn.study.claims.claim import Part, shared
from climatebn.study.simulation.panels import CONSTRAINT, HYBRID, SMALL_NETWORK, Panels, size_of

COMPARABLE = (0.9, 1.1)  # of two class means
ALIKE = 0.7  # a rank correlation
SETTINGS = (("discrete", "bic"), ("discrete", "posterior"), ("Gaussian", "bic"), ("Gaussian", "posterior"))


class Ranks(NamedTuple):
    """Mean ranks of the algorithms over the small and the large networks of one kind and criterion pair."""

    kind: str
    criterion: str
    measure: str
    small: pd.Series
    large: pd.Series

    @property
    def correlation(self) -> float:
        """Spearman's."""
        return float(self.small.rank().corr(self.large.rank()))


def mean_of(frame: pd.DataFrame, algorithms: Sequence[str]) -> pd.Series:
    """The mean of a class in each panel; missing where one of its algorithms is."""
    return frame[list(algorithms)].mean(axis=1, skipna=False)


def comparable(panels: Panels) -> pd.Series:
    """Where the mean SHD of hybrid and of constraint-based algorithms are within 0.9 … 1.1 of each other."""
    ratio = (mean_of(panels.shd, HYBRID) / mean_of(panels.shd, CONSTRAINT)).dropna()
    return ratio.between(*COMPARABLE)


def below(first: pd.Series, second: pd.Series) -> pd.Series:
    """Where the first is less; only panels that have both."""
    told = first.notna() & second.notna()
    return (first < second)[told]


def accuracy(panels: Panels) -> list[Part]:
    """Q1."""
    constraint = mean_of(panels.shd, CONSTRAINT)
    tabu = below(panels.shd["tabu"], constraint)
    parts = [shared(tabu, "tabu more accurate", least=0.5, strict=True)]
    for size in ("small", "large"):
        rows = tabu[tabu.index.get_level_values("size") == size]
        parts.append(shared(rows, f"{size} samples", least=0.5, strict=True))
    others = [below(constraint, panels.shd[name]) for name in ("annealing", "ges") if name in panels.shd]
    parts.append(shared(pd.concat(others), "constraint-based more accurate than annealing or GES", least=1 / 3))
    return parts


def speed(panels: Panels) -> list[Part]:
    """Q2."""
    six = panels.speed[list(CONSTRAINT + HYBRID)]
    slower = six.gt(panels.speed["tabu"], axis=0).sum(axis=1)
    return [shared(slower > len(six.columns) / 2, "tabu faster than most", least=0.5)]


def hybrid_accuracy(panels: Panels) -> list[Part]:
    """Q3."""
    tabu = below(panels.shd["tabu"], mean_of(panels.shd, HYBRID))
    return [
        shared(comparable(panels), "hybrid and constraint-based comparable", least=2 / 3),
        shared(tabu, "tabu more accurate than hybrid", least=0.5, strict=True),
    ]


def hybrid_speed(panels: Panels) -> list[Part]:
    """Q4, with Kendall's W of the six algorithms' speed ranks."""
    hybrid = mean_of(panels.speed, HYBRID)
    w = concordance(panels.speed[list(CONSTRAINT + HYBRID)])
    return [
        shared(below(hybrid, mean_of(panels.speed, CONSTRAINT)), "hybrid faster than constraint-based", most=2 / 3),
        shared(below(hybrid, panels.speed["tabu"]), "hybrid faster than tabu", most=2 / 3),
        Part(f"Kendall's W of the six algorithms {w:.2f}", True),
    ]


def sizes(panels: Panels) -> list[Part]:
    """Q5."""
    parts = []
    for ranks in mean_ranks(panels):
        words = f"{ranks.kind} {ranks.criterion} {ranks.measure}"
        if ranks.small.empty or ranks.large.empty:
            lost = "small" if ranks.small.empty else "large"
            parts.append(Part(f"{words} –", None, f"no {lost} {ranks.kind} network with {ranks.criterion}"))
        else:
            rho = ranks.correlation
            parts.append(Part(f"{words} {rho:.2f}", rho >= ALIKE, f"{words}: {_orders(ranks)}"))
    return parts


def mean_ranks(panels: Panels) -> Iterator[Ranks]:
    """For each kind and pair, by speed and by accuracy: the ranks in small (under 50 nodes) and in large networks."""
    for kind, criterion in SETTINGS:
        some = panels.some(kind=kind, criterion=criterion)
        for measure, frame in (("speed", some.speed), ("accuracy", some.shd)):
            ranks = frame.dropna().rank(axis=1)
            nodes = ranks.index.get_level_values("network").map(lambda name: size_of(name)[0])
            small = np.asarray(nodes, dtype=float) < SMALL_NETWORK
            yield Ranks(kind, criterion, measure, *(ranks[part].mean().dropna() for part in (small, ~small)))


def concordance(frame: pd.DataFrame) -> float:
    """Kendall's W of the ranks of columns over rows: 1 when every row ranks alike, near 0 when no order is common."""
    ranks = frame.dropna().rank(axis=1)
    rows, columns = ranks.shape
    if not rows:
        return float("nan")
    spread = ((ranks.sum() - rows * (columns + 1) / 2) ** 2).sum()
    return float(12 * spread / (rows**2 * (columns**3 - columns)))


def _orders(ranks: Ranks) -> str:
    first, second = (", ".join(part.sort_values().index) for part in (ranks.small, ranks.large))
    return f"small networks {first}; large {second}"
