"""Figures that only the climate study has: a graph that is not valid, the panels against γ, held-out likelihood."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from cartopy.crs import PlateCarree
from matplotlib.figure import Figure

from climatebn import plot
from climatebn.ingest import NodeData
from climatebn.learn import LearnResult
from climatebn.plot.style import style_of

ZOOM = (70.0, 40.0)  # degrees of longitude and latitude in a zoom


def invalid_figure(result: LearnResult, data: NodeData, title: str) -> Figure:
    """A graph that is no CPDAG on a map, with zooms into the two places with most conflicts."""
    figure = plt.figure(figsize=(9, 8.2), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(1.6, 1))
    plot.network(result, plot.map_axes(grid[0, :], figure=figure), nodes=data, title=title)
    for place, (west, south) in enumerate(busiest_places(result, data)):
        centre = west + ZOOM[0] / 2
        ax = plot.map_axes(grid[1, place], figure=figure, projection=PlateCarree(centre))
        plot.network(result, ax, nodes=data, legend=False)
        ax.set_extent([-ZOOM[0] / 2, ZOOM[0] / 2, south, south + ZOOM[1]], crs=PlateCarree(centre))
        edges = [_longitude(west), _longitude(west + ZOOM[0]), _latitude(south), _latitude(south + ZOOM[1])]
        ax.set_title("{}–{}, {}–{}".format(*edges), fontsize=9)
    return figure


def panels_figure(table: pd.DataFrame) -> Figure:
    """Calls, log-likelihood, arcs and v-structures against γ."""
    return plot.study_panels(table[(table["months"] == "all") & table["ended"]])


def held_out_figure(table: pd.DataFrame, months: int) -> Figure:
    """Log-likelihood of a month that was not learned from, against the number of arcs."""
    figure = plt.figure(figsize=(7.4, 4.8), layout="constrained")
    ax = figure.add_subplot()
    rows = table[(table["months"] == "training") & table["heldout_loglik"].notna()]
    for algorithm, part in rows.groupby("algorithm", sort=False):
        look = style_of(str(algorithm))
        ax.plot(
            part["arcs"], part["heldout_loglik"] / months, color=look.colour, linestyle=look.line, linewidth=1,
            marker="o", markersize=3.5, label=look.label,
        )  # fmt: skip
        best = part.iloc[int(np.argmax(part["heldout_loglik"]))]
        ax.annotate(
            f"γ = {best['gamma']:g}", (best["arcs"], best["heldout_loglik"] / months), color=look.colour, fontsize=8,
            xytext=(0, 5), textcoords="offset points", ha="center",
        )  # fmt: skip
    ax.set_xscale("log")
    ax.set_xlabel("number of arcs", fontsize=9)
    ax.set_ylabel("log-likelihood of a held-out month [nats]", fontsize=9)
    ax.grid(color="0.92", linewidth=0.6)
    ax.tick_params(labelsize=8)
    ax.legend(fontsize=9, frameon=False)
    return figure


def busiest_places(result: LearnResult, data: NodeData) -> list[tuple[float, float]]:
    """(west, south) of the two windows, apart from each other, that hold most nodes of conflicts."""
    number = {name: i for i, name in enumerate(data.names)}
    nodes = [number[name] for conflict in result.conflicts for name in conflict.nodes]
    lon, lat = data.lon[nodes], data.lat[nodes]
    windows = [(west, south) for west in np.arange(-180.0, 180.0, 10.0) for south in np.arange(-80.0, 41.0, 10.0)]

    def held(window: tuple[float, float]) -> int:
        west, south = window
        return int((((lon - west) % 360.0 <= ZOOM[0]) & (lat >= south) & (lat <= south + ZOOM[1])).sum())

    first = max(windows, key=held)
    apart = [w for w in windows if min((w[0] - first[0]) % 360.0, (first[0] - w[0]) % 360.0) >= ZOOM[0]]
    return [first, max(apart, key=held)]


def _longitude(degrees: float) -> str:
    degrees = (degrees + 180.0) % 360.0 - 180.0
    return f"{abs(degrees):g}°{'E' if degrees >= 0 else 'W'}"


def _latitude(degrees: float) -> str:
    return f"{abs(degrees):g}°{'N' if degrees >= 0 else 'S'}"
