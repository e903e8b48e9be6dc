"""One colour scale and one colour bar for several maps."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.colors import BoundaryNorm, Normalize

from climatebn.errors import ClimateBNError, public
from climatebn.plot.colour_bar import colour_bar
from climatebn.plot.colour_scale import beyond
from climatebn.plot.propagation_map import ChangeNorm


@public
def shared_colorbar(drawn: Sequence[Any], label: str | None = None, **options: Any) -> Colorbar:
    """Give several maps the same colours and one colour bar under all of them.

    Parameters
    ----------
    drawn : what `field`, `propagation`, `network` or `support` returned for each map. Their own bars go.
    label : what the colours are; that of the first map when None.
    options : ``labelled``, the values that carry a number; others go to matplotlib's ``Figure.colorbar``, e.g.
        ``shrink=0.6``.

    Returns
    -------
    the colour bar.

    Examples
    --------
    >>> import climatebn as cb, matplotlib.pyplot as plt, numpy as np, xarray as xr
    >>> da = xr.DataArray(np.eye(18, 36), coords={"lat": np.arange(-85, 90, 10), "lon": np.arange(-175, 180, 10)})
    >>> figure = plt.figure(layout="constrained")
    >>> axes = [cb.plot.map_axes(place, figure=figure) for place in (121, 122)]
    >>> maps = [cb.plot.field(f * da, ax, colorbar=False) for f, ax in zip((1, 3), axes)]
    >>> bar = cb.plot.shared_colorbar(maps, "made up [K]")
    >>> maps[0].norm.vmax
    3.0
    """
    maps = list(drawn)
    if not maps or not all(isinstance(item, ScalarMappable) and item.get_array() is not None for item in maps):
        raise ClimateBNError("drawn must be what climatebn.plot.field, propagation, network or support returned")
    for item in maps:
        if item.colorbar is not None:
            item.colorbar.remove()
    norm = _common([item.norm for item in maps])
    colours = norm.colours if isinstance(norm, ChangeNorm) else maps[0].cmap
    for item in maps:
        item.set_norm(norm)
        item.set_cmap(colours)
    if isinstance(norm, ChangeNorm):
        options = {"spacing": "proportional", "drawedges": True, **options}
    elif not isinstance(norm, BoundaryNorm):
        values = np.concatenate([np.ma.compressed(item.get_array()) for item in maps])
        options = {"extend": beyond(values, norm.vmin, norm.vmax), **options}
    words = str(maps[0].get_label()) if label is None else label
    return colour_bar([item.axes for item in maps], maps[0], words, **options)


def _common(norms: list[Any]) -> Normalize:
    """A scale that reaches as far as all of them; classes must be the same."""
    first = norms[0]
    low, high = min(norm.vmin for norm in norms), max(norm.vmax for norm in norms)
    if all(isinstance(norm, ChangeNorm) and norm.tail == first.tail for norm in norms):
        return ChangeNorm(low, high, first.tail)
    if all(type(norm) is Normalize for norm in norms):
        if any(norm.vmin == -norm.vmax for norm in norms):
            high = max(abs(low), abs(high))
            low = -high
        return Normalize(low, high)
    if all(type(norm) is BoundaryNorm and np.array_equal(norm.boundaries, first.boundaries) for norm in norms):
        sides = {norm.extend for norm in norms}
        return BoundaryNorm(first.boundaries, first.Ncmap, extend=sides.pop() if len(sides) == 1 else "both")
    if any(type(norm) is not type(first) or (norm.vmin, norm.vmax) != (first.vmin, first.vmax) for norm in norms):
        raise ClimateBNError("maps with one colour bar need the same norm or levels; draw each with the same ones")
    return first
