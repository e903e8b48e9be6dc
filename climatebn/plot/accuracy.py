"""Accuracy against speed on known networks: simulations in quadrants, and ranks on small and large networks."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from climatebn.errors import ClimateBNError, public, whole
from climatebn.plot.checked_table import checked_table
from climatebn.plot.curves import in_order
from climatebn.plot.style import style_of

LEAST_SPAN = 0.1  # of scaled SHD in a panel, so that next to nothing does not look like much
SIZES = {"small": "n < |Θ|", "large": "n ≥ |Θ|"}
READ = "left: faster · down: more accurate · pale: single simulations · diamonds: means · dotted: means over algorithms"


@public
def quadrants(table: pd.DataFrame, figure: Figure | None = None, *, columns: int = 4) -> Figure:
    """Scaled SHD against calls: a panel a network and sample-size group, all simulations and their means.

    Pale points are single simulations, diamonds the means of an algorithm; dotted lines at the means over all
    algorithms part a panel into four quadrants. Down is more accurate, left is faster.

    Parameters
    ----------
    table : one row a simulation: network, size ("small" or "large" samples), algorithm, scaled_shd and calls.
    figure : to draw in; a new one when left out.
    columns : panels in a row.

    Returns
    -------
    the figure.

    Raises
    ------
    ClimateBNError where columns are missing, or there are no rows.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> columns = ["network", "size", "algorithm", "scaled_shd", "calls"]
    >>> table = pd.DataFrame([("alarm", "small", name, 0.5, calls) for name, calls in (("tabu", 900), ("mmhc", 2000))])
    >>> len(cb.plot.quadrants(table.set_axis(columns, axis=1)).axes)
    1
    """
    texts, numbers = ("network", "algorithm", "size"), ("scaled_shd", "calls")
    table = checked_table(table, "table", texts=texts, numbers=numbers)
    table = table.assign(speed=np.log10(table["calls"].where(table["calls"] > 0)))
    places = [
        (network, size)
        for network in dict.fromkeys(table["network"])
        for size in SIZES
        if ((table["network"] == network) & (table["size"] == size)).any()
    ]
    if not places:
        raise ClimateBNError(f"the column size of the table must hold {' or '.join(map(repr, SIZES))}")
    columns = min(whole("columns", columns, least=1), len(places))
    height = -(-len(places) // columns)
    figure = figure or plt.figure(figsize=(1.2 + 2.5 * columns, 1.4 + 2.2 * height), layout="constrained")
    axes = list(figure.subplots(height, columns, squeeze=False).flat)
    for place, ax in enumerate(axes):
        if place >= len(places):
            ax.set_axis_off()
            continue
        network, size = places[place]
        _panel(ax, table[(table["network"] == network) & (table["size"] == size)])
        ax.set_title(f"{network.upper()}, {SIZES[size]}", fontsize=9)
        if place % columns == 0:
            ax.set_ylabel("SHD / true arcs", fontsize=9)
        if place + columns >= len(places):
            ax.set_xlabel("log10(calls)", fontsize=9)
    legend = figure.legend(
        handles=_entries(table), loc="outside lower center", ncols=5, fontsize=9, frameon=False, title=READ
    )
    legend.get_title().set_fontsize(9)
    return figure


@public
def rank_shift(ranks: pd.DataFrame, figure: Figure | None = None) -> Figure:
    """Mean ranks of the algorithms on small networks against those on large ones; on the line they are the same.

    Parameters
    ----------
    ranks : columns setting, measure, algorithm, small, large (mean ranks; 1 is the fastest or most accurate) and
        correlation (of the setting and measure).
    figure : to draw in; a new one when left out.

    Returns
    -------
    the figure.

    Raises
    ------
    ClimateBNError where columns are missing, or there are no rows.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> ranks = pd.DataFrame({"setting": "BIC", "measure": "speed", "algorithm": ["tabu", "mmhc"], "small": [1, 2]})
    >>> len(cb.plot.rank_shift(ranks.assign(large=[2, 1], correlation=-1.0)).axes)
    1
    """
    texts, numbers = ("setting", "measure", "algorithm"), ("small", "large", "correlation")
    ranks = checked_table(ranks, "ranks", texts=texts, numbers=numbers)
    settings, measures = (list(dict.fromkeys(ranks[name])) for name in ("setting", "measure"))
    size = (1.2 + 2.6 * len(settings), 1.2 + 2.6 * len(measures))
    figure = figure or plt.figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(measures), len(settings), squeeze=False, sharex=True, sharey=True)
    end = float(ranks[["small", "large"]].max().max()) + 0.5
    if not np.isfinite(end):
        raise ClimateBNError("ranks has no finite number to draw")
    for row, measure in enumerate(measures):
        for column, setting in enumerate(settings):
            ax: Any = axes[row, column]
            part = ranks[(ranks["setting"] == setting) & (ranks["measure"] == measure)]
            ax.plot([0.5, end], [0.5, end], color="0.75", linewidth=0.8, zorder=0)
            for item in part.itertuples():
                ax.scatter(item.small, item.large, s=46, marker="D", color=style_of(item.algorithm).colour)
            said = f"\nSpearman {part['correlation'].iloc[0]:.2f}" if len(part) else "\nno network to compare"
            ax.set_title(f"{setting}: {measure}{said}", fontsize=9)
            ax.set_aspect("equal")
            ax.set_xlim(0.5, end)
            ax.set_ylim(0.5, end)
            ax.tick_params(labelsize=8)
            if row == len(measures) - 1:
                ax.set_xlabel("mean rank, under 50 nodes", fontsize=9)
            if column == 0:
                ax.set_ylabel("mean rank, 50 nodes or more", fontsize=9)
    figure.legend(handles=_entries(ranks), loc="outside lower center", ncols=5, fontsize=9, frameon=False)
    return figure


def _panel(ax: Axes, rows: pd.DataFrame) -> None:
    means = rows.groupby("algorithm")[["speed", "scaled_shd"]].mean()
    for algorithm in in_order(rows):
        part, colour = rows[rows["algorithm"] == algorithm], style_of(algorithm).colour
        ax.scatter(part["speed"], part["scaled_shd"], s=7, color=colour, alpha=0.22, linewidths=0)
        x, y = float(part["speed"].mean()), float(part["scaled_shd"].mean())
        ax.scatter([x], [y], s=42, marker="D", color=colour, edgecolors="white", linewidths=0.7, zorder=3)
    ax.axvline(means["speed"].mean(), color="0.45", linewidth=0.8, linestyle=":", zorder=0)
    ax.axhline(means["scaled_shd"].mean(), color="0.45", linewidth=0.8, linestyle=":", zorder=0)
    low, high = ax.get_ylim()
    spare = max(LEAST_SPAN - (high - low), 0) / 2
    ax.set_ylim(low - spare, high + spare)
    ax.tick_params(labelsize=8)


def _entries(table: pd.DataFrame) -> list[Line2D]:
    return [
        Line2D([], [], linestyle="none", marker="D", color=style_of(name).colour, label=style_of(name).label)
        for name in in_order(table)
    ]
