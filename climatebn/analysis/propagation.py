r"""Evidence on the map: P(X_i ≥ t | evidence) − P(X_i ≥ t) of every node, exact.

The lower tail is its twin, P(X_i ≤ −t | evidence) − P(X_i ≤ −t). Milliseconds at 648 nodes; at 10 226 nodes and
57 000 arcs below a second the first time (marginal variances, which the network keeps), with 5 MB of working memory.
"""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import numpy as np
import xarray as xr

from climatebn.analysis.correlation import CorrelationNetwork
from climatebn.analysis.propagation_in_time import propagate_in_time
from climatebn.analysis.tails import TAILS, Tail, event
from climatebn.errors import ClimateBNError, number, public, unknown
from climatebn.network.condition import Conditional, Evidence
from climatebn.network.dynamic_bn import DynamicBN
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.joint_normal import JointNormal, with_sample_variances
from climatebn.network.labels import on_map
from climatebn.network.linear_gaussian import Units
from climatebn.provenance import history_line, with_history


class AnswersEvidence(Protocol):
    """What `propagate` asks of a model: the distribution of every node given evidence, and where its data is from."""

    @property
    def units(self) -> str: ...
    @property
    def history(self) -> str: ...
    @property
    def spread(self) -> np.ndarray: ...
    def condition(self, evidence: Any, units: Units | None = None) -> Conditional: ...


@public
def propagate(
    bn: AnswersEvidence | DynamicBN,
    evidence: Evidence,
    threshold: float = 1.0,
    tail: Tail = "upper",
    units: Units | None = None,
    marginals: Literal["implied", "sample"] = "implied",
    horizon: int | None = None,
) -> xr.Dataset:
    """What evidence does to the probability of warm (or cold) anomalies everywhere.

    Parameters
    ----------
    bn : a GaussianBN (fit with ``scale="sd"`` for evidence and threshold in sd), a CorrelationNetwork, a DynamicBN, or
        an ensemble (see `Ensemble.propagate`).
    evidence : values by node name, by (lat, lon) for the nearest node, by `Region` or its name, by `Combination`; a
        field (DataArray) of values; one of them may be an interval: see `GaussianBN.condition`.
    threshold : positive; the upper tail is X ≥ threshold, the lower X ≤ −threshold.
    tail : "both" gives each probability twice, as ``difference_upper`` and ``difference_lower`` and so on.
    units : of evidence, threshold and answer; the network's own when left out.
    marginals : the variances of a GaussianBN: "implied" by the network (as bnlearn has them), or those of the "sample",
        with the correlations that the network implies. The second answers better on held-out years (see
        `held_out_skill`): the arcs that a network lacks cost it variance too.
    horizon : of a network in time, how many months ahead to answer; 6 when left out. Evidence is about the present
        month ("X81"), or a month before it ("X81@-1", the region "nino34@-1"); or the last months are known everywhere:
        NodeData or a field (time, lat, lon), in the units of the data.

    Returns
    -------
    Dataset on the map: prior, posterior, difference (probabilities), mean, sd (given the evidence), evidence (mask of
    the nodes in it); prior_sd, the standard deviation of each node without evidence, and prior_sd_ratio, that divided
    by the sample's: where it is far from 1, arcs that the network lacks cost it variance. Attributes: ``evidence``
    (JSON), ``given`` (in words, with units), and for a region or combination ``evidence_about`` (JSON: its nodes and
    weights, its mean and its standard deviation in the network in data units). For a network in time posterior,
    difference, mean and sd have the dimension ``lead``, 0 … horizon.

    Notes
    -----
    With μ, Σ the mean and covariance of the network, A the weights of what is given (a row a quantity) and e its
    values::

        mean = μ + ΣAᵀ (AΣAᵀ)⁻¹ (e − Aμ),      variance = diag(Σ − ΣAᵀ (AΣAᵀ)⁻¹ AΣ)
        difference = P(X_i ≥ threshold | e) − P(X_i ≥ threshold)

    Exact, without sampling.

    Examples
    --------
    >>> import climatebn as cb
    >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 0.5}
    >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, *numbers)
    >>> cb.propagate(bn, {"a": 2.0}).difference.sel(node="b").round(3).item()
    0.714
    """
    ahead = {} if horizon is None else {"horizon": horizon}
    if hasattr(bn, "propagate"):  # an ensemble: its variances are the sample's, and its answers have intervals
        if ahead and not hasattr(bn, "state_space"):
            raise ClimateBNError("horizon= is for networks in time (lags=); this ensemble knows one month only")
        ensemble_answer: xr.Dataset = bn.propagate(evidence, threshold, tail, units, **ahead)
        return ensemble_answer
    if isinstance(bn, DynamicBN):
        if marginals != "implied":
            raise ClimateBNError("marginals='sample' is for networks of one month; a network in time has its own")
        return propagate_in_time(bn, evidence, horizon, threshold, tail, units)
    if ahead:
        raise ClimateBNError("horizon= is for networks in time; learn one with lags=(0, 1, 2)")
    if marginals not in ("implied", "sample"):
        raise unknown("marginals", marginals, ("implied", "sample"))
    if isinstance(bn, GaussianBN) and marginals == "sample":
        units = units or bn.own_units
        bn = with_sample_variances(bn)
    if not isinstance(bn, GaussianBN | CorrelationNetwork | JointNormal):
        raise ClimateBNError(f"propagate is for Gaussian and correlation networks; got {type(bn).__name__}")
    if tail not in TAILS:
        raise unknown("tail", tail, TAILS)
    if isinstance(evidence, Mapping) and not evidence:
        raise ClimateBNError("evidence is empty; give at least one value, e.g. {'X81': 2.0}")
    threshold = number("threshold", threshold, least=0)  # the lower tail is X ≤ −threshold
    after = bn.condition(evidence, units)
    before = bn.condition({}, units)
    in_sd = (units or getattr(bn, "own_units", "sd")) == "sd"
    fields = _probabilities(before, after, threshold, tail) | _priors(before, np.ones(1) if in_sd else bn.spread)
    result = xr.Dataset({**fields, **after.to_xarray().data_vars})
    arguments = {"evidence": after.evidence, "threshold": threshold, "tail": tail, "units": after.units}
    facts = {**after.facts(), "threshold": threshold, "threshold_units": after.units, "tail": tail}
    facts["data_units"] = bn.units  # what the values are of: of temperatures, high is warm
    return result.assign_attrs(with_history({**facts, "history": bn.history}, history_line("propagate", arguments)))


def _priors(before: Conditional, sample_sd: np.ndarray) -> dict[str, xr.DataArray]:
    """What the network says without evidence, and how far that is from the sample."""
    words = {
        "prior_sd": (before.sd, "standard deviation without evidence", before.units or "1"),
        "prior_sd_ratio": (before.sd / sample_sd, "standard deviation without evidence / that of the sample", "1"),
    }
    return {
        name: on_map(before.names, before.nodes, values, name, long_name=long_name, units=units)
        for name, (values, long_name, units) in words.items()
    }


def _probabilities(before: Conditional, after: Conditional, threshold: float, tail: str) -> dict[str, xr.DataArray]:
    fields = {}
    for side in TAILS[tail]:
        words = event(threshold, side, after.units)
        ending = f"_{side}" if tail == "both" else ""
        prior, posterior = before.probability(threshold, side), after.probability(threshold, side)
        for name, values, said in (
            ("prior", prior, f"P({words})"),
            ("posterior", posterior, f"P({words} | evidence)"),
            ("difference", posterior - prior, f"P({words} | evidence) − P({words})"),
        ):
            field = on_map(after.names, after.nodes, values, name + ending, long_name=said, units="1")
            fields[name + ending] = field
    return fields
