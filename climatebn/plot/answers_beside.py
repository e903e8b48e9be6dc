"""Answers of several models to one question, as maps beside each other with one colour bar; the reference first."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from cartopy.crs import Robinson
from matplotlib.figure import Figure

from climatebn.errors import ClimateBNError, public, whole
from climatebn.plot.axes import PACIFIC, map_axes
from climatebn.plot.lettering import plain
from climatebn.plot.propagation_map import propagation
from climatebn.plot.shared_bar import shared_colorbar

WIDTH, HEIGHT = 3.3, 1.95  # inches a map


@public
def answers(
    maps: Mapping[str, xr.Dataset], figure: Figure | None = None, *, columns: int = 3, title: str | None = None
) -> Figure:
    """Draw what `Comparison.answer_maps` gives, each map under the name of its model.

    Parameters
    ----------
    maps : answers of `propagate` to the same evidence, by title.
    figure : to draw in; a new one when left out.
    columns : maps in a row.
    title : of the figure.

    Returns
    -------
    the figure.

    Raises
    ------
    ClimateBNError where there is no map.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> bn = cb.fit(cb.Dag.from_arcs(tropics.names, [("X1", "X2")]), tropics, scale="sd")
    >>> figure = cb.plot.answers({"first": cb.propagate(bn, {"X1": 2.0}), "second": cb.propagate(bn, {"X1": 1.0})})
    >>> [ax.get_title() for ax in figure.axes[:2]]
    ['first', 'second']
    """
    if not maps:
        raise ClimateBNError("maps is empty; give the answers of one model or more")
    across = min(whole("columns", columns, least=1), len(maps))
    down = int(np.ceil(len(maps) / across))
    figure = figure or plt.figure(figsize=(WIDTH * across, HEIGHT * down + 0.8), layout="constrained")
    drawn = []
    for number, (name, post) in enumerate(maps.items(), start=1):
        ax = map_axes((down, across, number), figure=figure, projection=Robinson(PACIFIC))
        drawn.append(propagation(post, ax, title=plain(name), colorbar=False))
    if title is not None:
        figure.suptitle(title, fontsize=10)
    shared_colorbar(drawn)
    return figure
