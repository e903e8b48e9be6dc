"""The network of each model's whole record, and networks that came as such, all in one scale."""

import re
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csc_array

from climatebn.comparison.halves import scaled
from climatebn.comparison.records import Record
from climatebn.errors import ClimateBNError, ClimateBNWarning
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.learning import learn
from climatebn.network.fitting import fit
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.progress import Progress


def whole_networks(
    ready: Mapping[str, Any],
    records: Mapping[str, Record],
    algorithm: str,
    criterion: Any,
    scale: str,
    seed: int,
    max_seconds: float | None,
    options: dict[str, Any],
    progress: bool,
) -> tuple[dict[str, GaussianBN], list[str]]:
    """The network of each whole record; networks among records in their scale; and doubts about the data, in words."""
    found: dict[str, GaussianBN] = {}
    said: dict[str, list[tuple[str, str]]] = {}  # sentences that differ by their numbers only are one
    with Progress("networks", len(ready), "model", enabled=progress) as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimateBNWarning)  # they are among the notes
        for name, one in ready.items():
            if isinstance(one, GaussianBN):
                found[name] = _in_sd(one) if records and scale == "sd" else one
            else:
                try:
                    data = record_data(records[name], scale)
                    result = learn(
                        data, algorithm, criterion, seed=seed, max_seconds=max_seconds, progress=False, **options
                    ).uninterrupted()
                    found[name] = replace(fit(result, data), nodes=records[name].nodes)
                except ClimateBNError as error:
                    raise ClimateBNError(f"{name}: {error}") from None
                for note in result.notes:
                    said.setdefault(re.sub(r"\d+", "#", note), []).append((name, note))
            bar.update()
    return found, [f"{_some([name for name, _ in own])}: {own[0][1]}" for own in said.values()]


def record_data(one: Record, scale: str) -> Any:
    """What is learned from: the record in sd or in its own units."""
    values = scaled(one.values, "sd") if scale == "sd" else one.values
    units = "" if scale == "sd" else one.units
    if one.nodes is not None and one.time is not None:
        return NodeData(values, one.nodes, one.time, units)
    return pd.DataFrame(values, columns=list(one.names))


def _in_sd(bn: GaussianBN) -> GaussianBN:
    """A network as if its data had been in standard deviations."""
    size = len(bn.names)
    if bn.own_units == "sd":
        return replace(bn, centre=np.zeros(size), spread=np.ones(size), units="")
    parent, child = bn.dag.numbered_arcs.T
    weights = bn.arc_coefficients * bn.spread[parent] / bn.spread[child]
    return replace(
        bn,
        coefficients=csc_array((weights, (parent, child)), shape=(size, size)),
        intercepts=np.zeros(size),
        residual_variances=bn.residual_variances / bn.spread**2,
        centre=np.zeros(size),
        spread=np.ones(size),
        units="",
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
