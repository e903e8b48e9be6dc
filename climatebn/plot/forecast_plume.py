"""A forecast in time: what was observed up to now, the mean of what comes, and its 90 % interval."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from climatebn.errors import ClimateBNError, public, short
from climatebn.plot.checked_table import checked_table, column_of_dates, column_of_numbers
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
    ahead = checked_table(forecast, "forecast", dates=("time",), numbers=("mean", "low", "high"), rows=False)
    if not isinstance(observed, pd.Series) or not len(observed):
        raise ClimateBNError(f"observed must be a pandas Series of one month or more; got {short(observed)}")
    past, when = column_of_numbers(observed, "observed"), column_of_dates(observed.index, "the index of observed")
    if ax is None:
        ax = plt.figure(figsize=(6.4, 3.6), layout="constrained").add_subplot()
    times = np.r_[when[-1:], ahead["time"].to_numpy()]
    low, high, mean = (np.r_[past[-1], ahead[name].to_numpy()] for name in ("low", "high", "mean"))
    ax.axhline(0, color="0.7", linewidth=0.8)
    (seen,) = ax.plot(when, past, color="0.2", linewidth=1.4, label="observed")
    band = ax.fill_between(times, low, high, color="#b2182b", alpha=0.2, linewidth=0, label="90 % interval")
    (middle,) = ax.plot(times, mean, color="#b2182b", linewidth=1.8, marker="o", markersize=3, label="forecast")
    set_labels(ax, "", plain(label))
    legend_above(ax, [seen, middle, band], title)
    return ax
