"""From an anomaly field to node data: the paper's order, one node for each pole, nothing missing, nothing twice."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public, unknown
from climatebn.ingest.field.dims import standard
from climatebn.ingest.field.months import month_numbers, name
from climatebn.ingest.grid.grid import wrap
from climatebn.ingest.nodes.degenerate import informative
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.ingest.nodes.region_matrix import region_matrix
from climatebn.ingest.nodes.season import rows_of
from climatebn.ingest.nodes.variables import several
from climatebn.ingest.nodes.whitening import whiten as innovations
from climatebn.provenance import history_line, input_hash, with_history

_log = logging.getLogger(__name__)


@public
def to_nodes(
    anomalies: xr.DataArray | xr.Dataset | Mapping[str, Any],
    missing: str = "raise",
    *,
    degenerate: str = "raise",
    months: str | Iterable[int] | None = None,
    whiten: bool = False,
    polygons: Any = None,
) -> NodeData:
    """Turn a monthly field, usually of anomalies, into the (time × node) matrix to learn from.

    A row at ±90° that repeats one value is one place and becomes one node, at the first longitude.

    Parameters
    ----------
    anomalies : a field; or several variables by name (a mapping or a Dataset): fields on their own grids, means of
        regions and other series in time (xarray, pandas). Nodes of one field are X1 … XN also beside series, which keep
        their names; of several fields they are tas:X1 …, slp:X1 …. All must have the months of the first field; each
        keeps its units (``fit(…, scale="sd")`` puts all nodes into one).
    missing : "raise" refuses missing values; "drop_nodes" leaves out the places that have any (land-only and
        ocean-only fields). Nodes are numbered X1 … XN after that.
    degenerate : "raise" refuses places that are constant or repeat another one exactly; "drop" leaves them out (of
        equal ones the first stays). The history says which.
    months : keep these months only: initials in a row, "DJF" or "NDJFM", or numbers, ``[12, 1, 2]``.
    polygons : of values of named regions, (time, region): a mapping of names to polygons (shapely, WKT or corners), or
        a file of them (see `climatebn.ingest.read_polygons`). Maps draw them; nodes keep the names of the regions.
    whiten : give the innovations instead: no persistence, no seasonal cycle of variance (see `climatebn.whiten`).

    Returns
    -------
    NodeData: values (time × node), names, places, time and units.

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> data.names[80], data.lat[80], data.lon[80]
    ('X81', np.float64(-5.0), np.float64(-135.0))
    >>> field = cb.anomalies(cb.load_ncep())
    >>> box = cb.region_mean(field, lat=(-5, 5), lon=(-170, -120))
    >>> cb.to_nodes({"tas": field, "nino34": box}).names[-2:]
    ('X648', 'nino34')
    """
    if missing not in ("raise", "drop_nodes"):
        raise unknown("missing", missing, ("raise", "drop_nodes"))
    if degenerate not in ("raise", "drop"):
        raise unknown("degenerate", degenerate, ("raise", "drop"))
    if isinstance(anomalies, xr.Dataset | Mapping):
        options: dict[str, Any] = {"missing": missing, "degenerate": degenerate, "months": months}
        data = several(dict(anomalies), partial(to_nodes, **options))
        return innovations(data) if whiten else data
    field = standard(anomalies, regions=True)
    if months is not None:
        field = field.isel(time=rows_of(field["time"].values, months))
    numbers = month_numbers(field["time"])
    if polygons is not None and "node" not in field.dims:
        raise ClimateBNError("polygons are for values of named regions; this field has latitudes and longitudes")
    values, nodes = region_matrix(field, polygons) if "node" in field.dims else _cells(field)
    gaps = ~np.isfinite(values)
    if gaps.any():
        if missing == "raise":
            raise _missing(gaps, numbers, nodes)
        whole = ~gaps.any(axis=0)
        if not whole.any():
            raise ClimateBNError("missing='drop_nodes' leaves no node: every place has missing values")
        _log.info("to_nodes: %d of %d places with missing values left out", (~whole).sum(), whole.size)
        values, nodes = values[:, whole], _kept(nodes, whole)
    kept, dropped = informative(values, nodes, degenerate)
    if dropped:
        _log.info("to_nodes: left out: %s", dropped)
        nodes = _kept(nodes, kept)
    asked = {"missing": missing, "degenerate": degenerate, "months": months}
    line = history_line("to_nodes", asked, input=input_hash(anomalies), dropped=dropped or None)
    attrs = with_history(anomalies.attrs, line)
    data = NodeData(values[:, kept], nodes, field["time"].values, str(attrs.get("units", "")), attrs)
    return innovations(data) if whiten else data


def _cells(field: xr.DataArray) -> tuple[np.ndarray, Nodes]:
    """The (time × node) values of a field on a grid, and its nodes."""
    field = field.assign_coords(lon=wrap(field["lon"].values), lat=field["lat"].values.astype(np.float64))
    field = field.sortby(["lat", "lon"]).transpose("time", "lon", "lat")
    cells = np.asarray(field.values, dtype=np.float64)
    lat, lon = field["lat"].values, field["lon"].values
    keep = _merge_poles(cells, lat)
    values = cells[:, keep]  # (lon, lat) flattened: latitude runs fastest
    node_lon, node_lat = (axis[keep] for axis in np.meshgrid(lon, lat, indexing="ij"))
    return values, Nodes(numbered(values.shape[1]), node_lat, node_lon, lat, lon)


def _kept(nodes: Nodes, keep: np.ndarray) -> Nodes:
    """Some of the nodes: regions keep their names, cells are numbered again."""
    some = nodes.select([nodes.names[i] for i in np.flatnonzero(keep)])
    return some if nodes.regional else replace(some, names=numbered(len(some)))


def numbered(count: int) -> tuple[str, ...]:
    """X1 … XN."""
    return tuple(f"X{i + 1}" for i in range(count))


def _merge_poles(cells: np.ndarray, lat: np.ndarray) -> np.ndarray:
    """Which (lon, lat) cells become nodes: all, but only the first of a pole row that repeats one value."""
    columns = cells.shape[1]
    keep = np.ones((columns, lat.size), dtype=bool)
    for row in np.flatnonzero(np.abs(lat) == 90):
        if columns > 1 and np.array_equal(cells[:, 1:, row], cells[:, :-1, row], equal_nan=True):
            keep[1:, row] = False
            _log.info("to_nodes: %d equal columns at latitude %g are one node, the pole", columns, lat[row])
    return keep


def _missing(gaps: np.ndarray, months: np.ndarray, nodes: Nodes) -> ClimateBNError:
    places, times = gaps.any(axis=0), gaps.any(axis=1)
    spots = (
        nodes.names if nodes.regional else [f"lat {a:g} lon {b:g}" for a, b in zip(nodes.lat, nodes.lon, strict=True)]
    )
    first = [f"{spots[i]} in {name(months[t])}" for t, i in np.argwhere(gaps)[:3]]
    return ClimateBNError(
        f"{int(gaps.sum())} missing values: {int(places.sum())} of {places.size} cells in {int(times.sum())} of "
        f"{times.size} months (first: {'; '.join(first)}). Fill them, or leave those places out with "
        "missing='drop_nodes'"
    )
