r"""Evidence now, and the months after it: P(X_{i, t+h} ≥ threshold | evidence) − P(X_i ≥ threshold), h = 0 … horizon.

Exact, from the stationary distribution of a network in time; or, where the whole state is known, by its forecast.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from scipy.special import ndtr

from climatebn.analysis.tails import TAILS, event
from climatebn.errors import ClimateBNError, number, unknown, whole
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.network.forecasting import InTime, asked_quantities, by_lead, read_state
from climatebn.network.labels import mask_on_map, on_map
from climatebn.network.months_ahead import MonthsAhead
from climatebn.provenance import history_line, to_json, with_history

HORIZON = 6  # months, when none is given


def propagate_in_time(
    network: InTime, evidence: Any, horizon: int | None, threshold: float, tail: str, units: Any
) -> xr.Dataset:
    """See `climatebn.propagate`."""
    horizon = HORIZON if horizon is None else whole("horizon", horizon, least=0, most=1200)
    if tail not in TAILS:
        raise unknown("tail", tail, TAILS)
    if isinstance(evidence, Mapping) and not evidence:
        raise ClimateBNError("evidence is empty; give at least one value, e.g. {'X81': 2.0}")
    threshold = number("threshold", threshold, least=0)
    shift, factor = network.into(units)
    label = "sd" if (units or getattr(network, "own_units", "sd")) == "sd" else network.units
    before = network.state_space.mean * factor + shift
    deviation = np.sqrt(np.diag(network.state_space.autocovariances[0])) * factor
    prior = {side: _tail(before, deviation, threshold, side) for side in TAILS[tail]}
    if isinstance(evidence, NodeData) or (isinstance(evidence, xr.DataArray) and "time" in evidence.dims):
        mean, sd, given, facts = _from_state(network, evidence, horizon, shift, factor)
        after = {side: _tail(mean, sd, threshold, side) for side in TAILS[tail]}
    else:
        window = MonthsAhead(network, horizon)
        found = window.condition(evidence, units)
        mean, sd = window.leads(found.mean), window.leads(found.sd)
        given, facts = np.asarray(window.known(found.given).any(axis=0)), found.facts()
        after = {side: window.leads(found.probability(threshold, side)) for side in TAILS[tail]}
    leads = range(horizon + 1)
    fields = {
        "mean": by_lead(network, leads, "mean", mean, "mean given the evidence", label or "1"),
        "sd": by_lead(network, leads, "sd", sd, "standard deviation given the evidence", label or "1"),
        "prior_sd": on_map(network.names, network.present, deviation, "prior_sd", units=label or "1"),
        "evidence": mask_on_map(network.names, network.present, given, "evidence", long_name="node is in the evidence"),
    }
    for side in TAILS[tail]:
        words, ending = event(threshold, side, label), f"_{side}" if tail == "both" else ""
        fields[f"prior{ending}"] = on_map(
            network.names, network.present, prior[side], f"prior{ending}", long_name=f"P({words})", units="1"
        )
        for name, values, said in (
            ("posterior", after[side], f"P({words} | evidence)"),
            ("difference", after[side] - prior[side], f"P({words} | evidence) − P({words})"),
        ):
            fields[name + ending] = by_lead(network, leads, name + ending, values, said, "1")
    result = xr.Dataset(fields)
    _add_hidden(result, network, mean, sd)
    arguments = {"evidence": facts["given"], "horizon": horizon, "threshold": threshold, "tail": tail, "units": label}
    facts |= {"threshold": threshold, "threshold_units": label, "tail": tail, "data_units": network.units}
    line = history_line("propagate", arguments)
    return result.assign_attrs(with_history({**facts, "history": network.history}, line))


def _from_state(
    network: InTime, state: Any, horizon: int, shift: np.ndarray, factor: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
    """Mean and sd (lead × node) when the last months are known everywhere."""
    values, issued = read_state(network, state)
    space, size = network.state_space, len(network.names)
    own, variance = values[-1:], np.zeros((1, size))
    if horizon:
        own = np.concatenate([own, space.means(values[None], horizon)[:, 0]])
        variance = np.concatenate([variance, space.error_variances(horizon)])
    words = f"the state of {issued}" if issued else "a whole state"
    facts = {"evidence": to_json({}), "given": words}
    return own * factor + shift, np.sqrt(variance) * factor, np.ones(size, dtype=bool), facts


def _tail(mean: np.ndarray, sd: np.ndarray, threshold: float, side: str) -> np.ndarray:
    excess = mean - threshold if side == "upper" else -threshold - mean
    return np.where(sd == 0, excess >= 0, ndtr(excess / np.where(sd == 0, 1.0, sd)))


def _add_hidden(result: xr.Dataset, network: InTime, mean: np.ndarray, sd: np.ndarray) -> None:
    """Answers of nodes that are not on the map, an index for instance."""
    labels = asked_quantities(network, ()).labels
    if not labels:
        return
    at = [network.names.index(label) for label in labels]
    coords = {"lead": result["lead"], "quantity": labels}
    for name, values in (("quantity_mean", mean[:, at]), ("quantity_sd", sd[:, at])):
        result[name] = xr.DataArray(values, dims=("lead", "quantity"), coords=coords)
