"""A network on a map: short arcs faint, long arcs on top as great circles, what could not be directed in colour."""

from typing import Any, NamedTuple

import numpy as np
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.errors import ClimateBNError
from climatebn.graph import Dag, Pdag
from climatebn.ingest.grid.distance import great_circle
from climatebn.plot.axes import on_map
from climatebn.plot.geometry import great_circles, map_lines, project

HEAD_INCHES = 0.07
FEW, MANY = 80, 800  # long and short arcs that can be drawn without fading


class Look(NamedTuple):
    """How one kind of arc is drawn, short and long ones."""

    short: str
    long: str
    words: str


LOOKS = {
    "directed": Look("0.55", "black", "arcs"),
    "undirected": Look("#6baed6", "#08519c", "arcs without direction"),
    "conflict": Look("#d7301f", "#d7301f", "arcs in conflict"),
}


def network(
    graph: Any,
    ax: GeoAxes | None = None,
    *,
    nodes: Any = None,
    min_km: float = TELECONNECTION_KM,
    show_short: bool = True,
    arrowheads: bool = True,
    legend: bool = True,
    title: str | None = None,
) -> dict[str, LineCollection]:
    """Draw a network on a map; arcs longer than ``min_km`` are drawn dark and on top, the stronger the darker.

    Parameters
    ----------
    graph : a fitted network, a LearnResult, a Dag or a Pdag. In a graph that is not valid, arcs in conflict are red.
    nodes : what has ``names``, ``lat`` and ``lon`` (e.g. NodeData), when ``graph`` itself does not know its places.
    show_short : False draws the long arcs alone.

    Returns
    -------
    the lines by kind: "directed", "directed long", "undirected", "undirected long", "conflict", "conflict long"; a kind
    that does not occur is left out.
    """
    shape = _shape(graph)
    place = _places(graph, nodes, shape.names)
    ax = on_map(ax)
    worth = _worth(graph, shape)
    artists: dict[str, LineCollection] = {}
    counts: dict[str, int] = {}
    for kind, pairs in _kinds(shape, getattr(graph, "conflicts", ())).items():
        pairs = pairs[np.isfinite(place[pairs]).all(axis=(1, 2))]  # a node without a place has no arcs on the map
        if not len(pairs):
            continue
        start, end = place[pairs[:, 0]], place[pairs[:, 1]]
        long = _km(start, end) > min_km
        strength = np.array([worth.get((a, b), np.nan) for a, b in pairs.tolist()])
        look, heads = LOOKS[kind], arrowheads and kind == "directed"
        for key, chosen, colour, faded, layer in (
            (kind, ~long & show_short, look.short, np.full(len(pairs), _faint(len(pairs), MANY)), 4.0),
            (f"{kind} long", long, look.long, _fading(strength, long), 5.0),
        ):
            if chosen.any():
                colours = [to_rgba(colour, alpha) for alpha in faded[chosen]]
                artists[key] = _draw(ax, start[chosen], end[chosen], np.array(colours), layer, heads)
                counts[key] = int(chosen.sum())
    spots = project(ax.projection, place)
    ax.plot(*spots[np.isfinite(spots).all(axis=1)].T, "o", color="0.45", markersize=1.0, zorder=3.5)
    if legend and artists:
        _explain(ax, counts, min_km, faded=bool(worth))
    if title is not None:
        ax.set_title(title, fontsize=10)
    return artists


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
    """(lon, lat) of each node of the graph."""
    holder: Any = nodes if nodes is not None else getattr(graph, "nodes", None)
    if getattr(holder, "lat", None) is None or getattr(holder, "lon", None) is None:
        what = "nodes has no places" if nodes is not None else "the graph does not know where its nodes are"
        raise ClimateBNError(f"{what}; give nodes= with names, lat and lon, e.g. the NodeData it was learned from")
    known = dict(zip(holder.names, zip(holder.lon, holder.lat, strict=True), strict=True))
    lost = [name for name in names if name not in known]
    if lost:
        raise ClimateBNError(f"nodes has no place for {len(lost)} nodes of the graph: {', '.join(lost[:5])}")
    return np.array([known[name] for name in names], dtype=float)


def _kinds(shape: Pdag, conflicts: Any) -> dict[str, np.ndarray]:
    """Pairs of node numbers by the way they are drawn; an edge in conflict belongs to no other kind."""
    number = {name: i for i, name in enumerate(shape.names)}
    troubled = [[number[name] for name in conflict.nodes] for conflict in conflicts]
    red = {frozenset((a, b)) for nodes in troubled for a in nodes for b in nodes if a != b}
    edges = {"directed": shape.numbered_arcs.tolist(), "undirected": shape.numbered_undirected.tolist()}
    kinds = {kind: [pair for pair in pairs if frozenset(pair) not in red] for kind, pairs in edges.items()}
    kinds["conflict"] = [pair for pair in shape.numbered_skeleton.tolist() if frozenset(pair) in red]
    return {kind: np.array(pairs) for kind, pairs in kinds.items() if pairs}


def _km(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    return great_circle(start[:, 1], start[:, 0], end[:, 1], end[:, 0])


def _worth(graph: Any, shape: Pdag) -> dict[tuple[int, int], float]:
    """What each arc adds to the log-likelihood, where the network knows it."""
    known = getattr(graph, "arc_loglik", None)
    if known is None:
        return {}
    pairs = np.concatenate([shape.numbered_arcs, shape.numbered_undirected]).tolist()
    return dict(zip(map(tuple, pairs), np.asarray(known).tolist(), strict=True))


def _faint(arcs: int, few: int) -> float:
    """Opacity of arcs when there are more than a few of them."""
    return float(np.clip(few / max(arcs, 1), 0.1, 1.0))


def _fading(strength: np.ndarray, long: np.ndarray) -> np.ndarray:
    """Opacity of long arcs: a few are all dark; of many, the stronger the darker, so that they can be told apart."""
    opacity = np.full(len(long), _faint(int(long.sum()), FEW))
    if np.isfinite(strength[long]).all():
        rank = np.argsort(np.argsort(strength[long])) / max(int(long.sum()) - 1, 1)
        opacity[long] += (1.0 - opacity[long]) * rank**6
    return opacity


def _draw(
    ax: GeoAxes, start: np.ndarray, end: np.ndarray, colours: np.ndarray, layer: float, heads: bool
) -> LineCollection:
    """Great circles, a point every 2° or closer; opaque arcs are wider and lie on top."""
    order = np.argsort(colours[:, 3], kind="stable")
    start, end, colours = start[order], end[order], colours[order]
    points = int(np.ceil(_km(start, end).max() / 222.0)) + 2
    lines = map_lines(ax.projection, list(great_circles(start, end, np.linspace(0.0, 1.0, points))))
    width = 0.4 + 0.4 * colours[:, 3]
    drawn = LineCollection(
        lines.pieces, colors=colours[lines.owner], linewidths=width[lines.owner], zorder=layer, capstyle="round"
    )
    ax.add_collection(drawn, autolim=False)
    if heads:
        _arrowheads(ax, start, end, colours, layer, HEAD_INCHES if layer > 4 else HEAD_INCHES / 2)
    return drawn


def _arrowheads(
    ax: GeoAxes, start: np.ndarray, end: np.ndarray, colours: np.ndarray, layer: float, size: float
) -> None:
    """Triangles that touch the end of each arc, in the direction in which it arrives there."""
    last = project(ax.projection, great_circles(start, end, np.array([0.9985, 0.9995])))
    shown = np.isfinite(last).all(axis=(1, 2))
    tip, way = last[shown, 1], last[shown, 1] - last[shown, 0]
    reach = np.hypot(*way.T)[:, None]
    way = way / np.where(reach > 0, reach, 1.0) * size
    shaft = size / 12  # hidden behind the head
    ax.quiver(
        *tip.T, *way.T, pivot="tip", angles="uv", units="inches", scale_units="inches", scale=1.0, width=shaft,
        headwidth=10, headlength=12, headaxislength=12, minlength=0, color=colours[shown], linewidths=0, zorder=layer,
    )  # fmt: skip


def _explain(ax: GeoAxes, counts: dict[str, int], min_km: float, faded: bool) -> None:
    """A legend under the map: each kind of arc, how many there are of it, and whether weak ones are faded."""
    handles = []
    for kind, look in LOOKS.items():
        for key, colour, reach in ((kind, look.short, "up to"), (f"{kind} long", look.long, "over")):
            if key in counts:
                darker = ", the stronger the darker" if faded and reach == "over" and counts[key] > FEW else ""
                label = f"{counts[key]} {look.words} {reach} {min_km:.0f} km{darker}"
                handles.append(Line2D([], [], color=colour, linewidth=1.4, label=label))
    longest = max(len(str(handle.get_label())) for handle in handles)
    ax.legend(
        handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2 if longest < 45 else 1, fontsize=8,
        frameon=False, handlelength=1.5, columnspacing=1.2,
    )  # fmt: skip
