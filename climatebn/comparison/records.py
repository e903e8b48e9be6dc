"""What is given for each model becomes one record: values in time, the same nodes in the same order, equal lengths.

Records of unequal length are cut to the shortest (its latest years), because the distance between two learned networks
depends on how many months they were learned from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.field.months import month_numbers, no_gaps
from climatebn.ingest.field.months import name as month_name
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.gaussian_bn import GaussianBN

MOST_APART = 1e-3  # degrees that places of one node may differ by


@dataclass(frozen=True, eq=False)
class Record:
    """The values of one model.

    Attributes
    ----------
    values : (rows × nodes).
    months : months since year 0, or None where rows have no dates.
    detrended : whether the trend was removed; halves of the record then lose their own.
    """

    name: str
    values: np.ndarray
    names: tuple[str, ...]
    months: np.ndarray | None
    nodes: Nodes | None
    units: str
    detrended: bool
    time: np.ndarray | None

    def rows(self, chosen: Any) -> "Record":
        """Some rows of it."""
        months, time = (None if part is None else part[chosen] for part in (self.months, self.time))
        return replace(self, values=self.values[chosen], months=months, time=time)

    @property
    def period(self) -> str:
        """E.g. 1979-01 … 2014-12; the number of rows without dates."""
        if self.months is None:
            return f"{len(self.values)} rows"
        return f"{month_name(self.months[0])} … {month_name(self.months[-1])}"


def record(name: str, data: Any) -> Record:
    """The record of NodeData, a DataFrame or an array; an error says which model it is."""
    try:
        table = to_table(data)
        if table.levels is not None:
            raise ClimateBNError("its data is discrete; comparisons are for Gaussian data")
        time = getattr(data, "time", None)
        months = None
        if time is not None:
            months = month_numbers(xr.DataArray(time, dims="time"))
            no_gaps(months, season=True)
        if len(table.values) < 8:
            raise ClimateBNError(f"it has {len(table.values)} rows; its two halves need four each or more")
    except ClimateBNError as error:
        raise ClimateBNError(f"{name}: {error}") from None
    nodes = getattr(data, "nodes", None)
    history = str((getattr(data, "attrs", None) or {}).get("history", ""))
    return Record(
        name,
        table.values,
        table.names,
        months,
        nodes if isinstance(nodes, Nodes) else None,
        getattr(data, "units", None) or "",
        "detrend='linear'" in history,
        time,
    )


def aligned(given: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    """Records and networks with the nodes of the reference, in its order; an error names what differs."""
    first = given[reference]
    for name, one in given.items():
        _require_same(reference, first, name, one)
    return {
        name: one if isinstance(one, GaussianBN) or one.names == first.names else _ordered(one, first.names)
        for name, one in given.items()
    }


def equal_lengths(records: Mapping[str, Record]) -> tuple[dict[str, Record], str]:
    """The latest rows of each, as many as the shortest has; and what was cut, in words."""
    if not records:
        return {}, ""
    least = min(len(one.values) for one in records.values())
    longer = [name for name, one in records.items() if len(one.values) > least]
    if not longer:
        return dict(records), ""
    whole = [one.rows(slice(len(one.values) - least, None)) for one in records.values()]
    shown = ", ".join(longer[:3]) + (" …" if len(longer) > 3 else "")
    words = f"records are cut to the {least} latest rows, the length of the shortest: {shown}"
    return {one.name: one for one in whole}, words


def _require_same(reference: str, first: Any, name: str, one: Any) -> None:
    lost, new = ([*dict.fromkeys(n for n in a.names if n not in set(b.names))] for a, b in ((first, one), (one, first)))
    if lost or new:
        parts = [f"{len(lost)} only in {reference} ({_few(lost)})" if lost else ""]
        parts.append(f"{len(new)} only in {name} ({_few(new)})" if new else "")
        raise ClimateBNError(
            f"all models need the same nodes; {name} has {len(one.names)}, {reference} {len(first.names)}: "
            f"{', '.join(filter(None, parts))}"
        )
    if first.nodes is None or one.nodes is None:
        return
    here, there = (given.nodes.select(first.names) for given in (first, one))
    with np.errstate(invalid="ignore"):
        apart = np.maximum(np.abs(here.lat - there.lat), np.abs((here.lon - there.lon + 180) % 360 - 180))
    if (apart > MOST_APART).any():
        at = int(np.nanargmax(apart))
        raise ClimateBNError(
            f"nodes must lie at the same places; {first.names[at]} lies at ({here.lat[at]:g}, {here.lon[at]:g}) in "
            f"{reference}, at ({there.lat[at]:g}, {there.lon[at]:g}) in {name}. Regrid both to one grid"
        )


def _ordered(one: Record, names: tuple[str, ...]) -> Record:
    at = [one.names.index(name) for name in names]
    nodes = None if one.nodes is None else one.nodes.select(names)
    return replace(one, values=one.values[:, at], names=names, nodes=nodes)


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
