"""The figures of the forecast job: skill curves, skill maps, reliability, the months ahead."""

import math
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from climatebn import plot

if TYPE_CHECKING:
    from climatebn.study.forecasting.forecast_job import ForecastResult

SHOWN = (1, 3, 6, 9)  # leads on maps, as far as they are there


def all_figures(result: "ForecastResult") -> dict[str, Figure]:
    """Every figure by the name of its file."""
    return {
        "plume": plume_figure(result),
        "forecast_maps": outlook_figure(result),
        "skill": skill_figure(result),
        "skill_maps": skill_maps_figure(result),
        "reliability": reliability_figure(result),
    }


def skill_figure(result: "ForecastResult") -> Figure:
    """Correlation, error and CRPS of all models against the lead."""
    figure = plt.figure(figsize=(9.6, 3.5), layout="constrained")
    for place, measure in enumerate(("correlation", "rmse", "crps"), 1):
        ax = plot.skill(result.skill, measure, figure.add_subplot(1, 3, place), legend=False)
    lines, points = ax.get_lines(), ax.xaxis.label.get_fontsize()  # of CRPS, which every model has
    figure.legend(handles=lines, loc="outside upper center", ncols=3, frameon=False, fontsize=points)
    return figure


def skill_maps_figure(result: "ForecastResult") -> Figure:
    """Correlation of the network, and how far it is above damped persistence by month."""
    own = result.hindcast.skill_map()["correlation"]
    other = result.hindcast.skill_map("damped_by_month")["correlation"]
    leads = _shown(own["lead"].values)
    figure = plt.figure(figsize=(8.8, _height(own) * len(leads)), layout="constrained")
    grid = figure.add_gridspec(len(leads), 2)
    first, second = [], []
    for row, lead in enumerate(leads):
        axes = [plot.map_axes(grid[row, column], figure=figure) for column in (0, 1)]
        first.append(plot.field(own.sel(lead=lead), axes[0], title=f"network, {_ahead(lead)}", colorbar=False))
        change = (own.sel(lead=lead) - other.sel(lead=lead)).assign_attrs(long_name="difference of correlation")
        second.append(plot.field(change, axes[1], title="minus damped persistence by month", colorbar=False))
    plot.shared_colorbar(first, "correlation with the observed anomaly")
    plot.shared_colorbar(second, "difference of correlation")
    return figure


def reliability_figure(result: "ForecastResult") -> Figure:
    """Forecast probabilities of more than one standard deviation against how often it came."""
    figure = plt.figure(figsize=(4.4, 4.4), layout="constrained")
    title = f"more than 1 sd above the climatology, {_ahead(result.shown_lead)}"
    plot.reliability(result.reliability, figure.add_subplot(), title=title)
    return figure


def plume_figure(result: "ForecastResult") -> Figure:
    """The region's past five years and what comes."""
    figure = plt.figure(figsize=(7.4, 3.8), layout="constrained")
    units = result.hindcast.units
    label = f"anomaly [{units}]" if units else "anomaly"
    plot.plume(result.observed, result.region_ahead, figure.add_subplot(), label=label, title=str(result.region))
    return figure


def outlook_figure(result: "ForecastResult") -> Figure:
    """The forecast of some months ahead, and the half-width of its interval, in classes that double.

    Anomalies fade and polar ones are many times those of the tropics: on a linear scale the first month and the poles
    would leave nothing to see of the rest.
    """
    ahead = result.outlook
    leads = _shown(ahead["lead"].values)
    figure = plt.figure(figsize=(8.8, _height(ahead) * len(leads)), layout="constrained")
    grid = figure.add_gridspec(len(leads), 2)
    means, widths = [], []
    units = str(ahead["mean"].attrs["units"])
    halves = (ahead["high"] - ahead["low"]) / 2
    steps = doubling(ahead["mean"].sel(lead=leads).values)
    signed = [*(-border for border in reversed(steps)), *steps]
    positive = doubling(halves.sel(lead=leads).values)
    for row, lead in enumerate(leads):
        at = ahead.sel(lead=lead)
        month = str(at["time"].dt.strftime("%B %Y").item())
        axes = [plot.map_axes(grid[row, column], figure=figure) for column in (0, 1)]
        mean = at["mean"].assign_attrs(long_name="forecast anomaly")
        look: dict[str, Any] = {"extend": "both", "colorbar": False}
        means.append(plot.field(mean, axes[0], title=f"{month}, {_ahead(lead)}", levels=signed, **look))
        half = halves.sel(lead=lead).assign_attrs(long_name="90 % interval", units=units)
        title = "± of the 90 % interval"
        widths.append(plot.field(half, axes[1], title=title, diverging=False, levels=positive, **look))
    some = steps[1::2]
    plot.shared_colorbar(means, labelled=[*(-border for border in reversed(some)), *some])
    plot.shared_colorbar(widths, f"half-width of the 90 % interval [{units}]")
    return figure


def doubling(values: np.ndarray, classes: int = 6) -> list[float]:
    """Borders that double, powers of 2 up to the first that 98 % of the values do not exceed.

    >>> doubling(np.array([0.1, -0.3, 3.0]))
    [0.125, 0.25, 0.5, 1.0, 2.0, 4.0]
    """
    sizes = np.abs(values[np.isfinite(values)])
    reach = float(np.quantile(sizes, 0.98)) if len(sizes) else 0.0
    top = math.ceil(math.log2(reach)) if reach > 0 else 0
    return [2.0 ** (top - below) for below in reversed(range(classes))]


def _height(maps: xr.DataArray | xr.Dataset) -> float:
    """Inches of a row of maps: half of a world map's width, less for a band of latitudes."""
    span = float(np.ptp(maps["lat"].values)) + 10
    return 0.5 + 2.0 * min(span / 180, 1.0)


def _shown(leads: np.ndarray) -> list[int]:
    some = [lead for lead in SHOWN if lead in leads]
    return some or [int(lead) for lead in leads[:3]]


def _ahead(lead: int) -> str:
    return f"{lead} month{'s' if lead > 1 else ''} ahead"
