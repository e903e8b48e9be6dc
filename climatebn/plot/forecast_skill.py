"""Scores of forecasts against the months ahead, a curve a model."""

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from climatebn.errors import public, unknown
from climatebn.plot.checked_table import checked_table
from climatebn.plot.lettering import legend_above, plain, set_labels, set_title

LOOKS = {
    "network": ("network", "#b2182b", "-", 2.2),
    "lim": ("linear inverse model", "#2166ac", "-", 1.4),
    "damped_by_month": ("damped persistence by month", "#1b7837", "-", 1.4),
    "damped_persistence": ("damped persistence", "#1b7837", ":", 1.4),
    "persistence": ("persistence", "0.45", "--", 1.2),
    "climatology": ("climatology", "0.45", ":", 1.2),
}
MEASURES = {
    "correlation": "correlation with the observed",
    "rmse": "root mean squared error",
    "crps": "continuous ranked probability score",
}


@public
def skill(
    table: pd.DataFrame,
    measure: str = "correlation",
    ax: Axes | None = None,
    *,
    legend: bool = True,
    title: str | None = None,
) -> Axes:
    """Draw one score of several models against the lead.

    Parameters
    ----------
    table : what `Hindcast.skill` gives.
    measure : "correlation", "rmse" or "crps".
    ax, title : where it is drawn (a new figure when None), and what stands over it.
    legend : False leaves it out, for panels that share one.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> table = pd.DataFrame({"model": ["network"] * 2, "lead": [1, 2], "correlation": [0.9, 0.8]})
    >>> len(cb.plot.skill(table).lines)
    1
    """
    if not isinstance(measure, str) or measure not in MEASURES:
        raise unknown("measure", measure, MEASURES)
    table = checked_table(table, "table", "Hindcast.skill", texts=("model",), present=("lead",), numbers=(measure,))
    if ax is None:
        ax = plt.figure(figsize=(5.6, 4.0), layout="constrained").add_subplot()
    drawn: list[Any] = []
    known = [name for name in LOOKS if name in set(table["model"])]
    for name in [*known, *(other for other in table["model"].unique() if other not in LOOKS)]:
        rows = table[table["model"] == name].dropna(subset=[measure]).sort_values("lead")
        words, colour, line, width = LOOKS.get(name, (plain(name), "0.2", "-.", 1.2))
        if len(rows):
            drawn += ax.plot(
                rows["lead"], rows[measure], line, color=colour, linewidth=width, marker="o", markersize=3, label=words
            )
    units = table.attrs.get("units", {})
    units = str(units.get(measure, "")) if isinstance(units, dict) else ""
    set_labels(ax, "lead [months]", MEASURES[measure] + (f" [{units}]" if units else ""))
    ax.set_xticks(sorted(table["lead"].unique()))
    if legend:
        legend_above(ax, drawn, title)
    else:
        set_title(ax, title)
    return ax
