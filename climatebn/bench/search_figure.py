"""Score against time: how far below the best network of all each program ends, and how long it takes."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from climatebn.bench.search import Row

COLUMNS = 3
FLOOR = 1e-6  # of the best score: shown as "the best"
COLOURS = {True: ("#cc2211", "#f58a1f", "#d4a800", "#5c0f08", "#e377c2", "#8a6d00", "#1a0402"), False: (
    "#1b1f6b", "#3a74d8", "#7cc4ee", "#0b5d2a", "#4caf50", "#777777",
)}  # fmt: skip


def figure(rows: Sequence[Row]) -> Figure:
    """A panel a data set: CPU seconds across, the gap to the best score upwards (below is better)."""
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
        lines, min(COLUMNS, len(panels)), figsize=(10, 0.9 + 2.5 * lines), squeeze=False, layout="constrained"
    )
    for ax in axes.flat[len(panels) :]:
        ax.set_axis_off()
    for ax, (data, nodes, gamma) in zip(axes.flat, panels, strict=False):
        ended = [row for row in rows if (row.data, row.gamma) == (data, gamma) and row.score is not None]
        best = max(row.score for row in ended if row.score is not None)
        for row in ended:
            gap = (best - (row.score or 0.0)) / abs(best)
            ax.scatter(max(row.seconds, 1e-3), max(gap, FLOOR), s=34, **looks[row.program])
        ax.set(xscale="log", yscale="log")
        ax.set_title(f"{data}, {nodes} nodes" + (f", γ = {gamma:g}" if gamma else ""), fontsize=10)
        ax.axhline(FLOOR, color="0.8", linewidth=0.8, zorder=0)
        ax.tick_params(labelsize=8)
        ax.grid(color="0.93", linewidth=0.6)
    for ax in axes[-1]:
        ax.set_xlabel("CPU seconds", fontsize=9)
    for ax in axes[:, 0]:
        ax.set_ylabel("below the best BIC, as a share of it", fontsize=9)
    handles = [Line2D([], [], linestyle="none", label=name, **look) for name, look in looks.items()]
    drawn.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=9, frameon=False)
    return drawn
