"""Map axes: a cartopy projection with the embedded coastline. Nothing is ever downloaded."""

from collections.abc import Sequence
from typing import Annotated, Any, Protocol, TypeAlias, runtime_checkable

import matplotlib.pyplot as plt
import numpy as np
from cartopy.crs import Projection, Robinson
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import LineCollection
from matplotlib.figure import FigureBase
from matplotlib.patheffects import Normal, Stroke

from climatebn.errors import ClimateBNError, number, public, short
from climatebn.ingest.grid.coastline import shores
from climatebn.plot.framing import frame, region
from climatebn.plot.geometry import map_lines
from climatebn.plot.lettering import panel_width


@runtime_checkable
class HasPlaces(Protocol):
    """Names of nodes and where they are."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def lat(self) -> np.ndarray | None: ...
    @property
    def lon(self) -> np.ndarray | None: ...


Places: TypeAlias = Annotated[HasPlaces, "what has names, lat and lon, e.g. the NodeData"]
PACIFIC = 180.0  # the longitude at the centre of a map, unless another is asked for


@public
def map_axes(
    position: Any = None,
    *,
    figure: FigureBase | None = None,
    projection: Projection | None = None,
    centre: float = PACIFIC,
) -> GeoAxes:
    """A world map with its coastline, ready for any `climatebn.plot` function.

    Parameters
    ----------
    position : place in ``figure``, e.g. 121, (1, 2, 1) or a SubplotSpec; the whole figure when None.
    figure : a matplotlib figure; a new one when None.
    projection : any cartopy projection; Robinson around the longitude ``centre`` when None.
    centre : degrees east of the middle of the map.

    Returns
    -------
    cartopy axes.

    Examples
    --------
    >>> float(map_axes(centre=-90).projection.proj4_params["lon_0"])
    -90.0
    """
    centre = number("centre", centre, least=-720, most=720)
    if figure is None:
        figure = plt.figure(figsize=(8, 4.6), layout="constrained")
    place = (111,) if position is None else position if isinstance(position, tuple) else (position,)
    try:
        ax = figure.add_subplot(*place, projection=projection or Robinson(centre))
    except (TypeError, ValueError, IndexError):
        raise ClimateBNError(
            f"position must be a place in the figure, e.g. 121, (1, 2, 1) or a SubplotSpec; got {short(position)}"
        ) from None
    ax.set_global()
    coastline(ax)
    return ax


@public
def coastline(ax: GeoAxes, **style: Any) -> LineCollection:
    """Draw the embedded coastline on map axes; ``style`` goes to matplotlib's LineCollection.

    Parameters
    ----------
    ax : cartopy map axes.
    **style : linewidth, color and so on.

    Returns
    -------
    the lines.

    Raises
    ------
    ClimateBNError where ``ax`` is no map.

    Examples
    --------
    >>> import cartopy.crs, climatebn as cb, matplotlib.pyplot as plt
    >>> ax = plt.axes(projection=cartopy.crs.PlateCarree())
    >>> len(cb.plot.coastline(ax, color="grey").get_paths()) > 100
    True
    """
    require_map(ax)
    width = 0.5 * float(np.clip(panel_width(ax) / 3.5, 0.4, 1.0))
    halo = [Stroke(linewidth=2.8 * width, foreground="white", alpha=0.5), Normal()]  # seen on dark fields too
    look = {"colors": "0.25", "linewidths": width, "zorder": 3, "path_effects": halo, **style}
    lines = LineCollection(map_lines(ax.projection, shores()).pieces, label="coastline", **look)
    within(ax, lines)
    return lines


def within(ax: GeoAxes, artist: Any) -> None:
    """Add what lies inside the map: it changes neither what the map shows nor the room that the map takes."""
    artist.set_in_layout(False)
    ax.add_artist(artist)


def on_map(ax: Any, lat: np.ndarray, lon: np.ndarray, extent: Sequence[float] | None = None) -> GeoAxes:
    """``ax`` with a coastline on it, framed for places: new map axes when None, refused in words when it is no map."""
    if ax is None:
        box = extent or region(lat, lon)
        ax = map_axes(centre=PACIFIC if box is None else (box[0] + box[1]) / 2.0)
    require_map(ax)
    frame(ax, lat, lon, extent)
    ax.set_anchor("N")  # maps of a row stand at one height, whatever hangs under them
    if not any(artist.get_label() == "coastline" for artist in ax.collections):
        coastline(ax)
    return ax


def require_map(ax: Any) -> None:
    if not isinstance(ax, GeoAxes):
        raise ClimateBNError(
            f"ax must be map axes (a cartopy GeoAxes); got {type(ax).__name__}. Make one with "
            "climatebn.plot.map_axes() or plt.subplots(subplot_kw={'projection': cartopy.crs.Robinson(180)})"
        )
