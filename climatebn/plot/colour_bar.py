"""A horizontal colour bar under one map or under several: ticks thinned to its width, a label that is wrapped."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.colors import BoundaryNorm
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from climatebn.plot.lettering import letter_size, panel_width, run_layout, text_width, wrapped

SHARE = 0.85  # of the width of the map


def colour_bar(
    axes: Any,
    drawn: ScalarMappable,
    label: str,
    *,
    labelled: Sequence[float] | None = None,
    below: float = 0.0,
    **options: Any,
) -> Colorbar:
    """A bar under ``axes``, one or several; ``options`` go to matplotlib.

    ``labelled`` are the values that may carry a number, e.g. the borders of classes; fewer where they would not fit.
    ``below`` leaves points for a legend between map and bar.
    """
    several = list(axes) if isinstance(axes, list | tuple | np.ndarray) else [axes]
    figure, points = several[0].figure, letter_size(several[0])
    inches = panel_width(several[0]) * (1 if len(several) == 1 else _columns(several))
    look: dict[str, Any] = {"orientation": "horizontal", **options}
    if len(several) == 1 and figure.get_layout_engine() is not None:
        bar = figure.colorbar(drawn, cax=_hanging(several[0], points, below), **look)
    else:
        bar = figure.colorbar(drawn, ax=several, **{"shrink": SHARE, "aspect": 34, "pad": 0.04, **look})
    bar.set_label(wrapped(label, SHARE * inches, points), fontsize=points)  # within the map: the layout then ends soon
    bar.ax.tick_params(labelsize=points - 0.5, length=2.5, pad=2)
    if labelled is None and isinstance(drawn.norm, BoundaryNorm):
        labelled = drawn.norm.boundaries.tolist()
    _set_ticks(bar, labelled, SHARE * inches, points)
    run_layout(figure)
    room = bar.ax.get_window_extent().width / figure.dpi
    if 0 < room < 0.95 * SHARE * inches:  # the layout left it less
        _set_ticks(bar, labelled, room, points)
    return bar


def _set_ticks(bar: Colorbar, labelled: Sequence[float] | None, inches: float, points: float) -> None:
    """As many numbers as fit."""
    norm = bar.mappable.norm
    if labelled is None:
        widest = max(text_width(_written(float(f"{end:.2g}")), points) for end in (norm.vmin, norm.vmax))
        nbins = int(np.clip(inches / (widest + points / 45), 2, 9))
        bar.locator = MaxNLocator(nbins=nbins, steps=[1, 2, 2.5, 5, 10])
        bar.formatter = FuncFormatter(lambda value, _: _written(value))
        bar.update_ticks()
    else:
        shown = thinned(np.asarray(labelled, dtype=float), inches, points)
        numbers = np.abs(shown) if getattr(norm, "unsigned", False) else shown
        bar.set_ticks(shown.tolist(), labels=[_written(value) for value in numbers])
        bar.minorticks_off()


def _hanging(ax: Any, points: float, below: float) -> Any:
    """Axes of a bar that hang under the map, wherever the layout puts it: across in shares of it, down in inches."""
    down = ax.figure.dpi_scale_trans + ScaledTranslation(0, 0, ax.transAxes)
    height, gap = 0.75 * points / 72, (below + 0.6 * points) / 72
    bounds = ((1 - SHARE) / 2, -gap - height, SHARE, height)
    return ax.inset_axes(bounds, transform=blended_transform_factory(ax.transAxes, down))


def thinned(values: np.ndarray, inches: float, points: float) -> np.ndarray:
    """Every k-th value, k as small as the room allows; the smallest value above 0 is one of them.

    >>> thinned(np.array([-0.15, -0.05, 0.05, 0.15, 0.25]), 1.2, 8.0).tolist()
    [-0.15, 0.05, 0.25]
    """
    widest = max(text_width(_written(value), points) for value in values) + points / 72
    above = np.flatnonzero(values > 0)
    first = int(above[0]) if len(above) else 0
    for every in range(1, len(values) + 1):
        chosen = values[np.arange(first % every, len(values), every)]
        if len(values) / every * widest <= inches:
            return np.asarray(chosen)
    return np.asarray(values[[first]])


def _columns(several: list[Any]) -> int:
    """How many panels stand beside each other."""
    return len({round(ax.get_position().x0, 2) for ax in several})


def _written(value: float) -> str:
    return f"{0.0 if abs(value) < 1e-12 else value:.6g}".replace("-", "−")
