"""Figures that only the climate study has: a graph that is not valid, panels against γ, colliders, held-out months."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from cartopy.crs import LambertAzimuthalEqualArea
from matplotlib.figure import Figure

from climatebn import plot
from climatebn.ingest import NodeData
from climatebn.ingest.grid.place_names import place_name
from climatebn.learning import LearnResult
from climatebn.plot.style import style_of

ZOOM_KM = 2100.0  # from the centre of a zoom to its upper and lower side
CROWDED = 60.0  # degrees of latitude from which nodes lie too close for a zoom


def invalid_figure(result: LearnResult, data: NodeData, title: str) -> Figure:
    """A graph that is no CPDAG on a map, with zooms into the two places with most conflicts."""
    figure = plt.figure(figsize=(9, 8.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1.25, 1))
    plot.network(result, plot.map_axes(grid[0, :], figure=figure), nodes=data, title=title)
    for place, node in enumerate(busiest_nodes(result, data)):
        lat, lon = float(data.lat[node]), float(data.lon[node])
        ax = plot.map_axes(grid[1, place], figure=figure, projection=LambertAzimuthalEqualArea(lon, lat))
        plot.network(result, ax, nodes=data, legend=False)
        ax.set(xlim=(-1400 * ZOOM_KM, 1400 * ZOOM_KM), ylim=(-1000 * ZOOM_KM, 1000 * ZOOM_KM))  # in metres
        ax.set_title(f"around {place_name(lat, lon)}", fontsize=9)
    return figure


def panels_figure(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Calls (as bnlearn counts them), log-likelihood, arcs and v-structures against γ, a column a scheme."""
    counted = {title: table.assign(calls=table["calls_bnlearn"]) for title, table in tables.items()}
    return plot.side_by_side(counted)


def colliders_figure(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Unshielded v-structures, and all colliders, each beside what is expected at random; a column a scheme."""
    measures = {"vstructure_ratio": "unshielded v-structures / pairs", "collider_ratio": "all colliders / pairs"}
    baselines = {
        "vstructure_ratio": ("vstructure_baseline", "vstructure_simulated"),
        "collider_ratio": ("vstructure_baseline", "collider_baseline", "collider_simulated"),
    }
    return plot.side_by_side(tables, measures=measures, baselines=baselines)


def held_out_figure(tables: Mapping[str, pd.DataFrame], months: int) -> Figure:
    """Log-likelihood of a month that was not learned from, against the number of arcs; a column a scheme."""
    figure = plt.figure(figsize=(0.6 + 5.4 * len(tables), 4.8), layout="constrained")
    axes = figure.subplots(1, len(tables), sharex=True, sharey=True, squeeze=False)[0]
    for ax, (title, rows) in zip(axes, tables.items(), strict=True):
        for algorithm, part in rows.groupby("algorithm", sort=False):
            look = style_of(str(algorithm))
            ax.plot(
                part["arcs"], part["heldout_loglik"] / months, color=look.colour, linestyle=look.line, linewidth=1,
                marker="o", markersize=3.5, label=look.label,
            )  # fmt: skip
        ax.margins(y=0.15)
        ax.set_xscale("log")
        ax.set_title(title, fontsize=11)
        ax.set_xlabel("number of arcs", fontsize=9)
        ax.grid(color="0.92", linewidth=0.6)
        ax.tick_params(labelsize=8)
    axes[0].set_ylabel("log-likelihood of a held-out month [nats]", fontsize=9)
    axes[0].legend(fontsize=9, frameon=False)
    for ax, rows in zip(axes, tables.values(), strict=True):
        best = rows.iloc[int(np.argmax(rows["heldout_loglik"]))]
        at = (best["arcs"], best["heldout_loglik"] / months)
        across = float(ax.transLimits.transform(ax.transScale.transform(at))[0])  # 0 at the left side, 1 at the right
        side = "left" if across < 0.35 else "right" if across > 0.65 else "center"
        words = f"best: {style_of(best['algorithm']).label}, γ = {best['gamma']:g}, {best['arcs']:.0f} arcs"
        ax.annotate(words, at, fontsize=9, xytext=(0, 6), textcoords="offset points", ha=side, va="bottom")
    return figure


def busiest_nodes(result: LearnResult, data: NodeData) -> list[int]:
    """The two nodes, apart from each other and from the poles, with most nodes of conflicts around them."""
    number = {name: i for i, name in enumerate(data.names)}
    troubled = [number[name] for conflict in result.conflicts for name in conflict.nodes]
    km = data.distances()
    around = np.where(np.abs(data.lat) < CROWDED, (km[:, troubled] <= ZOOM_KM).sum(axis=1), -1)
    first = int(np.argmax(around))
    return [first, int(np.argmax(np.where(km[first] > 2 * ZOOM_KM, around, -2)))]
