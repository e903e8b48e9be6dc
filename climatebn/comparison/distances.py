r"""How far apart two fitted Gaussian networks are, exactly: N(μ, Σ) against N(ν, T) with N nodes.

    kl             E_a[log p_a − log p_b] = ½ [tr(T⁻¹Σ) − N + (μ − ν)ᵀT⁻¹(μ − ν) + log|T| − log|Σ|]
    jeffreys       kl(a, b) + kl(b, a)
    bhattacharyya  ⅛ (μ − ν)ᵀM⁻¹(μ − ν) + ½ log|M| − ¼ log|Σ| − ¼ log|T|,   M = (Σ + T)/2
    hellinger      √(1 − exp(−bhattacharyya))
    loglik         kl/N: the log-likelihood that an observation of a loses at a node, on average, when b describes it
    shd            structural Hamming distance of the equivalence classes
    arcs           share of the joined pairs that one network joins and the other does not

T⁻¹ = (I − B) D⁻¹ (I − B)ᵀ by the arcs of b, so kl is a sum over nodes: what the regression of each node in b leaves
unexplained under a (`node_divergence`).
"""

from typing import Any, Literal, NamedTuple

import numpy as np
import xarray as xr
from scipy.linalg import cholesky, solve_triangular

from climatebn.blas import few_threads
from climatebn.errors import ClimateBNError, public, unknown
from climatebn.graph import shd
from climatebn.kernels.constants import ROUNDING_OF_VARIANCES
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.labels import on_map

Measure = Literal["bhattacharyya", "hellinger", "kl", "jeffreys", "loglik", "shd", "arcs"]
MEASURES = ("bhattacharyya", "hellinger", "kl", "jeffreys", "loglik", "shd", "arcs")


class _Normal(NamedTuple):
    """Mean, covariance and log-determinant; nodes in the order of the first network."""

    mean: np.ndarray
    covariance: np.ndarray
    log_determinant: float


@public
def distance(a: GaussianBN, b: GaussianBN, measure: Measure = "bhattacharyya", *, correlations: bool = False) -> float:
    """The distance between two networks over the same nodes.

    Parameters
    ----------
    a, b : fitted Gaussian networks; nodes are matched by name.
    measure : "bhattacharyya", "hellinger", "jeffreys", "shd" and "arcs" are symmetric; "kl" and "loglik" are those of
        observations from ``a`` described by ``b``. In nats, but for the last two.
    correlations : compare correlations only; else means and standard deviations count too, in data units.

    Returns
    -------
    0 for equal networks, larger the more they differ.

    Notes
    -----
    With means μ, ν, covariances Σ, T of the N nodes in ``a`` and ``b``, and M = (Σ + T) / 2::

        kl             ½ [tr(T⁻¹Σ) − N + (μ − ν)ᵀT⁻¹(μ − ν) + log|T| − log|Σ|]
        jeffreys       kl(a, b) + kl(b, a)
        bhattacharyya  ⅛ (μ − ν)ᵀM⁻¹(μ − ν) + ½ log|M| − ¼ log|Σ| − ¼ log|T|
        hellinger      √(1 − exp(−bhattacharyya))
        loglik         kl / N
        shd            structural Hamming distance of the equivalence classes
        arcs           share of the pairs joined in either network that are not joined in both

    Examples
    --------
    >>> import climatebn as cb
    >>> numbers = {"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}
    >>> near, far = (cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): b}, *numbers) for b in (0.5, 2.0))
    >>> round(cb.distance(near, far), 4), cb.distance(near, near)
    (0.2231, 0.0)
    """
    if measure not in MEASURES:
        raise unknown("measure", measure, MEASURES)
    _require_same_nodes(a, b)
    if measure == "shd":
        return float(shd(a.dag, b.dag))
    if measure == "arcs":
        first, second = ({frozenset(pair) for pair in bn.dag.skeleton} for bn in (a, b))
        return len(first ^ second) / max(len(first | second), 1)
    if measure in ("kl", "loglik"):
        total = float(_divergences(a, b, correlations).sum())
        return total if measure == "kl" else total / len(a.names)
    if measure == "jeffreys":
        return float(_divergences(a, b, correlations).sum() + _divergences(b, a, correlations).sum())
    with few_threads(len(a.names)):
        apart = 0.0 if _equal(a, b) else _bhattacharyya(*_normals(a, b, correlations))
    return apart if measure == "bhattacharyya" else float(np.sqrt(-np.expm1(-apart)))


@public
def node_divergence(a: GaussianBN, b: GaussianBN, *, correlations: bool = False) -> xr.DataArray:
    """Where observations of ``a`` are described badly by ``b``: the share of each node in ``distance(a, b, "kl")``.

    A node's share may be below 0: the other shares then exceed the sum.

    Parameters
    ----------
    a, b : fitted Gaussian networks; nodes are matched by name.
    correlations : compare correlations only; else means and standard deviations count too, in data units.

    Returns
    -------
    DataArray in nats, on the map where nodes have places.

    Raises
    ------
    ClimateBNError where the networks have different nodes.

    Examples
    --------
    >>> import climatebn as cb
    >>> numbers = {"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}
    >>> near, far = (cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): b}, *numbers) for b in (0.5, 2.0))
    >>> cb.comparison.node_divergence(near, far).values.round(3).tolist(), round(cb.distance(near, far, "kl"), 3)
    ([0.0, 1.125], 1.125)
    """
    _require_same_nodes(a, b)
    values = _divergences(a, b, correlations)
    words = "share in the Kullback–Leibler divergence"
    return on_map(a.names, a.nodes, values, "divergence", long_name=words, units="nat")


def _require_same_nodes(a: Any, b: Any) -> None:
    for bn in (a, b):
        if not isinstance(bn, GaussianBN):
            raise ClimateBNError(f"distance is for fitted Gaussian networks (climatebn.fit); got {type(bn).__name__}")
    only = sorted(set(a.names) ^ set(b.names))
    if only:
        raise ClimateBNError(
            f"networks must have the same nodes; {len(only)} are in one of them only: {', '.join(only[:5])}"
        )


def _factors(bn: GaussianBN, correlations: bool) -> tuple[np.ndarray, np.ndarray]:
    """What to add to a node's mean and to multiply its deviations by."""
    if correlations:
        return -bn.mean / np.sqrt(bn.variances()), 1 / np.sqrt(bn.variances())
    return bn.into("data")


def _normals(a: GaussianBN, b: GaussianBN, correlations: bool) -> tuple[_Normal, _Normal]:
    """Both distributions, with the nodes in the order of the first; log|Σ| is known from the residual variances."""
    found = []
    for bn, which in ((a, "first"), (b, "second")):
        _require_regular(bn, which)
        place = {name: i for i, name in enumerate(bn.names)}
        at = np.array([place[name] for name in a.names])
        shift, factor = _factors(bn, correlations)
        root = factor[:, None] * bn.triangle.down(np.diag(np.sqrt(bn.residual_variances)))
        root = root if bn is a else root[at]
        log_determinant = float(np.log(bn.residual_variances).sum() + 2 * np.log(factor).sum())
        found.append(_Normal((bn.mean * factor + shift)[at], root @ root.T, log_determinant))
    return found[0], found[1]


def _require_regular(bn: GaussianBN, which: str) -> None:
    """Refuse a network one of whose nodes is, to rounding, a combination of its parents."""
    share = bn.residual_variances / bn.variances()
    at = int(np.argmin(share))
    if share[at] < ROUNDING_OF_VARIANCES:
        raise ClimateBNError(
            f"the {which} network is singular: {bn.names[at]} is, to rounding, a combination of "
            f"{', '.join(bn.parents(bn.names[at]))}, so that it has no distance to others; leave one of them out"
        )


def _bhattacharyya(a: _Normal, b: _Normal) -> float:
    try:
        root = cholesky((a.covariance + b.covariance) / 2, lower=True, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:
        raise ClimateBNError("the networks are singular to rounding: they have no distance to each other") from None
    apart = solve_triangular(root, a.mean - b.mean, lower=True, check_finite=False)
    log_middle = float(2 * np.log(np.diag(root)).sum())
    total = float(apart @ apart) / 8 + (log_middle - a.log_determinant) / 4 + (log_middle - b.log_determinant) / 4
    return max(total, 0.0)


def _divergences(a: GaussianBN, b: GaussianBN, correlations: bool) -> np.ndarray:
    """kl(a, b) by nodes in the order of ``a``: cross-entropy of each node's regression in b less its entropy in a."""
    if _equal(a, b):
        return np.zeros(len(a.names))
    place = {name: i for i, name in enumerate(b.names)}
    at = np.array([place[name] for name in a.names])
    (shift_a, factor_a), (shift_b, factor_b) = _factors(a, correlations), _factors(b, correlations)
    into_b = factor_a / factor_b[at]  # values of a in the units in which b has its coefficients
    covariance = np.empty((len(at), len(at)))
    covariance[np.ix_(at, at)] = a.covariance() * np.outer(into_b, into_b)
    mean = np.empty(len(at))
    mean[at] = (a.mean * factor_a + shift_a - shift_b[at]) / factor_b[at]
    residual = np.empty(len(at))
    ends, parents, weights = b.coefficients.indptr, b.coefficients.indices, b.coefficients.data
    for node in range(len(at)):
        own = slice(ends[node], ends[node + 1])
        family = np.concatenate([[node], parents[own]])
        row = np.concatenate([[1.0], -weights[own]])
        offset = row @ mean[family] - b.intercepts[node]
        residual[node] = row @ covariance[np.ix_(family, family)] @ row + offset**2
    share = residual / b.residual_variances - 1 + np.log(b.residual_variances) + 2 * np.log(factor_b)
    entropy = np.log(a.residual_variances) + 2 * np.log(factor_a)
    shares: np.ndarray = 0.5 * (share[at] - entropy)
    return shares


def _equal(a: GaussianBN, b: GaussianBN) -> bool:
    """Whether two networks are the same to the last bit."""
    parts = ("intercepts", "residual_variances", "arc_coefficients", "centre", "spread")
    same = (a.names, a.dag.arcs, a.own_units) == (b.names, b.dag.arcs, b.own_units)
    return same and all(np.array_equal(getattr(a, part), getattr(b, part)) for part in parts)
