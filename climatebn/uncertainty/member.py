r"""One network of an ensemble, kept sparse: its arcs, their coefficients and the residual variances, in sd.

Implied correlations: R = S (I − Bᵀ)⁻¹ D (I − B)⁻¹ S, S the inverse of the implied standard deviations.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from climatebn.graph import Dag
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.sd_factor import SdFactor, unit_factor
from climatebn.network.triangle import Triangle


@dataclass(frozen=True, eq=False)
class Member:
    """A fitted network as arrays.

    Attributes
    ----------
    edges : (arcs × 2) column numbers of parent and child, sorted.
    weights : a coefficient an arc.
    order : the nodes in topological order.
    residual_variances : of each node given its parents.
    """

    edges: np.ndarray
    weights: np.ndarray
    order: np.ndarray
    residual_variances: np.ndarray

    @classmethod
    def of(cls, bn: GaussianBN) -> "Member":
        """From a network fitted with ``scale="sd"``."""
        order = np.array(bn.dag.numbered_order, dtype=np.int32)
        return cls(bn.dag.numbered_arcs.astype(np.int32), bn.arc_coefficients, order, bn.residual_variances)

    @cached_property
    def coefficients(self) -> csc_array:
        """B[parent, child]."""
        size = len(self.order)
        return csc_array((self.weights, tuple(self.edges.T.astype(np.int64))), shape=(size, size))

    @cached_property
    def triangle(self) -> Triangle:
        """Sparse solves with I − Bᵀ."""
        return Triangle.of(self.coefficients, self.order.astype(np.int64))

    @cached_property
    def shrink(self) -> np.ndarray:
        """1 / implied standard deviation of each node, as a column."""
        return 1 / np.sqrt(self.triangle.variances(self.residual_variances))[:, None]

    def product(self, weights: np.ndarray) -> np.ndarray:
        """R times an (N × m) matrix, without forming R."""
        shocks = self.residual_variances[:, None] * self.triangle.up(self.shrink * weights)
        result: np.ndarray = self.shrink * self.triangle.down(shocks)
        return result

    def correlations(self) -> np.ndarray:
        """R, dense N × N."""
        root = self.shrink * self.triangle.down(np.diag(np.sqrt(self.residual_variances)))
        return root @ root.T

    def factor(self) -> SdFactor:
        """R as a sparse factor, for programs that ask the member themselves."""
        return unit_factor(self.edges, self.weights, self.residual_variances, self.shrink[:, 0] ** -2)

    def network(self, names: tuple[str, ...], **parts: Any) -> GaussianBN:
        """The `GaussianBN`; ``parts`` are centre, spread, nodes, units, n."""
        dag = Dag.from_arcs(names, self.edges.tolist())
        return GaussianBN(
            dag=dag,
            coefficients=self.coefficients,
            intercepts=np.zeros(len(names)),
            residual_variances=self.residual_variances,
            scale="sd",
            **parts,
        )
