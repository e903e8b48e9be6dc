"""NodeData: the (time × node) matrix that networks are learned from, with the places of its nodes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.nodes import Nodes, extent, read_only
from climatebn.ingest.nodes.season import counted, season_of

if TYPE_CHECKING:
    from climatebn.ingest.nodes.whitening import Whitening


@dataclass(frozen=True, eq=False, repr=False)
class NodeData:
    """Read-only values (time × node, float64) with the places and names of the nodes.

    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> data
    NodeData(360 months 1981-01 … 2010-12 × 648 nodes, K: X1 … X648, lat -85 … 85, lon -175 … 175)
    >>> data.nearest(lat=-5, lon=225)
    'X81'
    >>> data.to_xarray(data.values.std(axis=0)).dims
    ('lat', 'lon')
    """

    values: np.ndarray
    nodes: Nodes
    time: np.ndarray
    units: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)
    whitening: "Whitening | None" = None  # how the values became innovations, where they are (see `whiten`)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", read_only(self.values))
        dates = np.array(self.time)
        dates.flags.writeable = False
        object.__setattr__(self, "time", dates)
        object.__setattr__(self, "attrs", dict(self.attrs))
        if self.values.shape != (len(self.time), len(self.nodes)):
            raise ClimateBNError(
                f"values must be time × node, {len(self.time)} × {len(self.nodes)}; their shape is {self.values.shape}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """X1 … XN: latitude fastest from south to north, longitude slowest eastwards from the date line."""
        return self.nodes.names

    @property
    def lat(self) -> np.ndarray:
        """Degrees north of each node."""
        return self.nodes.lat

    @property
    def lon(self) -> np.ndarray:
        """Degrees east of each node, −180 … 180."""
        return self.nodes.lon

    @property
    def season(self) -> str:
        """Initials of the months it holds, or of which it holds means, e.g. "DJF"; nothing for whole years."""
        return str(self.attrs.get("season_mean") or season_of(self.time))

    @property
    def counted(self) -> str:
        """How many rows there are, in words: "360 months", "90 months of DJF", "42 winters (DJF)"."""
        return counted(self.time, str(self.attrs.get("season_mean", "")))

    def __len__(self) -> int:
        return len(self.values)

    def distances(self) -> np.ndarray:
        """Great-circle distance of each pair of nodes in km (N × N)."""
        return self.nodes.distances()

    def nearest(self, lat: float, lon: float) -> str:
        """Name of the node nearest to a place; longitudes in either convention."""
        return self.nodes.nearest(lat, lon)

    def select(self, names: Iterable[str]) -> "NodeData":
        """These nodes only, in the order given."""
        at = self.nodes.positions(names)
        whitening = None if self.whitening is None else self.whitening.select(at)
        return NodeData(self.values[:, at], self.nodes.select(names), self.time, self.units, self.attrs, whitening)

    def to_xarray(self, values: Any = None, name: str | None = None) -> xr.DataArray:
        """One value a node as a (lat, lon) map, or time × node values (this data when left out) as maps in time."""
        if values is None:
            return self._maps(self.values, name, {**self.attrs, "units": self.units})
        array = np.asarray(values)
        return self._maps(array, name) if array.ndim == 2 else self.nodes.to_xarray(array, name=name)

    def _maps(self, values: np.ndarray, name: str | None, attrs: Mapping[str, Any] | None = None) -> xr.DataArray:
        if len(values) != len(self.time):
            raise ClimateBNError(f"values need one row a month ({len(self.time)}); got shape {values.shape}")
        return self.nodes.to_xarray(values, ("time",), {"time": self.time}, name, attrs)

    def __repr__(self) -> str:
        first, last = (str(date)[:7] for date in (self.time[0], self.time[-1])) if len(self) else ("", "")
        units = f", {self.units}" if self.units else ""
        span = f"{self.counted} {first} … {last} × {len(self.nodes)} nodes{units}"
        kind = "" if self.whitening is None else "innovations, "
        return f"NodeData({kind}{span}: {extent(self.nodes)})"
