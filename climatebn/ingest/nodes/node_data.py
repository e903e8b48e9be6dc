"""NodeData: the (time × node) matrix that networks are learned from, with the places of its nodes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.errors import ClimateBNError, as_given, public, short
from climatebn.html import box
from climatebn.ingest.nodes.index import index_values
from climatebn.ingest.nodes.nodes import Nodes, extent, read_only
from climatebn.ingest.nodes.season import counted, rows_of, season_of
from climatebn.provenance import array_hash, history_line, with_history

if TYPE_CHECKING:
    from climatebn.ingest.nodes.whitening import Whitening


@public
@dataclass(frozen=True, eq=False, repr=False)
class NodeData:
    """Read-only values (time × node, float64) with the places and names of the nodes.

    Parameters
    ----------
    values : (time × node).
    nodes : names and places.
    time : a date for each row.
    units : of the values.
    attrs : history and the like.
    whitening : how values became innovations, where they are.

    Examples
    --------
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
    variable_units: Mapping[str, str] = field(default_factory=dict)  # by variable, where there are several

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
        """Great-circle distance of each pair of nodes in km (N × N).

        Returns
        -------
        array (N × N) in km.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> tropics.distances()[0, :2].round().tolist()
        [0.0, 1112.0]
        """
        return self.nodes.distances()

    def nearest(self, lat: float, lon: float) -> str:
        """Name of the node nearest to a place; longitudes in either convention.

        Parameters
        ----------
        lat, lon : degrees north and east.

        Returns
        -------
        the name.

        Raises
        ------
        ClimateBNError where the place is none.

        Examples
        --------
        >>> import climatebn as cb
        >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
        >>> data.nearest(lat=-5, lon=-135)
        'X81'
        """
        return self.nodes.nearest(lat, lon)

    def select(self, names: Iterable[str]) -> "NodeData":
        """These nodes only, in the order given.

        Parameters
        ----------
        names : of nodes.

        Returns
        -------
        NodeData.

        Raises
        ------
        ClimateBNError that lists names which are not there.

        Examples
        --------
        >>> import climatebn as cb
        >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
        >>> data.select(["X81", "X1"]).names
        ('X81', 'X1')
        """
        at = self.nodes.positions(names)
        whitening = None if self.whitening is None else self.whitening.select(at)
        return replace(self, values=self.values[:, at], nodes=self.nodes.select(names), whitening=whitening)

    def sel(self, time: Any = None, months: str | Iterable[int] | None = None) -> "NodeData":
        """These rows only: ``time`` as in xarray ("1998", "1998-01", slice("1981", "1990")), ``months`` a season.

        Parameters
        ----------
        time : a date, a year, or a slice of them, as in xarray.
        months : a season by its initials ("DJF"), or numbers of months.

        Returns
        -------
        NodeData.

        Raises
        ------
        ClimateBNError where no row is left.

        Examples
        --------
        >>> import climatebn as cb
        >>> cb.to_nodes(cb.anomalies(cb.load_ncep())).sel(time=slice("1981", "1990"), months="DJF").counted
        '30 months of DJF'
        """
        rows = np.arange(len(self))
        if time is not None:
            time = str(time) if isinstance(time, int) else time  # a year
            try:
                rows = np.atleast_1d(xr.DataArray(rows, coords={"time": self.time}, dims="time").sel(time=time).values)
            except Exception:  # whatever xarray makes of what is no time
                rows = rows[:0]
            if not rows.size:
                raise ClimateBNError(f"time={time!r} selects no row; there are {self.counted} {self._period}")
        if months is not None:
            rows = rows[rows_of(self.time[rows], months)]
        return replace(self, values=self.values[rows], time=self.time[rows])

    def with_index(self, *, places: Mapping[str, tuple[float, float]] | None = None, **indices: Any) -> "NodeData":
        """One more node for each index, e.g. ``data.with_index(nino34=series)``; the places keep their names.

        Parameters
        ----------
        **indices : a Series or DataArray with dates, of which the months of this data are taken, or one number
            for each row. An index keeps its own units; ``fit(…, scale="sd")`` puts all nodes into one. The mean of
            cells of the same field adds nothing to them: ask the network about its `Region` instead.
        places : (lat, lon) of an index, for distances and arcs on maps; without one it has neither.

        Returns
        -------
        NodeData with one more column an index.

        Raises
        ------
        ClimateBNError where an index lacks months, or its name is taken.

        Examples
        --------
        >>> import climatebn as cb
        >>> anomaly = cb.anomalies(cb.load_ncep())
        >>> box = cb.region_mean(anomaly, lat=(-5, 5), lon=(-170, -120))
        >>> cb.to_nodes(anomaly).with_index(nino34=box).names[-2:]
        ('X648', 'nino34')
        """
        if self.whitening is not None:
            raise ClimateBNError("with_index is for anomalies; add the index first, then whiten")
        where = dict(places or {})
        lost = [name for name in where if name not in indices]
        if not indices or lost:
            raise ClimateBNError(f"with_index needs an index for each name, e.g. nino34=series; got none for {lost}")
        columns = [index_values(name, series, self.time) for name, series in indices.items()]
        nodes = self.nodes.with_more(indices, [where.get(name) for name in indices])
        line = history_line("with_index", {"indices": tuple(indices), "places": where}, input=array_hash(*columns))
        return replace(
            self, values=np.column_stack([self.values, *columns]), nodes=nodes, attrs=with_history(self.attrs, line)
        )

    def __getitem__(self, name: str) -> xr.DataArray:
        """The values of one node in time."""
        if not isinstance(name, str):
            raise ClimateBNError(
                f"data[…] takes the name of one node; got {short(name)}. Several: data.select(names); the node at a "
                "place: data[data.nearest(lat, lon)]"
            )
        at = self.nodes.positions(name)[0]
        place = {axis: float(getattr(self, axis)[at]) for axis in ("lat", "lon")}
        units = self.variable_units.get(self.nodes.variable[at], self.units)
        return xr.DataArray(
            self.values[:, at], dims="time", coords={"time": self.time, **place}, name=name, attrs={"units": units}
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def to_dataframe(self) -> pd.DataFrame:
        """A column a node, a row a time step.

        Returns
        -------
        DataFrame with the dates as index, in ``units``; a copy, so it may be edited.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> tropics.to_dataframe().shape
        (360, 72)
        """
        return pd.DataFrame(self.values, index=pd.Index(self.time, name="time"), columns=list(self.names), copy=True)

    def to_xarray(self, values: Any = None, name: str | None = None) -> xr.DataArray:
        """One value a node as a (lat, lon) map, or time × node values (this data when left out) as maps in time.

        Parameters
        ----------
        values : one number a node, or an array time × node; this data when left out.
        name : of the result.

        Returns
        -------
        DataArray (lat, lon) or (time, lat, lon); cells without a node are missing.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> tropics.to_xarray().dims, tropics.to_xarray(tropics.values.std(axis=0), name="sd").dims
        (('time', 'lat', 'lon'), ('lat', 'lon'))
        """
        if values is None:
            return self._maps(self.values, name, {**self.attrs, "units": self.units})
        array = as_given("values", values)
        return self._maps(array, name) if array.ndim == 2 else self.nodes.to_xarray(array, name=name)

    def _maps(self, values: np.ndarray, name: str | None, attrs: Mapping[str, Any] | None = None) -> xr.DataArray:
        if len(values) != len(self.time):
            raise ClimateBNError(f"values need one row a month ({len(self.time)}); got shape {values.shape}")
        return self.nodes.to_xarray(values, ("time",), {"time": self.time}, name, attrs)

    @property
    def _period(self) -> str:
        return f"{str(self.time[0])[:7]} … {str(self.time[-1])[:7]}" if len(self) else ""

    def _repr_html_(self) -> str:
        facts = {
            "time": f"{self.time[0]} … {self.time[-1]}" if len(self) else "",
            "nodes": extent(self.nodes),
            "units": self.units,
            "values": f"{self.values.min():.3g} … {self.values.max():.3g}" if self.values.size else "",
        }
        history = str(self.attrs.get("history", ""))
        attrs = {name: value for name, value in self.attrs.items() if name != "history"}
        line = f"(time: {len(self)}, node: {len(self.nodes)})"
        return box("NodeData", line, facts, {"Attributes": attrs, "History": history})

    def __repr__(self) -> str:
        units = f", {self.units}" if self.units else ""
        span = f"{self.counted} {self._period} × {len(self.nodes)} nodes{units}"
        kind = "" if self.whitening is None else "innovations, "
        return f"NodeData({kind}{span}: {extent(self.nodes)})"
