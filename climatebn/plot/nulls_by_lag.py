"""Long arcs of networks in time by lag: how many the data has, and how many chance gives without any distant link."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from climatebn.errors import ClimateBNError, public
from climatebn.plot.lettering import legend_above, letter_size, panel_width, plain, set_labels, wrapped
from climatebn.uncertainty.shift_null import DistantNull

WIDTH = 0.38  # of a bar; two stand beside each other
SHARE = 0.8  # of the width of a panel that is left for bars
DIGITS, LETTER = 5, 0.6  # room for a number above its bar, and the width of a letter as a share of its height


@public
def null_by_lag(
    found: DistantNull | Mapping[str, DistantNull], ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Draw the number of long arcs of each lag, beside what chance gives at most, ± one standard deviation of draws.

    Parameters
    ----------
    found : what ``climatebn.distant_null(…, lags=…)`` gives; or several by name, e.g. {"γ = 1": …, "γ = 1.5": …}.
    ax : axes; new ones when left out.
    title : of the axes.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> how = {"lags": (0, 1), "draws": 2, "regions": 6, "progress": False}
    >>> null = cb.distant_null(data, "hill_climbing", cb.BIC(gamma=1), **how)
    >>> [text.get_text() for text in cb.plot.null_by_lag(null).get_xticklabels()]
    ['0', '1']
    """
    several: Mapping[str, DistantNull] = found if isinstance(found, Mapping) else {"": found}
    if not several:
        raise ClimateBNError("found is empty; give what distant_null(…, lags=…) returned, or several by name")
    if ax is None:
        _, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
    rows = [(name, row) for name, one in several.items() for row in one.by_lag.itertuples()]
    places = np.arange(len(rows), dtype=float) + np.repeat(
        np.arange(len(several)) * 0.5, [len(one.by_lag) for one in several.values()]
    )
    real, expected, sd = (np.array([getattr(row, key) for _, row in rows], float) for key in ("real", "expected", "sd"))
    data = ax.bar(places - WIDTH / 2, real, WIDTH, color="C3", label="the data")
    error: dict[str, Any] = {"ecolor": "0.25", "capsize": 2.5, "error_kw": {"linewidth": 0.8}}
    chance = ax.bar(places + WIDTH / 2, expected, WIDTH, yerr=sd, color="0.7", label="chance, at most", **error)
    points = letter_size(ax) - 0.5
    width = 72 * ax.get_window_extent().width / ax.figure.dpi  # in points
    if width > 2 * len(rows) * DIGITS * points * LETTER:  # else the numbers would meet
        for drawn, form in ((data, "%.0f"), (chance, "%.3g")):
            ax.bar_label(drawn, fmt=form, fontsize=points, padding=1)
    least = next(iter(several.values())).min_km
    set_labels(ax, "lag of the arc [months]", f"arcs over {least:g} km")
    ax.set_xticks(places, [str(row.lag) for _, row in rows])
    if any(several):
        _name_groups(ax, {name: places[[own == name for own, _ in rows]] for name in several})
    ax.grid(False, axis="x")
    ax.margins(y=0.12)
    legend_above(ax, [data, chance], title)
    return ax


def _name_groups(ax: Axes, groups: Mapping[str, np.ndarray]) -> None:
    """The name of each group of bars under the middle of it, in lines as wide as the group."""
    points = letter_size(ax) - 0.5
    every = np.concatenate(list(groups.values()))
    each = SHARE * panel_width(ax) / (every[-1] - every[0] + 1)  # inches from bar to bar
    names = [wrapped(plain(name), each * len(own), points) for name, own in groups.items()]
    ax.xaxis.remove_overlapping_locs = False  # the middle of a group may be a lag that has a label of its own
    ax.set_xticks([own.mean() for own in groups.values()], names, minor=True)
    ax.tick_params(axis="x", which="minor", length=0, pad=7.5 + 1.3 * points, labelsize=points)
