"""`fit` for networks in time: each node of the present regressed on its parents, present and past."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from climatebn.criterion.discrete_stats import DiscreteStats
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import ClimateBNError
from climatebn.graph import Dag
from climatebn.ingest.nodes.lags import in_time, lags_of, split_name
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.columns import aligned
from climatebn.network.dynamic_bn import DynamicBN
from climatebn.network.fitting import Sample, regressions
from climatebn.provenance import array_hash, history_line


def fit_in_time(
    dag: Dag, data: Any, scale: str, variance: str, learned: Mapping[str, Any], lines: Sequence[str]
) -> DynamicBN:
    """The network of a DAG of present and past columns; ``data`` is plain, or the table of `lagged`."""
    if isinstance(data, GaussianStats | DiscreteStats):
        raise ClimateBNError("fit of a network in time needs the months themselves; give NodeData or a table")
    lag = lags_of(dag.names)
    data, _ = in_time(data, sorted(set(lag.tolist())))
    table = aligned(dag.names, data)
    if table.levels is not None:
        raise ClimateBNError("networks in time are Gaussian; this data is discrete")
    present = np.flatnonzero(lag == 0)
    mean, sd = table.values[:, present].mean(axis=0), table.values[:, present].std(axis=0, ddof=1)
    constant = [dag.names[i] for i, flat in zip(present, sd <= 1e-13 * np.abs(mean), strict=True) if flat]
    if constant:
        raise ClimateBNError(f"constant nodes have no distribution: {', '.join(constant[:10])}; drop them first")
    return fitted(dag, table.values, mean, sd, scale, variance, data, learned, lines)


def fitted(
    dag: Dag,
    values: np.ndarray,
    centre: np.ndarray,
    spread: np.ndarray,
    scale: str = "sd",
    variance: str = "ml",
    data: Any = None,
    learned: Mapping[str, Any] | None = None,
    lines: Sequence[str] = (),
) -> DynamicBN:
    """Least squares on rows (month × column of the DAG), each column scaled by ``centre``, ``spread`` of its node."""
    lag = lags_of(dag.names)
    present = np.flatnonzero(lag == 0)
    number = {dag.names[i]: place for place, i in enumerate(present.tolist())}
    node = np.array([number[split_name(name)[0]] for name in dag.names], dtype=np.int64)
    rows = (values - centre[node]) / spread[node]
    means = rows.mean(axis=0)
    weights, residual, likelihood = regressions(dag, Sample(rows - means, len(rows), means, spread[node]), variance)
    parent, child = dag.numbered_arcs.T
    target = node[child]
    intercepts = means[present] - np.bincount(target, weights * means[parent], minlength=len(present))
    residual = residual[present]
    if scale == "none":
        weights = weights * spread[target] / spread[node[parent]]
        residual = residual * spread**2
        level = centre - np.bincount(target, weights * centre[node[parent]], minlength=len(present))
        intercepts = intercepts * spread + level
    line = history_line("fit", {"scale": scale, "variance": variance}, input=array_hash(rows), arcs=len(child))
    before = str((getattr(data, "attrs", None) or {}).get("history", "")).strip()
    nodes = getattr(data, "nodes", None)
    return DynamicBN(
        dag=dag,
        coefficients=csc_array((weights, (parent, target)), shape=(len(dag), len(present))),
        intercepts=intercepts,
        residual_variances=residual,
        centre=centre,
        spread=spread,
        scale=scale,
        nodes=nodes.select(dag.names) if isinstance(nodes, Nodes) else None,
        units=getattr(data, "units", None) or "",
        n=len(rows),
        variance=variance,
        arc_loglik=likelihood,
        history="\n".join(filter(None, [before, *lines, line])),
        learned=dict(learned or {}),
    )
