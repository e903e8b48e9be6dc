r"""Forecasts that know only the place itself: what every other model has to beat.

With x the series of a place or region, h the lead, m the calendar month in which the forecast is made:

    climatology           0
    persistence           x_t
    damped persistence    a + b x_t        least squares over the training years
    damped by month       a_m + b_m x_t    the same for each calendar month

The spread of a forecast is the standard deviation of its errors in the training years.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from climatebn.forecast.record import Record

Forecasts = tuple[np.ndarray, np.ndarray]  # mean and sd, time × target: row t is the forecast made in month t


@dataclass(frozen=True)
class OwnPast:
    """One of the four recipes on the training years of a record."""

    record: Record
    recipe: Callable[[np.ndarray, np.ndarray, np.ndarray], Forecasts]

    def forecast(self, weights: np.ndarray, lead: int) -> Forecasts:
        """Forecasts of weighted sums of the nodes (node × target) from every month."""
        series = self.record.values @ weights
        return self.recipe(series, self.record.months, np.arange(self.record.trained - lead)[:, None] + [0, lead])


def climatology(series: np.ndarray, months: np.ndarray, pairs: np.ndarray) -> Forecasts:
    """No anomaly, with the spread of the target's calendar month."""
    now, then = pairs.T
    sd = np.empty_like(series)
    for month in range(12):
        rows = then[months[now] % 12 == month]
        sd[months % 12 == month] = np.sqrt((series[rows] ** 2).mean(axis=0))
    return np.zeros_like(series), sd


def persistence(series: np.ndarray, months: np.ndarray, pairs: np.ndarray) -> Forecasts:
    """The anomaly stays as it is."""
    now, then = pairs.T
    change = series[then] - series[now]
    return series, np.broadcast_to(np.sqrt((change**2).mean(axis=0)), series.shape)


def damped_persistence(series: np.ndarray, months: np.ndarray, pairs: np.ndarray) -> Forecasts:
    """The anomaly fades: one slope for the whole year."""
    return _line(series, pairs, np.arange(len(series)))


def damped_by_month(series: np.ndarray, months: np.ndarray, pairs: np.ndarray) -> Forecasts:
    """The anomaly fades: a slope for each calendar month."""
    mean, sd = np.empty_like(series), np.empty_like(series)
    for month in range(12):
        rows = np.flatnonzero(months % 12 == month)
        mean[rows], sd[rows] = _line(series, pairs[months[pairs[:, 0]] % 12 == month], rows)
    return mean, sd


def _line(series: np.ndarray, pairs: np.ndarray, rows: np.ndarray) -> Forecasts:
    """Least squares of the later on the earlier month, and the forecasts of ``rows``."""
    x, y = series[pairs[:, 0]], series[pairs[:, 1]]
    x_mean, y_mean = x.mean(axis=0), y.mean(axis=0)
    slope = ((x - x_mean) * (y - y_mean)).sum(axis=0) / np.maximum(((x - x_mean) ** 2).sum(axis=0), 1e-300)
    left = y - y_mean - slope * (x - x_mean)
    sd = np.sqrt((left**2).sum(axis=0) / max(len(x) - 2, 1))
    forecast = y_mean + slope * (series[rows] - x_mean)
    return forecast, np.broadcast_to(sd, forecast.shape)


BASELINES = {
    "persistence": persistence,
    "damped_persistence": damped_persistence,
    "damped_by_month": damped_by_month,
    "climatology": climatology,
}
