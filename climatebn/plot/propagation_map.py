"""What evidence does to the rest of the world: the change in the probability of extremes, on a map.

Red is for high extremes, P(X ≥ threshold), blue for low ones, P(X ≤ −threshold); of temperatures they are called warm
and cold. Colours come in steps of 0.1 that begin at ±0.05; smaller changes are left blank, on the map and on the bar.
"""

import json
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import xarray as xr
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import BoundaryNorm, ListedColormap, Normalize
from matplotlib.patheffects import Normal, Stroke

from climatebn.analysis.tails import NOTICEABLE
from climatebn.errors import ClimateBNError, public
from climatebn.ingest.field.units import temperature_unit
from climatebn.ingest.grid.place_names import place_name
from climatebn.ingest.grid.region_table import with_titles
from climatebn.plot.axes import on_map, within
from climatebn.plot.colour_bar import colour_bar
from climatebn.plot.colour_scale import DIVERGING, Colours, Side, colour_scale
from climatebn.plot.field_map import cells, flat, own_grid, with_missing
from climatebn.plot.geometry import map_lines
from climatebn.plot.lettering import panel_width, plain, set_title
from climatebn.plot.mask_outline import mask_outline
from climatebn.plot.region_shapes import covered, outlined
from climatebn.plot.stippling import disagreement, stipple

BLANK, STEP = NOTICEABLE, 0.1
DOTTED = "\ndotted: fewer than 90 % of members agree on the sign"


class ChangeNorm(BoundaryNorm):
    """Classes …, −0.15, −0.05, 0.05, 0.15, … as far as changes reach on each side.

    For the lower ``tail`` the colours turn round; for both, rises of the lower one stand on the left without a sign.
    """

    def __init__(self, low: float, high: float, tail: str = "upper") -> None:
        below, above = (max(1, int(np.ceil((reach - BLANK) / STEP - 1e-9))) for reach in (-low, high))
        steps = [-BLANK - STEP * np.arange(below, -1, -1), BLANK + STEP * np.arange(above + 1)]
        levels = np.concatenate(steps).round(9)
        self.tail, self.unsigned = tail, tail == "both"
        super().__init__(levels, len(levels) - 1, clip=True)

    @property
    def colours(self) -> ListedColormap:
        """One colour a class: white around 0, darker with distance from it, by the same measure on both sides."""
        middle = ((self.boundaries[:-1] + self.boundaries[1:]) / 2.0).round(9)
        strength = np.sign(middle) * (0.15 + 0.85 * np.abs(middle) / np.abs(middle).max())
        colours = mpl.colormaps[DIVERGING](0.5 + (-strength if self.tail == "lower" else strength) / 2.0)
        colours[middle == 0] = 1.0
        return ListedColormap(colours)


@public
def propagation(
    post: xr.Dataset,
    ax: GeoAxes | None = None,
    *,
    reach: tuple[float, float] | None = None,
    cmap: Colours | None = None,
    norm: Normalize | None = None,
    levels: int | Sequence[float] | None = None,
    extend: Side | None = None,
    extent: Sequence[float] | None = None,
    title: str | None = None,
    colorbar: bool = True,
) -> Any:
    """Draw how evidence changes the probability of extremes; nodes with evidence are outlined.

    Of a network in time each lead is a panel of a new figure, and a list of what is drawn in each comes back.

    The answer of an ensemble is dotted where fewer than 90 % of its members agree on the sign of the change.

    Parameters
    ----------
    post : what `climatebn.propagate` gives. With both tails, a cell shows the tail whose probability rises more.
    ax : map axes; new ones around the network, or around the Pacific for the whole globe, when None.
    reach : lowest and highest change on the colour scale, e.g. (−0.3, 0.8); as far as ``post`` reaches when None.
        `shared_colorbar` gives several maps one scale and one bar.
    cmap, norm, levels, extend : other colours than classes of 0.1 that begin at ±0.05; as in `field`.
    extent : (west, east, south, north) in degrees.
    title : of the axes.
    colorbar : whether to draw one.

    Returns
    -------
    the mesh; its ``.axes`` and ``.colorbar`` lead to the rest. Of several leads a list of meshes.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> bn = cb.fit(cb.Dag.from_arcs(tropics.names, [("X1", "X2")]), tropics, scale="sd")
    >>> drawn = cb.plot.propagation(cb.propagate(bn, {"X1": 2.0}), title="given 2 sd at X1")
    >>> drawn.axes.get_title()
    'given 2 sd at X1'
    """
    tail = str(post.attrs.get("tail", "upper"))
    post = own_grid(post, change(post))
    if "lead" in change(post).dims:
        from climatebn.plot.lead_panels import lead_panels

        if ax is not None:
            raise ClimateBNError("ax= is for one month; choose one with post.sel(lead=3), or leave ax out for all")
        look = {"cmap": cmap, "norm": norm, "levels": levels, "extend": extend, "extent": extent, "title": title}
        return lead_panels(post, **look | ({} if reach is None else {"reach": reach}))
    shown = flat(change(post))
    if not np.isfinite(shown.values).any():
        raise ClimateBNError("the difference has no finite value to draw")
    words = with_missing(_words(post, tail), shown)
    words += DOTTED if disagreement(post) is not None else ""
    own = cmap is None and norm is None and levels is None
    if own:
        ends = (float(shown.min()), float(shown.max())) if reach is None else reach
        classes = ChangeNorm(*ends, tail)
        look, side = {"norm": classes, "cmap": classes.colours}, "neither"
    else:
        low, high = (None, None) if reach is None else reach
        scale = colour_scale(
            shown, diverging=True, vmin=low, vmax=high, cmap=cmap, norm=norm, levels=levels, extend=extend
        )
        look, side = {"norm": scale.norm, "cmap": scale.cmap}, scale.extend
    ax = on_map(ax, *covered(shown), extent)
    mesh = cells(ax, shown, **look)
    doubtful = disagreement(post)
    if doubtful is not None:
        stipple(ax, doubtful)
    mesh.set_label(words)
    if "evidence" in post:
        evidence_boxes(ax, post["evidence"])
    set_title(ax, title)
    if colorbar:
        spacing = {"spacing": "proportional", "drawedges": True} if own else {"extend": side}
        colour_bar(ax, mesh, words, **spacing)
    return mesh


@public
def evidence_boxes(ax: GeoAxes, mask: xr.DataArray, **style: Any) -> LineCollection | PathCollection:
    """Outline the cells, those side by side as one, or the polygons of regions, where ``mask`` is true.

    Parameters
    ----------
    ax : cartopy map axes.
    mask : (lat, lon) or (node), true where evidence is.
    **style : linewidth, color and so on.

    Returns
    -------
    the outlines.

    Raises
    ------
    ClimateBNError where ``ax`` is no map.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> bn = cb.fit(cb.Dag.from_arcs(tropics.names, [("X1", "X2")]), tropics, scale="sd")
    >>> post = cb.propagate(bn, {"X1": 2.0})
    >>> len(cb.plot.evidence_boxes(cb.plot.map_axes(), post["evidence"]).get_paths())
    1
    """
    mask = flat(mask)
    width = float(np.clip(0.3 * panel_width(ax), 0.7, 1.6))
    halo = [Stroke(linewidth=2.0 * width, foreground="white"), Normal()]  # seen on dark cells too
    if mask.dims == ("node",):
        texts = mask["polygon"].values[mask.values.astype(bool)] if "polygon" in mask.coords else []
        look = {"edgecolors": "black", "linewidths": width, "zorder": 6, "path_effects": halo, **style}
        return outlined(ax, [str(text) for text in texts], label="evidence", **look)
    around = mask_outline(mask.values.astype(bool), mask["lat"].values, mask["lon"].values)
    look = {"colors": "black", "linewidths": width, "zorder": 6, "path_effects": halo, **style}
    drawn = LineCollection(map_lines(ax.projection, around).pieces, label="evidence", capstyle="projecting", **look)
    within(ax, drawn)
    return drawn


def change(post: xr.Dataset) -> xr.DataArray:
    """What a map shows: the difference of one tail; of both, the larger rise, that of the lower tail as negative."""
    tail = str(post.attrs.get("tail", "upper"))
    names = ("difference_upper", "difference_lower") if tail == "both" else ("difference",)
    lost = [name for name in names if name not in post]
    if lost:
        raise ClimateBNError(f"post must be what climatebn.propagate gives; it has no {lost[0]!r}, only {list(post)}")
    if tail != "both":
        return post["difference"]
    above, below = (post[name].clip(min=0.0) for name in names)
    return xr.where(above >= below, above, -below).where(post[names[0]].notnull())


def _words(post: xr.Dataset, tail: str) -> str:
    """What the colours are, in probabilities."""
    units = str(post.attrs.get("threshold_units", ""))
    limit = f"{float(post.attrs.get('threshold', 1.0)):g} {units}".rstrip()
    evidence = _given(post, units)
    if tail == "both":
        low, high = ("cold", "warm") if temperature_unit(post.attrs.get("data_units")) else ("low", "high")
        return plain(f"◀ {low}, X ≤ −{limit} | {high}, X ≥ {limit} ▶\nrise of the probability given {evidence}")
    event = f"X ≥ {limit}" if tail == "upper" else f"X ≤ −{limit}"
    return plain(f"P({event} | {evidence}) − P({event})")


def _given(post: xr.Dataset, units: str) -> str:
    """The evidence in words; with its place, where it is one node."""
    values = json.loads(str(post.attrs.get("evidence", "{}")))
    numbers = {name: value for name, value in values.items() if isinstance(value, int | float)}  # an interval is none
    said = ", ".join(f"{name} = {value:g} {units}".rstrip() for name, value in list(numbers.items())[:3])
    said = with_titles(str(post.attrs.get("given") or (f"{said}, …" if len(values) > 3 else said) or "evidence"))
    mask = post.get("evidence")
    if len(values) == 1 and mask is not None and int(mask.sum()) == 1 and set(mask.dims) == {"lat", "lon"}:
        (name,), (cell,) = values, np.argwhere(mask.transpose("lat", "lon").values)
        place = place_name(float(mask["lat"][cell[0]]), float(mask["lon"][cell[1]]))
        said = said if place in said else said.replace(name, f"{name} ({place})", 1)
    return said
