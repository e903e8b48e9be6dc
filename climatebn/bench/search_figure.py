"""Score against time: how far below the best network of all each program ends, and how long it takes.

And score against the likelihood of data that was not learned from: whether a better search makes a better network.
"""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from climatebn.bench.search import Row

COLUMNS = 3
FLOOR = 1e-6  # of the best score: shown as "the best"
FALL = 10.0  # times the highest likelihood: what is lower is written at the foot of its panel
COLOURS = {True: ("#cc2211", "#f58a1f", "#d4a800", "#5c0f08", "#e377c2", "#8a6d00", "#1a0402"), False: (
    "#1b1f6b", "#3a74d8", "#7cc4ee", "#0b5d2a", "#4caf50", "#777777", "#9b59b6",
)}  # fmt: skip


def figure(rows: Sequence[Row]) -> Figure:
    """A panel a data set: CPU seconds across, the gap to the best score upwards (below is better)."""
    drawn, axes, looks = _panels(rows)
    for ax, ended in axes:
        best = max(row.score for row in ended if row.score is not None)
        for row in ended:
            gap = (best - (row.score or 0.0)) / abs(best)
            ax.scatter(max(row.seconds, 1e-3), max(gap, FLOOR), s=34, **looks[row.program])
        ax.set(xscale="log", yscale="log")
        ax.axhline(FLOOR, color="0.8", linewidth=0.8, zorder=0)
    drawn.supxlabel("CPU seconds", fontsize=10)
    drawn.supylabel("below the best BIC, as a share of it", fontsize=10)
    return drawn


def unseen_figure(rows: Sequence[Row]) -> Figure:
    """A panel a data set: the score across, the likelihood of a row of unseen data upwards."""
    drawn, axes, looks = _panels([row for row in rows if row.held_out is not None])
    for ax, ended in axes:
        top = max(row.held_out for row in ended if row.held_out is not None)
        low = [row for row in ended if row.held_out is None or row.held_out < top - FALL * max(abs(top), 1.0)]
        for row in ended:
            if row not in low:
                ax.scatter(row.score, row.held_out, s=34, **looks[row.program])
        for line, row in enumerate(low):
            said = f"{row.program.removeprefix('climatebn ')}: BIC {row.score:.0f}, {row.held_out:.2g} nats"
            ax.text(
                0.03, 0.04 + 0.09 * line, said, transform=ax.transAxes, fontsize=8, color=looks[row.program]["color"]
            )
        ax.margins(0.15)
        ax.ticklabel_format(useOffset=False, style="plain")
        ax.locator_params(axis="x", nbins=4)
    drawn.supxlabel("BIC of the data learned from", fontsize=10)
    drawn.supylabel("log-likelihood of an unseen row [nats]", fontsize=10)
    return drawn


def _panels(rows: Sequence[Row]) -> tuple[Figure, list[tuple[Any, list[Row]]], dict[str, dict[str, Any]]]:
    """Empty panels, each with its rows that ended, and how each program looks; the legend is drawn."""
    panels = list(dict.fromkeys((row.data, row.nodes, row.gamma) for row in rows))
    programs = list(dict.fromkeys(row.program for row in rows))
    looks: dict[str, dict[str, Any]] = {}
    for own in (True, False):
        names = [name for name in programs if name.startswith("climatebn") == own]
        looks |= {
            name: {"color": COLOURS[own][i % len(COLOURS[own])], "marker": "o" if own else "s"}
            for i, name in enumerate(names)
        }
    lines = -(-len(panels) // COLUMNS)
    drawn, axes = plt.subplots(
        lines, min(COLUMNS, len(panels)), figsize=(10, 1.2 + 2.5 * lines), squeeze=False, layout="constrained"
    )
    for ax in axes.flat[len(panels) :]:
        ax.set_axis_off()
    filled = []
    for ax, (data, nodes, gamma) in zip(axes.flat, panels, strict=False):
        ended = [row for row in rows if (row.data, row.gamma) == (data, gamma) and row.score is not None]
        filled.append((ax, ended))
        ax.set_title(f"{data}, {nodes} nodes, γ = {gamma:g}", fontsize=10)
        ax.tick_params(labelsize=8)
        ax.grid(color="0.93", linewidth=0.6)
        ax.set_axisbelow(True)
    handles = [Line2D([], [], linestyle="none", label=name, **look) for name, look in looks.items()]
    drawn.legend(handles=handles, loc="outside upper center", ncols=4, fontsize=9, frameon=False)
    return drawn, filled, looks
