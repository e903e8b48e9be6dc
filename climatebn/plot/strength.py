"""Arc strength against distance: what a long arc is worth beside the short ones."""

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.ticker import LogLocator, NullLocator, ScalarFormatter

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.errors import ClimateBNError

SHORT, LONG = "#7f9cc0", "#b03a2e"


def strength_distance(
    table: pd.DataFrame, ax: Axes | None = None, *, min_km: float = TELECONNECTION_KM, title: str | None = None
) -> dict[str, PathCollection]:
    """Strength of each arc against its length; arcs longer than ``min_km`` stand out.

    Parameters
    ----------
    table : one row an arc with columns km and strength, as `climatebn.teleconnections(bn, min_km=0)` gives it.

    Returns
    -------
    the points by kind, "short" and "long".

    >>> arcs = pd.DataFrame({"km": [1100.0, 9000.0], "strength": [300.0, 12.0]})
    >>> list(strength_distance(arcs))
    ['short', 'long']
    """
    lost = [name for name in ("km", "strength") if name not in table]
    if lost or table.empty:
        raise ClimateBNError(f"table needs rows with columns km and strength; it has {len(table)} rows, no {lost}")
    ax = ax or plt.figure(figsize=(6.4, 4.2), layout="constrained").add_subplot()
    long = table["km"] > min_km
    parts: dict[str, tuple[pd.DataFrame, str, dict[str, Any]]] = {
        "short": (table[~long], "up to", {"color": SHORT, "s": 10, "alpha": 0.55}),
        "long": (table[long], "over", {"color": LONG, "s": 11, "marker": "D", "alpha": 0.7}),
    }
    points = {
        name: ax.scatter(part["km"], part["strength"], label=f"{len(part)} arcs {words} {min_km:.0f} km", lw=0, **look)
        for name, (part, words, look) in parts.items()
    }
    ax.axvline(min_km, color="0.5", linewidth=0.8, linestyle=":")
    if (table["strength"] > 0).all():
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.yaxis.set_major_formatter(ScalarFormatter())
        ax.yaxis.set_minor_locator(NullLocator())
    else:
        ax.set_yscale("symlog", linthresh=1.0)
    ax.set_xlim(left=0)
    ax.set_xlabel("arc length [km]", fontsize=10)
    ax.set_ylabel("strength: BIC lost without the arc [nats]", fontsize=10)
    ax.tick_params(labelsize=9)
    ax.grid(color="0.92", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.legend(fontsize=9, frameon=False, loc="upper right")
    if title is not None:
        ax.set_title(title, fontsize=10)
    return points
