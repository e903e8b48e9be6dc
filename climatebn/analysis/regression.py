r"""The baseline of every map: plain multiple regression of each node on the evidence nodes, in the data itself.

    X_i = Σ_E b_iE x_E + ε_i,      Var ε_i = RSS_i / (n − 1)        (in sd)

Without a network, without a penalty: what correlations alone say. It answers the questions of `propagate`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import xarray as xr

from climatebn.analysis.propagation import propagate
from climatebn.analysis.tails import Tail
from climatebn.errors import ClimateBNError, public
from climatebn.ingest.nodes.learning_table import to_table
from climatebn.ingest.nodes.nodes import Nodes
from climatebn.network.fitting import standardise
from climatebn.network.joint_normal import JointNormal, sample_product
from climatebn.provenance import array_hash, history_line, with_history


@public
def regression_map(
    data: Any,
    evidence: Mapping[Any, Any],
    threshold: float = 1.0,
    tail: Tail = "upper",
    units: Literal["sd", "data"] | None = None,
) -> xr.Dataset:
    """What evidence does to the probability of warm (or cold) anomalies everywhere, by regression on the data.

    Parameters
    ----------
    data : NodeData, DataFrame or array with more observations than evidence nodes.
    evidence, threshold, tail, units : as in `propagate`; units are sd when left out.

    Returns
    -------
    Dataset like that of `propagate`: prior, posterior, difference, mean, sd, evidence.

    Notes
    -----
    In standard deviations, with E the places of the evidence, fitted by least squares for each place i::

        X_i = Σ_E b_iE x_E + ε_i,      Var ε_i = RSS_i / (n − 1)

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> answer = cb.regression_map(data, {"X81": 2.0})
    >>> cb.region_mean(answer.difference, lat=(-25, 20), lon=(45, 100)).round(3).item()
    0.189
    """
    joint = sample_normal(data)
    n = len(to_table(data).values)
    given = len(evidence) if isinstance(evidence, Mapping) else 0
    if n - given < 2:
        raise ClimateBNError(f"regression on {given} evidence nodes needs {given + 2} observations or more; got {n}")
    return propagate(joint, evidence, threshold, tail, units)


def sample_normal(data: Any) -> JointNormal:
    """The correlations of the data as a distribution."""
    table = to_table(data)
    if table.levels is not None:
        raise ClimateBNError("regression needs numeric data; this is discrete")
    sample = standardise(table.values, table.names)
    nodes = getattr(data, "nodes", None)
    line = history_line("regression", {}, input=array_hash(table.values))
    return JointNormal(
        table.names,
        partial(sample_product, sample.rows),
        sample.mean,
        sample.sd,
        nodes if isinstance(nodes, Nodes) else None,
        getattr(data, "units", None) or "",
        with_history(dict(getattr(data, "attrs", None) or {}), line)["history"],
    )
