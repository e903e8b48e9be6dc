"""Long arcs by strength: how many the data has, and how many chance gives without any distant link."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from climatebn.errors import public
from climatebn.plot.lettering import legend_above, plain, set_labels
from climatebn.uncertainty.shift_null import DistantNull


@public
def null(found: DistantNull, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the number of long arcs at least as strong as x, of the data and of each draw of the null.

    Parameters
    ----------
    found : what `climatebn.distant_null` gives.
    ax : axes; new ones when left out.
    title : of the axes.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> found = cb.distant_null(tropics, "hill_climbing", cb.BIC(gamma=1), draws=2, regions=6, progress=False)
    >>> cb.plot.null(found).get_yscale()
    'log'
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
    every = [found.table["strength"].to_numpy(), *found.strengths]
    top = max((float(values.max()) for values in every if len(values)), default=1.0)
    low = min((float(values.min()) for values in every if len(values)), default=0.0)
    levels = np.linspace(low, top, 400)
    draws = found.at_least(levels)
    for row in draws:
        ax.plot(levels, np.where(row > 0, row, np.nan), color="0.7", linewidth=0.7, zorder=1)
    mean = draws.mean(axis=0)
    digits = 0 if found.expected >= 10 else 1
    words = f"chance, at most: {found.expected:.{digits}f} in all"
    ax.plot(levels, np.where(mean > 0, mean, np.nan), color="0.25", linestyle="--", label=words, zorder=2)
    real = (every[0][:, None] >= levels).sum(axis=0)
    ax.plot(levels, np.where(real > 0, real, np.nan), color="C3", label=f"the data: {found.real}", zorder=3)
    ax.set_yscale("log")
    set_labels(ax, "strength of the arc [nats]", f"arcs over {found.min_km:g} km at least as strong")
    handles, _ = ax.get_legend_handles_labels()
    legend_above(ax, handles, plain(found.label) if title is None else title)
    return ax
