"""What evidence does to the rest of the world: the change in the probability of extremes, on a Pacific-centred map.

Red is for warm extremes, P(X ≥ threshold), blue for cold ones, P(X ≤ −threshold). Colours come in steps of 0.1 that
begin at ±0.05; smaller changes are left blank, on the map and on the colour bar.
"""

from typing import Any

import matplotlib as mpl
import numpy as np
import xarray as xr
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patheffects import Normal, Stroke

from climatebn.errors import ClimateBNError
from climatebn.plot.axes import on_map
from climatebn.plot.fields import DIVERGING, cells, colour_bar, flat
from climatebn.plot.geometry import map_lines
from climatebn.plot.mesh import cell_bounds
from climatebn.plot.stippling import disagreement, stipple

BLANK, STEP = 0.05, 0.1


def propagation(
    post: xr.Dataset,
    ax: GeoAxes | None = None,
    *,
    reach: tuple[float, float] | None = None,
    title: str | None = None,
    colorbar: bool = True,
) -> QuadMesh:
    """Draw how evidence changes the probability of extremes; evidence nodes are boxed.

    The answer of an ensemble is stippled where fewer than 90 % of its members agree on the sign of the change.

    Parameters
    ----------
    post : what `climatebn.propagate` gives. With both tails, a cell shows the tail whose probability rises more.
    ax : map axes; Pacific-centred ones are made when None.
    reach : lowest and highest change on the colour scale, e.g. (−0.3, 0.8), to give several maps the same one; as far
        as ``post`` reaches when None. `change` tells what a map will show.

    Returns
    -------
    the mesh; its ``.axes`` and ``.colorbar`` lead to the rest.
    """
    tail = str(post.attrs.get("tail", "upper"))
    shown = flat(change(post))
    ax = on_map(ax)
    levels = _levels(shown.values if reach is None else np.array(reach))
    norm = BoundaryNorm(levels, len(levels) - 1, clip=True)
    mesh = cells(ax, shown, norm=norm, cmap=_colours(levels, cold=tail == "lower"))
    doubtful = disagreement(post)
    if doubtful is not None:
        stipple(ax, doubtful)
    if "evidence" in post:
        evidence_boxes(ax, post["evidence"])
    if title is not None:
        ax.set_title(title, fontsize=10)
    if colorbar:
        bar = colour_bar(ax, mesh, _words(post, tail), ticks=levels, spacing="proportional", drawedges=True)
        size = np.abs(levels) if tail == "both" else levels
        every = 1 if len(levels) <= 14 else 2
        named = np.flatnonzero(np.rint((np.abs(levels) - BLANK) / STEP) % every == 0)
        bar.set_ticks(levels[named].tolist(), labels=[f"{level:.2f}".replace("-", "−") for level in size[named]])
        bar.ax.tick_params(labelsize=7)
    return mesh


def evidence_boxes(ax: GeoAxes, mask: xr.DataArray, **style: Any) -> LineCollection:
    """Outline the cells where ``mask`` (lat, lon) is true."""
    mask = flat(mask)
    south, north = cell_bounds(mask["lat"].values.astype(float))
    west, east = cell_bounds(mask["lon"].values.astype(float), 360.0)
    zero, one, up = np.zeros(8), np.ones(8), np.linspace(0.0, 1.0, 8)
    eastwards, northwards = np.concatenate([up, one, up[::-1], zero]), np.concatenate([zero, up, one, up[::-1]])
    boxes = []
    for row, column in np.argwhere(mask.values.astype(bool)):
        bottom, top = max(south[row], -90.0), min(north[row], 90.0)
        lon = west[column] + (east[column] - west[column]) * eastwards
        boxes.append(np.column_stack([lon, bottom + (top - bottom) * northwards]))
    halo = [Stroke(linewidth=3.2, foreground="white"), Normal()]  # seen on dark cells too
    look = {"colors": "black", "linewidths": 1.6, "zorder": 6, "path_effects": halo, **style}
    drawn = LineCollection(map_lines(ax.projection, boxes).pieces, label="evidence", **look)
    ax.add_collection(drawn, autolim=False)
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
    warm, cold = (post[name].clip(min=0.0) for name in names)
    return xr.where(warm >= cold, warm, -cold)


def _levels(values: np.ndarray) -> np.ndarray:
    """Class borders …, −0.15, −0.05, 0.05, 0.15, … as far as the values reach on each side."""
    if not np.isfinite(values).any():
        raise ClimateBNError("the difference has no finite value to draw")
    below, above = (
        max(1, int(np.ceil((reach - BLANK) / STEP - 1e-9))) for reach in (-np.nanmin(values), np.nanmax(values))
    )
    return np.concatenate([-BLANK - STEP * np.arange(below, -1, -1), BLANK + STEP * np.arange(above + 1)]).round(9)


def _colours(levels: np.ndarray, cold: bool) -> ListedColormap:
    """One colour a class: white around 0, darker with distance from it, by the same measure on both sides."""
    middle = ((levels[:-1] + levels[1:]) / 2.0).round(9)
    strength = np.sign(middle) * (0.15 + 0.85 * np.abs(middle) / np.abs(middle).max())
    colours = mpl.colormaps[DIVERGING](0.5 + (-strength if cold else strength) / 2.0)
    colours[middle == 0] = 1.0
    return ListedColormap(colours)


def _words(post: xr.Dataset, tail: str) -> str:
    """What the colours are, in probabilities."""
    units = str(post.attrs.get("threshold_units", ""))
    limit = f"{float(post.attrs.get('threshold', 1.0)):g} {units}".rstrip()
    evidence = str(post.attrs.get("given") or "evidence")
    if tail == "both":
        return f"rise of the probability given {evidence}: ◀ cold, X ≤ −{limit}    |    warm, X ≥ {limit} ▶"
    event = f"X ≥ {limit}" if tail == "upper" else f"X ≤ −{limit}"
    return f"P({event} | {evidence}) − P({event})"
