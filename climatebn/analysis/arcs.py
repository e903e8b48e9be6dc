"""Arcs one by one: the strength of each, its length, and the teleconnections among them."""

from typing import Any

import numpy as np
import pandas as pd

from climatebn.analysis.arc_table import arc_frame
from climatebn.analysis.links import Links, links
from climatebn.errors import ClimateBNError, public, short
from climatebn.ingest.nodes.lags import in_time, is_lagged, lags_of
from climatebn.network.columns import positions

TELECONNECTION_KM = 5000.0


@public
def arc_strength(network: Any, data: Any = None, criterion: Any = None) -> pd.DataFrame:
    """The loss of the score when each arc alone is removed: DataFrame with source, target, strength, directed.

    Where places are known also km, source_lat, source_lon, target_lat, target_lon, source_place, target_place.

    Parameters
    ----------
    network : fitted network, LearnResult, Dag or Pdag. An edge without direction gets the larger strength of its two
        directions, each beside the directed parents.
    data : what it was learned from; a GaussianBN knows the strengths (BIC) of its own fit and needs none.
    criterion : a score; BIC when left out.

    Returns
    -------
    DataFrame, a row an arc; strength in nats.

    Notes
    -----
    With Π the parents of the target, and its score per node as the criterion has it::

        strength = score(target, Π) − score(target, Π without the source)

    Examples
    --------
    >>> import climatebn as cb, numpy as np
    >>> x = np.random.default_rng(1).normal(size=(100, 2)) @ [[1, 1], [0, 1]]
    >>> cb.arc_strength(cb.Dag.from_arcs(["X1", "X2"], [("X1", "X2")]), x).strength.round(1).tolist()
    [28.5]
    """
    return _table(links(network, data), network, data, criterion)


@public
def teleconnections(
    network: Any, data: Any = None, *, min_km: float = TELECONNECTION_KM, criterion: Any = None, null: Any = None
) -> pd.DataFrame:
    """Arcs longer than ``min_km``, longest first.

    Parameters
    ----------
    network, data, criterion : as in `arc_strength`; ``data`` also gives the places of the nodes.
    min_km : great-circle length in km.
    null : what `climatebn.distant_null` gave for the same data and settings; adds the column fdr, the expected share
        of false ones among the long arcs that are at least as strong.

    Returns
    -------
    DataFrame with source, target, km, strength (nats), directed, source_lat, source_lon, target_lat, target_lon
    (degrees), source_place, target_place (e.g. 5°S 135°W). Of a network in time also lag: how many months after its
    source the target answers.

    Raises
    ------
    ClimateBNError where places of the nodes are not known, or ``min_km`` is no distance.

    Notes
    -----
    Distances are great circles on a sphere of R = 6371 km, with φ the latitudes and λ the longitudes of both ends::

        km = 2R asin √(sin²(½Δφ) + cos φ₁ cos φ₂ sin²(½Δλ))

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> dag = cb.Dag.from_arcs(data.names, [("X81", "X82"), ("X81", "X441")])
    >>> cb.teleconnections(dag, data)[["source", "target", "km"]].round(0).values.tolist()
    [['X81', 'X441', 17531.0]]
    """
    if not min_km >= 0:
        raise ClimateBNError(f"min_km must be a distance of 0 km or more; got {min_km}")
    edges = links(network, data)
    edges.km()  # an error where places are not known
    table = _table(edges, network, data, criterion)
    long = table[table["km"] > min_km].sort_values("km", ascending=False, kind="stable", ignore_index=True)
    if null is not None and not hasattr(null, "fdr"):
        raise ClimateBNError(f"null must be what climatebn.distant_null gave; got {short(null)}")
    if null is not None:
        if criterion is not None:
            raise ClimateBNError("null= ranks arcs by their loss of BIC(); leave criterion= out")
        long["fdr"] = null.fdr(long["strength"])
    long.attrs = {**table.attrs, "min_km": min_km}
    return long


def _table(edges: Links, network: Any, data: Any, criterion: Any) -> pd.DataFrame:
    strength = _own_strength(network) if data is None else _strength(edges, data, criterion)
    more = {"strength": strength, "directed": edges.directed}
    if is_lagged(edges.graph.names):
        more["lag"] = lags_of(edges.graph.names)[edges.edges[:, 0]]
    table = arc_frame(edges.graph.names, edges.edges, edges.places, **more)
    if data is None and criterion is not None:
        raise ClimateBNError("strength by another criterion than BIC needs data=")
    score = "BIC()" if criterion is None else repr(criterion)
    table.attrs = {
        "long_name": {"strength": f"loss of {score} without the arc"},
        "units": {"strength": "nat", "km": "km"},
    }
    return table


def _own_strength(network: Any) -> np.ndarray:
    """BIC loss from the likelihood ratios that the fit left behind."""
    likelihood, n = getattr(network, "arc_loglik", None), getattr(network, "n", None)
    if likelihood is None or n is None:
        raise ClimateBNError("strength of arcs needs data=, or a network fitted to data")
    return np.asarray(likelihood - np.log(n) / 2)


def _strength(edges: Links, data: Any, criterion: Any) -> np.ndarray:
    from climatebn.criterion.protocols import Score
    from climatebn.criterion.registry import as_criterion
    from climatebn.learning.api import to_stats

    criterion = as_criterion("BIC" if criterion is None else criterion)
    if not isinstance(criterion, Score):
        raise ClimateBNError(f"criterion must be a score, e.g. BIC(); {criterion!r} is a test")
    stats = to_stats(in_time(data, sorted(set(lags_of(edges.graph.names).tolist())))[0])
    if stats.kind not in criterion.kinds:
        raise ClimateBNError(f"{criterion!r} does not fit {stats.kind} data")
    column = positions(edges.graph.names, stats.names)
    parents: list[list[int]] = [[] for _ in column]
    for a, b in edges.edges[edges.directed].tolist():
        parents[b].append(column[a])

    def gain(a: int, b: int) -> float:
        others = [p for p in parents[b] if p != column[a]]
        with_arc = criterion.local(stats, column[b], sorted([*others, column[a]]))
        return float(with_arc - criterion.local(stats, column[b], others))

    return np.array(
        [
            gain(a, b) if directed else max(gain(a, b), gain(b, a))
            for (a, b), directed in zip(edges.edges.tolist(), edges.directed.tolist(), strict=True)
        ]
    )
