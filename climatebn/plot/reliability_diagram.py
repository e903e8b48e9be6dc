"""Forecast probabilities against observed frequency: a reliable forecast lies on the diagonal."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from climatebn.errors import public
from climatebn.plot.checked_table import checked_table
from climatebn.plot.lettering import legend_above, set_labels


@public
def reliability(table: pd.DataFrame, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw what `Hindcast.reliability` gives; the area of a point is its share of the forecasts.

    Parameters
    ----------
    table : classes of probability with columns forecast, observed and count.
    ax, title : where it is drawn (a new figure when None), and what stands over it.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> table = pd.DataFrame({"forecast": [0.1, 0.9], "observed": [0.2, 0.8], "count": [90, 10]})
    >>> len(cb.plot.reliability(table).collections)
    1
    """
    columns = ("forecast", "observed", "count")
    table = checked_table(table, "table", "Hindcast.reliability", numbers=columns, rows=False)
    if ax is None:
        ax = plt.figure(figsize=(4.2, 4.2), layout="constrained").add_subplot()
    rows = table[table["count"] > 0]
    (diagonal,) = ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, label="reliable")
    (line,) = ax.plot(rows["forecast"], rows["observed"], color="#b2182b", linewidth=1.4, label="forecasts")
    area = 12 + 160 * rows["count"] / rows["count"].sum()
    points = ax.scatter(rows["forecast"], rows["observed"], s=area, color="#b2182b", alpha=0.6, linewidths=0, zorder=3)
    points.set_clip_on(False)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    set_labels(ax, "forecast probability", "observed frequency")
    legend_above(ax, [line, diagonal], title)
    return ax
