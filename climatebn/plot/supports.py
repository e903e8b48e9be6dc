"""Arcs on a map in the colour of their support: the share of members of an ensemble that have each."""

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, Normalize

from climatebn.errors import ClimateBNError, public, whole
from climatebn.plot.axes import Places, on_map, within
from climatebn.plot.checked_table import checked_table
from climatebn.plot.colour_bar import colour_bar
from climatebn.plot.colour_scale import Colours, colour_map
from climatebn.plot.geometry import great_circles, map_lines
from climatebn.plot.lettering import panel_width, set_title

STEPS = np.linspace(0.0, 1.0, 60)
VIRIDIS = ListedColormap(mpl.colormaps["viridis"](np.linspace(0.8, 0.0, 128)))  # the yellow end is lost on white


@public
def support(
    arcs: pd.DataFrame,
    nodes: Places,
    ax: GeoAxes | None = None,
    *,
    top: int = 80,
    cmap: Colours | None = None,
    norm: Normalize | None = None,
    extent: Sequence[float] | None = None,
    title: str | None = None,
    colorbar: bool = True,
) -> LineCollection:
    """Draw arcs as great circles, the best supported on top and darkest.

    Parameters
    ----------
    arcs : columns source, target and support (0 … 1), as `Ensemble.teleconnections` gives them.
    nodes : what has ``names``, ``lat`` and ``lon``, e.g. NodeData.
    ax : map axes; Pacific-centred ones are made when None.
    top : how many arcs are drawn, the best supported first; the colour bar says of how many.
    extent : (west, east, south, north) in degrees.
    cmap, norm : colours, as in matplotlib.
    title : of the axes.
    colorbar : whether to draw one.

    Returns
    -------
    the lines; ``.axes`` and ``.colorbar`` lead to the rest.

    Raises
    ------
    ClimateBNError where an arc names a node that has no place.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> arcs = pd.DataFrame({"source": ["X1"], "target": ["X40"], "support": [0.9]})
    >>> len(cb.plot.support(arcs, tropics).get_paths()) >= 1
    True
    """
    if nodes.lat is None or nodes.lon is None:
        raise ClimateBNError("nodes has no places; give what has names, lat and lon, e.g. the NodeData")
    place = dict(zip(nodes.names, zip(nodes.lon, nodes.lat, strict=True), strict=True))
    ends = ("source", "target")
    arcs = checked_table(arcs, "arcs", "Ensemble.teleconnections", texts=ends, present=("support",), rows=False)
    top = whole("top", top)
    lost = sorted({*arcs["source"], *arcs["target"]} - set(place))
    if lost:
        raise ClimateBNError(f"nodes has no place for {len(lost)} nodes of the arcs: {', '.join(lost[:5])}")
    ax = on_map(ax, np.asarray(nodes.lat), np.asarray(nodes.lon), extent)
    rising = arcs.sort_values("support", kind="stable").tail(top)
    start, end = (np.array([place[name] for name in rising[side]], dtype=float).reshape(-1, 2) for side in ends)
    lines = map_lines(ax.projection, list(great_circles(start, end, STEPS)))
    shown = rising["support"].to_numpy()[lines.owner]
    said = f", the {len(rising)} best supported of {len(arcs)}" if len(rising) < len(arcs) else ""
    drawn = LineCollection(
        lines.pieces, array=shown, cmap=colour_map(cmap, VIRIDIS), norm=norm or Normalize(0.0, 1.0), zorder=5,
        linewidths=float(np.clip(0.28 * panel_width(ax), 0.5, 1.4)), label=f"share of members that have the arc{said}",
    )  # fmt: skip
    within(ax, drawn)
    set_title(ax, title)
    if colorbar:
        low = np.min(shown, initial=1.0) < drawn.norm.vmin
        colour_bar(ax, drawn, str(drawn.get_label()), extend="min" if low else "neither")
    return drawn
