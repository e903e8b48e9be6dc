r"""`DynamicEnsemble`: many networks in time as one model, whose coefficients are the mean of theirs.

    X_t = c̄ + Σ_k Ā_k X_{t−k} + e_t,   Ā_k = (1/M) Σ_m A_k^(m)   (reduced form: same-month arcs are solved for)

What a month brings, e_t, has the covariance of what the mean model leaves unexplained in the record. Forecasts and
answers come from this model; their spread over the members says how sure they are.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.errors import ClimateBNError, public, unknown
from climatebn.html import box
from climatebn.ingest.nodes.lags import lags_of
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network import forecasting
from climatebn.network.dynamic_bn import DynamicBN
from climatebn.network.linear_gaussian import Units
from climatebn.network.state_space import StateSpace
from climatebn.progress import Progress
from climatebn.uncertainty.arc_support import Graph, support_table
from climatebn.uncertainty.dynamic_member import DynamicMember


@public
@dataclass(frozen=True, eq=False, repr=False)
class DynamicEnsemble:
    """Networks in time and their mean; made by ``climatebn.ensemble(…, lags=…)``.

    Attributes
    ----------
    columns : names of all columns, present and past.
    names : those of the present.
    members : the fitted networks, sparse.
    graphs : arcs and lines of every member.
    single : the network of the whole record; None when its graph is not valid.
    rows : the standardised record (month × column) that the members were drawn from.
    centre, spread : mean and standard deviation of each node of the present, in the data's units.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
    >>> len(ens.members), ens.lags, len(ens.names)
    (2, (1,), 72)
    """

    columns: tuple[str, ...]
    members: tuple[DynamicMember, ...]
    graphs: tuple[Graph, ...]
    single: DynamicMember | None
    rows: np.ndarray
    centre: np.ndarray
    spread: np.ndarray
    lags: tuple[int, ...]
    algorithm: str
    criterion: str
    single_criterion: str
    invalid: int
    unended: int
    n: int
    nodes: Nodes | None = None
    units: str = ""
    history: str = field(default="", repr=False)

    own_units: Units = "sd"

    @classmethod
    def of(cls, values: np.ndarray, columns: tuple[str, ...], lags: tuple[int, ...], **parts: Any) -> "DynamicEnsemble":
        """From the values of a lagged table, whose present comes first, and what was learned from it.

        Parameters
        ----------
        values : (month × column).
        columns : their names.
        lags : months before the present that may act on it.
        **parts : members, graphs, algorithm and so on, as attributes.

        Returns
        -------
        DynamicEnsemble.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
        >>> type(ens).of(ens.rows, ens.columns, ens.lags, **{
        ...     name: getattr(ens, name) for name in
        ...     "members graphs single algorithm criterion single_criterion invalid unended n nodes".split()
        ... }).names == ens.names
        True
        """
        lag = lags_of(columns)
        present = values[:, lag == 0]
        centre, spread = present.mean(axis=0), present.std(axis=0, ddof=1)
        again = len(set(lag.tolist()))
        rows = (values - np.tile(centre, again)) / np.tile(spread, again)
        return cls(columns=columns, rows=rows, centre=centre, spread=spread, lags=lags, **parts)

    def __repr__(self) -> str:
        lags = ", ".join(map(str, self.lags))
        count = f"{len(self.graphs)} member{'s' * (len(self.graphs) > 1)} of {self.algorithm}"
        return f"DynamicEnsemble({count}, {self.criterion}, {len(self.names)} nodes, lags {lags})"

    def _repr_html_(self) -> str:
        facts = {"criterion": self.criterion, "nodes": len(self.names), "lags": ", ".join(map(str, self.lags))}
        line = f"{len(self.graphs)} members of {self.algorithm}"
        return box("DynamicEnsemble", line, facts, {"History": self.history})

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes of the present month."""
        return self.columns[: len(self.centre)]

    @cached_property
    def present(self) -> Nodes | None:
        """Places of the nodes of the present month; None without geometry."""
        return None if self.nodes is None else self.nodes.select(self.names)

    def into(self, units: Units | None) -> tuple[np.ndarray, np.ndarray]:
        """(shift, factor) of each node that bring a value in sd into ``units``: x · factor + shift.

        Parameters
        ----------
        units : "sd" (also None) or "data".

        Returns
        -------
        two arrays, one number a node.

        Raises
        ------
        ClimateBNError where ``units`` is none of these.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
        >>> shift, factor = ens.into("sd")
        >>> factor[:2].tolist()
        [1.0, 1.0]
        """
        if units not in (None, "sd", "data"):
            raise unknown("units", units, ("sd", "data"))
        return (self.centre, self.spread) if units == "data" else (np.zeros(len(self.names)), np.ones(len(self.names)))

    def network(self, member: int | None = None) -> DynamicBN:
        """A member as a `DynamicBN` by its place from 0; the network of the whole record when None.

        Parameters
        ----------
        member : its place from 0; None for the network of the whole record.

        Returns
        -------
        DynamicBN.

        Raises
        ------
        ClimateBNError where there is no such member.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
        >>> ens.network(0).order
        1
        """
        if member is None:
            if self.single is None:
                raise ClimateBNError("the network of the whole record is not valid and has no parameters")
            chosen = self.single
        elif 0 <= member < len(self.members):
            chosen = self.members[member]
        else:
            raise ClimateBNError(f"member must be 0 … {len(self.members) - 1}; got {member!r}")
        parts = {"centre": self.centre, "spread": self.spread, "nodes": self.nodes, "units": self.units, "n": self.n}
        return chosen.network(self.columns, **parts)

    @cached_property
    def state_space(self) -> StateSpace:
        """The mean model, in sd."""
        if not self.members:
            raise ClimateBNError(f"none of the {len(self.graphs)} members is valid: they have arcs, but no parameters")
        intercept, transitions = np.zeros(len(self.names)), np.zeros(0)
        with Progress("mean coefficients", len(self.members), "member") as bar:
            for number in range(len(self.members)):
                space = self.network(number).state_space
                intercept = intercept + space.intercept
                transitions = space.transitions if not number else transitions + space.transitions
                bar.update()
        intercept, transitions = intercept / len(self.members), transitions / len(self.members)
        lag = lags_of(self.columns)
        left = self.rows[:, lag == 0] - intercept
        for months in sorted(set(lag.tolist()) - {0}):
            left -= self.rows[:, lag == months] @ transitions[months - 1].T
        arcs = sum(len(member.edges) for member in self.members) / len(self.members) / len(self.names)
        freedom = max(len(left) - arcs - 1, 1.0)
        return StateSpace(intercept, transitions, left.T / np.sqrt(freedom))

    def forecast(
        self,
        state: Any,
        leads: int | Iterable[int] = 6,
        *,
        threshold: float = 1.0,
        about: Iterable[Any] = (),
        units: Units = "data",
    ) -> xr.Dataset:
        """The months after a state by the mean model.

        Parameters
        ----------
        state : the last months, as many as the longest lag or more, in the units of the data; see `DynamicBN.forecast`.
        leads : months ahead: 6 for 1 … 6, or the leads themselves.
        threshold : of the probabilities, in standard deviations.
        about : regions, places or combinations, of which mean and sd are given as well.
        units : of the answer, "data" or "sd".

        Returns
        -------
        Dataset (lead, lat, lon) of mean, sd, upper and lower, as `DynamicBN.forecast`.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
        >>> ens.forecast(tropics, leads=3)["mean"].sizes["lead"]
        3
        """
        return forecasting.forecast(self, state, leads, threshold, about, units)

    def propagate(
        self,
        evidence: Any,
        threshold: float = 1.0,
        tail: str = "upper",
        units: Units | None = None,
        horizon: int | None = None,
    ) -> xr.Dataset:
        """The months after evidence, with an interval for every change of a probability.

        Parameters are those of `climatebn.propagate`; units are sd when left out.

        Parameters
        ----------
        evidence : a value for each node, place, region or combination.
        threshold : the answer is the change of P(X ≥ threshold).
        tail : "upper", "lower" or "both".
        units : of evidence and threshold, "sd" (when left out) or "data".
        horizon : months ahead.

        Returns
        -------
        Dataset of `climatebn.propagate`, with difference_sd (over members), difference_low and difference_high
        (difference ∓ 1.645 sd; missing with one member) and agreement (share of members with its sign, given where the
        change is beyond 0.05). Members that are not stable have no answer; the attribute ``unstable`` counts them.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
        >>> ens.propagate({"X19": 2.0}, horizon=2)["difference"].sizes["lead"]
        3
        """
        from climatebn.uncertainty.dynamic_answers import answer

        return answer(self, evidence, threshold, tail, units, horizon)

    def region_mean(
        self,
        evidence: Any,
        lat: tuple[float, float],
        lon: tuple[float, float],
        threshold: float = 1.0,
        tail: str = "upper",
        units: Units | None = None,
        horizon: int | None = None,
    ) -> pd.DataFrame:
        """The area-weighted mean of ``difference`` over a box, lead by lead: lead, mean, sd, low, high.

        The interval is mean ∓ 1.645 sd over members; ``tail`` is "upper" or "lower".

        Parameters
        ----------
        evidence, threshold, units, horizon : as in `propagate`.
        tail : "upper" or "lower".
        lat, lon : (south, north) and (west, east) in degrees.

        Returns
        -------
        DataFrame, a row a lead: lead (months), mean, sd, low, high (changes of a probability).

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
        >>> ens.region_mean({"X19": 2.0}, lat=(-10, 10), lon=(45, 100), horizon=2).columns.tolist()
        ['lead', 'mean', 'sd', 'low', 'high']
        """
        from climatebn.uncertainty.dynamic_answers import region_answer

        return region_answer(self, evidence, lat, lon, threshold, tail, units, horizon)

    def arcs(self) -> pd.DataFrame:
        """Every pair that a member joins: source, target, lag, support, direction and, with places, km.

        Returns
        -------
        DataFrame, a row a pair; support and direction are shares of members, lag in months.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
        >>> {"source", "target", "lag", "support"} <= set(ens.arcs().columns)
        True
        """
        table = support_table(self.columns, self.graphs, self.nodes)
        return table.assign(lag=lags_of(tuple(self.columns))[[self.columns.index(name) for name in table["source"]]])

    def teleconnections(self, min_km: float = TELECONNECTION_KM, support: float = 0.0) -> pd.DataFrame:
        """Arcs longer than ``min_km`` with at least this support, best supported first.

        Parameters
        ----------
        min_km : great-circle length in km.
        support : least share of members, 0 … 1.

        Returns
        -------
        DataFrame, as `arcs`.

        Raises
        ------
        ClimateBNError where places are not known.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=2), resamples=2, lags=(1,), progress=False)
        >>> bool((ens.teleconnections()["km"] > 5000).all())
        True
        """
        table = self.arcs()
        if "km" not in table:
            raise ClimateBNError("places of the nodes are not known; learn from NodeData (see climatebn.to_nodes)")
        return table[(table["km"] > min_km) & (table["support"] >= support)].reset_index(drop=True)
