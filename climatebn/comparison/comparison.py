"""`Comparison`: how far models lie from each other and from a reference, and whether that is more than chance."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.comparison import answers as answering
from climatebn.comparison import clustering, weighting
from climatebn.comparison.distances import Measure, distance, node_divergence
from climatebn.comparison.shared_links import shared_links
from climatebn.errors import ClimateBNError, public, unknown
from climatebn.files import write_csv
from climatebn.html import box
from climatebn.network.gaussian_bn import GaussianBN

LEVEL = 1.645  # of normal intervals: 90 %, and 95 % one-sided
TABLES = ("distances", "excess", "se", "loglik", "from_reference", "order")


@public
@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What `climatebn.compare` found.

    Attributes
    ----------
    reference : name of the model that others are compared with.
    networks : the network of each model, of its whole record.
    distances : Bhattacharyya distance of every two networks, in nats. Networks of finite records of one climate lie
        apart too; the shorter the record, the farther.
    excess, se : the debiased distance Δ of every two models, 0 on average for records of one climate, and its standard
        error; NaN where a model came as a network. See `climatebn.comparison.excess`.
    loglik : log-likelihood of the data of a row under the network of a column, in nats for the whole record.
    from_reference : a row a model, nearest first: distance, excess, se, low, high (90 %), distinguishable (from the
        reference: excess > 1.645 se), rank, rank_low, rank_high (places that it could have: models that are nearer or
        farther by more than 1.645 standard errors of the difference are known to be), loglik (of the reference's data).
    order : (excess of row − excess of column) / its standard error: beyond ±1.645 their order is resolved.
    rows : observations behind each network.
    notes : what was cut, regridded or doubtful.

    Examples
    --------
    >>> import climatebn as cb
    >>> numbers, slopes = ({"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}), {"a": 0.5, "b": 2.0, "c": 2.5}
    >>> made = lambda slope: cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): slope}, *numbers)
    >>> found = cb.compare({name: made(slope) for name, slope in slopes.items()}, reference="a")
    >>> found.names, found.from_reference.columns[:3].tolist()
    (('a', 'b', 'c'), ['distance', 'excess', 'se'])
    """

    reference: str
    networks: Mapping[str, GaussianBN]
    distances: pd.DataFrame
    excess: pd.DataFrame
    se: pd.DataFrame
    loglik: pd.DataFrame
    from_reference: pd.DataFrame
    order: pd.DataFrame
    resamples: int
    rows: int | None
    notes: tuple[str, ...] = ()
    history: str = field(default="", repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all models, the reference among them."""
        return tuple(self.networks)

    def clusters(self, k: int) -> pd.Series:
        """The number (1 … k) of the cluster of each model, by average linkage of the distances.

        Parameters
        ----------
        k : number of clusters, 1 … number of models.

        Returns
        -------
        Series of whole numbers by model.

        Raises
        ------
        ClimateBNError where ``k`` is not possible.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers, slopes = ({"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}), {"a": 0.5, "b": 2.0, "c": 2.5}
        >>> made = lambda slope: cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): slope}, *numbers)
        >>> found = cb.compare({name: made(slope) for name, slope in slopes.items()}, reference="a")
        >>> sorted(found.clusters(2).tolist())
        [1, 2, 2]
        """
        return clustering.clusters(self.distances, k)

    @cached_property
    def tree(self) -> np.ndarray:
        """The merges of the clustering as scipy has them, for dendrograms."""
        return clustering.tree(self.distances)

    @property
    def leaves(self) -> list[str]:
        """The models in the order of the leaves of the tree: the order of rows in figures."""
        return clustering.leaves(self.distances)

    def matrix(self, measure: Measure) -> pd.DataFrame:
        """Another distance of every two networks (see `climatebn.distance`); a row is the first network.

        Parameters
        ----------
        measure : as in `climatebn.distance`, e.g. "hellinger", "kl", "shd".

        Returns
        -------
        DataFrame (model × model): the distance of the network of a row from that of a column.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers, slopes = ({"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}), {"a": 0.5, "b": 2.0, "c": 2.5}
        >>> made = lambda slope: cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): slope}, *numbers)
        >>> found = cb.compare({name: made(slope) for name, slope in slopes.items()}, reference="a")
        >>> found.matrix("hellinger").shape
        (3, 3)
        """
        values = [[distance(a, b, measure) for b in self.networks.values()] for a in self.networks.values()]
        return pd.DataFrame(values, index=self.distances.index, columns=self.distances.columns)

    def weights(self, skill: float = 0.5, independence: float = 0.5) -> pd.DataFrame:
        r"""Weights of models: w_i ∝ exp(−Δ_i/σ_D²) / (1 + Σ_{j≠i} exp(−Δ_ij/σ_S²)), which sum to 1.

        The form is that of Knutti et al. (2017, Geophys. Res. Lett. 44, 1909–1918), with Δ for their squared distances.
        Where the order of models is not resolved (see ``order``), neither are their weights; they speak of the
        dependence between nodes only, not of means, trends or the response to forcing; σ is a choice.

        Parameters
        ----------
        skill, independence : σ_D and σ_S as shares of the median distance √Δ from the reference and between models.

        Returns
        -------
        DataFrame : skill, independence, weight of each model.

        Examples
        --------
        >>> import climatebn as cb
        >>> field = cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> decade = lambda year: cb.to_nodes(cb.anomalies(field.sel(time=slice(str(year), str(year + 9)))))
        >>> decades = {f"{year}s": decade(year) for year in (1981, 1991, 2001)}
        >>> found = cb.compare(decades, reference="1981s", criterion=cb.BIC(gamma=1), resamples=2, progress=False)
        >>> round(float(found.weights()["weight"].sum()), 6)
        1.0
        """
        return weighting.weights(self.excess, self.reference, skill, independence)

    def answers(self, evidence: Any, threshold: float = 1.0, regions: Iterable[Any] = ()) -> pd.DataFrame:
        """How like the reference's each model's answer to a question is.

        Parameters
        ----------
        evidence : as for `propagate`, in standard deviations, e.g. ``{"nino34": 2}``.
        threshold : the answer is the rise of P(X ≥ threshold) at each node, in standard deviations.
        regions : regions, places or nodes whose mean answer is a column.

        Returns
        -------
        DataFrame : a row a model: correlation (of the pattern, weighted by area, without the nodes of the evidence),
            rmse, and one column a region.

        Examples
        --------
        >>> import climatebn as cb
        >>> field = cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> decade = lambda year: cb.to_nodes(cb.anomalies(field.sel(time=slice(str(year), str(year + 9)))))
        >>> made = lambda data: cb.fit(cb.learn(data, "hill_climbing", progress=False), data)
        >>> found = cb.compare({f"{year}s": made(decade(year)) for year in (1981, 1991)}, reference="1981s")
        >>> found.answers({"X1": 2.0}).columns.tolist()
        ['correlation', 'rmse']
        """
        return answering.agreement(self.networks, self.reference, evidence, threshold, regions)

    def answer_maps(
        self, evidence: Any, threshold: float = 1.0, tail: Literal["upper", "lower", "both"] = "upper"
    ) -> dict[str, xr.Dataset]:
        """What `propagate` gives for each model, in standard deviations.

        Parameters
        ----------
        evidence : as for `propagate`, in standard deviations.
        threshold : the answer is the change of P(X ≥ threshold), in standard deviations.
        tail : "upper", "lower" or "both".

        Returns
        -------
        dict : the Dataset of `propagate` by model.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers, slopes = ({"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}), {"a": 0.5, "b": 2.0, "c": 2.5}
        >>> made = lambda slope: cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): slope}, *numbers)
        >>> found = cb.compare({name: made(slope) for name, slope in slopes.items()}, reference="a")
        >>> maps = found.answer_maps({"x": 2.0})
        >>> list(maps), maps["b"]["difference"].dims
        (['a', 'b', 'c'], ('node',))
        """
        return answering.answer_maps(self.networks, evidence, threshold, tail)

    def where(self, model: str) -> xr.DataArray:
        """Where a model describes the reference badly: the share of each node in the Kullback–Leibler divergence.

        Parameters
        ----------
        model : the name of a model.

        Returns
        -------
        DataArray in nats, on the map where nodes have places; see `node_divergence`.

        Raises
        ------
        ClimateBNError where there is no such model.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers, slopes = ({"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}), {"a": 0.5, "b": 2.0, "c": 2.5}
        >>> made = lambda slope: cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): slope}, *numbers)
        >>> found = cb.compare({name: made(slope) for name, slope in slopes.items()}, reference="a")
        >>> found.where("b").dims
        ('node',)
        """
        if model not in self.networks:
            raise unknown("model", model, self.networks)
        return node_divergence(self.networks[self.reference], self.networks[model])

    def shared_links(self, min_km: float = TELECONNECTION_KM, box: float | None = None) -> pd.DataFrame:
        """Groups of nodes that are joined over more than ``min_km``: how many arcs in the reference and in each model.

        Parameters
        ----------
        min_km : great-circle length in km.
        box : degrees of the boxes that nodes of a grid are put together in; 30 when None. Regions are groups
            themselves.

        Returns
        -------
        DataFrame : region_a, region_b, reference (arcs there), models (that join them), share (of models), and the
            number of arcs in each model; those that most models share first.

        Examples
        --------
        >>> import climatebn as cb
        >>> field = cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> decade = lambda year: cb.to_nodes(cb.anomalies(field.sel(time=slice(str(year), str(year + 9)))))
        >>> decades = {f"{year}s": decade(year) for year in (1981, 1991, 2001)}
        >>> found = cb.compare(decades, reference="1981s", criterion=cb.BIC(gamma=1), resamples=2, progress=False)
        >>> found.shared_links().columns[:5].tolist()
        ['region_a', 'region_b', 'reference', 'models', 'share']
        """
        return shared_links(self.networks, self.reference, min_km, box)

    def to_xarray(self) -> xr.Dataset:
        """All square tables and the columns of ``from_reference`` over ``model`` and ``other``.

        Returns
        -------
        Dataset with dimensions model and other; attributes say reference, resamples and history.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers, slopes = ({"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}), {"a": 0.5, "b": 2.0, "c": 2.5}
        >>> made = lambda slope: cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): slope}, *numbers)
        >>> found = cb.compare({name: made(slope) for name, slope in slopes.items()}, reference="a")
        >>> dict(found.to_xarray().sizes)
        {'model': 3, 'other': 3}
        """
        square = {name: (("model", "other"), getattr(self, name).to_numpy()) for name in TABLES[:4]}
        beside = self.from_reference.reindex(list(self.names))
        columns = {f"from_reference_{name}": ("model", beside[name].to_numpy(dtype=float)) for name in beside}
        coords = {"model": list(self.names), "other": list(self.names)}
        facts = {"reference": self.reference, "resamples": self.resamples, "history": self.history}
        return xr.Dataset({**square, **columns}, coords=coords, attrs=facts)

    def save_tables(self, folder: str | PathLike[str]) -> list[Path]:
        """Write each table as CSV.

        Parameters
        ----------
        folder : an existing folder.

        Returns
        -------
        list of the paths written.

        Raises
        ------
        ClimateBNError where there is no such folder.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers, slopes = ({"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}), {"a": 0.5, "b": 2.0, "c": 2.5}
        >>> made = lambda slope: cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): slope}, *numbers)
        >>> found = cb.compare({name: made(slope) for name, slope in slopes.items()}, reference="a")
        >>> from tempfile import mkdtemp
        >>> sorted(path.name for path in found.save_tables(mkdtemp()))
        ['distances.csv', 'excess.csv', 'from_reference.csv', 'loglik.csv', 'order.csv', 'se.csv']
        """
        target = Path(folder)
        if not target.is_dir():
            raise ClimateBNError(f"there is no folder {target} to write tables into")
        paths = []
        for name in TABLES:
            paths.append(target / f"{name}.csv")
            write_csv(paths[-1], getattr(self, name), index=True)
        return paths

    @property
    def summary(self) -> tuple[str, ...]:
        """What can be said, in sentences: who differs from the reference, and what of the order is resolved."""
        table = self.from_reference
        known = table[np.isfinite(table["se"])]
        if not len(known):
            chance = "without data, distances cannot be compared with chance"
            return (f"{len(table)} networks compared with {self.reference}; {chance}",)
        apart = int(known["distinguishable"].sum())
        lines = [f"{apart} of {len(known)} differ from {self.reference} beyond chance"]
        same = known.index[~known["distinguishable"].astype(bool)].tolist()
        if same:
            lines.append(f"not distinguishable from it: {', '.join(same)}")
        scores = self.order.loc[known.index, known.index].to_numpy()[np.triu_indices(len(known), 1)]
        if len(scores):
            resolved = int((np.abs(scores) > LEVEL).sum())
            lines.append(f"the order is resolved for {resolved} of {len(scores)} pairs of models")
        return tuple(lines)

    def __repr__(self) -> str:
        return (
            f"Comparison({len(self.networks) - 1} with {self.reference}, {self.resamples} resamples: {self.summary[0]})"
        )

    def _repr_html_(self) -> str:
        facts = {"reference": self.reference, "observations": self.rows, "resamples": self.resamples}
        sections = {
            "Found": "\n".join(self.summary),
            "From the reference": self.from_reference.round(3).to_string().splitlines(),
            "Notes": "\n".join(self.notes),
            "History": self.history,
        }
        return box("Comparison", f"{len(self.networks)} models", facts, sections)
