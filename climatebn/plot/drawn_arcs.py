"""The arcs of anything that can be drawn as a network: where they begin and end, how strong they are, which sign."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.graph import Dag, Pdag
from climatebn.ingest.grid.distance import great_circle
from climatebn.ingest.nodes.lags import is_lagged, lags_of, split_name

LONG, SHORT = 60, 240  # arcs that the eye can follow on a map: over `min_km`, and shorter ones
KINDS = ("directed", "undirected", "conflict")


@dataclass(frozen=True)
class DrawnArcs:
    """One row an arc. ``start`` and ``end`` are (lon, lat); ``strength`` and ``value`` are NaN where not known.

    ``measure`` says what ``value`` is; ``unplaced`` counts arcs of nodes that have no place on the map.
    """

    start: np.ndarray
    end: np.ndarray
    kind: np.ndarray
    km: np.ndarray
    strength: np.ndarray
    value: np.ndarray
    measure: str
    places: np.ndarray
    unplaced: int
    lag: np.ndarray  # months from the source to the target; 0 in a network of one month
    polygons: tuple[str, ...] = ()  # of nodes that are regions

    def chosen(self, top: int | None, long: np.ndarray, show_short: bool) -> np.ndarray:
        """Row numbers to draw: the strongest (the longest where strength is not known), what is in conflict first."""
        rank = np.lexsort((-(self.strength if self.ranked else self.km), self.kind != "conflict"))
        rank = rank if show_short else rank[long[rank]]
        if top is not None:
            return rank[:top]
        return np.concatenate([rank[long[rank]][:LONG], rank[~long[rank]][:SHORT]])

    @property
    def ranked(self) -> bool:
        """Whether the strength of every arc is known."""
        return bool(np.isfinite(self.strength).all())

    @property
    def valued(self) -> bool:
        """Whether every arc has a coefficient or a correlation."""
        return bool(len(self.value) and np.isfinite(self.value).all())


def drawn_arcs(graph: Any, nodes: Any = None, lag: int | None = None) -> DrawnArcs:
    """Arcs of a fitted network, LearnResult, Dag or Pdag with the places of ``nodes`` (or of its own).

    Of a network in time those of one ``lag``, or of all; arcs from a place to itself are not drawn.
    """
    shape = _shape(graph)
    place = _places(graph, nodes, shape.names)
    number = {name: i for i, name in enumerate(shape.names)}
    pairs, kinds = _edges(shape, getattr(graph, "conflicts", ()))
    ends = np.array([[number[a], number[b]] for a, b in pairs], dtype=int).reshape(-1, 2)
    measure, worth = _worth(_fitted(graph, nodes))
    strength, value = np.array([worth.get(frozenset(pair), (np.nan, np.nan)) for pair in pairs]).reshape(-1, 2).T
    months = lags_of(shape.names) if is_lagged(shape.names) else np.zeros(len(shape.names), dtype=np.int64)
    later = months[ends[:, 0]]
    if lag is not None and lag not in months:
        raise ClimateBNError(f"lag must be one of the network's, {', '.join(map(str, np.unique(months)))}; got {lag!r}")
    known = np.isfinite(place[ends]).all(axis=(1, 2))
    hidden = (later > 0) & (place[ends[:, 0]] == place[ends[:, 1]]).all(axis=1)
    if lag is not None:
        hidden |= later != lag
    unplaced = int((~known & ~hidden).sum())
    known &= ~hidden
    start, end = place[ends[known, 0]], place[ends[known, 1]]
    return DrawnArcs(
        start=start,
        end=end,
        kind=np.array(kinds, dtype=object)[known],
        km=great_circle(start[:, 1], start[:, 0], end[:, 1], end[:, 0]),
        strength=strength[known],
        value=value[known],
        measure=measure,
        places=place[np.isfinite(place).all(axis=1)],
        unplaced=unplaced,
        lag=later[known],
        polygons=_polygons(graph, nodes),
    )


def _shape(graph: Any) -> Pdag:
    if isinstance(graph, Pdag):
        return graph
    if isinstance(graph, Dag):
        return Pdag.from_dag(graph)
    for holder in ("graph", "dag"):
        if isinstance(getattr(graph, holder, None), Dag | Pdag):
            return _shape(getattr(graph, holder))
    raise ClimateBNError(f"graph must be a network, a LearnResult, a Dag or a Pdag; got {type(graph).__name__}")


def _places(graph: Any, nodes: Any, names: tuple[str, ...]) -> np.ndarray:
    """(lon, lat) of each node of the graph; NaN for a node without a place."""
    holder: Any = nodes if nodes is not None else getattr(graph, "nodes", None)
    if getattr(holder, "lat", None) is None or getattr(holder, "lon", None) is None:
        what = "nodes has no places" if nodes is not None else "the graph does not know where its nodes are"
        raise ClimateBNError(f"{what}; give nodes= with names, lat and lon, e.g. the NodeData it was learned from")
    known = dict(zip(holder.names, zip(holder.lon, holder.lat, strict=True), strict=True))
    known |= {name: known[own] for name in names if (own := split_name(name)[0]) in known}
    lost = [name for name in names if name not in known]
    if lost:
        raise ClimateBNError(f"nodes has no place for {len(lost)} nodes of the graph: {', '.join(lost[:5])}")
    return np.array([known[name] for name in names], dtype=float)


def _polygons(graph: Any, nodes: Any) -> tuple[str, ...]:
    holder = nodes if nodes is not None else graph
    return tuple(getattr(getattr(holder, "nodes", holder), "polygons", None) or ())


def _edges(shape: Pdag, conflicts: Any) -> tuple[list[tuple[str, str]], list[str]]:
    """Pairs of names and the kind of each; an edge in conflict belongs to no other kind."""
    red = {frozenset((a, b)) for conflict in conflicts for a in conflict.nodes for b in conflict.nodes if a != b}
    pairs = [*shape.directed, *shape.undirected]
    plain = ["directed"] * len(shape.directed) + ["undirected"] * len(shape.undirected)
    return pairs, ["conflict" if frozenset(p) in red else kind for p, kind in zip(pairs, plain, strict=True)]


def _fitted(graph: Any, nodes: Any) -> Any:
    """The network that knows strengths: ``graph`` itself, or its DAG fitted to the data given as ``nodes``."""
    dag = graph if isinstance(graph, Dag) else getattr(graph, "dag", None)
    if hasattr(graph, "arc_loglik") or not isinstance(dag, Dag) or getattr(nodes, "values", None) is None:
        return graph
    from climatebn.network import fit

    return fit(dag, nodes, scale="sd")


def _worth(network: Any) -> tuple[str, dict[frozenset[str], tuple[float, float]]]:
    """What colours mean, and for each pair (log-likelihood that the arc adds, standardised coefficient)."""
    likelihood = getattr(network, "arc_loglik", None)
    if likelihood is None:
        return "", {}
    if hasattr(network, "correlations"):
        pairs, values, measure = network.graph.undirected, network.correlations, "correlation"
    else:
        pairs, values, measure = network.dag.arcs, network.arc_coefficients, "coefficient of the arc [sd per sd]"
        if network.own_units != "sd":
            spread = dict(zip(network.names, network.spread, strict=True))
            values = values * [spread[split_name(a)[0]] / spread[b] for a, b in pairs]
    rows = zip(map(frozenset, pairs), np.asarray(likelihood).tolist(), np.asarray(values).tolist(), strict=True)
    return measure, {pair: (gain, value) for pair, gain, value in rows}
