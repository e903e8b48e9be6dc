"""Measures of networks against γ, the penalty that they were learned with."""

from collections.abc import Iterable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from climatebn.errors import public
from climatebn.plot.checked_table import checked_table
from climatebn.plot.style import shown_order, style_of

PANELS = {
    "calls": "log10(calls of the criterion)",
    "loglik": "log-likelihood [nats]",
    "arcs": "number of arcs",
    "vstructure_ratio": "unshielded v-structure ratio",
}
GAMMA_TICKS = (0, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
NEAR_ZERO = 0.5  # γ below it is drawn on a linear scale, above on a logarithmic one


@public
def study_panels(table: pd.DataFrame, figure: Figure | None = None) -> Figure:
    """Four panels against γ: calls, log-likelihood, arcs, unshielded v-structure ratio.

    A point is one column order, a diamond the mean over orders, joined by lines; filled marks are graphs that are not
    valid (which have no log-likelihood).

    Parameters
    ----------
    table : one row a cell, with columns algorithm, gamma, order, calls, loglik, arcs, vstructure_ratio and valid; with
        a column ``vstructure_baseline`` the ratio expected at random is drawn too.
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
    >>> cells = {"algorithm": "tabu", "gamma": [0.5, 1.0], "order": 0, "valid": True, "calls": [1000, 800]}
    >>> table = pd.DataFrame({**cells, "loglik": [-900.0, -950.0], "arcs": [90, 60], "vstructure_ratio": [0.2, 0.1]})
    >>> len(cb.plot.study_panels(table).axes)
    4
    """
    table = cells_of(table, "table", PANELS, ["vstructure_baseline"])
    figure = figure or plt.figure(figsize=(9.5, 7.2), layout="constrained")
    axes = dict(zip(PANELS, figure.subplots(2, 2, sharex=True).flat, strict=True))
    for algorithm in in_order(table):
        rows = table[table["algorithm"] == algorithm]
        for measure, ax in axes.items():
            curve(ax, rows, measure, algorithm)
    if "vstructure_baseline" in table:
        baseline = table.groupby("gamma")["vstructure_baseline"].mean()
        axes["vstructure_ratio"].plot(baseline.index, baseline, color="0.4", linewidth=1, label="at random")
    for measure, ax in axes.items():
        gamma_axis(ax, PANELS[measure], table["gamma"])
    entries = [line(algorithm) for algorithm in in_order(table)]
    entries.append(Line2D([], [], marker="D", linestyle="none", markerfacecolor="0.3", color="0.3", label="not valid"))
    if "vstructure_baseline" in table:
        entries.append(Line2D([], [], color="0.4", linewidth=1, label="random baseline"))
    figure.legend(handles=entries, loc="outside lower center", ncols=4, fontsize=9, frameon=False)
    return figure


def curve(ax: Any, rows: pd.DataFrame, measure: str, algorithm: str) -> None:
    """All column orders of one algorithm as points, their means as joined diamonds."""
    look = style_of(algorithm)
    for valid, part in rows.groupby("valid"):
        face = "none" if valid else look.colour
        ax.scatter(
            part["gamma"], part[measure], s=9, facecolors=face, edgecolors=look.colour, linewidths=0.6, alpha=0.6
        )
    mean = rows.groupby("gamma").agg(value=(measure, "mean"), valid=("valid", "any")).dropna()
    ax.plot(mean.index, mean["value"], color=look.colour, linewidth=1.0, linestyle=look.line, alpha=0.8)
    for valid, part in mean.groupby("valid"):
        face = "white" if valid else look.colour
        ax.scatter(part.index, part["value"], s=26, marker="D", facecolors=face, edgecolors=look.colour, zorder=3)


def gamma_axis(ax: Any, label: str, gammas: pd.Series) -> None:
    """γ along x, the numbers near zero spread out."""
    ax.set_xscale("symlog", linthresh=NEAR_ZERO, linscale=0.5)
    ax.set_xticks(GAMMA_TICKS, labels=[f"{tick:g}" for tick in GAMMA_TICKS])
    ax.set_xticks([], minor=True)
    ax.set_xlim(0.8 * gammas.min() if gammas.min() > 0 else -0.08, 1.2 * gammas.max() + 0.05)
    ax.set_xlabel("γ (weight of log N in the penalty)", fontsize=9)
    ax.xaxis.set_tick_params(labelbottom=True)
    ax.set_ylabel(label, fontsize=9)
    ax.tick_params(labelsize=8)
    ax.grid(color="0.92", linewidth=0.6)
    ax.set_axisbelow(True)


def line(algorithm: str) -> Line2D:
    """The entry of a legend."""
    look = style_of(algorithm)
    return Line2D([], [], color=look.colour, linestyle=look.line, marker="D", markerfacecolor="white", label=look.label)


def in_order(table: pd.DataFrame) -> list[str]:
    """The algorithms of a table in the order of legends."""
    present = [style_of(name) and name for name in table["algorithm"].unique()]
    known = [name for name in shown_order() if name in present]
    return [*known, *(name for name in present if name not in known)]


def cells_of(table: pd.DataFrame, name: str, measures: Iterable[str], baselines: Iterable[str]) -> pd.DataFrame:
    """The columns that curves need of a table of cells; the calls as log10."""
    numbers = ("order", "valid", *measures)
    table = checked_table(
        table, name, texts=("algorithm",), present=("gamma",), numbers=numbers, optional=tuple(baselines)
    )
    return table.assign(calls=np.log10(table["calls"].where(table["calls"] > 0))) if "calls" in table else table
