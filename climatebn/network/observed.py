r"""Evidence in a network's own units, and what its values alone (not an interval) do to the network.

A quantity Σ w_i X_i is in the data's units, whatever the network's; "sd" counts from its mean in the standard
deviation that the network implies for it. A single node keeps the standard deviation of the data.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError, ClimateBNWarning
from climatebn.network.evidence import (
    SINGLE_LIMIT,
    Evidence,
    Observation,
    inverse_root,
    observations,
    require_possible,
)
from climatebn.network.linear_gaussian import LinearGaussian, Units


@dataclass(frozen=True)
class Observed:
    """Observations as A X between ``low`` and ``high`` (own units), with A (m × N), ΣAᵀ (N × m), their mean and sd."""

    observations: list[Observation]
    rows: np.ndarray
    columns: np.ndarray
    low: np.ndarray
    high: np.ndarray
    mean: np.ndarray
    sd: np.ndarray

    @property
    def values(self) -> list[int]:
        """Positions of the observations that are values."""
        return [i for i, one in enumerate(self.observations) if one.exact]

    @property
    def intervals(self) -> list[int]:
        """Positions of the observations that are intervals."""
        return [i for i, one in enumerate(self.observations) if not one.exact]

    @property
    def labels(self) -> list[str]:
        """How answers call the quantities."""
        return [one.quantity.label for one in self.observations]

    def fixed(self) -> tuple[list[int], list[int]]:
        """Nodes whose value is given: positions of their observations, and their column numbers."""
        at = [i for i in self.values if self.observations[i].quantity.node is not None]
        return at, [self.observations[i].quantity.numbers[0] for i in at]

    def root(self) -> np.ndarray:
        """W with W Wᵀ = (AΣAᵀ)⁻¹ of the values; an error where they contradict each other."""
        at = self.values
        if not at:
            return np.zeros((0, 0))
        return inverse_root(
            [self.labels[i] for i in at], self.rows[at] @ self.columns[:, at], self.low[at] - self.mean[at]
        )


@dataclass(frozen=True)
class Updated:
    """The network given the values: means, and K (N × m) with Σ − KKᵀ as its covariance."""

    mean: np.ndarray
    response: np.ndarray

    def columns(self, observed: Observed, at: list[int]) -> np.ndarray:
        """Covariance of all nodes with some of the observed quantities, given the values."""
        rest: np.ndarray = observed.columns[:, at] - self.response @ (observed.rows[at] @ self.response).T
        return rest


def observe(bn: LinearGaussian, evidence: Evidence, units: Units | None, what: str = "evidence") -> Observed:
    """Read evidence and bring it into the network's own units."""
    shift, factor = bn.into(units)
    data_shift, data_factor = bn.into("data")
    sd_shift, sd_factor = bn.into("sd")
    in_sd = (units or bn.own_units) == "sd"
    stated = str(getattr(evidence, "attrs", {}).get("units", ""))  # of a field
    if in_sd and units is None and stated and stated == bn.units:
        warnings.warn(
            f"{what} is a field in {stated} and is taken as standard deviations; units='data' takes it in {stated}",
            ClimateBNWarning,
            stacklevel=4,
        )
    found = observations(evidence, bn.names, bn.nodes, what)
    rows = np.zeros((len(found), len(bn.names)))
    for row, one in zip(rows, found, strict=True):
        at, node = list(one.quantity.numbers), one.quantity.node
        row[at] = 1.0 if node is not None else np.array(one.quantity.weights) * data_factor[at]
    columns = bn.covariance_with(rows.T)
    mean, sd = rows @ bn.mean, np.sqrt(np.maximum(np.einsum("mi,im->m", rows, columns), 0.0))
    ends = np.array([(one.low, one.high) for one in found], dtype=np.float64).reshape(-1, 2)
    for i, one in enumerate(found):
        numbers, node = list(one.quantity.numbers), one.quantity.node
        if node is not None:
            ends[i] = (ends[i] - shift[node]) / factor[node]
            away = ends[i] * sd_factor[node] + sd_shift[node]
        else:
            offset = float(np.array(one.quantity.weights) @ data_shift[numbers])
            ends[i] = mean[i] + ends[i] * sd[i] if in_sd else ends[i] - offset
            away = (ends[i] - mean[i]) / sd[i]
        if one.exact:
            require_possible([one.quantity.label], away[:1])
        elif away[0] > SINGLE_LIMIT or away[1] < -SINGLE_LIMIT:
            raise ClimateBNError(
                f"{what}: the interval of {one.quantity.label} begins {np.abs(away).min():.1f} standard deviations "
                f"from its mean; the limit is ±{SINGLE_LIMIT:g}. Check its units (units='sd' or 'data')"
            )
    return Observed(found, rows, columns, ends[:, 0], ends[:, 1], mean, sd)


def update(bn: LinearGaussian, observed: Observed) -> Updated:
    """Means and covariance given the values."""
    at, root = observed.values, observed.root()
    response = observed.columns[:, at] @ root
    mean = bn.mean + response @ (root.T @ (observed.low[at] - observed.mean[at]))
    return Updated(mean, response)


def about(bn: LinearGaussian, observed: Observed) -> tuple[dict[str, Any], ...]:
    """Of each quantity that is not a node: its nodes, and its mean and sd in the network, in the data's units."""
    shift, _ = bn.into("data")
    facts = []
    for i, one in enumerate(observed.observations):
        if one.quantity.node is None:
            numbers = list(one.quantity.numbers)
            offset = float(np.array(one.quantity.weights) @ shift[numbers])
            facts.append(
                {
                    "name": one.quantity.label,
                    "nodes": [bn.names[number] for number in numbers],
                    "weights": list(one.quantity.weights),
                    "mean": float(observed.mean[i] + offset),
                    "sd": float(observed.sd[i]),
                    "units": bn.units,
                }
            )
    return tuple(facts)
