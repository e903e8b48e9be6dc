"""Arcs on a map in the colour of their support: the share of members of an ensemble that have each."""

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, Normalize

from climatebn.errors import ClimateBNError
from climatebn.plot.axes import on_map
from climatebn.plot.fields import colour_bar
from climatebn.plot.geometry import great_circles, map_lines

STEPS = np.linspace(0.0, 1.0, 60)


def support(
    arcs: pd.DataFrame, nodes: Any, ax: GeoAxes | None = None, *, title: str | None = None, colorbar: bool = True
) -> LineCollection:
    """Draw arcs as great circles, the best supported on top and darkest.

    Parameters
    ----------
    arcs : columns source, target and support (0 … 1), as `Ensemble.teleconnections` gives them.
    nodes : what has ``names``, ``lat`` and ``lon``, e.g. NodeData.
    """
    place = dict(zip(nodes.names, zip(nodes.lon, nodes.lat, strict=True), strict=True))
    lost = sorted({*arcs["source"], *arcs["target"]} - set(place))
    if lost:
        raise ClimateBNError(f"nodes has no place for {len(lost)} nodes of the arcs: {', '.join(lost[:5])}")
    ax = on_map(ax)
    rising = arcs.sort_values("support", kind="stable")
    start, end = (
        np.array([place[name] for name in rising[side]], dtype=float).reshape(-1, 2) for side in ("source", "target")
    )
    lines = map_lines(ax.projection, list(great_circles(start, end, STEPS)))
    shown = rising["support"].to_numpy()[lines.owner]
    colours = ListedColormap(mpl.colormaps["viridis"](np.linspace(0.8, 0.0, 128)))  # the yellow end is lost on white
    drawn = LineCollection(lines.pieces, array=shown, cmap=colours, norm=Normalize(0.5, 1.0), linewidths=1.1, zorder=5)
    ax.add_collection(drawn, autolim=False)
    if title is not None:
        ax.set_title(title, fontsize=10)
    if colorbar:
        colour_bar(
            ax,
            drawn,
            "share of members that have the arc",
            extend="min" if np.min(shown, initial=1.0) < 0.5 else "neither",
        )
    return drawn
