r"""`Ensemble`: many networks as one model, which answers with the mean of their implied correlations.

R̄ = (1/M) Σ_m R_m,   every answer from R̄ (variances 1 in sd), its interval from the answers of each R_m alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.analysis.tails import Tail
from climatebn.errors import ClimateBNError, public, unknown, whole
from climatebn.graph import Dag
from climatebn.html import box
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.condition import Conditional
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.joint_normal import JointNormal
from climatebn.network.linear_gaussian import Units
from climatebn.progress import Progress
from climatebn.rng import generator
from climatebn.uncertainty.arc_support import Graph, averaged, data_driven_threshold, support_table
from climatebn.uncertainty.member import Member
from climatebn.uncertainty.region_links import RegionLinks, region_links


@public
@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """Members and what is known of them; made by `climatebn.ensemble` or `Ensemble.load`.

    Attributes
    ----------
    members : the fitted networks, sparse; graphs that are not valid have no parameters and are not among them.
    graphs : arcs and lines of every member's equivalence class (of its graph where that is not valid).
    single : the network of the whole record; None when its graph is not valid.
    single_criterion : its criterion.
    centre, spread : mean and standard deviation of each node in the data, in the data's units.
    invalid, unended : members that are not valid, and that did not end in their time.
    n : observations behind each member.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
    >>> len(ens.members), len(ens.names), ens.invalid
    (3, 72, 0)
    """

    names: tuple[str, ...]
    members: tuple[Member, ...]
    graphs: tuple[Graph, ...]
    single: Member | None
    centre: np.ndarray
    spread: np.ndarray
    algorithm: str
    criterion: str
    single_criterion: str
    invalid: int
    unended: int
    n: int
    nodes: Nodes | None = None
    units: str = ""
    history: str = field(default="", repr=False)
    recipe: tuple[str, Any, int] | None = None  # algorithm, criterion and number of members; not kept in files

    def __repr__(self) -> str:
        arcs = [len(directed) + len(lines) for directed, lines in self.graphs]
        found = f"{min(arcs)} … {max(arcs)} arcs" if min(arcs) < max(arcs) else f"{arcs[0]} arcs"
        count = f"{len(self.graphs)} member{'s' * (len(self.graphs) > 1)} of {self.algorithm}"
        lost = f", {self.invalid} not valid" if self.invalid else ""
        return f"Ensemble({count}, {self.criterion}, {len(self.names)} nodes, {found}{lost})"

    def _repr_html_(self) -> str:
        arcs = [len(directed) + len(lines) for directed, lines in self.graphs]
        facts = {
            "criterion": self.criterion,
            "nodes": len(self.names),
            "arcs": f"{min(arcs)} … {max(arcs)}",
            "not valid": self.invalid or None,
        }
        return box("Ensemble", f"{len(self.graphs)} members of {self.algorithm}", facts, {"History": self.history})

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def joint(self) -> JointNormal:
        """The distribution with the mean correlations of the members."""
        if not self.members:
            raise ClimateBNError(f"none of the {len(self.graphs)} members is valid: they have arcs, but no parameters")
        return self._normal(self._mean_product)

    def _mean_product(self, weights: np.ndarray) -> np.ndarray:
        total = np.zeros_like(weights)
        for one in self.members:
            total += one.product(weights)
        return total / len(self.members)

    def _normal(self, product: Any) -> JointNormal:
        return JointNormal(self.names, product, self.centre, self.spread, self.nodes, self.units, self.history)

    def network(self, member: int | None = None) -> GaussianBN:
        """A member as a `GaussianBN` by its place from 0; the network of the whole record when None.

        Parameters
        ----------
        member : its place from 0; None for the network of the whole record.

        Returns
        -------
        GaussianBN, in sd.

        Raises
        ------
        ClimateBNError where there is no such member, or the single network is not valid.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> len(ens.network(0).names)
        72
        """
        if member is None:
            if self.single is None:
                raise ClimateBNError("the network of the whole record is not valid and has no parameters")
            chosen = self.single
        else:
            chosen = self.members[whole("member", member, 0, len(self.members) - 1)]
        parts = {"centre": self.centre, "spread": self.spread, "nodes": self.nodes, "units": self.units, "n": self.n}
        return chosen.network(self.names, **parts)

    def condition(self, evidence: Mapping[Any, Any], units: Units | None = None) -> Conditional:
        """Mean and sd of every node given the evidence, as in `GaussianBN.condition`; units are sd when left out.

        Parameters
        ----------
        evidence : a value for each node, place, region or combination.
        units : of evidence and answer, "sd" (when left out) or "data".

        Returns
        -------
        `Conditional`.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> ens.condition({"X19": 2.0})["X19"]
        Moments(mean=2.0, sd=0.0)
        """
        return self.joint.condition(evidence, units)

    def covariance(self) -> np.ndarray:
        """The mean of the members' implied correlations: dense N × N, in sd.

        Returns
        -------
        array (N × N), ones on the diagonal.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> ens.covariance().shape
        (72, 72)
        """
        if "_correlations" not in self.__dict__:
            total = np.zeros((len(self.names), len(self.names)))
            with Progress("mean correlation", len(self.members), "member") as bar:
                for one in self.members:
                    total += one.correlations()
                    bar.update()
            self.__dict__["_correlations"] = total / max(len(self.members), 1)
        result: np.ndarray = self.__dict__["_correlations"].copy()
        return result

    def sample(self, n: int, seed: int | np.random.Generator | None = None, units: Units | None = None) -> pd.DataFrame:
        """A DataFrame of n independent draws, one column a node; in sd when ``units`` are left out.

        Parameters
        ----------
        n : number of draws.
        seed : the same seed gives the same draws.
        units : of the draws, "sd" (when left out) or "data".

        Returns
        -------
        DataFrame.

        Raises
        ------
        ClimateBNError where ``n`` is below 1.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> ens.sample(5, seed=1).shape
        (5, 72)
        """
        if n < 1:
            raise ClimateBNError(f"n must be at least 1 draw; got {n}")
        shift, factor = self.joint.into(units)
        root = np.linalg.cholesky(self.covariance() + 1e-12 * np.eye(len(self.names)))
        draws = generator(seed, "sample").standard_normal((n, len(self.names))) @ root.T
        return pd.DataFrame(draws * factor + shift, columns=list(self.names))

    def propagate(
        self, evidence: Any, threshold: float = 1.0, tail: Tail = "upper", units: Units | None = None
    ) -> xr.Dataset:
        """What evidence does to the probability of extremes, with an interval for every number.

        Parameters are those of `climatebn.propagate`; units are sd when left out.

        Parameters
        ----------
        evidence : a value for each node, place, region or combination; see `climatebn.propagate`.
        threshold : the answer is the change of P(X ≥ threshold).
        tail : "upper", "lower" or "both".
        units : of evidence and threshold, "sd" (when left out) or "data".

        Returns
        -------
        Dataset of `climatebn.propagate`, with difference_sd (of the members' answers), difference_low and
        difference_high (difference ∓ 1.645 sd; missing with one member), agreement (share of members whose answer has
        the sign of the ensemble's, given where that is beyond 0.05), difference_single (of the network of the whole
        record). With ``tail="both"`` each comes twice: difference_upper_low, agreement_upper and so on.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> answer = ens.propagate({"X19": 2.0}, threshold=1.0)
        >>> bool((answer["difference_low"] <= answer["difference"]).all())
        True
        """
        from climatebn.uncertainty.answers import answer

        return answer(self, evidence, threshold, tail, units)

    def region_mean(
        self,
        evidence: Any,
        lat: tuple[float, float],
        lon: tuple[float, float],
        threshold: float = 1.0,
        tail: Tail = "upper",
        units: Units | None = None,
    ) -> dict[str, float]:
        """The area-weighted mean of ``difference`` over a box, as `climatebn.region_mean`: mean, sd, low, high, single.

        The interval is mean ∓ 1.645 sd over members; ``tail`` is "upper" or "lower".

        Parameters
        ----------
        evidence, threshold, units : as in `propagate`.
        tail : "upper" or "lower".
        lat, lon : (south, north) and (west, east) in degrees.

        Returns
        -------
        dict : mean, sd, low, high and single, changes of a probability.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> list(ens.region_mean({"X19": 2.0}, lat=(-10, 10), lon=(45, 100)))
        ['mean', 'sd', 'low', 'high', 'single']
        """
        from climatebn.uncertainty.answers import region_answer

        return region_answer(self, evidence, lat, lon, threshold, tail, units)

    def arcs(self) -> pd.DataFrame:
        """Every pair that a member joins: source, target (the more frequent direction), support, direction, km.

        An arc whose direction its equivalence class leaves open counts half for each.

        Returns
        -------
        DataFrame, a row a pair; support and direction are shares of members.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> {"source", "target", "support", "direction", "km"} <= set(ens.arcs().columns)
        True
        """
        return self._support.copy()

    @cached_property
    def _support(self) -> pd.DataFrame:
        return support_table(self.names, self.graphs, self.nodes)

    def teleconnections(self, min_km: float = TELECONNECTION_KM, support: float = 0.0) -> pd.DataFrame:
        """Arcs longer than ``min_km`` with at least this support, best supported first, and the places of both ends.

        Parameters
        ----------
        min_km : great-circle length in km.
        support : least share of members, 0 … 1.

        Returns
        -------
        DataFrame, as `arcs`, with the places of both ends.

        Raises
        ------
        ClimateBNError where places are not known.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> bool((ens.teleconnections(support=0.5)["support"] >= 0.5).all())
        True
        """
        table = self.arcs()
        if self.nodes is None:
            raise ClimateBNError("places of the nodes are not known; learn from NodeData (see climatebn.to_nodes)")
        long = table[(table["km"] > min_km) & (table["support"] >= support)].reset_index(drop=True)
        for end in ("source", "target"):
            at = self.nodes.positions(long[end])
            long[f"{end}_lat"], long[f"{end}_lon"] = self.nodes.lat[at], self.nodes.lon[at]
        return long

    def links_between(self, region_a: Any, region_b: Any) -> RegionLinks:
        """How many members join two regions, and by how many arcs.

        Single long arcs hop between neighbouring cells from member to member; regions do not.
        Each is a `Region`, the name of one in `climatebn.regions`, or ((south, north), (west, east)).

        Parameters
        ----------
        region_a, region_b : a `Region`, the name of one in `climatebn.regions`, or ((south, north), (west, east)).

        Returns
        -------
        `RegionLinks`: support, mean number of arcs, and the arcs.

        Raises
        ------
        ClimateBNError where regions overlap, or hold no node.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=5, progress=False)
        >>> ens.links_between(((-5, 5), (-180, -90)), ((-5, 5), (40, 100))).support
        1.0
        """
        return region_links(self.names, self.graphs, self.nodes, region_a, region_b)

    def consensus(self, threshold: float | None = None) -> Dag:
        """The network of the arcs with support above ``threshold``; found from the supports when left out.

        From the best supported arc down, each gets its more frequent direction, or the other one where that would close
        a cycle.

        Parameters
        ----------
        threshold : least support, 0 … 1; found from the supports when left out.

        Returns
        -------
        Dag.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> len(ens.consensus(0.5).arcs) > len(ens.consensus(0.9).arcs)
        True
        """
        if threshold is not None and not 0 <= threshold < 1:
            raise ClimateBNError(f"threshold must be 0 or more and below 1; got {threshold}")
        table = self._support
        limit = data_driven_threshold(table["support"].to_numpy()) if threshold is None else threshold
        kept = table[table["support"] > limit]
        return averaged(self.names, [(a, b) for a, b in kept[["source", "target"]].to_numpy()])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the ensemble as one NetCDF file; `Ensemble.load` reads it back.

        Parameters
        ----------
        path : the file to write; it is written whole or not at all.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> from tempfile import mkdtemp
        >>> path = mkdtemp() + "/ensemble.nc"
        >>> ens.save(path)
        >>> len(cb.Ensemble.load(path).members)
        3
        """
        from climatebn.uncertainty.ensemble_file import save

        save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Ensemble":
        """Read an ensemble that `save` wrote.

        Parameters
        ----------
        path : a file that `save` wrote.

        Returns
        -------
        Ensemble.

        Raises
        ------
        ClimateBNError where the file is not there, is damaged, or is of another kind.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> ens = cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=1), resamples=3, progress=False)
        >>> from tempfile import mkdtemp
        >>> path = mkdtemp() + "/ensemble.nc"
        >>> ens.save(path)
        >>> cb.Ensemble.load(path).algorithm
        'hill_climbing'
        """
        from climatebn.uncertainty.ensemble_file import load

        return load(path)


def require_one_tail(tail: str) -> None:
    """Refuse what is not one tail."""
    if tail not in ("upper", "lower"):
        raise unknown("tail", tail, ("upper", "lower"))
