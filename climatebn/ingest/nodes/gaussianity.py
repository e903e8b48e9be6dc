r"""How normal the data of each node is, and its normal scores where it is not.

skewness g₁ = m₃ / m₂^{3/2},   excess kurtosis g₂ = m₄ / m₂² − 3
K² = Z(g₁)² + Z(g₂)²  is χ² with 2 degrees of freedom under normality (D'Agostino and Pearson 1973)
normal score of a value = Φ⁻¹(r / (n + 1)),  r its rank among the n values of its node (van der Waerden)
"""

import numpy as np
import xarray as xr
from scipy import stats

from climatebn.errors import ClimateBNError, public
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.provenance import array_hash, history_line, with_history

SCORES = "normal scores"


@public
def gaussianity(data: NodeData) -> xr.Dataset:
    """Skewness, excess kurtosis and a test of normality at each place, on the map.

    Months that follow each other are alike, so that fewer than n of them count: read small p-values as a hint of where
    to look, not as a verdict.

    Parameters
    ----------
    data : NodeData, usually of anomalies.

    Returns
    -------
    Dataset (lat, lon): ``skewness``, ``kurtosis`` (0 for a normal distribution) and ``p_value`` of D'Agostino's K².
    Its attribute ``rejected_share`` is the share of places with p < 0.01 (0.01 is expected by chance).

    Notes
    -----
    With m_k the central moments of a node's values::

        skewness = m₃ / m₂^(3/2),      kurtosis = m₄ / m₂² − 3

    K² is the sum of the squares of both, each brought to a standard normal distribution, and χ² with 2 degrees of
    freedom for normal data: D'Agostino and Pearson (1973, Biometrika 60, 613–622).

    Examples
    --------
    >>> import climatebn as cb
    >>> found = cb.gaussianity(cb.to_nodes(cb.anomalies(cb.load_ncep())))
    >>> round(float(found.skewness.sel(lat=-5, lon=-85)), 2)
    1.37
    """
    _require(data)
    if len(data) < 20:
        raise ClimateBNError(f"gaussianity needs 20 rows or more for its test; the data has {data.counted}")
    p = np.asarray(stats.normaltest(data.values, axis=0).pvalue)
    fields = {
        "skewness": (stats.skew(data.values, axis=0), "skewness"),
        "kurtosis": (stats.kurtosis(data.values, axis=0), "excess kurtosis"),
        "p_value": (p, "p-value of normality (D'Agostino K²)"),
    }
    maps = {
        name: data.nodes.to_xarray(values, name=name, attrs={"long_name": words, "units": "1"})
        for name, (values, words) in fields.items()
    }
    return xr.Dataset(maps, attrs={"n": len(data), "rejected_share": float((p < 0.01).mean())})


@public
def normal_scores(data: NodeData) -> NodeData:
    """Each node's values replaced by their normal scores: the same ranks, a normal distribution.

    For what is far from normal, precipitation above all. Equal values share a score, so many dry months stay one value.
    A network learned from scores speaks of ranks: 2 means the score that 2.3 % of months exceed, in no unit of measure.

    Parameters
    ----------
    data : NodeData, usually of anomalies.

    Returns
    -------
    NodeData in normal scores, without units; its notes and those of networks learned from it say so.

    Notes
    -----
    The score of the value of rank r among the n values of its node is Φ⁻¹(r / (n + 1)) (van der Waerden's scores).

    Examples
    --------
    >>> import climatebn as cb
    >>> scores = cb.normal_scores(cb.to_nodes(cb.anomalies(cb.load_ncep())))
    >>> scores.units, round(float(scores.values.max()), 2)
    ('normal score', 2.77)
    """
    _require(data)
    scores = stats.norm.ppf(stats.rankdata(data.values, axis=0) / (len(data) + 1))
    line = history_line("normal_scores", {}, input=array_hash(data.values))
    attrs = with_history({**data.attrs, "units": "normal score", "transform": SCORES}, line)
    return NodeData(scores, data.nodes, data.time, "normal score", attrs)


def _require(data: NodeData) -> None:
    if not isinstance(data, NodeData):
        raise ClimateBNError(f"data must be NodeData, from cb.to_nodes(field); got {type(data).__name__}")
