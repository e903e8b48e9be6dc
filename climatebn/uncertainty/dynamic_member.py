"""One network in time of an ensemble, kept sparse: arcs of columns, coefficients, intercepts and residual variances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from climatebn.graph import Dag
from climatebn.network.dynamic_bn import DynamicBN


@dataclass(frozen=True, eq=False)
class DynamicMember:
    """A fitted network in time as arrays, in standard deviations of the whole record.

    Attributes
    ----------
    edges : (arcs × 2) numbers of the parent column and of the child, sorted.
    weights : a coefficient an arc.
    intercepts, residual_variances : of each node of the present.
    """

    edges: np.ndarray
    weights: np.ndarray
    intercepts: np.ndarray
    residual_variances: np.ndarray

    @classmethod
    def of(cls, bn: DynamicBN) -> "DynamicMember":
        """From a network fitted with ``scale="sd"``."""
        return cls(bn.dag.numbered_arcs.astype(np.int32), bn.arc_coefficients, bn.intercepts, bn.residual_variances)

    def network(self, columns: tuple[str, ...], **parts: Any) -> DynamicBN:
        """The `DynamicBN`; ``parts`` are centre, spread, nodes, units, n. The present is the first columns."""
        size = len(self.intercepts)
        weights = csc_array((self.weights, tuple(self.edges.T.astype(np.int64))), shape=(len(columns), size))
        return DynamicBN(
            Dag.from_arcs(columns, self.edges.tolist()),
            weights,
            self.intercepts,
            self.residual_variances,
            scale="sd",
            **parts,
        )
