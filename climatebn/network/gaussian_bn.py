r"""`GaussianBN`: a fitted linear Gaussian network and all that can be asked of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.errors import public
from climatebn.network import condition, intervention, joint_events, path_search, quantities, sampling
from climatebn.network.condition import Conditional
from climatebn.network.evidence import Evidence
from climatebn.network.linear_gaussian import LinearGaussian, Units

if TYPE_CHECKING:
    import networkx


@public
@dataclass(frozen=True, eq=False, repr=False)
class GaussianBN(LinearGaussian):
    """A fitted network; made by `climatebn.fit`, `GaussianBN.from_parameters` or `climatebn.load_network`.

    Wherever a node is asked for, its name or its place (lat, lon) will do.

    Attributes
    ----------
    dag : the structure.
    names, lat, lon : its nodes and their places.
    coefficients : sparse B[parent, child], in the network's own units, as are intercepts and residual_variances.
    scale : "sd" or "none", the network's own units.
    units : those of the data.
    learned : how the structure was learned. (All others: see `LinearGaussian`.)

    Examples
    --------
    >>> import climatebn as cb
    >>> bn = cb.reference_network("ecoli70")
    >>> len(bn.names), len(bn.dag.arcs)
    (46, 70)
    """

    def condition(self, evidence: Evidence, units: Units | None = None) -> Conditional:
        """The exact distribution of every node given the values of some.

        Parameters
        ----------
        evidence : a value for each node (by name, or by (lat, lon) for the nearest), `Region` (or its name in
            `climatebn.regions`, where no node has it) or `Combination`; or a field (DataArray) of values. One of them
            may be an interval (low, high), None for an open end. Without evidence: the marginals.
        units : of the evidence and of the answer, "sd" or "data"; the network's own when left out. The "sd" of a region
            or combination is the one that the network implies for it.

        Returns
        -------
        `Conditional`: mean and standard deviation of every node.

        Raises
        ------
        ClimateBNError where evidence contradicts itself, or asks for more than one interval.

        Notes
        -----
        With μ, Σ the mean and covariance of the network, A the weights of what is given (a row a quantity), e its
        values::

            mean = μ + ΣAᵀ (AΣAᵀ)⁻¹ (e − Aμ),      variance = diag(Σ − ΣAᵀ (AΣAᵀ)⁻¹ AΣ)

        An interval comes on top by integration over its one quantity.

        Examples
        --------
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.condition({"a": 1.5})["b"]
        Moments(mean=3.0, sd=1.7320508075688772)
        """
        return condition.condition(self, evidence, units)

    def probability(
        self, events: Mapping[Any, Any], given: Evidence | None = None, units: Units | None = None
    ) -> float:
        """The probability that all events happen together, e.g. {"X300": (1, None), "X81": (1, None)}.

        Parameters
        ----------
        events : an interval (low, high), None for an open end, for each node, place, region or combination.
        given : evidence, as in `condition`, with any number of intervals.
        units : of the ends of intervals and of the evidence, as in `condition`.

        Returns
        -------
        a probability. Intervals of one or two quantities, events and given together: exact to 1e-10; of three to
        five: by Genz's quasi-random integration (scipy), to about 5e-6 in half a second. More are refused.

        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 1.0}
        >>> bn = GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, *numbers)
        >>> round(bn.probability({"a": (0, None), "b": (0, None)}), 6)
        0.375
        """
        return joint_events.probability(self, events, given if given is not None else {}, units)

    def do(self, values: Evidence, units: Units | None = None) -> Conditional:
        """Every node when some are set from outside: the arcs into them are cut (Pearl's do).

        Arcs learned from observations are not causes: the answer is that of an experiment only if every arc of this
        network is a cause, and nothing that acts on two of its nodes is missing. Compare with `condition`.

        Parameters
        ----------
        values : a value for each node to be set, by name or place.
        units : as in `condition`.

        Returns
        -------
        `Conditional`.

        Examples
        --------
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 1.0}
        >>> bn = GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, *numbers)
        >>> bn.do({"b": 2.0})["a"], round(bn.condition({"b": 2.0})["a"].mean, 6)
        (Moments(mean=0.0, sd=1.0), 1.0)
        """
        return intervention.do(self, values, units)

    def sample(
        self,
        n: int,
        seed: int | np.random.Generator | None = None,
        units: Units | None = None,
        given: Evidence | None = None,
    ) -> pd.DataFrame:
        """A DataFrame of n independent draws, one column a node, exactly from the distribution given evidence.

        Parameters
        ----------
        n : number of draws.
        seed : the same seed gives the same draws.
        units : of evidence and draws, as in `condition`.
        given : evidence, as in `condition`.

        Returns
        -------
        DataFrame, a row a draw.

        Examples
        --------
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 1.0}
        >>> bn = GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, *numbers)
        >>> bn.sample(1000, given={"a": 2.0}, seed=1).mean().round(1).to_dict()
        {'a': 2.0, 'b': 2.0}
        """
        return sampling.sample(self, n, seed, units, given if given is not None else {})

    def to_maps(self, samples: Any) -> xr.DataArray:
        """Samples (DataFrame or array, one column a node) as maps (sample, lat, lon), NaN where no node is.

        Parameters
        ----------
        samples : what `sample` gives, or an array (sample × node).

        Returns
        -------
        DataArray.

        Raises
        ------
        ClimateBNError where nodes have no places.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> bn = cb.fit(cb.Dag.from_arcs(tropics.names), tropics, scale="sd")
        >>> bn.to_maps(bn.sample(3, seed=1)).dims
        ('sample', 'lat', 'lon')
        """
        return sampling.to_maps(self, samples)

    def parents(self, node: Any) -> tuple[str, ...]:
        """Names of the nodes that an arc leads from to this one, in column order.

        Parameters
        ----------
        node : its name or place (lat, lon).

        Returns
        -------
        tuple of names.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.parents("b")
        ('a',)
        """
        return self.dag.parents(self.node_name(node))

    def children(self, node: Any) -> tuple[str, ...]:
        """Names of the nodes that an arc leads to from this one, in column order.

        Parameters
        ----------
        node : its name or place (lat, lon).

        Returns
        -------
        tuple of names.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.children("a")
        ('b',)
        """
        return self.dag.children(self.node_name(node))

    def markov_blanket(self, node: Any) -> tuple[str, ...]:
        """Names of parents, children and other parents of children: given these, the rest says nothing about the node.

        Parameters
        ----------
        node : its name or place (lat, lon).

        Returns
        -------
        tuple of names, in column order.

        Examples
        --------
        >>> numbers = dict.fromkeys("abc", 0.0), dict.fromkeys("abc", 1.0)
        >>> bn = GaussianBN.from_parameters(tuple("abc"), {("a", "b"): 1.0, ("c", "b"): 1.0}, *numbers)
        >>> bn.markov_blanket("a")
        ('b', 'c')
        """
        name = self.node_name(node)
        children = self.dag.children(name)
        around = {*self.dag.parents(name), *children}.union(*(self.dag.parents(child) for child in children))
        return tuple(other for other in self.names if other in around and other != name)

    def paths(self, a: Any, b: Any, top: int | None = 20, max_steps: int = 100_000) -> pd.DataFrame:
        """By which ways ``a`` and ``b`` depend on each other: the open paths, the strongest first.

        The covariance is the sum over all paths without a collider: directed either way, or down both sides from a
        common cause. Each adds the product of its coefficients and of the variance of its top (Wright's trek rule).

        Parameters
        ----------
        a, b : nodes, places, regions or combinations.
        top : number of paths to list, those of the greatest strength; None for all paths.
        max_steps : steps of the search after which it ends with what it has found.

        Returns
        -------
        DataFrame, the largest in size first: path (e.g. X81 ← X72 → X300), share (of the covariance, in the network's
        own units), fraction (share / covariance), strength (product of the partial correlations of its arcs, 0 … 1),
        kind (forward: a to b, backward: b to a, common cause), nodes (their names). Attributes: covariance,
        correlation, listed (sum of the shares), rest (covariance − listed), complete (no path is left out). In a dense
        network the rest is large: thousands of weak paths carry most of a distant link, and their shares partly cancel.

        >>> numbers = dict.fromkeys("abc", 0.0), dict.fromkeys("abc", 1.0)
        >>> bn = GaussianBN.from_parameters(tuple("abc"), {("a", "b"): 2.0, ("a", "c"): 1.0, ("b", "c"): 3.0}, *numbers)
        >>> bn.paths("b", "c")[["path", "share"]].values.tolist()
        [['b → c', 15.0], ['b ← a → c', 2.0]]
        """
        return path_search.paths(self, a, b, top, max_steps)

    def node_name(self, node: Any) -> str:
        """The name of a node given by name or by place (lat, lon).

        Parameters
        ----------
        node : its name or place (lat, lon).

        Returns
        -------
        the name.

        Raises
        ------
        ClimateBNError where there is none, with near misses.

        Examples
        --------
        >>> import climatebn as cb
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> cb.fit(cb.Dag.from_arcs(tropics.names), tropics).node_name((-5, -135))
        'X9'
        """
        return quantities.node_name(node, self.names, self.nodes)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the network as one flat NetCDF file; `climatebn.load_network` reads it back.

        Parameters
        ----------
        path : the file to write; it is written whole or not at all.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> from tempfile import mkdtemp
        >>> path = mkdtemp() + "/network.nc"
        >>> bn.save(path)
        >>> cb.load_network(path).dag.arcs
        [('a', 'b')]
        """
        from climatebn.network.store import save

        save(self, path)

    def to_networkx(self) -> "networkx.DiGraph":
        """A directed graph with lat, lon on nodes and coefficient (and km, with geometry) on arcs.

        Returns
        -------
        networkx.DiGraph.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.to_networkx().edges["a", "b"]["coefficient"]
        2.0
        """
        from climatebn.network.export import to_networkx

        return to_networkx(self)

    def to_graphml(self, path: str | PathLike[str]) -> None:
        """Write GraphML for Gephi, Cytoscape or yEd.

        Parameters
        ----------
        path : the file to write; it is written whole or not at all.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> import networkx
        >>> from tempfile import mkdtemp
        >>> path = mkdtemp() + "/network.graphml"
        >>> bn.to_graphml(path)
        >>> list(networkx.read_graphml(path).edges)
        [('a', 'b')]
        """
        from climatebn.network.export import to_graphml

        to_graphml(self, path)

    def to_json(self, path: str | PathLike[str]) -> None:
        """Write node-link JSON (Cytoscape, D3, networkx).

        Parameters
        ----------
        path : the file to write; it is written whole or not at all.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> import json
        >>> from tempfile import mkdtemp
        >>> path = mkdtemp() + "/network.json"
        >>> bn.to_json(path)
        >>> [node["id"] for node in json.load(open(path, encoding="utf-8"))["nodes"]]
        ['a', 'b']
        """
        from climatebn.network.export import to_json

        to_json(self, path)
