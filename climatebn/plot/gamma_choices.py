"""The choice of γ: held-out likelihood, or the share of long arcs that chance gives, against γ."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from climatebn.errors import public
from climatebn.plot.lettering import legend_above, set_labels
from climatebn.uncertainty.gamma_choice import GammaChoice


@public
def gamma_choice(choice: GammaChoice, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw what `climatebn.choose_gamma` found; the chosen γ is marked.

    Parameters
    ----------
    choice : what `climatebn.choose_gamma` gives.
    ax : axes; new ones when left out.
    title : of the axes.

    Returns
    -------
    the axes.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> choice = cb.choose_gamma(tropics, "hill_climbing", gammas=(1, 4), folds=2, progress=False)
    >>> cb.plot.gamma_choice(choice).get_xlabel()
    'γ'
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
    table = choice.table
    look: dict[str, Any] = {"marker": "o", "markersize": 3}
    if choice.by == "likelihood":
        ax.errorbar(
            table["gamma"], -table["behind"], table["behind_se"], color="C0", marker="o", markersize=3, capsize=2
        )
        words = "held-out likelihood below the best [nats a month, ± paired se]"
        ax.set_yscale("symlog", linthresh=1.0)
    else:
        ax.errorbar(table["gamma"], table["expected"], table["sd"], color="0.4", capsize=2, **look)
        ax.plot(table["gamma"], table["real"], color="C3", **look)
        words = "long arcs: found (red), by chance (grey)"
        ax.set_yscale("symlog", linthresh=1.0)
    for gamma, style, name in ((choice.best, "-", "best"), (choice.parsimonious, "--", "parsimonious")):
        if name == "best" or gamma != choice.best:
            ax.axvline(gamma, color="C1", linestyle=style, linewidth=1, zorder=0, label=f"{name}: γ = {gamma:g}")
    set_labels(ax, "γ", words)
    handles, _ = ax.get_legend_handles_labels()
    legend_above(ax, handles, title)
    return ax
