"""Distances of every two models as a matrix, with the tree of their clustering beside it."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from scipy.cluster.hierarchy import dendrogram

from climatebn.comparison.comparison import Comparison
from climatebn.errors import public
from climatebn.plot.colour_scale import Colours, colour_map
from climatebn.plot.lettering import plain, wrapped

NUMBERED = 14  # models up to which cells carry their number


@public
def distance_matrix(
    comparison: Comparison, figure: Figure | None = None, *, cmap: Colours = "viridis_r", title: str | None = None
) -> AxesImage:
    """Draw the distances of a `Comparison`, models in the order of the leaves of the tree; the reference is bold.

    Parameters
    ----------
    comparison : what `climatebn.compare` gives.
    figure : a new one when None.
    cmap : colours, as in matplotlib.
    title : of the matrix.

    Returns
    -------
    the image; its ``.axes`` and ``.colorbar`` lead to the rest.

    Examples
    --------
    >>> import climatebn as cb
    >>> numbers, slopes = ({"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}), {"a": 0.5, "b": 2.0, "c": 2.5}
    >>> made = lambda slope: cb.GaussianBN.from_parameters(("x", "y"), {("x", "y"): slope}, *numbers)
    >>> found = cb.compare({name: made(slope) for name, slope in slopes.items()}, reference="a")
    >>> cb.plot.distance_matrix(found).get_array().shape
    (3, 3)
    """
    names, count = comparison.leaves, len(comparison.leaves)
    side = float(np.clip(1.2 + 0.22 * count, 3.2, 9.5))
    figure = figure or plt.figure(figsize=(side + 2.6, side + 1.5), layout="constrained")
    left, ax = figure.subplots(1, 2, width_ratios=(1, 4.5))
    dendrogram(
        comparison.tree, orientation="left", ax=left, no_labels=True, color_threshold=0, above_threshold_color="0.3"
    )
    left.set_ylim(10 * count, 0)  # the first leaf on top, as in the matrix
    left.tick_params(labelsize=6.5, length=2)
    left.set_xlabel("height [nats]", fontsize=7)
    for edge in ("left", "top", "right"):
        left.spines[edge].set_visible(False)
    square = comparison.distances.loc[names, names].to_numpy().copy()
    np.fill_diagonal(square, np.nan)
    image = ax.imshow(square, cmap=colour_map(cmap, "viridis_r"), aspect="auto", interpolation="nearest")
    points = float(np.clip(11 - 0.11 * count, 5.5, 8.5))
    ax.set_xticks(range(count), [plain(name) for name in names], rotation=90, fontsize=points)
    ax.set_yticks(range(count), [plain(name) for name in names], fontsize=points)
    ax.yaxis.tick_right()
    for label in (*ax.get_xticklabels(), *ax.get_yticklabels()):
        label.set_fontweight("bold" if label.get_text() == plain(comparison.reference) else "normal")
    ax.tick_params(length=0)
    if count <= NUMBERED:
        middle = np.nanmean(image.get_clim())
        for row, column in zip(*np.nonzero(np.isfinite(square)), strict=True):
            shade = "white" if square[row, column] > middle else "black"
            ax.text(
                column, row, f"{square[row, column]:.2f}", ha="center", va="center", fontsize=points - 1, color=shade
            )
    if title is not None:
        figure.suptitle(wrapped(title, 0.95 * figure.get_figwidth(), 9.5), fontsize=9.5)
    bar = figure.colorbar(image, ax=[left, ax], orientation="horizontal", shrink=0.6, aspect=40, pad=0.02)
    bar.set_label("Bhattacharyya distance [nats]", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    return image
