r"""Forecasts of a network in time from a known state: X_{t+h} is normal, its mean a recursion, its variance

    Σ_{j < h} Ψ_j Q Ψ_jᵀ

which does not depend on the state (see `state_space`).
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
import xarray as xr
from scipy.special import ndtr

from climatebn.errors import ClimateBNError, number, short, unknown, whole
from climatebn.ingest.field.months import month_numbers, name
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.columns import aligned
from climatebn.network.evidence_field import node_values
from climatebn.network.linear_gaussian import Units
from climatebn.network.quantities import quantity
from climatebn.network.state_space import StateSpace
from climatebn.provenance import history_line, with_history


class InTime(Protocol):
    """What can be asked for forecasts: a `DynamicBN`, or the mean of several."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def present(self) -> Nodes | None: ...
    @property
    def state_space(self) -> StateSpace: ...
    @property
    def centre(self) -> np.ndarray: ...
    @property
    def spread(self) -> np.ndarray: ...
    @property
    def units(self) -> str: ...
    @property
    def history(self) -> str: ...
    def into(self, units: Units | None) -> tuple[np.ndarray, np.ndarray]: ...


class Asked(NamedTuple):
    """Combinations of nodes by label: weights (N × m) in own units, and what is added to them in the data's units."""

    labels: list[str]
    weights: np.ndarray
    shift: np.ndarray


def forecast(
    network: InTime, state: Any, leads: int | Iterable[int], threshold: float, about: Iterable[Any], units: Units
) -> xr.Dataset:
    """See `DynamicBN.forecast`."""
    if units not in ("sd", "data"):
        raise unknown("units", units, ("sd", "data"))
    threshold = number("threshold", threshold, least=0)
    months = whole_leads(leads)
    asked = asked_quantities(network, about)
    values, issued = read_state(network, state)
    space, furthest, at = network.state_space, max(months), np.array(months) - 1
    own = space.means(values[None], furthest)[at, 0]
    variance = space.error_variances(furthest)[at]
    shift, factor = network.into(units)
    to_sd_shift, to_sd = network.into("sd")
    centred, spread = own * to_sd + to_sd_shift, np.sqrt(variance) * to_sd
    words = "sd" if units == "sd" else network.units or "1"
    fields = {
        "mean": (own * factor + shift, "expected value", words),
        "sd": (np.sqrt(variance) * factor, "standard deviation of the forecast", words),
        "upper": (ndtr((centred - threshold) / spread), f"P(X ≥ {threshold:g} sd above the mean)", "1"),
        "lower": (ndtr((-threshold - centred) / spread), f"P(X ≤ {threshold:g} sd below the mean)", "1"),
    }
    result = xr.Dataset({key: by_lead(network, months, key, *value) for key, value in fields.items()})
    if asked.labels:
        spread = np.sqrt(space.error_variances(furthest, asked.weights)[at])
        for key, found in (("quantity_mean", own @ asked.weights + asked.shift), ("quantity_sd", spread)):
            coords = {"lead": list(months), "quantity": asked.labels}
            result[key] = xr.DataArray(found, dims=("lead", "quantity"), coords=coords, attrs={"units": network.units})
    line = history_line("forecast", {"leads": months, "threshold": threshold, "units": units}, state=issued or None)
    facts = {"threshold": threshold, "issued": issued, "data_units": network.units, "history": network.history}
    return result.assign_attrs(with_history(facts, line))


def by_lead(
    network: InTime, leads: Sequence[int], key: str, values: np.ndarray, long_name: str, units: str
) -> xr.DataArray:
    """(lead × node) values on the map, or on the dimension ``node`` without geometry."""
    months = xr.DataArray(list(leads), dims="lead", attrs={"long_name": "months ahead", "units": "month"})
    attrs = {"long_name": long_name, "units": units}
    if network.present is None:
        coords: dict[str, Any] = {"lead": months, "node": list(network.names)}
        return xr.DataArray(values, dims=("lead", "node"), coords=coords, name=key, attrs=attrs)
    return network.present.to_xarray(values, ("lead",), {"lead": months}, key, attrs)


def asked_quantities(network: InTime, about: Iterable[Any]) -> Asked:
    """Nodes that are not on the map, and what else is asked, as combinations of nodes."""
    names, nodes = network.names, network.present
    hidden = [] if nodes is None or nodes.regional else [names[i] for i in np.flatnonzero(~nodes.on_grid)]
    keys = [*hidden, *([about] if isinstance(about, str) or not isinstance(about, Iterable) else about)]
    weights, shift = np.zeros((len(names), len(keys))), np.zeros(len(keys))
    data_shift, data_factor = network.into("data")
    labels = []
    for place, key in enumerate(keys):
        found = quantity(key, names, nodes, "about")
        at, parts = list(found.numbers), np.array(found.weights)
        weights[at, place], shift[place] = parts * data_factor[at], parts @ data_shift[at]
        labels.append(found.label)
    return Asked(labels, weights, shift)


MOST_LEADS = 1200  # months, a century


def whole_leads(leads: Any) -> tuple[int, ...]:
    """1 … leads, or the leads that were given, checked.

    >>> whole_leads(3), whole_leads([6, 1])
    ((1, 2, 3), (1, 6))
    """
    if isinstance(leads, int | np.integer):
        return tuple(range(1, whole("leads", leads, 1, MOST_LEADS) + 1))
    try:
        found = sorted({whole("leads", lead, 1, MOST_LEADS) for lead in leads})
    except TypeError:
        found = []
    if not found:
        raise ClimateBNError(f"leads must be months ahead, e.g. 6 for 1 … 6, or (1, 3, 6); got {short(leads)}")
    return tuple(found)


def read_state(network: InTime, state: Any) -> tuple[np.ndarray, str]:
    """The last months of a state, (p × N) in own units, and the month it ends with, if that is known."""
    months = network.state_space.order
    if isinstance(state, xr.DataArray):
        values, time = _of_field(network, state, months)
    else:
        if not isinstance(state, NodeData | pd.DataFrame | np.ndarray | list):
            raise ClimateBNError(f"state must be NodeData, a field, a table or an array; got {type(state).__name__}")
        if isinstance(state, np.ndarray | list) and np.ndim(state) == 1:
            state = np.asarray(state)[None]
        table = aligned(network.names, state) if len(state) else to_table(state)
        values, time = table.values, getattr(state, "time", None)
    if len(values) < months:
        raise ClimateBNError(
            f"state must hold the last {months} months, as the longest lag is {months}; it has {len(values)}"
        )
    issued = ""
    if time is not None:
        numbers = month_numbers(xr.DataArray(time[-months:], dims="time"))
        if numbers[-1] - numbers[0] != months - 1:
            raise ClimateBNError(f"state must end with {months} months in a row; after {name(numbers[0])} comes a gap")
        issued = name(numbers[-1])
    shift, factor = network.into("data")
    return (values[-months:] - shift) / factor, issued


def _of_field(network: InTime, field: xr.DataArray, months: int) -> tuple[np.ndarray, Any]:
    steps = [field] if "time" not in field.dims else [field.isel(time=i) for i in range(field.sizes["time"])[-months:]]
    rows = []
    for step in steps:
        known = node_values(step.drop_vars("time", errors="ignore"), network.names, network.present)
        lacking = [name for name in network.names if name not in known]
        if lacking:
            raise ClimateBNError(f"state has no value for {len(lacking)} nodes: {', '.join(lacking[:5])}")
        rows.append([known[name] for name in network.names])
    return np.array(rows), field["time"].values if "time" in field.dims else None
