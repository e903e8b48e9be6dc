"""Log-likelihood of seen and held-out months against the number of arcs: where more arcs stop to help."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from climatebn.errors import ClimateBNError


def goodness(table: pd.DataFrame, ax: Axes | None = None, *, title: str | None = None) -> list[Line2D]:
    """Draw what `climatebn.analysis.goodness` gives: the mean log-likelihood of a month along a search.

    >>> steps = pd.DataFrame({"arcs": [0, 1, 2], "seen": [-3.0, -2.0, -1.5], "held_out": [-3.1, -2.2, -2.3]})
    >>> [line.get_label() for line in goodness(steps)]
    ['months learned from', 'months held out']
    """
    lost = [name for name in ("arcs", "seen", "held_out") if name not in table]
    if lost:
        raise ClimateBNError(f"table must be what climatebn.analysis.goodness gives; it has no {', '.join(lost)}")
    if ax is None:
        ax = plt.figure(figsize=(6.4, 4.2), layout="constrained").add_subplot()
    lines = ax.plot(table["arcs"], table["seen"], color="0.55", linewidth=1.6, label="months learned from")
    lines += ax.plot(table["arcs"], table["held_out"], color="#08519c", linewidth=1.8, ls="--", label="months held out")
    ax.set_xlabel("number of arcs", fontsize=10)
    ax.set_ylabel("log-likelihood of a month [nats]", fontsize=10)
    ax.tick_params(labelsize=9)
    ax.grid(color="0.92", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.legend(fontsize=9, frameon=False)
    if title is not None:
        ax.set_title(title, fontsize=10)
    return lines
