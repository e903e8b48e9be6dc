r"""How good forecasts were: correlation, error, ranked probability score, reliability.

With forecasts N(m_t, s_t²) of the observed y_t, t = 1 … n, z_t = (y_t − m_t) / s_t:

    correlation   of m and y over all t
    rmse          √ mean (m_t − y_t)²
    crps          mean s_t [z_t (2 Φ(z_t) − 1) + 2 φ(z_t) − 1/√π]     (Gneiting & Raftery 2007), in units of y

CRPS compares the whole forecast distribution with what came; for a forecast without spread it is the absolute error.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from climatebn.errors import MANY, ClimateBNError, alike, public, real_array, whole


@public
def correlation(forecast: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Pearson's correlation over the first axis; missing where one of both is constant.

    Parameters
    ----------
    forecast, observed : arrays of one shape, time first.

    Returns
    -------
    array without the first axis, −1 … 1.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 4.0])
    >>> round(float(correlation(x, 1 - 2 * x)), 3)
    -1.0
    """
    forecast, observed = alike(forecast=forecast, observed=observed)
    if not forecast.ndim or forecast.shape != observed.shape:
        raise ClimateBNError(f"forecast and observed must have one shape; got {forecast.shape} and {observed.shape}")
    a, b = forecast - forecast.mean(axis=0), observed - observed.mean(axis=0)
    size = np.sqrt((a**2).sum(axis=0) * (b**2).sum(axis=0))
    # A constant forecast minus its mean is rounding, not 0.
    flat = size <= 1e-12 * len(a) * (1 + np.abs(forecast).max(axis=0, initial=0) * np.abs(observed).max(axis=0))
    result: np.ndarray = np.where(flat, np.nan, (a * b).sum(axis=0) / np.where(flat, 1.0, size))
    return result


@public
def rmse(forecast: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Root of the mean squared error over the first axis.

    Parameters
    ----------
    forecast, observed : arrays of one shape, time first.

    Returns
    -------
    array without the first axis, in their units.

    Notes
    -----
    √ mean_t (m_t − y_t)², with m the forecast and y what was observed.

    Examples
    --------
    >>> float(rmse(np.array([1.0, 2.0]), np.array([2.0, 1.0])))
    1.0
    """
    forecast, observed = alike(forecast=forecast, observed=observed)
    result: np.ndarray = np.sqrt(((forecast - observed) ** 2).mean(axis=0))
    return result


@public
def crps(mean: np.ndarray, sd: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Continuous ranked probability score of each normal forecast, in the units of the observed; small is good.

    Parameters
    ----------
    mean, sd : of normal forecasts. An sd of 0 is a sure forecast, whose score is its absolute error.
    observed : what came.

    Returns
    -------
    array of their common shape.

    Notes
    -----
    Of a normal forecast with mean m and standard deviation s, with z = (y − m) / s::

        s [z (2 Φ(z) − 1) + 2 φ(z) − 1/√π]

    Gneiting and Raftery (2007, J. Amer. Statist. Assoc. 102, 359–378).

    Examples
    --------
    >>> round(float(crps(0.0, 1.0, 0.0)), 4)
    0.2337
    """
    mean, spread, observed = alike(mean=mean, sd=sd, observed=observed)
    error = observed - mean
    safe = np.where(spread > 0, spread, 1.0)
    z = error / safe
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    result: np.ndarray = np.where(
        spread > 0, safe * (z * (2 * ndtr(z) - 1) + 2 * density - 1 / np.sqrt(np.pi)), np.abs(error)
    )
    return result


@public
def exceedance(mean: np.ndarray, sd: np.ndarray, threshold: Any) -> np.ndarray:
    """P(y > threshold) of each normal forecast.

    Parameters
    ----------
    mean, sd : of normal forecasts.
    threshold : in their units.

    Returns
    -------
    array of probabilities.

    Notes
    -----
    1 − Φ((threshold − mean) / sd).

    Examples
    --------
    >>> round(float(exceedance(np.array(0.0), np.array(1.0), 1.0)), 4)
    0.1587
    """
    mean, sd, threshold = alike(mean=mean, sd=sd, threshold=threshold)
    result: np.ndarray = ndtr((mean - threshold) / np.where(sd > 0, sd, 1e-300))
    return result


@public
def reliability(probability: np.ndarray, happened: np.ndarray, bins: int = 10) -> pd.DataFrame:
    """How often it happened when a forecast said that it would with some probability.

    Parameters
    ----------
    probability : forecast probabilities, of any shape.
    happened : whether it came, of the same shape.
    bins : number of classes of equal width from 0 to 1.

    Returns
    -------
    DataFrame, a row a class: low, high, forecast (mean probability in the class), observed (how often it happened),
    count. Classes without forecasts are missing values. ``attrs["brier"]`` is the mean of (probability − happened)².

    Examples
    --------
    >>> table = reliability(np.array([0.1, 0.1, 0.9, 0.9]), np.array([0, 0, 1, 1]), bins=2)
    >>> table["observed"].tolist(), round(table.attrs["brier"], 3)
    ([0.0, 1.0], 0.01)
    """
    bins = whole("bins", bins, 1, MANY)
    p, came = real_array("probability", probability).ravel(), real_array("happened", happened).ravel()
    if p.shape != came.shape or not p.size:
        raise ClimateBNError(f"probability and happened need the same shape; got {p.size} and {came.size} values")
    if not ((p >= 0) & (p <= 1)).all():
        raise ClimateBNError("probability must hold numbers from 0 to 1")
    edges = np.linspace(0, 1, bins + 1)
    at = np.clip(np.searchsorted(edges, p, side="right") - 1, 0, bins - 1)
    count = np.bincount(at, minlength=bins)
    some = np.where(count, count, np.nan)
    table = pd.DataFrame(
        {
            "low": edges[:-1],
            "high": edges[1:],
            "forecast": np.bincount(at, p, bins) / some,
            "observed": np.bincount(at, came, bins) / some,
            "count": count,
        }
    )
    table.attrs["brier"] = float(np.mean((p - came) ** 2))
    return table
