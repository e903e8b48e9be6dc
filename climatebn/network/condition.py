r"""Exact conditioning of a Gaussian network on linear combinations A X = e: nodes, means of regions, and others.

    mean = μ + ΣAᵀ (AΣAᵀ)⁻¹ (e − Aμ),      variance = diag Σ − diag(ΣAᵀ (AΣAᵀ)⁻¹ AΣ)

Only ΣAᵀ (N × m) and the marginal variances are needed, so no N × N matrix is formed. One interval may come on top of
the values (see `interval`).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from scipy.special import ndtr

from climatebn.errors import ClimateBNError, public, unknown
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.evidence import SINGULAR, Evidence, Interval, Observation
from climatebn.network.interval import Limits, Truncated
from climatebn.network.labels import mask_on_map, on_map
from climatebn.network.linear_gaussian import LinearGaussian, Units
from climatebn.network.observed import Observed, Updated, about, observe, update
from climatebn.provenance import to_json

WITHIN_LIMIT = 30.0  # standard deviations from which an interval is still answered

__all__ = ["Conditional", "Evidence", "Moments", "condition"]


class Moments(NamedTuple):
    """Mean and standard deviation of one node."""

    mean: float
    sd: float


@public
@dataclass(frozen=True, eq=False)
class Conditional:
    """Mean and standard deviation of every node given the evidence, in ``units`` (a unit of measure, or "sd").

    Evidence nodes have their value as mean and the standard deviation 0. Every node is normal, unless evidence is an
    interval: `probability` is exact in either case.

    Attributes
    ----------
    evidence : what was given, by name: a value, or an interval (low, high) with None for an open end.
    given : whether each node is evidence or takes part in it.
    about : of evidence on a region or combination: its nodes, and its mean and standard deviation in the network, in
        the units of the data.

    Examples
    --------
    >>> import climatebn as cb
    >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
    >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
    >>> answer = bn.condition({"a": 1.5})
    >>> answer.mean.tolist(), answer.units
    ([1.5, 3.0], '')
    """

    names: tuple[str, ...]
    mean: np.ndarray
    sd: np.ndarray
    evidence: dict[str, float | Interval]
    units: str
    nodes: Nodes | None
    given: np.ndarray
    words: str = ""
    about: tuple[dict[str, Any], ...] = ()
    truncated: Truncated | None = None
    note: str = ""

    def __getitem__(self, name: str) -> Moments:
        if name not in self.names:
            raise unknown("node", name, self.names)
        i = self.names.index(name)
        return Moments(float(self.mean[i]), float(self.sd[i]))

    def __repr__(self) -> str:
        return (
            f"Conditional({len(self.names)} nodes given {self.words or 'no evidence'}; units: {self.units or 'none'})"
        )

    def probability(self, threshold: float, tail: str = "upper") -> np.ndarray:
        """P(X ≥ threshold) of each node, or for the lower tail P(X ≤ −threshold).

        Parameters
        ----------
        threshold : in the units of the answer, from 0.
        tail : "upper" or "lower".

        Returns
        -------
        array, one probability a node.

        Raises
        ------
        ClimateBNError where ``tail`` is neither.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.condition({"a": 1.5}).probability(3.0).tolist()
        [0.0, 0.5]
        """
        if tail not in ("upper", "lower"):
            raise unknown("tail", tail, ("upper", "lower"))
        if self.truncated is not None:
            return self.truncated.above(threshold) if tail == "upper" else 1 - self.truncated.above(-threshold)
        excess = self.mean - threshold if tail == "upper" else -threshold - self.mean
        known = self.sd == 0
        return np.where(known, excess >= 0, ndtr(excess / np.where(known, 1.0, self.sd)))

    def to_xarray(self) -> xr.Dataset:
        """Mean, sd and evidence (mask) on the map (on the dimension ``node`` without geometry).

        Returns
        -------
        Dataset of mean, sd and evidence, in ``units``.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.condition({"a": 1.5}).to_xarray()["mean"].sel(node="b").item()
        3.0
        """
        units = {"units": self.units or "1"}
        mean = on_map(self.names, self.nodes, self.mean, "mean", long_name="mean given the evidence", **units)
        sd = on_map(self.names, self.nodes, self.sd, "sd", long_name="standard deviation given the evidence", **units)
        mask = mask_on_map(self.names, self.nodes, self.given, "evidence", long_name="node has or shares evidence")
        return xr.Dataset({"mean": mean, "sd": sd, "evidence": mask}, attrs=self.facts())

    def facts(self) -> dict[str, Any]:
        """What was given, as attributes of a file: as JSON and in words.

        Returns
        -------
        dict of texts.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.condition({"a": 1.5}).facts()["evidence"]
        '{"a": 1.5}'
        """
        facts = {"evidence": to_json(self.evidence), "given": self.words}
        if self.about:
            facts["evidence_about"] = to_json(self.about)
        return facts | ({"note": self.note} if self.note else {})


def condition(bn: LinearGaussian, evidence: Evidence, units: Units | None) -> Conditional:
    """See `GaussianBN.condition`."""
    shift, factor = bn.into(units)
    observed = observe(bn, evidence, units)
    interval = one_interval(observed)
    updated = update(bn, observed)
    variance = np.maximum(bn.variances() - np.einsum("ij,ij->i", updated.response, updated.response), 0.0)
    at, fixed = observed.fixed()
    variance[fixed] = 0.0
    mean, sd = updated.mean * factor + shift, np.sqrt(variance) * factor
    mean[fixed] = [observed.observations[i].low for i in at]
    truncated = None
    if interval is not None:
        truncated = within(observed, updated, interval).answer(mean, sd, factor)
        mean, sd = truncated.moments()
    units_label = "sd" if (units or bn.own_units) == "sd" else bn.units
    given = np.zeros(len(bn.names), dtype=bool)
    given[[number for one in observed.observations for number in one.quantity.numbers]] = True
    return Conditional(
        names=bn.names,
        mean=mean,
        sd=sd,
        evidence={one.quantity.label: one.stated() for one in observed.observations},
        units=units_label,
        nodes=bn.nodes,
        given=given,
        words=in_words(observed.observations, units_label),
        about=about(bn, observed),
        truncated=truncated,
    )


def in_words(observations: list[Observation], units: str) -> str:
    """The evidence as a reader would say it; of many observations the first three."""
    shown = ", ".join(one.words(units) for one in observations[:3])
    return f"{shown}, … ({len(observations)} in all)" if len(observations) > 3 else shown


def one_interval(observed: Observed) -> int | None:
    """The position of the interval among the evidence; more than one is an error."""
    if len(observed.intervals) > 1:
        which = ", ".join(observed.labels[i] for i in observed.intervals)
        raise ClimateBNError(
            f"evidence has {len(observed.intervals)} intervals ({which}); the answer is exact for one, beside any "
            "number of values. Use bn.probability for joint events"
        )
    return observed.intervals[0] if observed.intervals else None


def within(observed: Observed, updated: Updated, at: int) -> Limits:
    """The quantity of an interval given the values, own units."""
    row, label = observed.rows[at], observed.labels[at]
    column = updated.columns(observed, [at])[:, 0]
    variance, centre = float(row @ column), float(row @ updated.mean)
    if variance <= SINGULAR * observed.sd[at] ** 2:
        raise ClimateBNError(f"the other evidence fixes {label} at {centre:.3g} (own units); drop its interval")
    spread = float(np.sqrt(variance))
    low, high = (float(end[at] - centre) / spread for end in (observed.low, observed.high))
    if low > WITHIN_LIMIT or high < -WITHIN_LIMIT:
        raise ClimateBNError(
            f"evidence is jointly impossible: the other values leave the interval of {label} "
            f"{max(low, -high):.0f} standard deviations away; drop one of them"
        )
    return Limits(low, high, centre, spread, column, observed.observations[at].quantity.node)
