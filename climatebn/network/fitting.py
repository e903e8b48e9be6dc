r"""`fit`: the parameters of a network by least squares, one node at a time.

    X_i = c_i + Σ_{j ∈ Π_i} b_ji X_j + ε_i,   Var ε_i = RSS_i / n   (maximum likelihood)

Solved on centred columns divided by their standard deviation, where parents are nearly collinear by singular values:
they share their effect (the solution of least norm) instead of getting huge coefficients of opposite sign.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

import numpy as np
from scipy.sparse import csc_array

from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.likelihood import Variance
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import ClimateBNError, public, unknown
from climatebn.graph import Dag
from climatebn.ingest.nodes.lags import is_lagged
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.kernels.constants import COLLINEAR
from climatebn.kernels.gaussian.conditioning import regression
from climatebn.learning.result import LearnResult
from climatebn.network.columns import aligned, positions
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.linear_gaussian import SCALES, Scale
from climatebn.provenance import array_hash, history_line

VARIANCES = ("ml", "unbiased")
NEARLY_COLLINEAR = 1e-6  # share of a parent's variance that the other parents leave; below it, singular values are used

if TYPE_CHECKING:
    import pandas as pd

    from climatebn.network.discrete_bn import DiscreteBN
    from climatebn.network.dynamic_bn import DynamicBN

    Network: TypeAlias = GaussianBN | DiscreteBN | DynamicBN

Structure: TypeAlias = LearnResult | Dag | None
Numbers: TypeAlias = NodeData | np.ndarray | GaussianStats


@overload
def fit(structure: Structure, data: Numbers, scale: Scale = ..., *, variance: Variance = ...) -> GaussianBN: ...
@overload
def fit(structure: Structure, data: DiscreteStats, scale: Scale = ..., *, variance: Variance = ...) -> "DiscreteBN": ...
@overload
def fit(structure: Structure, data: "pd.DataFrame", scale: Scale = ..., *, variance: Variance = ...) -> "Network": ...
@public
def fit(structure: Structure, data: Any, scale: Scale = "none", *, variance: Variance = "ml") -> "Network":
    """Fit the parameters of a network: a `GaussianBN`, or a `DiscreteBN` where the data is discrete.

    A network in time (learned with ``lags=``, columns such as ``X81@-1``) becomes a `DynamicBN`, from the plain data.

    Parameters
    ----------
    structure : the result of `learn`, whose record goes on into the network and its files; or a DAG.
    data : NodeData, DataFrame, 2-D array, or GaussianStats; its columns are found by the names of the nodes.
    scale : units of the network's parameters, of its evidence and of its answers: "sd" for columns centred and divided
        by their standard deviation (n − 1), "none" for the units of the data. The distribution is the same.
    variance : residual variances "ml" (RSS / n) or "unbiased" (RSS / (n − k − 1) for k parents, as bnlearn fits).

    Returns
    -------
    GaussianBN or DiscreteBN.

    Notes
    -----
    Least squares for each node, with Π_i its parents and n observations::

        X_i = c_i + Σ_{j ∈ Π_i} b_ji X_j + ε_i,      Var ε_i = RSS_i / n

    Nearly collinear parents share their effect (the solution of least norm). A discrete node gets the shares of its
    levels in each configuration of its parents.

    Examples
    --------
    >>> import climatebn as cb, numpy as np
    >>> x = np.random.default_rng(1).normal(size=500)
    >>> data = np.column_stack([x, 2 * x + np.random.default_rng(2).normal(size=500)])
    >>> bn = cb.fit(cb.Dag.from_arcs(["X1", "X2"], [("X1", "X2")]), data)
    >>> round(float(bn.coefficients[0, 1]), 1)
    2.0
    """
    dag, learned, lines = _structure(structure)
    if scale not in SCALES:
        raise unknown("scale", scale, SCALES)
    if variance not in VARIANCES:
        raise unknown("variance", variance, VARIANCES)
    if is_lagged(dag.names):
        from climatebn.network.dynamic_fitting import fit_in_time

        return fit_in_time(dag, data, scale, variance, learned, lines)
    if isinstance(data, GaussianStats):
        sample = _sample_of_stats(dag, data)
    else:
        table = None if isinstance(data, DiscreteStats) else aligned(dag.names, data)
        if table is None or table.levels is not None:
            from climatebn.network.discrete_bn import DiscreteBN

            network = DiscreteBN.fit(dag, data)
            return replace(network, history=_history(data, [*lines, network.history]), learned=learned)
        sample = standardise(table.values, dag.names)
    weights, residual, likelihood = regressions(dag, sample, variance)
    parent, child = dag.numbered_arcs.T
    spread, centre, intercepts = sample.sd, sample.mean, np.zeros(len(dag))
    if scale == "none":
        weights = weights * spread[child] / spread[parent]
        residual = residual * spread**2
        intercepts = centre - np.bincount(child, weights * centre[parent], minlength=len(dag))
    line = history_line("fit", {"scale": scale, "variance": variance}, input=array_hash(sample.rows), arcs=len(child))
    return GaussianBN(
        dag=dag,
        coefficients=csc_array((weights, (parent, child)), shape=(len(dag), len(dag))),
        intercepts=intercepts,
        residual_variances=residual,
        centre=centre,
        spread=spread,
        scale=scale,
        nodes=_geometry(dag, data),
        units=getattr(data, "units", None) or "",
        n=sample.n,
        variance=variance,
        arc_loglik=likelihood,
        history=_history(data, [*lines, line]),
        learned=learned,
    )


def _structure(structure: Any) -> tuple[Dag, dict[str, Any], list[str]]:
    """The DAG, how it was learned, and the line of that in a history."""
    result = structure if isinstance(structure, LearnResult) else None
    dag = structure if result is None else result.dag
    if dag is None:
        why = "dag is None" if result is None else "the result has no DAG"
        raise ClimateBNError(f"{why}: the learned graph is not valid and has no parameters (see result.reason)")
    if not isinstance(dag, Dag):
        raise ClimateBNError(f"structure must be a LearnResult or a Dag; got {type(structure).__name__}")
    return dag, {} if result is None else result.record, [] if result is None else result.history.splitlines()[-1:]


def _history(data: Any, lines: list[str]) -> str:
    """The data's own history and what came after it."""
    before = str((getattr(data, "attrs", None) or {}).get("history", "")).strip()
    return "\n".join([before, *lines] if before else lines)


class Sample(NamedTuple):
    """Standardised rows, the number of observations behind them, and the mean and sd of each node in data units."""

    rows: np.ndarray
    n: int
    mean: np.ndarray
    sd: np.ndarray


def standardise(values: np.ndarray, names: Sequence[str]) -> Sample:
    """Columns centred and divided by their standard deviation (n − 1)."""
    if len(values) < 3:
        raise ClimateBNError(f"fit needs at least 3 observations; got {len(values)}")
    mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
    constant = [name for name, flat in zip(names, sd <= 1e-13 * np.abs(mean), strict=True) if flat]
    if constant:
        raise ClimateBNError(f"constant nodes have no distribution: {', '.join(constant[:10])}; drop them first")
    return Sample((values - mean) / sd, len(values), mean, sd)


def _sample_of_stats(dag: Dag, stats: GaussianStats) -> Sample:
    """Rows that have exactly the given covariance: the root of the correlation matrix. Means are taken as 0."""
    columns = positions(dag.names, stats.names)
    cov = stats.cov[np.ix_(columns, columns)]
    sd = np.sqrt(np.diag(cov))
    values, vectors = np.linalg.eigh(cov / np.outer(sd, sd))
    rows = np.sqrt(np.maximum(values, 0) * (stats.n - 1))[:, None] * vectors.T
    return Sample(rows, stats.n, np.zeros(len(sd)), sd)


def regressions(dag: Dag, sample: Sample, variance: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coefficient and lost log-likelihood of each arc (as ``dag.arcs``), and residual variance of each node."""
    weights, losses, residual = [np.zeros(0)], [np.zeros(0)], np.empty(len(dag))
    for child, parents in enumerate(dag.numbered_parents):
        columns = sample.rows[:, [*parents, child]]
        target, regressors = columns[:, -1], columns[:, :-1]
        coefficients, rises = by_products(columns) or regress(target, regressors)
        rss = float(np.sum((target - regressors @ coefficients) ** 2))
        freedom = sample.n if variance == "ml" else max(sample.n - len(parents) - 1, 1)
        residual[child] = max(rss / freedom, COLLINEAR)
        weights.append(coefficients)
        losses.append(sample.n / 2 * np.log1p(rises / max(rss, COLLINEAR * sample.n)))
    by_child = np.lexsort((dag.numbered_arcs[:, 0], dag.numbered_arcs[:, 1]))
    back = np.argsort(by_child)
    return np.concatenate(weights)[back], residual, np.concatenate(losses)[back]


def by_products(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """`regress` of the last column on the others by their products: several times as fast, half as many digits.

    None where a regressor is explained by the others but for a millionth, or where there are none.
    """
    count = columns.shape[1] - 1
    if count == 0 or count >= len(columns):
        return None
    products = columns.T @ columns
    products.flags.writeable = False  # as the matrices that kernels are compiled for
    swept, logdet = regression(products, count, np.arange(count))
    inverse = np.diagonal(swept)[:count]
    if not logdet > -np.inf or not (inverse * np.diagonal(products)[:count] < 1 / NEARLY_COLLINEAR).all():
        return None
    coefficients = swept[count, :count].copy()
    return coefficients, coefficients**2 / inverse


def regress(target: np.ndarray, regressors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least squares without intercept: coefficients, and by how much RSS rises when each regressor alone is left out.

    The rise is b_j² / [(PᵀP)⁻¹]_jj, which is 0 for a regressor that the others replace.
    """
    if regressors.shape[1] == 0:
        return np.zeros(0), np.zeros(0)
    left, values, right = np.linalg.svd(regressors, full_matrices=False)
    small = COLLINEAR * values[0]
    inverse = np.where(values > small, 1 / np.maximum(values, small), 0.0)
    coefficients = right.T @ (inverse * (left.T @ target))
    if len(values) < len(coefficients):
        return coefficients, np.zeros(len(coefficients))
    return coefficients, coefficients**2 / ((right**2).T @ (1 / np.maximum(values, small) ** 2))


def _geometry(dag: Dag, data: Any) -> Nodes | None:
    """The nodes' places, where the data has them."""
    nodes = getattr(data, "nodes", None)
    return nodes.select(dag.names) if isinstance(nodes, Nodes) else None
