r"""Exact conditioning of a Gaussian network on the values e of some nodes E.

    mean = μ + Σ_·E Σ_EE⁻¹ (e − μ_E),      variance = diag Σ − diag(Σ_·E Σ_EE⁻¹ Σ_E·)

Only the columns Σ_·E and the marginal variances are needed, so no N × N matrix is formed.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xarray as xr
from scipy.special import ndtr

from climatebn.errors import unknown
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.evidence import Evidence, inverse_root, locate, require_possible
from climatebn.network.labels import on_map
from climatebn.provenance import to_json

if TYPE_CHECKING:
    from climatebn.network.gaussian_bn import GaussianBN, Units

__all__ = ["Conditional", "Evidence", "Normal", "condition"]


class Normal(NamedTuple):
    """The distribution of one node."""

    mean: float
    sd: float


@dataclass(frozen=True, eq=False)
class Conditional:
    """Mean and standard deviation of every node given the evidence, in ``units`` (a unit of measure, or "sd").

    Evidence nodes have their value as mean and the standard deviation 0.
    """

    names: tuple[str, ...]
    mean: np.ndarray
    sd: np.ndarray
    evidence: dict[str, float]
    units: str
    nodes: Nodes | None = None

    def __getitem__(self, name: str) -> Normal:
        if name not in self.names:
            raise unknown("node", name, self.names)
        i = self.names.index(name)
        return Normal(float(self.mean[i]), float(self.sd[i]))

    def __repr__(self) -> str:
        given = ", ".join(f"{name} = {value:g}" for name, value in self.evidence.items()) or "no evidence"
        return f"Conditional({len(self.names)} nodes given {given}; units: {self.units or 'none'})"

    def probability(self, threshold: float, tail: str = "upper") -> np.ndarray:
        """P(X ≥ threshold) of each node, or for the lower tail P(X ≤ −threshold)."""
        if tail not in ("upper", "lower"):
            raise unknown("tail", tail, ("upper", "lower"))
        excess = self.mean - threshold if tail == "upper" else -threshold - self.mean
        known = self.sd == 0
        return np.where(known, excess >= 0, ndtr(excess / np.where(known, 1.0, self.sd)))

    def to_xarray(self) -> xr.Dataset:
        """Mean and sd on the map (on the dimension ``node`` without geometry)."""
        given = {"units": self.units or "1"}
        mean = on_map(self.names, self.nodes, self.mean, "mean", long_name="mean given the evidence", **given)
        sd = on_map(self.names, self.nodes, self.sd, "sd", long_name="standard deviation given the evidence", **given)
        return xr.Dataset({"mean": mean, "sd": sd}, attrs={"evidence": to_json(self.evidence)})


def condition(bn: "GaussianBN", evidence: Evidence, units: "Units | None") -> Conditional:
    """See `GaussianBN.condition`."""
    shift, factor = bn.into(units)
    to_shift, to_factor = bn.into("sd")
    given = locate(evidence, bn.names, bn.nodes)
    at, names = given.numbers, [bn.names[i] for i in given.numbers]
    values = (given.values - shift[at]) / factor[at]  # own units
    require_possible(names, values * to_factor[at] + to_shift[at])
    mean, variance = bn.mean, bn.variances()
    if at:
        columns = bn.covariance(at)
        departure = values - mean[at]
        root = inverse_root(names, columns[at], departure)
        response = columns @ root
        mean = mean + response @ (root.T @ departure)
        variance = np.maximum(variance - np.einsum("ij,ij->i", response, response), 0.0)
    mean, sd = mean * factor + shift, np.sqrt(variance) * factor
    mean[at], sd[at] = given.values, 0.0
    label = "sd" if (units or bn.own_units) == "sd" else bn.units
    return Conditional(bn.names, mean, sd, dict(zip(names, given.values.tolist(), strict=True)), label, bn.nodes)
