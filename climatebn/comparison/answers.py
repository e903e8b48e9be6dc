"""Whether networks answer alike: the map that each propagates from one piece of evidence, beside the reference's."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.analysis.propagation import propagate
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.quantities import quantity


def answer_maps(
    networks: Mapping[str, GaussianBN], evidence: Any, threshold: float, tail: Any
) -> dict[str, xr.Dataset]:
    """What `propagate` gives for each network, evidence and threshold in standard deviations."""
    return {name: propagate(bn, evidence, threshold, tail, units="sd") for name, bn in networks.items()}


def agreement(
    networks: Mapping[str, GaussianBN], reference: str, evidence: Any, threshold: float, regions: Iterable[Any]
) -> pd.DataFrame:
    """How like the reference's map each map is; see `Comparison.answers`."""
    places = networks[reference].nodes
    names = networks[reference].names
    values, given = {}, np.zeros(len(names), dtype=bool)
    for name, bn in networks.items():
        before, after = bn.condition({}, "sd"), bn.condition(evidence, "sd")
        at = [bn.names.index(node) for node in names]
        values[name] = (after.probability(threshold) - before.probability(threshold))[at]
        given |= after.given[at]
    area = np.where(given, 0.0, _areas(places, len(names)))
    asked = {str(region): _weights(region, names, places) for region in regions}
    rows = {}
    for name, found in values.items():
        row = {"correlation": _correlation(found, values[reference], area)}
        row["rmse"] = float(np.sqrt(np.average((found - values[reference]) ** 2, weights=area)))
        rows[name] = row | {label: float(found @ weights) for label, weights in asked.items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("model")


def _areas(places: Nodes | None, size: int) -> np.ndarray:
    return np.ones(size) if places is None else places.areas()


def _weights(region: Any, names: tuple[str, ...], places: Nodes | None) -> np.ndarray:
    found = quantity(region, names, places, "regions")
    weights = np.zeros(len(names))
    weights[list(found.numbers)] = found.weights
    return weights


def _correlation(a: np.ndarray, b: np.ndarray, area: np.ndarray) -> float:
    """Pattern correlation, weighted by area; not a number for a map that is the same everywhere."""
    a, b = (values - np.average(values, weights=area) for values in (a, b))
    size = np.sqrt((area @ a**2) * (area @ b**2))
    return float((area * a) @ b / size) if size > 0 else float("nan")
