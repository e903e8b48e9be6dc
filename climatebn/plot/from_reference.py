"""How far each model lies from the reference: raw, and beyond chance with its interval."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from climatebn.comparison.comparison import Comparison
from climatebn.errors import public
from climatebn.plot.lettering import legend_above, letter_size, plain

BEYOND, CHANCE = "#08519c", "#d95f0e"


@public
def reference_distance(comparison: Comparison, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw ``from_reference`` of a `Comparison`: Δ with 90 % intervals, nearest first, the raw distance beside it.

    Models whose interval does not lie above 0 are orange: not distinguishable from the reference.

    Parameters
    ----------
    comparison : what `climatebn.compare` gives.
    ax : axes; new ones when None.
    title : of the axes.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb
    >>> field = cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
    >>> decade = lambda year: cb.to_nodes(cb.anomalies(field.sel(time=slice(str(year), str(year + 9)))))
    >>> decades = {f"{year}s": decade(year) for year in (1981, 1991, 2001)}
    >>> found = cb.compare(decades, reference="1981s", criterion=cb.BIC(gamma=1), resamples=2, progress=False)
    >>> [label.get_text() for label in cb.plot.reference_distance(found).get_yticklabels()]
    ['2001s', '1991s']
    """
    table = comparison.from_reference.iloc[::-1]
    count = len(table)
    if ax is None:
        ax = plt.figure(figsize=(6.6, 1.5 + 0.19 * max(count, 4)), layout="constrained").add_subplot()
    rows = np.arange(count)
    raw = ax.plot(
        table["distance"], rows, "|", color="0.45", markersize=7, label="distance of the networks (with chance)"
    )
    known = np.isfinite(table["excess"].to_numpy(dtype=float))
    apart = table["distinguishable"].to_numpy(dtype=bool)
    handles: list[Any] = [*raw]
    for chosen, colour, words in (
        (known & apart, BEYOND, "Δ, beyond chance (90 %)"),
        (known & ~apart, CHANCE, "Δ, not distinguishable"),
    ):
        if chosen.any():
            part = table[chosen]
            error = 1.645 * part["se"].fillna(0.0)
            drawn = ax.errorbar(
                part["excess"], rows[chosen], xerr=error, fmt="o", color=colour, markersize=3.5, elinewidth=1.2,
                label=words,
            )  # fmt: skip
            handles.append(drawn)
    ax.axvline(0.0, color="0.2", linewidth=0.8)
    points = letter_size(ax)
    ax.set_yticks(rows, [plain(name) for name in table.index], fontsize=min(points, 8.0))
    ax.set_ylim(-0.7, count - 0.3)
    ax.set_xlabel(plain(f"from {comparison.reference} [nats]"), fontsize=points)
    ax.tick_params(axis="x", labelsize=points - 0.5)
    ax.grid(axis="x", color="0.92", linewidth=0.6)
    ax.set_axisbelow(True)
    legend_above(ax, handles, title)
    return ax
