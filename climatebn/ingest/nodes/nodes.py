"""Places of a network's nodes, and the way back from node numbers to a (lat, lon) map.

Nodes run as in the paper: latitude fastest, from south to north; longitude slowest, eastwards from the date line.
A single node at ±90° is the pole: on a map it fills its whole row.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.distance import great_circle

AXES = {
    "lat": {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north", "axis": "Y"},
    "lon": {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east", "axis": "X"},
}


@dataclass(frozen=True, eq=False, repr=False)
class Nodes:
    """Names and places of nodes, and the axes of the grid that they lie on (``grid_lat``, ``grid_lon``).

    >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
    >>> nodes.nearest(50, 10)
    'X2'
    """

    names: tuple[str, ...]
    lat: np.ndarray
    lon: np.ndarray
    grid_lat: np.ndarray
    grid_lon: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(map(str, self.names)))
        for part in ("lat", "lon", "grid_lat", "grid_lon"):
            object.__setattr__(self, part, read_only(getattr(self, part)))
        if not len(self.names) == self.lat.size == self.lon.size:
            raise ClimateBNError(
                f"{len(self.names)} names, {self.lat.size} lat and {self.lon.size} lon must be as many"
            )
        if len(set(self.names)) < len(self.names):
            raise ClimateBNError("names of nodes must differ from each other")
        if not (np.isin(self.lat, self.grid_lat).all() and np.isin(self.lon, self.grid_lon).all()):
            raise ClimateBNError("each node must lie on the grid: its lat in grid_lat, its lon in grid_lon")

    def __len__(self) -> int:
        return len(self.names)

    def distances(self) -> np.ndarray:
        """Great-circle distance of each pair in km (N × N)."""
        km = np.empty((len(self), len(self)))
        for start in range(0, len(self), 256):  # a few rows at a time: 10 000 nodes take 0.8 GB, not five times that
            rows = slice(start, start + 256)
            km[rows] = great_circle(self.lat[rows, None], self.lon[rows, None], self.lat, self.lon)
        return km

    def nearest(self, lat: float, lon: float) -> str:
        """Name of the node nearest to a place; longitudes in either convention."""
        if not (np.isfinite([lat, lon]).all() and abs(lat) <= 90):
            raise ClimateBNError(f"a place needs lat within ±90° and a finite lon; got lat={lat!r}, lon={lon!r}")
        return self.names[int(np.argmin(great_circle(self.lat, self.lon, lat, lon)))]

    def positions(self, names: Iterable[str]) -> np.ndarray:
        """Column numbers of names; a name that is not there is an error."""
        place = {name: number for number, name in enumerate(self.names)}
        wanted = [names] if isinstance(names, str) else list(names)
        missing = [name for name in wanted if name not in place]
        if missing:
            raise ClimateBNError(
                f"unknown node {missing[0]!r}; there are {len(self)} nodes, {self.names[0]} … {self.names[-1]}. "
                "Use .nearest(lat, lon) to find one by its place"
            )
        return np.array([place[name] for name in wanted], dtype=np.int64)

    def select(self, names: Iterable[str]) -> "Nodes":
        """These nodes only, in the order given; the grid stays."""
        at = self.positions(names)
        return Nodes(tuple(self.names[i] for i in at), self.lat[at], self.lon[at], self.grid_lat, self.grid_lon)

    def to_xarray(
        self,
        values: Any,
        dims: tuple[Hashable, ...] = (),
        coords: Mapping[Any, Any] | None = None,
        name: str | None = None,
        attrs: Mapping[str, Any] | None = None,
    ) -> xr.DataArray:
        """Values (…, node) as maps (…, lat, lon), NaN where no node is; ``dims`` and ``coords`` name leading axes."""
        array = np.asarray(values)
        if array.ndim != len(dims) + 1 or array.shape[-1] != len(self):
            raise ClimateBNError(
                f"values must have one number for each of the {len(self)} nodes on the last axis"
                f"{f' after {dims}' if dims else ''}; got shape {array.shape}"
            )
        rows = np.searchsorted(self.grid_lat, self.lat)
        columns = np.searchsorted(self.grid_lon, self.lon)
        kind = array.dtype if np.issubdtype(array.dtype, np.inexact) else np.float64
        cells = np.full((*array.shape[:-1], self.grid_lat.size, self.grid_lon.size), np.nan, dtype=kind)
        cells[..., rows, columns] = array
        for node in self.poles():
            cells[..., rows[node], :] = array[..., node, None]
        axes = {axis: (axis, getattr(self, f"grid_{axis}"), AXES[axis]) for axis in AXES}
        return xr.DataArray(
            cells, dims=(*dims, "lat", "lon"), coords={**axes, **(coords or {})}, name=name, attrs=dict(attrs or {})
        )

    def poles(self) -> list[int]:
        """Nodes that stand alone at ±90°."""
        return [int(at[0]) for pole in (-90, 90) if len(at := np.flatnonzero(self.lat == pole)) == 1]

    def __repr__(self) -> str:
        return f"Nodes({len(self)} on a {self.grid_lat.size} × {self.grid_lon.size} grid: {extent(self)})"


def extent(nodes: Nodes) -> str:
    """The names and the box of nodes, in words."""
    if not len(nodes):
        return "none"
    box = ", ".join(f"{axis} {v.min():g} … {v.max():g}" for axis, v in (("lat", nodes.lat), ("lon", nodes.lon)))
    return f"{nodes.names[0]} … {nodes.names[-1]}, {box}"


def read_only(values: Any) -> np.ndarray:
    """A float64 copy that cannot be edited."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
