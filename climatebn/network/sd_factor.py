r"""A Gaussian network as the few arrays that any other program needs to ask it, in standard deviations of the data.

With Z = (X − centre) / spread the network is Z_i = c_i + Σ_j b_ji (s_j / s_i) Z_j + ε_i, so that

    Cov Z = (I − Bᵀ)⁻¹ D (I − B)⁻¹:   its product with a column is one pass over the arcs upwards and one downwards.
"""

from dataclasses import dataclass

import numpy as np

from climatebn.network.linear_gaussian import LinearGaussian


@dataclass(frozen=True)
class SdFactor:
    """Arcs (parent, child) sorted by child, then parent, with a weight each; residual variances of the nodes.

    ``mean`` and ``variances`` are the marginal ones, in sd of the data.
    """

    parent: np.ndarray
    child: np.ndarray
    weights: np.ndarray
    residual_variances: np.ndarray
    mean: np.ndarray
    variances: np.ndarray


def sd_factor(bn: LinearGaussian) -> SdFactor:
    """The factor of a network, whatever its own units are.

    >>> numbers = {"a": 1.0, "b": 0.0}, {"a": 4.0, "b": 3.0}
    >>> factor = sd_factor(LinearGaussian.from_parameters(("a", "b"), {("a", "b"): 0.5}, *numbers))
    >>> factor.weights.round(6).tolist(), factor.residual_variances.round(6).tolist(), factor.mean.tolist()
    ([0.5], [1.0, 0.75], [0.0, 0.0])
    """
    shift, factor = bn.into("sd")
    parent, child = bn.dag.numbered_arcs.T
    order = np.lexsort((parent, child))
    parent, child = parent[order], child[order]
    return SdFactor(
        parent,
        child,
        bn.arc_coefficients[order] * factor[child] / factor[parent],
        bn.residual_variances * factor**2,
        bn.mean * factor + shift,
        bn.variances() * factor**2,
    )


def unit_factor(
    edges: np.ndarray, weights: np.ndarray, residual_variances: np.ndarray, variances: np.ndarray
) -> SdFactor:
    """A factor of implied correlations: the same network with every node divided by its implied sd."""
    sd = np.sqrt(variances)
    order = np.lexsort((edges[:, 0], edges[:, 1]))
    parent, child = edges[order].astype(np.int64).T
    size = len(residual_variances)
    scaled = weights[order] * sd[parent] / sd[child]
    return SdFactor(parent, child, scaled, residual_variances / variances, np.zeros(size), np.ones(size))
