"""The choice of γ: held-out likelihood, or the share of long arcs that chance gives, against γ."""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes


def gamma_choice(choice: Any, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw what `climatebn.choose_gamma` found; the chosen γ is marked.

    Returns
    -------
    the axes.
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
    table = choice.table
    look: dict[str, Any] = {"marker": "o", "markersize": 3}
    if choice.by == "likelihood":
        ax.errorbar(
            table["gamma"], -table["behind"], table["behind_se"], color="C0", marker="o", markersize=3, capsize=2
        )
        ax.set_ylabel("held-out likelihood below the best\n(nat a month, ± paired se)")
        ax.set_yscale("symlog", linthresh=1.0)
    else:
        ax.errorbar(table["gamma"], table["expected"], table["sd"], color="0.4", capsize=2, **look)
        ax.plot(table["gamma"], table["real"], color="C3", **look)
        ax.set_ylabel("long arcs: found (red), by chance (grey)")
        ax.set_yscale("symlog", linthresh=1.0)
    for gamma, style, words in ((choice.best, "-", "best"), (choice.parsimonious, "--", "parsimonious")):
        if words == "best" or gamma != choice.best:
            ax.axvline(gamma, color="C1", linestyle=style, linewidth=1, zorder=0, label=f"{words}: γ = {gamma:g}")
    ax.set_xlabel("γ")
    ax.legend(frameon=False, fontsize=8)
    if title is not None:
        ax.set_title(title, fontsize=10)
    return ax
