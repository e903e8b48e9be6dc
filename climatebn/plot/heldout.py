"""Log-likelihood of seen and held-out months against the number of arcs: where more arcs stop to help."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from climatebn.errors import public
from climatebn.plot.checked_table import checked_table
from climatebn.plot.lettering import legend_above, set_labels

LOOKS = {"seen": ("months learned from", "0.55", "-"), "held_out": ("months held out", "#08519c", "--")}


@public
def goodness(table: pd.DataFrame, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw what `climatebn.analysis.goodness` gives: the mean log-likelihood of a month along a search.

    Parameters
    ----------
    table : columns arcs, seen and held_out (nats a month).
    ax : axes; new ones when left out.
    title : of the axes.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> steps = pd.DataFrame({"arcs": [0, 1, 2], "seen": [-3.0, -2.0, -1.5], "held_out": [-3.1, -2.2, -2.3]})
    >>> len(cb.plot.goodness(steps).lines)
    2
    """
    columns = ("arcs", "seen", "held_out")
    table = checked_table(table, "table", "climatebn.analysis.goodness", numbers=columns, rows=False)
    if ax is None:
        ax = plt.figure(figsize=(6.4, 4.2), layout="constrained").add_subplot()
    for name, (words, colour, line) in LOOKS.items():
        ax.plot(table["arcs"], table[name], color=colour, linestyle=line, linewidth=1.6, label=words)
    set_labels(ax, "number of arcs", "log-likelihood of a month [nats]")
    legend_above(ax, ax.lines[-len(LOOKS) :], title)
    return ax
