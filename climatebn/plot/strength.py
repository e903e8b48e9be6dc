"""Arc strength against distance: what a long arc is worth beside the short ones."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator, ScalarFormatter

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.errors import public
from climatebn.plot.checked_table import checked_table
from climatebn.plot.lettering import legend_above, panel_width, set_labels

SHORT, LONG = "#7f9cc0", "#b03a2e"


@public
def strength_distance(
    table: pd.DataFrame, ax: Axes | None = None, *, min_km: float = TELECONNECTION_KM, title: str | None = None
) -> Axes:
    """Strength of each arc against its length; arcs longer than ``min_km`` are red.

    Parameters
    ----------
    table : one row an arc with columns km and strength, as `climatebn.teleconnections(bn, min_km=0)` gives it.
    ax : axes; new ones when left out.
    min_km : great-circle length in km from which arcs are red.
    title : of the axes.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> arcs = pd.DataFrame({"km": [1100.0, 9000.0], "strength": [300.0, 12.0]})
    >>> len(cb.plot.strength_distance(arcs).collections[0].get_offsets())
    2
    """
    table = checked_table(table, "table", "climatebn.teleconnections", numbers=("km", "strength"))
    ax = ax or plt.figure(figsize=(6.4, 4.2), layout="constrained").add_subplot()
    long = (table["km"] > min_km).to_numpy()
    size = float(np.clip(1.8 * panel_width(ax), 3.0, 12.0))
    colours = np.where(long[:, None], to_rgba(LONG, 0.7), to_rgba(SHORT, 0.55))
    ax.scatter(table["km"], table["strength"], s=size, color=colours, linewidths=0)
    ax.axvline(min_km, color="0.5", linewidth=0.8, linestyle=":")
    if (table["strength"] > 0).all():
        ax.set_yscale("log")
        tall = ax.bbox.height / ax.figure.dpi > 1.6
        ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if tall else (1.0,)))
        ax.yaxis.set_major_formatter(ScalarFormatter())
        ax.yaxis.set_minor_locator(NullLocator())
    else:
        ax.set_yscale("symlog", linthresh=1.0)
    ax.set_xlim(left=0)
    ax.locator_params(axis="x", nbins=int(np.clip(1.6 * panel_width(ax), 3, 8)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda km, _: f"{km / 1000:g}"))
    set_labels(ax, "arc length [1000 km]", "strength: BIC lost without the arc [nats]")
    handles = [
        Line2D(
            [], [], linestyle="none", marker="o", markersize=4, color=colour, label=f"{count} {words} {min_km:.0f} km"
        )
        for colour, count, words in ((SHORT, (~long).sum(), "arcs up to"), (LONG, long.sum(), "over"))
    ]
    legend_above(ax, handles, title)
    return ax
