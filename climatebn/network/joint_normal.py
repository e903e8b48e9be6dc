r"""All nodes as one normal distribution that is known by its correlations R: means 0 and variances 1 in sd.

Whoever can multiply R with a few columns can be asked: a sample, a network whose implied variances are set to the
sample's, the mean of many networks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from climatebn.errors import unknown
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.linear_gaussian import Units

if TYPE_CHECKING:
    from climatebn.network.condition import Conditional, Evidence

Product = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class JointNormal:
    """A joint normal distribution; ``product(W)`` gives R W for an (N × m) matrix W.

    Attributes
    ----------
    centre, spread : mean and standard deviation of each node in the data, in the data's units.
    """

    names: tuple[str, ...]
    product: Product = field(repr=False)
    centre: np.ndarray = field(repr=False)
    spread: np.ndarray = field(repr=False)
    nodes: Nodes | None = None
    units: str = ""
    history: str = field(default="", repr=False)

    own_units: Units = "sd"

    @property
    def mean(self) -> np.ndarray:
        """Means in sd: zeros."""
        return np.zeros(len(self.names))

    def variances(self) -> np.ndarray:
        """Variances in sd: ones."""
        return np.ones(len(self.names))

    def into(self, units: Units | None) -> tuple[np.ndarray, np.ndarray]:
        """(shift, factor) of each node that bring a value in sd into ``units``: x · factor + shift."""
        if units not in (None, "sd", "data"):
            raise unknown("units", units, ("sd", "data"))
        return (self.centre, self.spread) if units == "data" else (np.zeros(len(self.names)), np.ones(len(self.names)))

    def covariance(self, columns: Sequence[int]) -> np.ndarray:
        """R of all nodes with some, N × m, in sd."""
        unit = np.zeros((len(self.names), len(columns)))
        unit[list(columns), np.arange(len(columns))] = 1.0
        return self.product(unit)

    def covariance_with(self, weights: np.ndarray) -> np.ndarray:
        """R of all nodes with linear combinations of nodes (N × m), N × m, in sd."""
        return self.product(weights)

    def condition(self, evidence: "Evidence", units: Units | None = None) -> "Conditional":
        """The exact distribution of every node given the values of some; see `GaussianBN.condition`."""
        from climatebn.network.condition import condition

        return condition(cast(Any, self), evidence, units)


def with_sample_variances(bn: GaussianBN) -> JointNormal:
    """The correlations that a network implies, with the means and standard deviations of its data.

    A network's own variances differ from the sample's, because arcs that it lacks also carry variance.
    """
    product = partial(_implied_product, bn, 1 / np.sqrt(bn.variances())[:, None])
    return JointNormal(bn.names, product, bn.centre, bn.spread, bn.nodes, bn.units, bn.history)


def _implied_product(bn: GaussianBN, deviation: np.ndarray, weights: np.ndarray) -> np.ndarray:
    shocks = bn.residual_variances[:, None] * bn.triangle.up(deviation * weights)
    return deviation * bn.triangle.down(shocks)


def sample_product(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """R W for the sample correlations R of standardised rows (months × nodes)."""
    product: np.ndarray = rows.T @ (rows @ weights) / (len(rows) - 1)
    return product
