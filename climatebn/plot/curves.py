"""The two figures of the studies: measures against γ, and accuracy against speed."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from climatebn.errors import ClimateBNError
from climatebn.plot.style import ALGORITHM_STYLES, style_of

PANELS = {
    "calls": "log10(calls of the criterion)",
    "loglik": "log-likelihood [nats]",
    "arcs": "number of arcs",
    "vstructure_ratio": "unshielded v-structure ratio",
}
GAMMA_TICKS = (0, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
LEAST_SPAN = 0.1  # of scaled SHD in a panel, so that next to nothing does not look like much
NEAR_ZERO = 0.5  # γ below it is drawn on a linear scale, above on a logarithmic one


def study_panels(table: pd.DataFrame, figure: Figure | None = None) -> Figure:
    """Four panels against γ: calls, log-likelihood, arcs, unshielded v-structure ratio.

    A point is one column order, a diamond the mean over orders, joined by lines; filled marks are graphs that are not
    valid (which have no log-likelihood).

    Parameters
    ----------
    table : one row a cell, with columns algorithm, gamma, order, calls, loglik, arcs, vstructure_ratio and valid; with
        a column ``vstructure_baseline`` the ratio expected at random is drawn too.
    """
    _need(table, ("algorithm", "gamma", "order", "valid", *PANELS))
    table = table.assign(calls=np.log10(table["calls"].astype(float)))
    figure = figure or plt.figure(figsize=(9.5, 7.2), layout="constrained")
    axes = dict(zip(PANELS, figure.subplots(2, 2, sharex=True).flat, strict=True))
    for algorithm in _in_order(table):
        rows = table[table["algorithm"] == algorithm]
        for measure, ax in axes.items():
            _curve(ax, rows, measure, algorithm)
    if "vstructure_baseline" in table:
        baseline = table.groupby("gamma")["vstructure_baseline"].mean()
        axes["vstructure_ratio"].plot(baseline.index, baseline, color="0.4", linewidth=1, label="at random")
    for measure, ax in axes.items():
        _gamma_axis(ax, PANELS[measure], table["gamma"])
    entries = [_line(algorithm) for algorithm in _in_order(table)]
    entries.append(Line2D([], [], marker="D", linestyle="none", markerfacecolor="0.3", color="0.3", label="not valid"))
    if "vstructure_baseline" in table:
        entries.append(Line2D([], [], color="0.4", linewidth=1, label="random baseline"))
    figure.legend(handles=entries, loc="outside lower center", ncols=4, fontsize=9, frameon=False)
    return figure


def quadrants(table: pd.DataFrame, figure: Figure | None = None, *, columns: int = 4) -> Figure:
    """Scaled SHD against calls, one panel a network; dotted lines at the means part it into four quadrants.

    Down is more accurate, left is faster. Colour is the algorithm, shape the criterion, filled marks are large samples
    (n ≥ |Θ|) and open ones small samples.

    Parameters
    ----------
    table : columns network, algorithm, criterion, size ("small" or "large"), scaled_shd and calls.
    """
    _need(table, ("network", "algorithm", "criterion", "size", "scaled_shd", "calls"))
    networks = list(dict.fromkeys(table["network"]))
    columns = min(columns, len(networks))
    height = -(-len(networks) // columns)
    figure = figure or plt.figure(figsize=(1.2 + 2.5 * columns, 1.4 + 2.2 * height), layout="constrained")
    axes = list(figure.subplots(height, columns, squeeze=False).flat)
    shapes = dict(zip(dict.fromkeys(table["criterion"]), "o^sDvP", strict=False))
    for ax, name in zip(axes, networks, strict=False):
        rows = table[table["network"] == name]
        for (algorithm, criterion, size), part in rows.groupby(["algorithm", "criterion", "size"]):
            colour = style_of(algorithm).colour
            face = colour if size == "large" else "none"
            ax.scatter(
                np.log10(part["calls"]), part["scaled_shd"], s=26, marker=shapes[criterion], facecolors=face,
                edgecolors=colour, linewidths=1.1,
            )  # fmt: skip
        ax.axvline(np.log10(rows["calls"]).mean(), color="0.6", linewidth=0.8, linestyle=":", zorder=0)
        ax.axhline(rows["scaled_shd"].mean(), color="0.6", linewidth=0.8, linestyle=":", zorder=0)
        low, high = ax.get_ylim()
        spare = max(LEAST_SPAN - (high - low), 0) / 2
        ax.set_ylim(low - spare, high + spare)
        ax.set_title(name, fontsize=9)
        ax.tick_params(labelsize=8)
    for place, ax in enumerate(axes):
        if place % columns == 0:
            ax.set_ylabel("SHD / true arcs", fontsize=9)
        if place + columns >= len(networks):
            ax.set_xlabel("log10(calls)", fontsize=9)
        ax.set_axis_on() if place < len(networks) else ax.set_axis_off()
    dot: dict[str, Any] = {"linestyle": "none", "color": "0.3", "markersize": 6}
    entries = [
        Line2D([], [], linestyle="none", marker="s", color=style_of(name).colour, label=style_of(name).label)
        for name in _in_order(table)
    ]
    if len(shapes) > 1:
        entries += [Line2D([], [], marker=mark, label=name, **dot) for name, mark in shapes.items()]
    if table["size"].nunique() > 1:
        entries.append(Line2D([], [], marker="o", label="large samples", **dot))
        entries.append(Line2D([], [], marker="o", markerfacecolor="none", label="small samples", **dot))
    figure.legend(handles=entries, loc="outside lower center", ncols=min(6, columns + 2), fontsize=9, frameon=False)
    return figure


def _curve(ax: Any, rows: pd.DataFrame, measure: str, algorithm: str) -> None:
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


def _gamma_axis(ax: Any, label: str, gammas: pd.Series) -> None:
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


def _line(algorithm: str) -> Line2D:
    look = style_of(algorithm)
    return Line2D([], [], color=look.colour, linestyle=look.line, marker="D", markerfacecolor="white", label=look.label)


def _in_order(table: pd.DataFrame) -> list[str]:
    present = [style_of(name) and name for name in table["algorithm"].unique()]
    return [name for name in ALGORITHM_STYLES if name in present]


def _need(table: pd.DataFrame, columns: tuple[str, ...]) -> None:
    lost = [name for name in columns if name not in table]
    if lost:
        raise ClimateBNError(f"table has no column {', '.join(lost)}; it has {', '.join(map(str, table.columns))}")
    if table.empty:
        raise ClimateBNError("table has no rows to draw")
