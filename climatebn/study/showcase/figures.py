"""The figures of the main job (field and anomaly, the two networks, strength against distance, v-structures)."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from climatebn import plot
from climatebn.study.showcase.summary import Answer


def field_figure(field: xr.DataArray, anomaly: xr.DataArray) -> Figure:
    """Mean of the field, and the anomaly of the month in which it is largest (root mean square over places)."""
    months = field["time"].dt.strftime("%Y-%m").values
    weights = xr.DataArray(np.cos(np.radians(field["lat"].values)), coords={"lat": field["lat"].values})
    size = (anomaly**2).weighted(weights).mean(("lat", "lon"))
    shown = str(months[int(np.argmax(size.values))])
    figure = plt.figure(figsize=(6.4, 7.8))
    figure.set_layout_engine("constrained", h_pad=0.09)
    what = str(field.attrs.get("long_name", field.name or "field"))
    mean = field.mean("time", keep_attrs=True).assign_attrs(long_name=f"{what}, mean of all months")
    month = anomaly.isel(time=int(np.flatnonzero(months == shown)[0]))
    plot.field(mean, plot.map_axes(211, figure=figure), title=f"(a) mean, {months[0][:4]}–{months[-1][:4]}")
    name = str(field["time"].dt.strftime("%B %Y").values[months == shown][0])
    month = month.assign_attrs(long_name="anomaly")
    plot.field(month, plot.map_axes(212, figure=figure), title=f"(b) largest anomalies: {name}")
    return figure


def networks_figure(answers: Sequence[Answer]) -> Figure:
    """Networks on top, their answers to the evidence below, on one colour scale."""
    figure = plt.figure(figsize=(4.6 * len(answers), 6.0) if len(answers) > 1 else (6.4, 8.0))
    figure.set_layout_engine("constrained", h_pad=0.09)
    grid = figure.add_gridspec(2, len(answers))
    maps = []
    for column, item in enumerate(answers):
        upper, lower = ("ac", "bd")[column % 2] if len(answers) > 1 else "ab"
        plot.network(item.network, plot.map_axes(grid[0, column], figure=figure), title=f"({upper}) {item.label}")
        ax = plot.map_axes(grid[1, column], figure=figure)
        maps.append(plot.propagation(item.both, ax, title=f"({lower}) answer to the evidence", colorbar=False))
    plot.shared_colorbar(maps)
    return figure


def answer_figure(item: Answer) -> Figure:
    """The answer of one network, large."""
    figure = plt.figure(figsize=(6.4, 4.3), layout="constrained")
    plot.propagation(item.both, plot.map_axes(figure=figure), title=item.label)
    return figure


def strength_figure(answers: Sequence[Answer]) -> Figure:
    """Arc strength against distance, one panel a network."""
    figure = plt.figure(figsize=(4.2 * len(answers), 3.5), layout="constrained")
    axes: Any = figure.subplots(1, len(answers), sharex=True, sharey=True, squeeze=False)[0]
    for ax, item in zip(axes, answers, strict=True):
        plot.strength_distance(item.arcs, ax, title=item.label)
        ax.label_outer()
    return figure


def vstructure_figure(answers: Sequence[Answer]) -> Figure:
    """V-structure ratios beside their random baselines."""
    counted = {item.label: item.counts for item in answers if item.counts is not None}
    figure = plt.figure(figsize=(6.4, 1.6 + 0.5 * len(counted)), layout="constrained")
    plot.vstructures(counted, figure.add_subplot())
    return figure
