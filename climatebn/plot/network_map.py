"""A network on a map: its strongest arcs as great circles, coloured by coefficient, wider the stronger."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import matplotlib.pyplot as plt
import numpy as np
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import LineCollection
from matplotlib.colors import BoundaryNorm, LinearSegmentedColormap, ListedColormap, Normalize, to_rgba
from matplotlib.lines import Line2D
from matplotlib.quiver import Quiver

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.errors import ClimateBNError, number, public, short
from climatebn.plot.axes import Places, on_map, within
from climatebn.plot.colour_bar import colour_bar
from climatebn.plot.colour_scale import Colours, beyond, colour_map
from climatebn.plot.drawn_arcs import KINDS, DrawnArcs, drawn_arcs
from climatebn.plot.geometry import great_circles, map_lines, project
from climatebn.plot.lettering import letter_size, panel_width, set_title, text_width, wrapped
from climatebn.plot.region_shapes import outlined

COLOURS = {"directed": "0.2", "undirected": "#2b6cb0", "conflict": "#d7301f"}  # where no coefficient is known
WORDS = {"directed": "arc", "undirected": "arc without direction", "conflict": "arc in conflict"}
BLUE_RED = LinearSegmentedColormap.from_list("blue_red", ["#053f8c", "#5b9bd5", "#bdbdbd", "#e8896b", "#a50f15"])
HEAD_LONG, HEAD_SHORT = 0.016, 0.009  # of the width of the axes
FEW = 3
LAG = "lag of the arc [months]"


@public
def network(
    graph: Any,
    ax: GeoAxes | None = None,
    *,
    nodes: Places | None = None,
    top: int | None = None,
    min_km: float = TELECONNECTION_KM,
    show_short: bool = True,
    lag: int | str | None = None,
    arrowheads: bool = True,
    cmap: Colours | None = None,
    norm: Normalize | None = None,
    extent: Sequence[float] | None = None,
    legend: bool = True,
    colorbar: bool = True,
    title: str | None = None,
) -> LineCollection:
    """Draw a network on a map, as many arcs as the eye can follow; arcs longer than ``min_km`` lie on top.

    Colour is the coefficient of an arc (the correlation in a correlation network), width its strength: the
    log-likelihood that it adds, by rank. Strengths come from a fitted network, or from ``nodes`` if that is the data; a
    graph without either is drawn in one colour, the longest arcs first.

    Parameters
    ----------
    graph : a fitted network, a LearnResult, a Dag or a Pdag. In a graph that is not valid, arcs in conflict are red.
    ax : map axes; new ones around the network, or around the Pacific for the whole globe, when None.
    nodes : the NodeData it was learned from, or what has ``names``, ``lat`` and ``lon``.
    top : how many arcs are drawn, the strongest first; when None the 60 strongest over ``min_km`` and the 240 strongest
        of the others. The legend says how many there are.
    min_km : arcs longer than it, teleconnections, are drawn wider and on top.
    show_short : False draws the long arcs alone.
    lag : of a network in time, draw the arcs of this lag alone (months from source to target, 0 within the month); or
        "all", also when None: arcs of all lags, coloured by lag. A place's own past is not drawn.
    arrowheads : show the direction of arcs.
    cmap, norm : colours of coefficients.
    extent : (west, east, south, north) in degrees; when None the region of the network on axes that show all.
    legend, colorbar : whether to draw them.
    title : of the axes.

    Returns
    -------
    the lines, one or more for each arc that is drawn; ``.axes`` and ``.colorbar`` lead to the rest.

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> drawn = cb.plot.network(cb.Dag.from_arcs(data.names, [("X81", "X82"), ("X81", "X441")]), nodes=data)
    >>> [entry.get_text() for entry in drawn.axes.get_legend().get_texts()]
    ['1 arc over 5000 km', '1 arc up to 5000 km']
    """
    number("min_km", min_km)
    if not (lag is None or lag == "all" or (isinstance(lag, int | np.integer) and not isinstance(lag, bool))):
        raise ClimateBNError(f"lag must be a number of months, 'all' or None; got {short(lag)}")
    if top is not None and not (isinstance(top, int | np.integer) and top >= 0):
        raise ClimateBNError(f"top must be a whole number of arcs, 0 or more; got {top!r}")
    arcs = drawn_arcs(graph, nodes, None if lag == "all" else cast("int | None", lag))
    if len(np.unique(arcs.lag)) > 1:
        cmap, norm, arcs = *lag_colours(arcs.lag, cmap, norm), replace(arcs, value=arcs.lag.astype(float), measure=LAG)
    ax = on_map(ax, arcs.places[:, 1], arcs.places[:, 0], extent)
    long = arcs.km > min_km
    rows = arcs.chosen(top, long, show_short)
    rows = rows[np.lexsort((_rank(arcs, rows), long[rows]))]  # long arcs on top, strong ones above weak ones
    lines = _draw(ax, arcs, rows, long, _colours(arcs, rows, long, cmap, norm), arrowheads)
    if arcs.polygons:
        outlined(ax, arcs.polygons)
    _dots(ax, arcs.places)
    below = _explain(ax, arcs, rows, long, min_km) if legend else 0.0
    set_title(ax, title)
    if colorbar and arcs.valued and len(rows):
        side = beyond(arcs.value[rows], lines.norm.vmin, lines.norm.vmax)
        bar = colour_bar(ax, lines, arcs.measure, below=below, extend=side)
        if arcs.measure == LAG:
            months = np.unique(arcs.lag).tolist()
            bar.set_ticks(months, labels=list(map(str, months)))
    return lines


def lag_colours(lag: np.ndarray, cmap: Colours | None, norm: Normalize | None) -> tuple[Any, Normalize]:
    """A colour a lag: dark for the same month, brighter for months before."""
    last = int(lag.max())
    viridis = ListedColormap(plt.get_cmap("viridis")(np.linspace(0.0, 0.85, last + 1)))
    return colour_map(cmap, viridis), norm or BoundaryNorm(np.arange(last + 2) - 0.5, last + 1)


def _rank(arcs: DrawnArcs, rows: np.ndarray) -> np.ndarray:
    """0 for the weakest, 1 for the strongest of some arcs; 0.5 for all where strength is not known."""
    if not arcs.ranked or len(rows) < 2:
        return np.full(len(rows), 0.5)
    return np.asarray(np.argsort(np.argsort(arcs.strength[rows], kind="stable")) / (len(rows) - 1))


def _colours(
    arcs: DrawnArcs, rows: np.ndarray, long: np.ndarray, cmap: Colours | None, norm: Normalize | None
) -> dict[str, Any]:
    """How lines are coloured: by value, or by kind where no value is known.

    The scale is that of long arcs: coefficients among near neighbours, which are almost collinear, can be many times
    larger and have little meaning one by one.
    """
    if not arcs.valued:
        return {"colors": [to_rgba(COLOURS[kind]) for kind in arcs.kind[rows]]}
    telling = rows[long[rows]] if long[rows].sum() >= FEW else rows
    reach = float(np.quantile(np.abs(arcs.value[telling]), 0.95)) if len(telling) else 1.0
    rounded = float(f"{reach or 1.0:.1g}")
    return {"array": arcs.value[rows], "cmap": colour_map(cmap, BLUE_RED), "norm": norm or Normalize(-rounded, rounded)}


def _draw(
    ax: GeoAxes, arcs: DrawnArcs, rows: np.ndarray, long: np.ndarray, colours: dict[str, Any], arrowheads: bool
) -> LineCollection:
    """Great circles, a point every 2° or closer, and arrowheads at the ends of directed ones."""
    start, end, scale = arcs.start[rows], arcs.end[rows], float(np.clip(panel_width(ax) / 4.5, 0.5, 1.3))
    points = int(np.ceil(arcs.km[rows].max(initial=0.0) / 222.0)) + 2
    lines = map_lines(
        ax.projection, list(great_circles(start, end, np.linspace(0.0, 1.0, points))) if len(rows) else []
    )
    owner = np.array(lines.owner, dtype=int)
    widths = scale * np.where(long[rows], 0.7 + 1.1 * _rank(arcs, rows), 0.45 + 0.5 * _rank(arcs, rows))
    look = {key: np.asarray(value)[owner] if key in ("array", "colors") else value for key, value in colours.items()}
    drawn = LineCollection(
        lines.pieces, linewidths=widths[owner], zorder=5, capstyle="round", label=arcs.measure, **look
    )
    within(ax, drawn)
    if arrowheads:
        faces = drawn.to_rgba(arcs.value[rows]) if arcs.valued else np.array(colours["colors"]).reshape(-1, 4)
        for part, size in ((~long[rows], HEAD_SHORT), (long[rows], HEAD_LONG)):
            heads = part & (arcs.kind[rows] == "directed")
            if heads.any():
                _arrowheads(ax, start[heads], end[heads], faces[heads], size)
    return drawn


def _arrowheads(ax: GeoAxes, start: np.ndarray, end: np.ndarray, colours: np.ndarray, size: float) -> None:
    """Triangles that touch the end of each arc, in the direction in which it arrives there."""
    last = project(ax.projection, great_circles(start, end, np.array([0.9985, 0.9995])))
    shown = np.isfinite(last).all(axis=(1, 2))
    tip, way = last[shown, 1], last[shown, 1] - last[shown, 0]
    reach = np.hypot(*way.T)[:, None]
    way = way / np.where(reach > 0, reach, 1.0) * size
    heads = Quiver(
        ax, *tip.T, *way.T, pivot="tip", angles="uv", units="width", scale_units="width", scale=1.0, width=size / 12,
        headwidth=9, headlength=12, headaxislength=11, minlength=0, color=colours[shown], linewidths=0, zorder=5.1,
    )  # fmt: skip
    within(ax, heads)


def _dots(ax: GeoAxes, places: np.ndarray) -> None:
    """A dot at each node, small beside the distance of nodes on the map."""
    spots = project(ax.projection, places)
    apart = 72.0 * panel_width(ax) / np.sqrt(2.0 * max(len(places), 1))  # points
    size = float(np.clip(0.11 * apart, 0.3, 2.5))
    x, y = spots[np.isfinite(spots).all(axis=1)].T
    within(ax, Line2D(x, y, linestyle="none", marker="o", color="0.45", markersize=size, mew=0, zorder=3.5))


def _explain(ax: GeoAxes, arcs: DrawnArcs, rows: np.ndarray, long: np.ndarray, min_km: float) -> float:
    """A legend: each kind of arc, how many of it are drawn, and of how many. Returns its height in points."""
    shown = np.zeros(len(long), dtype=bool)
    shown[rows] = True
    points, inches = letter_size(ax), panel_width(ax)
    handles = []
    for far, reach in ((True, "over"), (False, "up to")):
        for kind in KINDS:
            group = (arcs.kind == kind) & (long == far)
            count, seen = int(group.sum()), int((group & shown).sum())
            if count:
                first = "strongest" if arcs.ranked else "longest"
                said = f"{count}" if seen == count else f"{seen} {first} of {count}" if seen else f"not drawn: {count}"
                words = f"{said} {WORDS[kind].replace('arc', 'arcs' if count > 1 else 'arc')} {reach} {min_km:.0f} km"
                colour = "0.35" if arcs.valued else COLOURS[kind]
                handles.append(
                    Line2D([], [], color=colour if seen else "none", linewidth=1.6 if far else 0.7, label=words)
                )
    if arcs.unplaced:
        words = f"not on the map: {arcs.unplaced} arcs of nodes without a place"
        handles.append(Line2D([], [], color="none", label=words))
    if not handles:
        return 0.0
    longest = max(text_width(str(handle.get_label()), points) for handle in handles)
    columns = 2 if len(handles) > 1 and 2 * (longest + 0.4) < inches else 1
    for handle in handles:
        handle.set_label(wrapped(str(handle.get_label()), inches / columns - 0.3, points))
    lines = sum(str(handle.get_label()).count("\n") + 1 for handle in handles) / columns
    below = ax.figure.get_layout_engine() is not None
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0)} if below else {"loc": "lower center"}
    ax.legend(
        handles=handles, ncols=columns, fontsize=points, frameon=not below, handlelength=1.5, columnspacing=1.2,
        borderaxespad=0.2, labelspacing=0.25, **place,
    )  # fmt: skip
    return 1.3 * points * (int(np.ceil(lines)) + 0.5) if below else 0.0
