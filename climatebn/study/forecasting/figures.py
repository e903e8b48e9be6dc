"""The figures of the forecast job: skill curves, skill maps, reliability, the months ahead."""

from typing import TYPE_CHECKING

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
    plot.reliability(result.reliability, figure.add_subplot())
    return figure


def plume_figure(result: "ForecastResult") -> Figure:
    """The region's past five years and what comes."""
    figure = plt.figure(figsize=(7.4, 3.8), layout="constrained")
    units = result.hindcast.units
    label = f"anomaly [{units}]" if units else "anomaly"
    plot.plume(result.observed, result.region_ahead, figure.add_subplot(), label=label, title=str(result.region))
    return figure


def outlook_figure(result: "ForecastResult") -> Figure:
    """The forecast of some months ahead, and the half-width of its interval."""
    ahead = result.outlook
    leads = _shown(ahead["lead"].values)
    figure = plt.figure(figsize=(8.8, _height(ahead) * len(leads)), layout="constrained")
    grid = figure.add_gridspec(len(leads), 2)
    means, widths = [], []
    units = str(ahead["mean"].attrs["units"])
    for row, lead in enumerate(leads):
        at = ahead.sel(lead=lead)
        month = str(at["time"].dt.strftime("%B %Y").item())
        axes = [plot.map_axes(grid[row, column], figure=figure) for column in (0, 1)]
        mean = at["mean"].assign_attrs(long_name="forecast anomaly")
        means.append(plot.field(mean, axes[0], title=f"{month}, {_ahead(lead)}", colorbar=False))
        half = ((at["high"] - at["low"]) / 2).assign_attrs(
            long_name="90 % interval", units=ahead["mean"].attrs["units"]
        )
        widths.append(plot.field(half, axes[1], title="± of the 90 % interval", diverging=False, colorbar=False))
    plot.shared_colorbar(means)
    plot.shared_colorbar(widths, f"half-width of the 90 % interval [{units}]")
    return figure


def _height(maps: xr.DataArray | xr.Dataset) -> float:
    """Inches of a row of maps: half of a world map's width, less for a band of latitudes."""
    span = float(np.ptp(maps["lat"].values)) + 10
    return 0.5 + 2.0 * min(span / 180, 1.0)


def _shown(leads: np.ndarray) -> list[int]:
    some = [lead for lead in SHOWN if lead in leads]
    return some or [int(lead) for lead in leads[:3]]


def _ahead(lead: int) -> str:
    return f"{lead} month{'s' if lead > 1 else ''} ahead"
