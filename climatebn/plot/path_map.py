"""Open paths between two places on a map: red where a path adds to their covariance, blue where it takes from it."""

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.patheffects import Normal, Stroke

from climatebn.errors import ClimateBNError, public, whole
from climatebn.ingest.grid.place_names import place_name
from climatebn.ingest.grid.region_table import with_titles
from climatebn.plot.axes import Places, on_map
from climatebn.plot.checked_table import checked_table
from climatebn.plot.geometry import great_circles, map_lines, project
from climatebn.plot.lettering import panel_width, plain, run_layout, set_title, text_width, wrapped

STEPS = np.linspace(0.0, 1.0, 40)
ADDS, TAKES = "#c0271d", "#2166ac"


@public
def paths(
    table: pd.DataFrame,
    nodes: Places,
    ax: GeoAxes | None = None,
    *,
    top: int = 10,
    title: str | None = None,
    legend: bool = True,
) -> LineCollection:
    """Draw the paths with the largest shares as great circles with the direction of their arcs; the ends are named.

    Parameters
    ----------
    table : what `GaussianBN.paths` gives.
    nodes : what has ``names``, ``lat`` and ``lon``: the network, or NodeData.
    ax : map axes; new ones around the network, or around the Pacific for the whole globe, when None.
    top : how many paths are drawn. An arc on several of them has the colour and width of the largest share.
    title : of the axes.
    legend : tell covariance and shares under the map.

    Returns
    -------
    the lines, one or more pieces an arc. The arcs between a region and its own nodes are not drawn.

    Raises
    ------
    ClimateBNError where ``nodes`` has no places.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> bn = cb.fit(cb.Dag.from_arcs(tropics.names, [("X1", "X2"), ("X2", "X9")]), tropics, scale="sd")
    >>> drawn = cb.plot.paths(bn.paths("X1", "X9"), bn)
    >>> len(drawn.get_paths()) >= 2
    True
    """
    if nodes.lat is None or nodes.lon is None:
        raise ClimateBNError("nodes has no places; give what has names, lat and lon, e.g. the NodeData")
    place = dict(zip(nodes.names, zip(nodes.lon, nodes.lat, strict=True), strict=True))
    table = checked_table(table, "table", "bn.paths", texts=("path",), lists=("nodes",), present=("share",), rows=False)
    shown = table.head(whole("top", top))
    try:
        shares = _arcs(shown, place)
    except ValueError:
        raise ClimateBNError("table must be what bn.paths gives; a path has not the arrows of its nodes") from None
    if not shares:
        raise ClimateBNError("table has no path to draw; see bn.paths(a, b)")
    lat, lon = (np.asarray(degrees, dtype=float) for degrees in (nodes.lat, nodes.lon))
    known = np.isfinite(lat) & np.isfinite(lon)
    ax = on_map(ax, lat[known], lon[known])
    order = sorted(shares, key=lambda arc: abs(shares[arc]))  # the largest on top
    start, end = (np.array([place[arc[side]] for arc in order], dtype=float) for side in (0, 1))
    size = np.array([abs(shares[arc]) for arc in order]) / max(map(abs, shares.values()))
    hues = [ADDS if shares[arc] > 0 else TAKES for arc in order]
    colours = np.array([to_rgba(hue, 0.45 + 0.55 * part) for hue, part in zip(hues, size, strict=True)])
    width = ax.get_window_extent().width / ax.figure.dpi  # inches
    lines = map_lines(ax.projection, list(great_circles(start, end, STEPS)))
    drawn = LineCollection(
        lines.pieces, colors=colours[lines.owner], linewidths=(0.09 * width * (1 + 2 * size))[lines.owner], zorder=5,
        capstyle="round", label="paths",
    )  # fmt: skip
    drawn.set_in_layout(False)
    ax.add_collection(drawn, autolim=False)
    _heads(ax, start, end, colours, 0.014 * width + 0.03)
    _ends(ax, table, place, {name for arc in order for name in arc}, letter=float(np.clip(1.3 * width, 6, 10)))
    set_title(ax, title)
    if legend:
        _explain(ax, table, shown, place, float(np.clip(1.2 * width, 5.5, 8)))
    return drawn


def _arcs(shown: pd.DataFrame, place: dict[str, Any]) -> dict[tuple[str, str], float]:
    """The largest share among the paths of each arc (from, to) whose ends have places."""
    shares: dict[tuple[str, str], float] = {}
    for path, nodes, share in zip(shown["path"], shown["nodes"], shown["share"], strict=True):
        for (first, second), arrow in zip(pairwise(nodes), path.split(" ")[1::2], strict=True):
            arc = (first, second) if arrow == "→" else (second, first)
            known = first in place and second in place and np.isfinite([*place[first], *place[second]]).all()
            if known and abs(share) > abs(shares.get(arc, 0.0)):
                shares[arc] = share
    return shares


def _heads(ax: GeoAxes, start: np.ndarray, end: np.ndarray, colours: np.ndarray, size: float) -> None:
    """A triangle in the middle of each arc, in its direction: the ends are crowded."""
    middle = project(ax.projection, great_circles(start, end, np.array([0.55, 0.57])))
    kept = np.isfinite(middle).all(axis=(1, 2))
    tip, way = middle[kept, 1], middle[kept, 1] - middle[kept, 0]
    reach = np.hypot(*way.T)[:, None]
    way = way / np.where(reach > 0, reach, 1.0) * size
    heads = ax.quiver(
        *tip.T, *way.T, pivot="tip", angles="uv", units="inches", scale_units="inches", scale=1.0, width=size / 12,
        headwidth=10, headlength=12, headaxislength=12, minlength=0, color=colours[kept], linewidths=0, zorder=5.5,
    )  # fmt: skip
    heads.set_in_layout(False)


def _ends(ax: GeoAxes, table: pd.DataFrame, place: dict[str, Any], drawn: set[str], letter: float) -> None:
    """Dots at the nodes of the paths, and the names of the two ends."""
    spots = project(ax.projection, np.array([place[name] for name in sorted(drawn)], dtype=float))
    ax.plot(*spots.T, "o", color="0.2", markersize=letter / 4, zorder=6)
    for side in ("source", "target"):
        name = str(table.attrs.get(side, ""))
        if name in drawn:
            ((x, y),) = project(ax.projection, np.array([place[name]], dtype=float))
            ax.plot(x, y, "o", color="black", markersize=letter / 2, zorder=6.5)
            halo = [Stroke(linewidth=2.5, foreground="white"), Normal()]
            down = -1.4 if y > np.mean(ax.get_ylim()) else 0.7  # away from the nearer edge, where other words are
            ax.annotate(
                name, (x, y), xytext=(letter / 3, down * letter), textcoords="offset points", fontsize=letter,
                fontweight="bold", zorder=7, path_effects=halo,
            )  # fmt: skip


def _explain(ax: GeoAxes, table: pd.DataFrame, shown: pd.DataFrame, place: dict[str, Any], letter: float) -> None:
    """Under the map: the covariance, what the paths of each sign add to it, and what all others do."""
    handles, inches = [], panel_width(ax) - 0.15
    for colour, chosen in ((ADDS, shown["share"] > 0), (TAKES, shown["share"] < 0)):
        if chosen.any():
            noun = "path" if chosen.sum() == 1 else "paths"
            handles.append(_line(f"{int(chosen.sum())} {noun}: {shown['share'][chosen].sum():+.2g}", colour))
    head = None
    if "covariance" in table.attrs:
        ends = [str(table.attrs[side]) for side in ("source", "target")]
        spots = [f"{name} ({place_name(*place[name][::-1])})" if name in place else with_titles(name) for name in ends]
        total = float(table.attrs["covariance"])
        told = f"covariance of {spots[0]} and {spots[1]}: {total:.2g}".replace("-", "−")
        head = wrapped(plain(told), inches, letter)
        handles.append(_line(f"all other paths: {total - shown['share'].sum():+.2g}", "none"))
    each = max(text_width(str(handle.get_label()), letter) + 3 * letter / 72 for handle in handles)
    columns = int(np.clip(inches / each, 1, len(handles)))
    words = ax.legend(
        handles=handles, title=head, loc="upper center", bbox_to_anchor=(0.5, -0.01), ncols=columns,
        fontsize=letter, title_fontsize=letter, frameon=False, handlelength=1.2, columnspacing=1.2,
    )  # fmt: skip
    words.get_title().set_multialignment("center")
    run_layout(ax.figure)


def _line(label: str, colour: str) -> Line2D:
    return Line2D([], [], color=colour, linewidth=1.6, label=label.replace("-", "−"))
