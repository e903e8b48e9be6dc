r"""The distribution of a `GaussianBN`, X_i = c_i + Σ_j b_ji X_j + ε_i with ε_i ~ N(0, d_i): its moments and density.

Its own units are those of the data (``scale="none"``) or standard deviations from the mean (``scale="sd"``): its
parameters, evidence and answers are in them. The log-likelihood is always that of the data in the data's units.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from scipy.sparse import csc_array, csr_array, diags_array, eye_array

from climatebn.errors import ClimateBNError, public, real_array, unknown
from climatebn.graph import Dag
from climatebn.graph.dag import Arc
from climatebn.html import box
from climatebn.ingest.nodes.nodes import Nodes, extent, read_only
from climatebn.network.columns import aligned
from climatebn.network.triangle import Triangle

Scale = Literal["none", "sd"]
SCALES = ("none", "sd")
Units = Literal["sd", "data"]


@public
@dataclass(frozen=True, eq=False)
class LinearGaussian:
    """A DAG with its parameters.

    Attributes
    ----------
    coefficients : sparse B[parent, child], in the network's own units, as are intercepts and residual_variances.
    centre, spread : mean and standard deviation (n − 1) of each node in the data, in the data's units.
    nodes : places of the nodes and the way back to the grid; None without geometry.
    n : observations behind the fit; None for a network made from parameters.
    variance : how residual variances were estimated, "ml" (RSS / n) or "unbiased" (RSS / (n − k − 1)).
    learned : how the structure was learned (algorithm, criterion, options, order, seed, calls, versions); empty when
        it was given.
    arc_loglik : log-likelihood lost when an arc alone is removed, in the order of ``dag.arcs``.
    """

    dag: Dag
    coefficients: csc_array
    intercepts: np.ndarray
    residual_variances: np.ndarray
    centre: np.ndarray
    spread: np.ndarray
    scale: str = "none"
    nodes: Nodes | None = None
    units: str = ""
    n: int | None = None
    variance: str = "ml"
    arc_loglik: np.ndarray | None = None
    history: str = field(default="", repr=False)
    learned: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in ("intercepts", "residual_variances", "centre", "spread"):
            value = read_only(getattr(self, name))
            if value.shape != (len(self.dag),) or not np.isfinite(value).all():
                raise ClimateBNError(f"{name} needs one finite number for each of the {len(self.dag)} nodes")
            object.__setattr__(self, name, value)
        arcs = len(self.dag.numbered_arcs)
        if self.coefficients.shape != (len(self.dag), len(self.dag)) or self.coefficients.nnz != arcs:
            raise ClimateBNError(f"coefficients needs one number for each of the {arcs} arcs")
        stored = self.coefficients.tocoo()
        if {*zip(stored.row.tolist(), stored.col.tolist(), strict=True)} != set(
            map(tuple, self.dag.numbered_arcs.tolist())
        ):
            raise ClimateBNError("coefficients must stand where the arcs of the dag are, B[parent, child], only there")
        if not np.isfinite(stored.data).all():
            raise ClimateBNError("coefficients must be finite numbers")
        if not ((self.residual_variances > 0).all() and (self.spread > 0).all()):
            raise ClimateBNError("residual_variances and spread must be positive")

    @classmethod
    def from_parameters(
        cls,
        names: tuple[str, ...],
        coefficients: Mapping[Arc, float],
        intercepts: Mapping[str, float],
        variances: Mapping[str, float],
    ) -> Self:
        """A network from its numbers: a coefficient for each (from, to), an intercept and a variance for each node.

        Parameters
        ----------
        names : of the nodes.
        coefficients : by (from, to).
        intercepts, variances : by name; variances are those of the residuals.

        Returns
        -------
        the network, in units of the data.

        Raises
        ------
        ClimateBNError where a number is missing, or a variance is below 0.

        Examples
        --------
        >>> numbers = {"a": 1.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = LinearGaussian.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.mean.tolist(), bn.variances().tolist()
        ([1.0, 2.0], [1.0, 7.0])
        """
        for said, table in (("intercepts", intercepts), ("variances", variances)):
            lacking = [name for name in names if name not in table]
            if lacking:
                raise ClimateBNError(f"{said} needs a number for each node; there is none for {', '.join(lacking[:5])}")
        dag = Dag.from_arcs(names, coefficients)
        weights = [coefficients[arc] for arc in dag.arcs]
        matrix = csc_array((weights, tuple(dag.numbered_arcs.T)), shape=(len(dag), len(dag)), dtype=np.float64)
        c, d = (np.array([table[name] for name in names], dtype=np.float64) for table in (intercepts, variances))
        triangle = Triangle.of(matrix, np.array(dag.numbered_order))
        return cls(dag, matrix, c, d, triangle.down(c[:, None])[:, 0], np.sqrt(triangle.variances(d)))

    def __repr__(self) -> str:
        own = "sd" if self.scale == "sd" else self.units or "data"
        return (
            f"{type(self).__name__}({len(self.names)} nodes, {self.coefficients.nnz} arcs, units of parameters: {own})"
        )

    def _repr_html_(self) -> str:
        facts = {
            "arcs": self.coefficients.nnz,
            "free parameters": self.parameters,
            "units of parameters": "sd" if self.scale == "sd" else self.units or "those of the data",
            "observations": self.n,
            "residual variances": self.variance,
            "nodes": None if self.nodes is None else extent(self.nodes),
        }
        sections = {"Learned": self.learned, "History": self.history}
        return box(type(self).__name__, f"{len(self.names)} nodes", facts, sections)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes."""
        return self.dag.names

    @property
    def lat(self) -> np.ndarray | None:
        """Degrees north of each node; None without geometry."""
        return None if self.nodes is None else self.nodes.lat

    @property
    def lon(self) -> np.ndarray | None:
        """Degrees east of each node; None without geometry."""
        return None if self.nodes is None else self.nodes.lon

    @property
    def parameters(self) -> int:
        """Number of free parameters: an intercept and a variance a node, a coefficient an arc."""
        return 2 * len(self.names) + self.coefficients.nnz

    @property
    def arc_coefficients(self) -> np.ndarray:
        """The coefficient of each arc, in the order of ``dag.arcs``."""
        arcs = self.coefficients.tocoo()
        return np.asarray(arcs.data[np.lexsort((arcs.col, arcs.row))])

    @cached_property  # a property that returns a Literal keeps jedi from completing anything
    def own_units(self) -> Units:
        """Units of the parameters, evidence and answers: "sd" or "data"."""
        return "sd" if self.scale == "sd" else "data"

    def into(self, units: Units | None) -> tuple[np.ndarray, np.ndarray]:
        """(shift, factor) of each node that bring a value x in own units into ``units``: x · factor + shift.

        Parameters
        ----------
        units : "sd", "data", or None for the network's own.

        Returns
        -------
        two arrays, one number a node.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> [part.tolist() for part in bn.into("data")]
        [[0.0, 0.0], [1.0, 1.0]]
        """
        if units not in (None, "sd", "data"):
            raise unknown("units", units, ("sd", "data"))
        if units is None or units == self.own_units:
            return np.zeros(len(self.names)), np.ones(len(self.names))
        if units == "data":
            return self.centre, self.spread
        return -self.centre / self.spread, 1 / self.spread

    @cached_property
    def triangle(self) -> Triangle:
        """Sparse solves with I − Bᵀ."""
        return Triangle.of(self.coefficients, np.array(self.dag.numbered_order, dtype=np.int64))

    @cached_property
    def mean(self) -> np.ndarray:
        """Marginal means, own units."""
        return read_only(self.triangle.down(self.intercepts[:, None])[:, 0])

    @cached_property
    def _variances(self) -> np.ndarray:
        return read_only(self.triangle.variances(self.residual_variances))

    def variances(self) -> np.ndarray:
        """Marginal variances, own units: O(N · arcs) time and 64 columns of memory; computed once.

        Returns
        -------
        array, one number a node.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.variances().tolist()
        [1.0, 7.0]
        """
        return self._variances

    def covariance(self, columns: Iterable[str | int] | None = None) -> np.ndarray:
        """Σ = (I − Bᵀ)⁻¹ D (I − B)⁻¹, own units: dense N × N, or only the ``columns`` (names or numbers), N × m.

        Parameters
        ----------
        columns : names or numbers of nodes; all when left out.

        Returns
        -------
        array.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.covariance().tolist()
        [[1.0, 2.0], [2.0, 7.0]]
        """
        size = len(self.names)
        if columns is None:
            root = self.triangle.down(np.diag(np.sqrt(self.residual_variances)))
            return root @ root.T
        numbers = [self._number(column) for column in columns]
        unit = np.zeros((size, len(numbers)))
        unit[numbers, np.arange(len(numbers))] = 1.0
        return self.covariance_with(unit)

    def covariance_with(self, weights: np.ndarray) -> np.ndarray:
        """Σ weights, own units: covariance of every node with linear combinations of nodes (N × m), N × m.

        Parameters
        ----------
        weights : (N × m), a column a combination, own units.

        Returns
        -------
        array (N × m).

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> import numpy as np
        >>> bn.covariance_with(np.array([[1.0], [1.0]])).ravel().tolist()
        [3.0, 9.0]
        """
        weights = real_array("weights", weights, 2)
        if len(weights) != len(self.names):
            raise ClimateBNError(f"weights must have a row for each of the {len(self.names)} nodes; got {len(weights)}")
        return self.triangle.down(self.residual_variances[:, None] * self.triangle.up(weights))

    def precision(self) -> csc_array:
        """Σ⁻¹ = (I − B) D⁻¹ (I − Bᵀ), sparse: non-zero between neighbours and between parents of one child.

        Returns
        -------
        sparse matrix, own units.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.precision().toarray().round(3).tolist()
        [[2.333, -0.667], [-0.667, 0.333]]
        """
        root = eye_array(len(self.names)) - self.coefficients
        return (root @ diags_array(1 / self.residual_variances) @ root.T).tocsc()

    def partial_correlations(self) -> csr_array:
        """Correlation of each two nodes given all others, sparse, with zeros on the diagonal.

        Returns
        -------
        sparse matrix (N × N).

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> bn.partial_correlations().toarray().round(3).tolist()
        [[0.0, 0.756], [0.756, 0.0]]
        """
        precision = self.precision()
        scale = diags_array(1 / np.sqrt(precision.diagonal()))
        scaled = (-(scale @ precision @ scale)).tocoo()
        off = scaled.row != scaled.col
        return csr_array((scaled.data[off], (scaled.row[off], scaled.col[off])), shape=scaled.shape)

    def loglik(self, data: Any, by: str = "total") -> Any:
        """Natural log of the density of ``data`` (in the data's units, whatever the scale of the network).

        Parameters
        ----------
        data : NodeData, DataFrame or array, with the nodes of the network.
        by : "total" (a float), "node" or "time" (a DataArray that sums to the total).

        Returns
        -------
        nats: float or DataArray.

        Raises
        ------
        ClimateBNError where columns are missing, or ``by`` is none of these.

        Examples
        --------
        >>> import climatebn as cb
        >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
        >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
        >>> import pandas as pd
        >>> round(bn.loglik(pd.DataFrame({"a": [0.0], "b": [0.0]})), 3)
        -2.387
        """
        if by not in ("total", "node", "time"):
            raise unknown("by", by, ("total", "node", "time"))
        values = aligned(self.names, data).values
        if self.scale == "sd":
            values = (values - self.centre) / self.spread
        residuals = values - self.intercepts - values @ self.coefficients
        terms = -(np.log(2 * np.pi * self.residual_variances) + residuals**2 / self.residual_variances) / 2
        if self.scale == "sd":
            terms -= np.log(self.spread)
        if by == "total":
            return float(terms.sum())
        from climatebn.network.labels import along

        words = {"long_name": f"log-likelihood of each {by}", "units": "nat"}
        return along(self.names, self.nodes, data, terms.sum(axis=0 if by == "node" else 1), by, **words)

    def _number(self, node: str | int) -> int:
        if isinstance(node, str):
            if node not in self._numbers:
                raise unknown("node", node, self.names)
            return self._numbers[node]
        if not 0 <= node < len(self.names):
            raise ClimateBNError(f"node number {node} is outside 0 … {len(self.names) - 1}")
        return int(node)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}
