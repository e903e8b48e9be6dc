"""A forecast in time: what was observed up to now, the mean of what comes, and its 90 % interval."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from climatebn.errors import ClimateBNError, public
from climatebn.plot.curves import numeric
from climatebn.plot.lettering import legend_above, plain, set_labels


@public
def plume(
    observed: pd.Series,
    forecast: pd.DataFrame,
    ax: Axes | None = None,
    *,
    label: str = "anomaly",
    title: str | None = None,
) -> Axes:
    """Draw a series and the forecast of its next months.

    Parameters
    ----------
    observed : anomalies with dates, up to the month in which the forecast is made.
    forecast : columns time, mean, low, high, a row a month ahead.
    label : of the vertical axis, with units.
    ax, title : where it is drawn (a new figure when None), and what stands over it.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb, pandas as pd
    >>> past = pd.Series([0.1, 0.4], index=pd.to_datetime(["2025-11-01", "2025-12-01"]))
    >>> ahead = pd.DataFrame({"time": pd.to_datetime(["2026-01-01"]), "mean": [0.3], "low": [0.0], "high": [0.6]})
    >>> len(cb.plot.plume(past, ahead).lines)
    3
    """
    lost = [name for name in ("time", "mean", "low", "high") if name not in forecast]
    if lost or not len(observed):
        raise ClimateBNError(
            f"forecast needs columns time, mean, low, high (missing: {', '.join(lost) or 'none'}), observed a value"
        )
    forecast = numeric(forecast, ("mean", "low", "high"))
    numeric(observed.to_frame("observed"), ("observed",))
    dates = pd.api.types.is_datetime64_dtype
    if not isinstance(forecast["time"], pd.Series) or not (dates(forecast["time"]) and dates(observed.index)):
        raise ClimateBNError("time of the forecast and the index of observed must be dates without a time zone")
    if ax is None:
        ax = plt.figure(figsize=(6.4, 3.6), layout="constrained").add_subplot()
    now: Any = observed.index[-1]
    ahead = np.concatenate([[np.datetime64(now)], forecast["time"].to_numpy().astype("datetime64[ns]")])
    last = float(observed.iloc[-1])
    low, high, mean = (np.r_[last, forecast[name].to_numpy()] for name in ("low", "high", "mean"))
    ax.axhline(0, color="0.7", linewidth=0.8)
    (past,) = ax.plot(observed.index, observed.to_numpy(), color="0.2", linewidth=1.4, label="observed")
    band = ax.fill_between(ahead, low, high, color="#b2182b", alpha=0.2, linewidth=0, label="90 % interval")
    (middle,) = ax.plot(ahead, mean, color="#b2182b", linewidth=1.8, marker="o", markersize=3, label="forecast")
    set_labels(ax, "", plain(label))
    legend_above(ax, [past, middle, band], title)
    return ax
