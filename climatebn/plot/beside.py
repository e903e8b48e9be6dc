"""Measures of networks against γ with several ways of learning beside each other, on the same scales."""

from collections.abc import Mapping
from typing import Literal

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from climatebn.errors import ClimateBNError, public, unknown
from climatebn.plot.curves import PANELS, cells_of, curve, gamma_axis, in_order, line

BASELINES: dict[str, tuple[str, Literal["-", "--", ":"]]] = {
    "vstructure_baseline": ("0.25 − |A|/C(N, 2)", "-"),
    "collider_baseline": ("0.25", "--"),
    "vstructure_simulated": ("random DAGs", ":"),
    "collider_simulated": ("random DAGs", ":"),
}


@public
def side_by_side(
    tables: Mapping[str, pd.DataFrame],
    figure: Figure | None = None,
    *,
    measures: Mapping[str, str] = PANELS,
    baselines: Mapping[str, tuple[str, ...]] | None = None,
) -> Figure:
    """A column a table, a row a measure, as in `study_panels`.

    Parameters
    ----------
    tables : tables as `study_panels` takes them, by title.
    figure : to draw in; a new one when left out.
    measures : columns to draw and their labels; ``calls`` is drawn as log10.
    baselines : for a measure, the columns that hold what is expected at random.

    Returns
    -------
    the figure.

    Raises
    ------
    ClimateBNError where columns are missing.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> table = pd.DataFrame({"algorithm": "tabu", "gamma": [0.5, 1.0], "order": 0, "valid": True, "arcs": [90, 60]})
    >>> figure = cb.plot.side_by_side({"first": table, "second": table}, measures={"arcs": "arcs"}, baselines={})
    >>> len(figure.axes)
    2
    """
    baselines = {"vstructure_ratio": ("vstructure_baseline",)} if baselines is None else baselines
    if not tables or not measures:
        raise ClimateBNError("tables and measures must have one entry or more")
    at_random = [name for measure in measures for name in baselines.get(measure, ())]
    if strange := [name for name in at_random if name not in BASELINES]:
        raise unknown("baseline", strange[0], BASELINES)
    tables = {title: cells_of(table, f"tables[{title!r}]", measures, at_random) for title, table in tables.items()}
    if lost := [name for name in at_random if any(name not in table for table in tables.values())]:
        raise ClimateBNError(f"tables must each have the column {lost[0]}, or leave it out of baselines")
    size = (4.9 * len(tables), 1.2 + 2.7 * len(measures))
    figure = figure or plt.figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(measures), len(tables), sharex=True, sharey="row", squeeze=False)
    drawn: dict[str, Line2D] = {}
    for column, (title, table) in enumerate(tables.items()):
        for row, (measure, label) in enumerate(measures.items()):
            ax = axes[row, column]
            for algorithm in in_order(table):
                curve(ax, table[table["algorithm"] == algorithm], measure, algorithm)
            gamma_axis(ax, label if column == 0 else "", table["gamma"])
            for name in baselines.get(measure, ()):
                words, style = BASELINES[name]
                mean = table.groupby("gamma")[name].mean()
                ax.plot(mean.index, mean, color="0.4", linewidth=1, linestyle=style)
                drawn[words] = Line2D([], [], color="0.4", linewidth=1, linestyle=style, label=words)
        axes[0, column].set_title(title, fontsize=11)
    first = next(iter(tables.values()))
    entries = [line(algorithm) for algorithm in in_order(first)]
    entries.append(Line2D([], [], marker="D", linestyle="none", markerfacecolor="0.3", color="0.3", label="not valid"))
    figure.legend(handles=[*entries, *drawn.values()], loc="outside lower center", ncols=4, fontsize=9, frameon=False)
    return figure
