"""Unshielded v-structures of networks beside what random graphs of their size have."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from climatebn.errors import ClimateBNError, public
from climatebn.plot.lettering import legend_above, letter_size, panel_width, plain, set_labels, wrapped

BAR, PAPER, SIMULATED = "#a9bfd9", "black", "#b03a2e"


@public
def vstructures(counts: Any, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Bars of the unshielded v-structure ratio, with both random baselines marked on each.

    Parameters
    ----------
    counts : what `climatebn.vstructures` gives, or several by label, e.g. ``{"tabu": …, "H2PC": …}``.
    ax : axes; new ones when left out.
    title : of the axes.

    Returns
    -------
    the axes.

    Raises
    ------
    ClimateBNError where ``counts`` are no such counts.

    Examples
    --------
    >>> import climatebn as cb
    >>> counts = cb.vstructures(cb.Dag.from_arcs("abcd", [("a", "b"), ("c", "b"), ("b", "d")]))
    >>> len(cb.plot.vstructures({"first": counts, "second": counts}).patches)
    2
    """
    by_label: Mapping[str, Any] = counts if isinstance(counts, Mapping) else {"network": counts}
    if not by_label or not all(hasattr(item, "paper_baseline") for item in by_label.values()):
        raise ClimateBNError(f"counts must be what climatebn.vstructures gives, or several by label; got {counts!r}")
    items, place = list(by_label.values()), np.arange(len(by_label))
    if ax is None:
        ax = plt.figure(figsize=(6.4, 1.6 + 0.5 * len(items)), layout="constrained").add_subplot()
    points, inches = letter_size(ax), panel_width(ax)
    ax.barh(place, [item.ratio for item in items], height=0.55, color=BAR)
    mark = float(np.clip(3.0 * inches, 8.0, 18.0))
    ax.plot(
        [item.paper_baseline for item in items], place, "|", color=PAPER, ms=mark, mew=0.1 * mark,
        label="at random, 0.25 − |A| / C(N, 2)",
    )  # fmt: skip
    ax.errorbar(
        [item.simulated_mean for item in items], place, xerr=[item.simulated_sd for item in items], fmt="D",
        color=SIMULATED, markersize=0.25 * mark, capsize=3, label="random DAGs of this size (mean, sd)",
    )  # fmt: skip
    set_labels(ax, "unshielded v-structures / pairs of arcs that meet", "", share=0.55)
    ax.grid(visible=False)
    said = [f"{plain(label)}\n{item.unshielded} of {item.pairs} pairs" for label, item in by_label.items()]
    ax.set_yticks(place, labels=[wrapped(label, 0.4 * inches, points) for label in said], fontsize=points)
    ax.set_ylim(len(items) - 0.4, -0.6)
    ax.set_xlim(0.0, 1.06 * ax.dataLim.x1)
    handles, _ = ax.get_legend_handles_labels()
    legend_above(ax, handles, title)
    return ax
