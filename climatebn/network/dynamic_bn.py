r"""`DynamicBN`: a fitted linear Gaussian network in time.

    X_t = c + Σ_{j → i} b_ji X_{j, t − lag(j)} + ε_t,   ε_i ~ N(0, d_i)

Only the nodes of the present month have parents; the past is never modelled. A node keeps its mean and its standard
deviation at every lag, so that the same equations lead from month to month.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import xarray as xr
from scipy.sparse import csc_array

from climatebn.errors import ClimateBNError, public, unknown
from climatebn.graph import Dag
from climatebn.html import box
from climatebn.ingest.nodes.lags import lags_of, split_name
from climatebn.ingest.nodes.nodes import Nodes, extent, read_only
from climatebn.network import forecasting
from climatebn.network.linear_gaussian import Units
from climatebn.network.state_space import StateSpace


@public
@dataclass(frozen=True, eq=False, repr=False)
class DynamicBN:
    """A network in time; made by `climatebn.fit` from what ``learn(…, lags=…)`` found.

    Attributes
    ----------
    dag : the DAG of all columns, present (X81) and past (``X81@-1``).
    coefficients : sparse B[parent column, present node], in the network's own units, as are intercepts and
        residual_variances (one a present node).
    centre, spread : mean and standard deviation (n − 1) of each present node in the data, in the data's units.
    nodes : places of all columns; None without geometry.
    present : those of the present month.
    n : months behind the fit.
    arc_loglik : log-likelihood lost when an arc alone is removed, as ``dag.arcs``.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> result = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=2), lags=(1,), progress=False)
    >>> dbn = cb.fit(result, tropics, scale="sd")
    >>> dbn.order, len(dbn.names), len(dbn.dag.names)
    (1, 72, 144)
    """

    dag: Dag
    coefficients: csc_array
    intercepts: np.ndarray
    residual_variances: np.ndarray
    centre: np.ndarray
    spread: np.ndarray
    scale: str = "none"
    nodes: Nodes | None = None
    units: str = ""
    n: int | None = None
    variance: str = "ml"
    arc_loglik: np.ndarray | None = None
    history: str = field(default="", repr=False)
    learned: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        size = len(self.names)
        for name in ("intercepts", "residual_variances", "centre", "spread"):
            value = read_only(getattr(self, name))
            if value.shape != (size,) or not np.isfinite(value).all():
                raise ClimateBNError(f"{name} needs one finite number for each of the {size} nodes of the present")
            object.__setattr__(self, name, value)
        if not ((self.residual_variances > 0).all() and (self.spread > 0).all()):
            raise ClimateBNError("residual_variances and spread must be positive")
        if self.coefficients.shape != (len(self.dag), size) or not np.isfinite(self.coefficients.data).all():
            raise ClimateBNError(f"coefficients must be finite, {len(self.dag)} columns × {size} nodes of the present")
        late = [(a, b) for a, b in self.dag.numbered_arcs.tolist() if self.column_lags[b]]
        if late or self.coefficients.nnz != len(self.dag.numbered_arcs):
            raise ClimateBNError("arcs must lead into the present month, with a coefficient each; the past has none")

    @cached_property
    def column_lags(self) -> np.ndarray:
        """The lag of each column of ``dag``."""
        return lags_of(self.dag.names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes of the present month."""
        return tuple(name for name, lag in zip(self.dag.names, self.column_lags, strict=True) if not lag)

    @property
    def order(self) -> int:
        """The longest lag: how many months a state has."""
        return int(self.column_lags.max())

    @cached_property
    def present(self) -> Nodes | None:
        """Places of the nodes of the present month; None without geometry."""
        return None if self.nodes is None else self.nodes.select(self.names)

    @property
    def lat(self) -> np.ndarray | None:
        """Degrees north of each node of the present; None without geometry."""
        return None if self.present is None else self.present.lat

    @property
    def lon(self) -> np.ndarray | None:
        """Degrees east of each node of the present; None without geometry."""
        return None if self.present is None else self.present.lon

    @cached_property
    def own_units(self) -> Units:
        """Units of the parameters, evidence and answers: "sd" or "data"."""
        return "sd" if self.scale == "sd" else "data"

    @property
    def parameters(self) -> int:
        """Number of free parameters: an intercept and a variance a present node, a coefficient an arc."""
        return 2 * len(self.names) + self.coefficients.nnz

    @cached_property
    def node_of_column(self) -> np.ndarray:
        """The number of the present node of each column."""
        number = {name: i for i, name in enumerate(self.names)}
        return np.array([number[split_name(name)[0]] for name in self.dag.names], dtype=np.int64)

    @property
    def arc_coefficients(self) -> np.ndarray:
        """The coefficient of each arc, in the order of ``dag.arcs``."""
        parent, child = self.dag.numbered_arcs.T
        if not len(parent):
            return np.zeros(0)
        return np.asarray(self.coefficients.tocsr()[parent, self.node_of_column[child]]).ravel()

    def into(self, units: Units | None) -> tuple[np.ndarray, np.ndarray]:
        """(shift, factor) of each node that bring a value x in own units into ``units``: x · factor + shift.

        Parameters
        ----------
        units : "sd", "data", or None for the network's own.

        Returns
        -------
        two arrays, one number a node of the present.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> result = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=2), lags=(1,), progress=False)
        >>> shift, factor = cb.fit(result, tropics, scale="sd").into("data")
        >>> bool((factor > 0).all())
        True
        """
        if units not in (None, "sd", "data"):
            raise unknown("units", units, ("sd", "data"))
        if units is None or units == self.own_units:
            return np.zeros(len(self.names)), np.ones(len(self.names))
        if units == "data":
            return self.centre, self.spread
        return -self.centre / self.spread, 1 / self.spread

    @cached_property
    def state_space(self) -> StateSpace:
        """The network as a vector autoregression, own units: same-month arcs are solved for."""
        size = len(self.names)
        weights = np.zeros((self.order + 1, size, size))  # [lag, to, from]
        stored = self.coefficients.tocoo()
        weights[self.column_lags[stored.row], stored.col, self.node_of_column[stored.row]] = stored.data
        root = np.diag(np.sqrt(self.residual_variances))
        if not weights[0].any():
            return StateSpace(self.intercepts, weights[1:], root)
        solved = np.linalg.inv(np.eye(size) - weights[0])
        return StateSpace(solved @ self.intercepts, solved @ weights[1:], solved @ root)

    def forecast(
        self,
        state: Any,
        leads: int | Iterable[int] = 6,
        *,
        threshold: float = 1.0,
        about: Iterable[Any] = (),
        units: Units = "data",
    ) -> xr.Dataset:
        """The months after a state: mean, standard deviation and probabilities of extremes, lead by lead.

        Parameters
        ----------
        state : the last months, as many as the longest lag or more (the latest count), in the units of the data:
            NodeData, a field (time, lat, lon), a DataFrame, or an array (month × node), the latest last.
        leads : months ahead: 6 for 1 … 6, or the leads themselves, e.g. (1, 3, 6).
        threshold : of the probabilities, in standard deviations of the data from its mean.
        about : regions, their names, places or combinations, of which mean and sd are given as well.
        units : of the answer, "data" or "sd".

        Returns
        -------
        Dataset (lead, lat, lon) of mean, sd, upper and lower (probabilities of more than ``threshold`` above and below
        the mean of the data). Nodes that are not on the map and what ``about`` asks are quantity_mean and quantity_sd
        (lead, quantity).

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> result = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=1), lags=(1, 2), progress=False)
        >>> dbn = cb.fit(result, tropics, scale="sd")
        >>> dbn.forecast(tropics, leads=6)["mean"].dims
        ('lead', 'lat', 'lon')
        """
        return forecasting.forecast(self, state, leads, threshold, about, units)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the network as one NetCDF file; `climatebn.load_network` reads it back.

        Parameters
        ----------
        path : the file to write; it is written whole or not at all.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> from tempfile import mkdtemp
        >>> result = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=2), lags=(1,), progress=False)
        >>> path = mkdtemp() + "/network.nc"
        >>> cb.fit(result, tropics, scale="sd").save(path)
        >>> type(cb.load_network(path)).__name__
        'DynamicBN'
        """
        from climatebn.network.store import save

        save(self, path)

    def __repr__(self) -> str:
        own = "sd" if self.scale == "sd" else self.units or "data"
        months = ", ".join(str(lag) for lag in sorted(set(self.column_lags.tolist()) - {0}))
        return (
            f"DynamicBN({len(self.names)} nodes, lags {months}: {self.lagged_arcs} lagged arcs, "
            f"{self.coefficients.nnz - self.lagged_arcs} within a month, units of parameters: {own})"
        )

    @property
    def lagged_arcs(self) -> int:
        """How many arcs lead from a past month into the present."""
        return int((self.column_lags[self.dag.numbered_arcs[:, 0]] > 0).sum())

    def _repr_html_(self) -> str:
        facts = {
            "arcs": f"{self.lagged_arcs} lagged, {self.coefficients.nnz - self.lagged_arcs} within a month",
            "longest lag": self.order,
            "free parameters": self.parameters,
            "units of parameters": "sd" if self.scale == "sd" else self.units or "those of the data",
            "months": self.n,
            "nodes": None if self.present is None else extent(self.present),
        }
        return box("DynamicBN", f"{len(self.names)} nodes", facts, {"Learned": self.learned, "History": self.history})
