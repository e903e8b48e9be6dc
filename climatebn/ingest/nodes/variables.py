"""Several fields, regional means and series as one table of nodes, month by month."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.field.months import month_numbers, span
from climatebn.ingest.nodes.index import index_values
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.provenance import history_line

_NOWHERE = np.full(1, np.nan), np.full(1, np.nan), np.zeros(0), np.zeros(0)
MARKS = (":", "@")  # what joins a variable, a node and a lag


def several(variables: Mapping[Any, Any], one_field: Callable[[Any], NodeData]) -> NodeData:
    """Node data of all variables; ``one_field`` makes it of a field, all others are series.

    The months are those of the first field (of the first variable where there is no field); the others must have them.
    """
    if not variables:
        raise ClimateBNError("to_nodes needs one field or series at least; the mapping is empty")
    for name in variables:
        if not isinstance(name, str) or not name or any(mark in name for mark in MARKS):
            raise ClimateBNError(f"names of variables must be strings without ':' and '@'; got {name!r}")
    fields = {name: _field(name, value, one_field) for name, value in variables.items() if _is_field(value)}
    if not fields:
        raise ClimateBNError("to_nodes needs one field at least, with lat and lon; learn series from a DataFrame")
    first = next(iter(fields))
    time = fields[first].time
    months = _months(time)
    columns, parts = [], []
    for name, value in variables.items():
        if name in fields:
            columns.append(_same_months(name, fields[name], first, months))
            parts.append(_named(name, fields[name].nodes, len(fields) > 1))
        else:
            columns.append(index_values(name, value, time)[:, None])
            parts.append(Nodes((name,), *_NOWHERE, variable=(name,)))
    units = {name: _units(value) for name, value in variables.items()}
    nodes = joined(parts, {name: (data.nodes.grid_lat, data.nodes.grid_lon) for name, data in fields.items()})
    own = {units[name] for name in fields}
    history = "\n".join(str(data.attrs.get("history", "")) for data in fields.values())
    line = history_line("to_nodes", {"variables": tuple(variables)})
    attrs = {**fields[first].attrs} if len(fields) == 1 else {}
    return NodeData(
        np.concatenate(columns, axis=1),
        nodes,
        time,
        own.pop() if len(own) == 1 else "",
        {**attrs, "history": f"{history}\n{line}"},
        variable_units=units,
    )


def joined(parts: list[Nodes], grids: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> Nodes:
    """All nodes in a row, on axes that hold those of every field."""
    lat, lon = (np.unique(np.concatenate([axes[i] for axes in grids.values()])) for i in (0, 1))
    equal = all(np.array_equal(axes[0], lat) and np.array_equal(axes[1], lon) for axes in grids.values())
    return Nodes(
        tuple(name for part in parts for name in part.names),
        np.concatenate([part.lat for part in parts]),
        np.concatenate([part.lon for part in parts]),
        lat,
        lon,
        np.concatenate([part.on_grid for part in parts]),
        [text for part in parts for text in part.polygons or ("",) * len(part)],
        tuple(variable for part in parts for variable in part.variable),
        grids={} if equal else dict(grids),
    )


def _field(name: str, value: Any, one_field: Callable[[Any], NodeData]) -> NodeData:
    """The nodes of one field; what is wrong with it is said of it by name."""
    try:
        return one_field(value)
    except ClimateBNError as error:
        raise ClimateBNError(f"{name}: {error}") from None


def _is_field(value: Any) -> bool:
    return isinstance(value, xr.DataArray) and value.squeeze().ndim > 1


def _named(variable: str, nodes: Nodes, several_fields: bool) -> Nodes:
    """The nodes of one field: X81, or tas:X81 where there are several fields."""
    names = tuple(f"{variable}:{name}" for name in nodes.names) if several_fields else nodes.names
    return replace(nodes, names=names, variable=(variable,) * len(names))


def _months(time: np.ndarray) -> np.ndarray:
    return month_numbers(xr.DataArray(time, dims="time"))


def _same_months(name: str, data: NodeData, first: str, wanted: np.ndarray) -> np.ndarray:
    own = _months(data.time)
    missing = np.setdiff1d(wanted, own)
    if missing.size:
        raise ClimateBNError(
            f"{name} lacks {missing.size} of the {len(wanted)} months of {first}: {span(missing)}. Select a period "
            "that all variables have"
        )
    return data.values[np.searchsorted(own, wanted)]


def _units(value: Any) -> str:
    return str((getattr(value, "attrs", None) or {}).get("units", ""))
