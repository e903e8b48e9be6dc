"""Unshielded v-structures of networks beside what random graphs of their size have."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.container import BarContainer

from climatebn.errors import ClimateBNError

BAR, PAPER, SIMULATED = "#7f9cc0", "black", "#b03a2e"


def vstructures(counts: Any, ax: Axes | None = None, *, title: str | None = None) -> BarContainer:
    """Bars of the unshielded v-structure ratio, with both random baselines marked on each.

    Parameters
    ----------
    counts : what `climatebn.vstructures` gives, or several by label, e.g. ``{"tabu": …, "H2PC": …}``.

    Returns
    -------
    the bars; their first patch leads to the axes.

    >>> import climatebn as cb
    >>> counts = cb.vstructures(cb.Dag.from_arcs("abcd", [("a", "b"), ("c", "b"), ("b", "d")]))
    >>> len(vstructures({"first": counts, "second": counts}))
    2
    """
    by_label: Mapping[str, Any] = counts if isinstance(counts, Mapping) else {"network": counts}
    if not by_label or not all(hasattr(item, "paper_baseline") for item in by_label.values()):
        raise ClimateBNError(f"counts must be what climatebn.vstructures gives, or several by label; got {counts!r}")
    items, place = list(by_label.values()), np.arange(len(by_label))
    if ax is None:
        ax = plt.figure(figsize=(6.4, 1.4 + 0.5 * len(items)), layout="constrained").add_subplot()
    bars = ax.barh(place, [item.ratio for item in items], height=0.55, color=BAR)
    for row, item in enumerate(items):
        words = f" {item.unshielded} of {item.pairs} pairs"
        ax.text(0.0, row, words, va="center", ha="left", fontsize=8)
    ax.plot(
        [item.paper_baseline for item in items],
        place,
        "|",
        color=PAPER,
        ms=18,
        mew=2,
        label="at random, 0.25 − |A| / C(N, 2)",
    )
    ax.errorbar(
        [item.simulated_mean for item in items], place, xerr=[item.simulated_sd for item in items], fmt="D",
        color=SIMULATED, markersize=5, capsize=3, label="random DAGs of this size (mean, sd)",
    )  # fmt: skip
    ax.set_yticks(place, labels=list(by_label))
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.set_xlabel("unshielded v-structures / pairs of arcs that meet", fontsize=10)
    ax.tick_params(labelsize=9)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8, frameon=False, markerscale=0.6)
    if title is not None:
        ax.set_title(title, fontsize=10, pad=26)
    return bars
