"""The numbers that the paper prints about its climate networks, learned again under several readings of its penalty.

The paper prints three numbers of arcs that depend on the penalty alone: more than 2500 (tabu, γ = 0.2), 2127 (tabu,
γ = 0.5) and 25 (the fewest of any network, γ = 50), besides 1121 (H2PC, γ = 0.2) and about 7868 (tabu, γ = 0).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from climatebn.criterion import find as find_criterion
from climatebn.criterion.stats import GaussianStats
from climatebn.ingest import NodeData
from climatebn.learning import learn
from climatebn.learning.registry import ALGORITHMS
from climatebn.progress import Progress
from climatebn.study.climate.study import load_months

FIELDS = ("paper", "paper_linear")
ORDERS = (1, 2, 3, 4, 5)
SIX = ("pc_stable", "grow_shrink", "tabu", "hill_climbing", "mmhc", "h2pc")
NETWORKS = (  # algorithm, γ, weight of the score
    ("tabu", 0.0, 1.0), ("tabu", 0.2, 1.0), ("tabu", 0.5, 1.0), ("tabu", 0.2, 2.0), ("tabu", 0.5, 2.0),
    ("h2pc", 0.2, 1.0), ("h2pc", 0.2, 2.0),
    *((name, 50.0, 1.0) for name in SIX), *((name, 50.0, 2.0) for name in SIX[2:]),
)  # fmt: skip


class Reading(NamedTuple):
    """A reading of the price of a parameter in the score; the test is as printed. ``scale``: "K" or "sd"."""

    name: str
    price: str
    gamma: float  # times γ
    weight: float
    variance: str = "ml"
    scale: str = "K"

    def score(self, gamma: float) -> Any:
        """The score at a γ of the paper's axis."""
        return find_criterion("BIC")(gamma=self.gamma * gamma, variance=self.variance, weight=self.weight)


READINGS = (
    Reading("as printed", "log n / 2 + γ log N", 1.0, 1.0),
    Reading("doubled", "log n + 2γ log N", 1.0, 2.0),
    Reading("doubled, unbiased variance", "log n + 2γ log N", 1.0, 2.0, "unbiased"),
    Reading("doubled, in standard deviations", "log n + 2γ log N", 1.0, 2.0, "ml", "sd"),
    Reading("only the γ term doubled", "log n / 2 + 2γ log N", 2.0, 1.0),
    Reading("only the γ term tripled", "log n / 2 + 3γ log N", 3.0, 1.0),
    Reading("only log n doubled", "log n + γ log N", 0.5, 2.0),
    Reading("as printed, unbiased variance", "log n / 2 + γ log N", 1.0, 1.0, "unbiased"),
    Reading("as printed, in standard deviations", "log n / 2 + γ log N", 1.0, 1.0, "ml", "sd"),
)


def paper_numbers(*, progress: bool = True) -> pd.DataFrame:
    """Arcs of the networks whose size the paper prints, on the authors' points, five orders, both interpolations."""
    rows = []
    work = [(field, order, network) for field in FIELDS for network in NETWORKS for order in ORDERS]
    with Progress("the paper's numbers", len(work), "network", enabled=progress) as bar:
        for field, order, (algorithm, gamma, weight) in work:
            reading = Reading("", "", 1.0, weight)
            result = _learned(load_months(field).learned, algorithm, gamma, reading, order)
            rows.append((field, algorithm, gamma, weight, order, len(result.graph.skeleton), result.valid))
            bar.update(1)
    return pd.DataFrame(rows, columns=["field", "algorithm", "gamma", "weight", "order", "arcs", "valid"])


def readings(*, progress: bool = True) -> pd.DataFrame:
    """For each reading: arcs of tabu at γ = 0.2 and 0.5 (means over orders), the fewest arcs at γ = 50 and by whom."""
    return pd.DataFrame(_readings(progress), columns=["reading", "price", "arcs_0.2", "arcs_0.5", "fewest_50", "by"])


def _readings(progress: bool) -> Iterator[tuple[Any, ...]]:
    data = load_months("paper").learned
    with Progress("readings of the penalty", len(READINGS), "reading", enabled=progress) as bar:
        for reading in READINGS:
            means = []
            for gamma in (0.2, 0.5):
                found = [_learned(data, "tabu", gamma, reading, order) for order in ORDERS]
                means.append(sum(len(result.graph.skeleton) for result in found) / len(found))
            last = {name: len(_learned(data, name, 50.0, reading, 1).graph.skeleton) for name in SIX}
            fewest = min(last, key=lambda name: last[name])
            bar.update(1)
            yield reading.name, reading.price, *means, last[fewest], fewest


def _learned(data: NodeData, algorithm: str, gamma: float, reading: Reading, order: int) -> Any:
    """A network with the score of a reading and the test as printed; γ = 0 is BIC in every reading."""
    values: Any = data
    if reading.scale == "sd":
        values = GaussianStats.of(data.values / data.values.std(axis=0), data.names)
    printed = find_criterion("BIC")(gamma=gamma)
    kind = ALGORITHMS[algorithm].kind
    score = printed if kind == "constraint" else reading.score(gamma)
    test = printed if kind == "hybrid" else None
    shuffled = None if order == 1 else order
    return learn(values, algorithm, score, test=test, order=shuffled, progress=False).uninterrupted()
