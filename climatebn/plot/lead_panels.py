"""The months after evidence beside each other: one map a lead, one colour scale, one bar."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from climatebn.errors import ClimateBNError, public
from climatebn.plot.axes import map_axes
from climatebn.plot.checked_table import checked_table
from climatebn.plot.lettering import legend_above, letter_size, set_labels
from climatebn.plot.propagation_map import change, propagation
from climatebn.plot.shared_bar import shared_colorbar

MOST_COLUMNS = 3


def lead_panels(post: xr.Dataset, figure: Any = None, **look: Any) -> list[Any]:
    """A map for each lead of what `climatebn.propagate` gives for a network in time; ``look`` goes to each map."""
    leads = post["lead"].values.tolist()
    columns = min(MOST_COLUMNS, len(leads))
    rows = int(np.ceil(len(leads) / columns))
    if figure is None:
        tall = 3.4 * float(np.clip(np.ptp(post["lat"].values) / max(np.ptp(post["lon"].values), 1.0), 0.2, 0.8))
        figure = plt.figure(figsize=(3.4 * columns, (tall + 0.3) * rows + 0.8), layout="constrained")
    shown = change(post)
    look = {"reach": (float(shown.min()), float(shown.max())), "title": None} | look
    title = look.pop("title")
    drawn = []
    for place, lead in enumerate(leads):
        ax = map_axes((rows, columns, place + 1), figure=figure)
        words = "the same month" if lead == 0 else f"{lead} month{'s' * (lead > 1)} later"
        drawn.append(propagation(post.sel(lead=lead), ax, title=words, colorbar=False, **look))
    shared_colorbar(drawn)
    if title:
        figure.suptitle(title, fontsize=letter_size(drawn[0].axes) + 1.5)
    return drawn


@public
def delayed_answer(tables: dict[str, pd.DataFrame], ax: Axes | None = None, *, label: str | None = None) -> Axes:
    """The answer of a region lead by lead, with its interval: a curve for each table.

    Parameters
    ----------
    tables : by name, what `DynamicEnsemble.region_mean` gives: lead, mean, low, high. A table of lead 0 alone, e.g. of
        an ensemble of one month, is drawn as a point.
    ax : matplotlib axes; new ones when None.
    label : of the vertical axis.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> table = pd.DataFrame({"lead": [0, 1], "mean": [0.0, 0.1], "low": [-0.1, 0.0], "high": [0.1, 0.2]})
    >>> cb.plot.delayed_answer({"Indian Ocean": table}).get_xlabel()
    'months after the evidence'
    """
    if not tables:
        raise ClimateBNError("tables is empty; give what DynamicEnsemble.region_mean returned, by name")
    columns = ("lead", "mean", "low", "high")
    clean = {str(name): checked_table(table, f"the table of {name}", numbers=columns) for name, table in tables.items()}
    if ax is None:
        ax = plt.figure(figsize=(4.8, 3.0), layout="constrained").add_subplot()
    ax.axhline(0.0, color="0.6", linewidth=0.8)
    for number, (name, table) in enumerate(clean.items()):
        colour = f"C{number}"
        if len(table) == 1:
            error = [table["mean"] - table["low"], table["high"] - table["mean"]]
            ax.errorbar(table["lead"], table["mean"], error, fmt="o", color=colour, capsize=3, label=name)
        else:
            ax.fill_between(table["lead"], table["low"], table["high"], color=colour, alpha=0.2, linewidth=0)
            ax.plot(table["lead"], table["mean"], marker="o", markersize=3, color=colour, label=name)
    set_labels(ax, "months after the evidence", label or "mean change of the probability")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(tables) > 1:
        legend_above(ax, ax.get_legend_handles_labels()[0], None)
    return ax
