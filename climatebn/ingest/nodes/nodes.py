"""Variable, place and lag of a network's nodes, and the way back from node numbers to a (lat, lon) map.

Nodes run as in the paper: latitude fastest, from south to north; longitude slowest, eastwards from the date line.
A single node at ±90° is the pole: on a map it fills its whole row. A node may also stand for no cell of the map, e.g.
an index: it is not drawn there, and has a place (for distances) only if one was given. Regions are nodes of a third
kind: no cells, but places and polygons by which maps draw them; their values stay on the dimension `node`. Several
fields, or several months of one, are layers: each comes back as a map of its own.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public, real_array, short, unknown
from climatebn.ingest.grid.distance import great_circle
from climatebn.ingest.grid.grid import wrap
from climatebn.ingest.grid.outlines import area
from climatebn.ingest.nodes.nearest import nearest_node

AXES = {
    "lat": {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north", "axis": "Y"},
    "lon": {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east", "axis": "X"},
}


@public
@dataclass(frozen=True, eq=False, repr=False)
class Nodes:
    """Names and places of nodes, and the axes of the grid that they lie on.

    Parameters
    ----------
    names : names of the nodes.
    lat, lon : degrees north and east (−180 … 180); NaN for a node without a place.
    grid_lat, grid_lon : axes of the grid.
    on_grid : which nodes are cells of that grid; when left out, all that have a place.
    polygons : outlines of regions as WKT, "" for a node without; None where no node has one.
    variable : the field or index of each node; "" where there is one field only.
    lag : how many months before the present each node stands for; 0 when left out.
    grids : (lat, lon) axes of fields whose own grid is not that of all together.

    Examples
    --------
    >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
    >>> nodes.nearest(50, 10)
    'X2'
    """

    names: tuple[str, ...]
    lat: np.ndarray
    lon: np.ndarray
    grid_lat: np.ndarray
    grid_lon: np.ndarray
    on_grid: Any = None  # booleans, one a node
    polygons: Any = None  # WKT, one a node; None where no node has one
    variable: tuple[str, ...] = ()
    lag: Any = None  # whole numbers, one a node; 0 when left out
    grids: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(map(str, self.names)))
        for part in ("lat", "lon", "grid_lat", "grid_lon"):
            object.__setattr__(self, part, read_only(getattr(self, part)))
        if self.polygons is not None:
            if isinstance(self.polygons, str) or not isinstance(self.polygons, Iterable):
                raise ClimateBNError(f"polygons needs one text for each node; got {short(self.polygons)}")
            texts = tuple(map(str, self.polygons))
            object.__setattr__(self, "polygons", texts if any(texts) else None)
            if len(texts) != len(self.names):
                raise ClimateBNError(f"polygons needs one text for each of the {len(self.names)} nodes")
        if not (len(self.names),) == self.lat.shape == self.lon.shape:
            raise ClimateBNError(
                f"names, lat and lon must have equal length; got {len(self.names)}, {self.lat.size} and {self.lon.size}"
            )
        if len(set(self.names)) < len(self.names):
            again = next(name for place, name in enumerate(self.names) if name in self.names[:place])
            raise ClimateBNError(f"names of nodes must differ from each other; {again} comes more than once")
        for part in ("grid_lat", "grid_lon"):
            if len(np.unique(getattr(self, part))) < getattr(self, part).size:
                raise ClimateBNError(f"{part} holds a value twice; each row and column of the grid has its own")
        cells = np.isfinite(self.lat) if self.on_grid is None else np.array(self.on_grid, dtype=bool)
        if self.on_grid is None and not self.grid_lat.size:
            cells = np.zeros(len(self.names), dtype=bool)
        cells.flags.writeable = False
        object.__setattr__(self, "on_grid", cells)
        if cells.shape != (len(self.names),) or (np.isfinite(self.lat) != np.isfinite(self.lon)).any():
            raise ClimateBNError("each node needs one value of on_grid, and lat and lon both or none")
        if not (np.isin(self.lat[cells], self.grid_lat).all() and np.isin(self.lon[cells], self.grid_lon).all()):
            raise ClimateBNError("each node must lie on the grid: its lat in grid_lat, its lon in grid_lon")
        self._set_layers()

    def _set_layers(self) -> None:
        size = len(self.names)
        variable = tuple(self.variable) or ("",) * size
        lag = np.zeros(size, dtype=np.int64) if self.lag is None else real_array("lag", self.lag).astype(np.int64)
        lag.flags.writeable = False
        if len(variable) != size or lag.shape != (size,):
            raise ClimateBNError(f"variable and lag need one value for each of the {size} nodes")
        object.__setattr__(self, "variable", variable)
        object.__setattr__(self, "lag", lag)
        for (name, months), at in self.layers.items():
            if len(np.unique(np.column_stack([self.lat[at], self.lon[at]]), axis=0)) < len(at):
                what = " ".join(filter(None, [name, f"at lag {months}" if months else ""]))
                raise ClimateBNError(
                    f"two nodes{f' of {what}' if what else ''} are one cell of the map; give them different variables"
                )

    @cached_property
    def layers(self) -> dict[tuple[str, int], np.ndarray]:
        """The nodes on the map by (variable, lag), in the order in which these first come."""
        found: dict[tuple[str, int], list[int]] = {}
        for at in np.flatnonzero(self.on_grid).tolist():
            found.setdefault((self.variable[at], int(self.lag[at])), []).append(at)
        return {key: np.array(at, dtype=np.int64) for key, at in found.items()}

    @property
    def fields(self) -> tuple[str, ...]:
        """The variables that have nodes on the map, each once."""
        return tuple(dict.fromkeys(variable for variable, _ in self.layers))

    def layer(self, variable: str | None = None, lag: int = 0) -> "Nodes":
        """The nodes of one field (the first one when left out) in one month, on that field's own grid.

        Parameters
        ----------
        variable : the name of a field; the first one when left out.
        lag : months before the present.

        Returns
        -------
        Nodes.

        Raises
        ------
        ClimateBNError where there is no such layer.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.layer().names
        ('X1', 'X2')
        """
        if self.regional and variable is None and (self.lag == lag).any():
            chosen = [name for name, months in zip(self.names, self.lag, strict=True) if months == lag]
            return self if len(chosen) == len(self) else self.select(chosen)
        if len(self.layers) <= 1 and not self.grids and variable is None and lag == 0:
            return self
        asked = next(iter(self.fields), "") if variable is None else variable
        at = self.layers.get((asked, lag))
        if at is None:
            if asked not in self.fields:
                raise unknown("field", asked, self.fields)
            months = sorted({known for name, known in self.layers if name == asked})
            raise ClimateBNError(f"there is no lag {lag} of the nodes; there are lags {', '.join(map(str, months))}")
        lat, lon = self.grids.get(asked, (self.grid_lat, self.grid_lon))
        part = self.select([self.names[i] for i in at])
        return Nodes(part.names, part.lat, part.lon, lat, lon)

    @classmethod
    def of_regions(cls, names: Iterable[str], places: Any, polygons: Iterable[str] | None = None) -> "Nodes":
        """Nodes that are regions: a place (lat, lon) each, and a polygon each or none.

        Parameters
        ----------
        names : of the regions.
        places : (lat, lon) in degrees, or None, for each.
        polygons : WKT for each, or nothing.

        Returns
        -------
        Nodes.

        Examples
        --------
        >>> Nodes.of_regions(["east", "west"], [(0, 90), (0, -90)])
        Nodes(2 regions: east … west)
        """
        lat, lon = _coordinates(places)
        return cls(tuple(names), lat, wrap(lon), np.zeros(0), np.zeros(0), None, polygons)

    @property
    def regional(self) -> bool:
        """Whether no node is a cell of a grid: values then stay on the dimension ``node``."""
        return not self.on_grid.any()

    def __len__(self) -> int:
        return len(self.names)

    def areas(self) -> np.ndarray:
        """Relative area of each node: of its polygon, of its cell by cos(latitude); 0 for an index.

        Regions without any polygon count alike.

        Returns
        -------
        array, one number a node, in no unit: only ratios count.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.areas().round(3).tolist()
        [0.707, 0.707]
        """
        if self.polygons is not None:
            return np.array([area(text) if text else 0.0 for text in self.polygons])
        if self.regional:
            return np.ones(len(self))
        return np.where(self.on_grid, np.maximum(np.cos(np.radians(np.where(self.on_grid, self.lat, 0.0))), 1e-6), 0.0)

    def distances(self) -> np.ndarray:
        """Great-circle distance of each pair in km (N × N).

        Returns
        -------
        array (N × N) in km; NaN for nodes without a place.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.distances()[0].round().tolist()
        [0.0, 10008.0]
        """
        km = np.empty((len(self), len(self)))
        for start in range(0, len(self), 256):  # a few rows at a time: 10 000 nodes take 0.8 GB, not five times that
            rows = slice(start, start + 256)
            km[rows] = great_circle(self.lat[rows, None], self.lon[rows, None], self.lat, self.lon)
        return km

    def nearest(self, lat: float, lon: float) -> str:
        """Name of the node nearest to a place; longitudes in either convention.

        Of cells equally near (the place lies on an edge between them) the one to its east is taken, then the one to its
        north, as if a cell owned its western and its southern edge. Nodes that are no cells of the map are never taken;
        of several fields the first is asked (``nodes.layer("slp").nearest(…)`` asks another), of months the present.
        Of regions, the one whose polygon holds the place.

        Parameters
        ----------
        lat, lon : degrees north and east.

        Returns
        -------
        the name.

        Raises
        ------
        ClimateBNError where the place is none, or no node has one.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.nearest(50, 10)
        'X2'
        """
        return nearest_node(self, lat, lon)

    def positions(self, names: Iterable[str]) -> np.ndarray:
        """Column numbers of names; a name that is not there is an error.

        Parameters
        ----------
        names : of nodes.

        Returns
        -------
        array of whole numbers from 0.

        Raises
        ------
        ClimateBNError that lists names which are not there.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.positions(["X2"]).tolist()
        [1]
        """
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
        """These nodes only, in the order given; the grid stays.

        Parameters
        ----------
        names : of nodes.

        Returns
        -------
        Nodes.

        Raises
        ------
        ClimateBNError that lists names which are not there.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.select(["X2"]).names
        ('X2',)
        """
        at = self.positions(names)
        return replace(
            self,
            names=tuple(self.names[i] for i in at),
            lat=self.lat[at],
            lon=self.lon[at],
            on_grid=self.on_grid[at],
            polygons=None if self.polygons is None else tuple(self.polygons[i] for i in at),
            variable=tuple(self.variable[i] for i in at),
            lag=self.lag[at],
        )

    def with_more(self, names: Iterable[str], places: Iterable[tuple[float, float] | None]) -> "Nodes":
        """These nodes and, after them, others that are no cells of the map; a place is (lat, lon) or None.

        Parameters
        ----------
        names : of the nodes that come after.
        places : (lat, lon) in degrees, or None, for each.

        Returns
        -------
        Nodes.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.with_more(["nino34"], [None]).names
        ('X1', 'X2', 'nino34')
        """
        more = tuple(names)
        lat, lon = _coordinates(places)
        return replace(
            self,
            names=(*self.names, *more),
            lat=np.r_[self.lat, lat],
            lon=np.r_[self.lon, wrap(lon)],
            on_grid=np.r_[self.on_grid, np.zeros(len(more), dtype=bool)],
            polygons=None if self.polygons is None else (*self.polygons, *("" for _ in more)),
            variable=(*self.variable, *more),
            lag=np.r_[self.lag, np.zeros(len(more), dtype=np.int64)],
        )

    def with_past(self, lags: Iterable[int]) -> "Nodes":
        """These nodes and, after them, the same so many months before; X81 of two months before is ``X81@-2``.

        Parameters
        ----------
        lags : months before the present, without 0.

        Returns
        -------
        Nodes.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.with_past([1]).names
        ('X1', 'X2', 'X1@-1', 'X2@-1')
        """
        months = [0, *lags]
        return replace(
            self,
            names=tuple(past_name(name, lag) for lag in months for name in self.names),
            lat=np.tile(self.lat, len(months)),
            lon=np.tile(self.lon, len(months)),
            on_grid=np.tile(self.on_grid, len(months)),
            polygons=None if self.polygons is None else self.polygons * len(months),
            variable=self.variable * len(months),
            lag=np.repeat(months, len(self)),
        )

    def to_xarray(
        self,
        values: Any,
        dims: tuple[Hashable, ...] = (),
        coords: Mapping[Any, Any] | None = None,
        name: str | None = None,
        attrs: Mapping[str, Any] | None = None,
    ) -> xr.DataArray:
        """Values (…, node) as maps (…, lat, lon), NaN where no node is; ``dims`` and ``coords`` name leading axes.

        Values of regions stay (…, node), with the places and polygons of the nodes as coordinates. Where there are
        several fields the maps are (…, variable, lat, lon), where there are several months (…, lag, lat, lon) or
        (…, variable, lag, lat, lon).

        Parameters
        ----------
        values : (…, node).
        dims : names of the leading axes.
        coords : of the leading axes.
        name, attrs : of the result.

        Returns
        -------
        DataArray.

        Examples
        --------
        >>> nodes = Nodes(("X1", "X2"), [-45, 45], [0, 0], [-45, 45], [-90, 0, 90])
        >>> nodes.to_xarray([1.0, 2.0]).sel(lon=0).values.tolist()
        [1.0, 2.0]
        """
        from climatebn.ingest.nodes.node_maps import to_maps

        return to_maps(self, values, dims, coords, name, attrs)

    def poles(self) -> list[int]:
        """Nodes that stand alone at ±90° in their layer.

        Returns
        -------
        list of column numbers.

        Examples
        --------
        >>> Nodes(("X1", "X2"), [-90, 45], [0, 0], [-90, 45], [0, 90]).poles()
        [0]
        """
        found = (layer[self.lat[layer] == pole] for layer in self.layers.values() for pole in (-90, 90))
        return [int(at[0]) for at in found if len(at) == 1]

    def __repr__(self) -> str:
        if self.regional and len(self):
            return f"Nodes({len(self)} regions: {extent(self)})"
        return f"Nodes({len(self)} on a {self.grid_lat.size} × {self.grid_lon.size} grid: {extent(self)})"


def _coordinates(places: Any) -> tuple[np.ndarray, np.ndarray]:
    """Latitudes and longitudes of places (lat, lon), not numbers for None."""
    try:
        pairs = [(np.nan, np.nan) if place is None else (float(place[0]), float(place[1])) for place in places]
    except (TypeError, ValueError, LookupError):
        raise ClimateBNError(f"places must be (lat, lon) in degrees, or None; got {short(places)}") from None
    lat, lon = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    return lat, lon


def past_name(name: str, lag: int) -> str:
    """The name of a node so many months before: X81, X81@-1, X81@-2."""
    return f"{name}@-{lag}" if lag else name


def extent(nodes: Nodes) -> str:
    """The names and the box of nodes, in words."""
    cells = nodes.on_grid
    if not len(nodes):
        return "none"
    if nodes.regional:
        return " … ".join(dict.fromkeys((nodes.names[0], nodes.names[-1])))
    box = "".join(f", {axis} {v.min():g} … {v.max():g}" for axis in AXES if (v := getattr(nodes, axis)[cells]).size)
    others = [nodes.names[i] for i in np.flatnonzero(~cells)]
    named = [nodes.names[i] for i in np.flatnonzero(cells)[[0, -1]]] if cells.any() else []
    more = f"; and {', '.join(others[:3])}{' …' * (len(others) > 3)}, not on the map" if others else ""
    return " … ".join(named) + box + more


def read_only(values: Any) -> np.ndarray:
    """A float64 copy that cannot be edited."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
