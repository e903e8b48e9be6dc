"""Letters that fit: sizes by the width of the panel, long lines wrapped, text from files never read as mathematics."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.gridspec import GridSpec
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import text_to_path

SMALLEST, LARGEST = 6.0, 9.0  # points
MOST_PASSES = 12
BREAK = re.compile(r"(?<!\d) | (?![A-Za-z°%])")  # a number keeps its unit


def panel_width(ax: Any) -> float:
    """Width of the panel in inches: its share of the figure where a layout engine will give it that, else its own."""
    figure, spec = ax.figure, ax.get_subplotspec()
    if spec is not None and figure.get_layout_engine() is not None and isinstance(spec.get_gridspec(), GridSpec):
        share = len(spec.colspan) / spec.get_gridspec().ncols
        return float(0.96 * share * figure.bbox.width / figure.dpi)
    return float(ax.bbox.width / figure.dpi)


def letter_size(ax: Any) -> float:
    """Points of the letters in a panel: 6 in the narrowest, 7 in one column of a journal, 9 in a wide one."""
    return float(np.clip(4.8 + 0.68 * panel_width(ax), SMALLEST, LARGEST))


def plain(text: Any) -> str:
    r"""Text from a file, as it is: a dollar sign would begin a formula.

    >>> plain("$\\frac{$")
    '\\$\\frac{\\$'
    """
    return str(text).replace("$", r"\$")


def wrapped(text: str, inches: float, points: float) -> str:
    """Text in lines of at most ``inches``; lines that the writer broke, and formulas, stay as they are."""
    if text.replace(r"\$", "").count("$") > 1:
        return text
    lines = []
    for line in text.splitlines():
        words, shown = BREAK.split(line), ""
        for word in words:
            longer = f"{shown} {word}" if shown else word
            if shown and text_width(longer, points) > inches:
                lines.append(shown)
                shown = word
            else:
                shown = longer
        lines.append(shown)
    return "\n".join(lines)


@lru_cache(maxsize=4096)
def text_width(text: str, points: float) -> float:
    """Inches that one line of text takes."""
    written = text.replace(r"\$", "S")
    width, _, _ = text_to_path.get_text_width_height_descent(
        written, FontProperties(size=points), ismath=written.count("$") > 1
    )
    return float(width / 72)


def set_title(ax: Any, title: str | None, above: float = 0.0) -> None:
    """A title over the panel, if there is one; ``above`` leaves points for a legend below it."""
    if title is not None:
        points = letter_size(ax) + 0.5
        ax.set_title(wrapped(title, panel_width(ax), points), fontsize=points, pad=4.0 + above)


def legend_above(ax: Any, handles: Sequence[Any], title: str | None) -> None:
    """A legend between title and panel, where it hides nothing."""
    if not handles:
        set_title(ax, title)
        return
    points, inches = letter_size(ax) - 0.5, panel_width(ax)
    each = max(text_width(str(handle.get_label()), points) for handle in handles) + 0.4
    columns = int(np.clip(0.9 * inches / each, 1, len(handles)))
    ax.legend(
        handles=list(handles), loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, fontsize=points,
        frameon=False, markerscale=0.7, borderaxespad=0.1, labelspacing=0.3, handletextpad=0.5, columnspacing=1.0,
    )  # fmt: skip
    set_title(ax, title, above=1.6 * points * -(-len(handles) // columns))


def run_layout(figure: Any) -> None:
    """Run the layout engine until places stay: for maps, which keep their shape, one pass is not enough."""
    whole = figure.figure
    engine = whole.get_layout_engine()
    if not isinstance(engine, ConstrainedLayoutEngine):
        return
    before = None
    for _ in range(MOST_PASSES):
        engine.execute(whole)
        places = np.array([ax.get_position(original=True).bounds for ax in whole.axes])
        if before is not None and np.abs(places - before).max(initial=0.0) < 1e-3:
            return
        before = places


def set_labels(ax: Any, horizontal: str, vertical: str, share: float = 0.8) -> None:
    """Labels and ticks of the axes of a curve, which take this share of the width of the panel."""
    points = letter_size(ax)
    ax.set_xlabel(wrapped(horizontal, share * panel_width(ax), points), fontsize=points)
    height = ax.bbox.height / ax.figure.dpi
    ax.set_ylabel(wrapped(vertical, height, points), fontsize=points)
    ax.tick_params(labelsize=points - 0.5)
    ax.grid(color="0.92", linewidth=0.6)
    ax.set_axisbelow(True)
