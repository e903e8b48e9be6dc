"""What one network says: its arcs, its teleconnections, its v-structures, and its answer to the evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.analysis import (
    VStructures,
    correlation_network,
    implied_correlation,
    propagate,
    teleconnections,
    vstructures,
)
from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.analysis.tails import NOTICEABLE
from climatebn.errors import ClimateBNError
from climatebn.ingest import NodeData, great_circle, region_mean
from climatebn.learning import LearnResult
from climatebn.network import fit

INDIAN_OCEAN: dict[str, tuple[float, float]] = {"lat": (-25, 20), "lon": (45, 100)}
THRESHOLD = 1.0  # sd


@dataclass(frozen=True)
class Answer:
    """A network and everything the report shows of it.

    ``key`` names its files, ``label`` stands in figures. ``result`` and ``loglik`` (of the anomalies, in their own
    units) are None for the correlation network. ``both`` holds the response of both tails, ``response`` the upper one.
    ``implied`` maps the correlation of the evidence place with every other: as the network has it, and the sample.
    """

    key: str
    label: str
    network: Any
    result: LearnResult | None
    loglik: float | None
    arcs: pd.DataFrame
    counts: VStructures | None
    response: xr.Dataset
    both: xr.Dataset
    implied: xr.Dataset | None = None

    @property
    def long(self) -> pd.DataFrame:
        """Arcs over 5000 km, the strongest first."""
        return self.arcs[self.arcs["km"] > TELECONNECTION_KM].sort_values("strength", ascending=False)

    @property
    def indian_ocean(self) -> float | None:
        """Mean rise of P(X ≥ 1 sd) over 45–100°E, 25°S–20°N; None where the field does not reach."""
        try:
            return float(region_mean(self.response["difference"], **INDIAN_OCEAN))
        except ClimateBNError:
            return None

    def far_correlation(self) -> tuple[float, float] | None:
        """Root mean square correlation of the evidence place with places over 5000 km away: network, sample."""
        if self.implied is None:
            return None
        nodes = self.network.nodes
        grid = {"lat": xr.DataArray(nodes.lat, dims="node"), "lon": xr.DataArray(nodes.lon, dims="node")}
        far = (self._distances()["km"] > TELECONNECTION_KM).to_numpy()
        seen = self.implied[["network", "sample"]].sel(grid)
        network, sample = (float(np.sqrt(np.mean(seen[name].values[far] ** 2))) for name in ("network", "sample"))
        return (network, sample) if far.any() else None

    def near(self, km: float = 1200.0) -> pd.DataFrame:
        """Nodes around the evidence, nearest first: name, km, rise of P(X ≥ 1 sd)."""
        table = self._distances()
        return table[(table["km"] > 0) & (table["km"] <= km)].sort_values("km")

    def far(self, change: float = NOTICEABLE) -> pd.DataFrame:
        """Nodes over 5000 km from the evidence whose P(X ≥ 1 sd) changes by more than ``change``."""
        table = self._distances()
        return table[(table["km"] > TELECONNECTION_KM) & (table["difference"].abs() > change)]

    def _distances(self) -> pd.DataFrame:
        nodes = self.network.nodes
        grid = {"lat": xr.DataArray(nodes.lat, dims="node"), "lon": xr.DataArray(nodes.lon, dims="node")}
        given = self.response["evidence"].sel(grid).values
        km = great_circle(nodes.lat[:, None], nodes.lon[:, None], nodes.lat[given], nodes.lon[given]).min(axis=1)
        change = self.response["difference"].sel(grid).values
        return pd.DataFrame({"name": nodes.names, "lat": nodes.lat, "lon": nodes.lon, "km": km, "difference": change})


def answer(key: str, label: str, result: LearnResult, data: NodeData, evidence: Mapping[Any, float]) -> Answer:
    """Fit the network that was learned, in standard deviations, and ask it."""
    network = fit(result.dag, data, scale="sd")
    asked = _asked(key, label, network, evidence, result, network.loglik(data), vstructures(result.graph))
    return replace(asked, implied=implied_correlation(network, data, next(iter(evidence))))


def correlation_answer(data: NodeData, arcs: int, evidence: Mapping[Any, float]) -> Answer:
    """The answer of the thresholded-correlation network with as many arcs."""
    network = correlation_network(data, arcs)
    label = f"correlation (|r| ≥ {network.threshold:.2f})"
    return _asked("correlation", label, network, evidence, None, None, None)


def _asked(
    key: str,
    label: str,
    network: Any,
    evidence: Mapping[Any, float],
    result: LearnResult | None,
    loglik: float | None,
    counts: VStructures | None,
) -> Answer:
    response, both = (propagate(network, evidence, THRESHOLD, tail) for tail in ("upper", "both"))
    return Answer(key, label, network, result, loglik, teleconnections(network, min_km=0), counts, response, both)
