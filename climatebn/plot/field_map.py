"""A field on a map: its cells as they are, colours centred on 0 for signed quantities, units on the colour bar."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import xarray as xr
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.colors import Normalize
from matplotlib.path import Path as Outline

from climatebn.errors import ClimateBNError, public, real_array
from climatebn.plot.axes import on_map, within
from climatebn.plot.colour_bar import colour_bar
from climatebn.plot.colour_scale import Colours, Side, colour_scale
from climatebn.plot.lettering import plain, set_title
from climatebn.plot.mesh import map_mesh
from climatebn.plot.region_shapes import coloured, covered

Drawn = QuadMesh | PathCollection
Maps = TypeVar("Maps", xr.DataArray, xr.Dataset)


@public
def field(
    da: xr.DataArray,
    ax: GeoAxes | None = None,
    *,
    diverging: bool | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    cmap: Colours | None = None,
    norm: Normalize | None = None,
    levels: int | Sequence[float] | None = None,
    extend: Side | None = None,
    extent: Sequence[float] | None = None,
    label: str | None = None,
    title: str | None = None,
    colorbar: bool = True,
) -> Drawn:
    """Draw a (lat, lon) field on a map; cells without a value are hatched grey.

    Values of regions, on the dimension ``node``, fill their polygons, or dots at their places.

    Parameters
    ----------
    da : DataArray (lat, lon), or (node) of regions.
    ax : map axes; new ones around the field, or around the Pacific for the whole globe, when None.
    diverging : colours centred on 0. When None: for fields whose name or long_name speaks of an anomaly, a difference,
        a change, a correlation and the like, and for all but temperatures that have values of both signs.
    vmin, vmax, cmap, norm, levels, extend : as in xarray. ``levels`` is a number of classes or their borders.
    extent : (west, east, south, north) in degrees; when None the region of the field on axes that show all.
    label : what the colour bar shows; long_name and units of the field when None.
    title : of the axes.
    colorbar : whether to draw one.

    Returns
    -------
    the mesh; its ``.axes`` and ``.colorbar`` lead to the rest.

    Examples
    --------
    >>> import climatebn as cb, numpy as np, xarray as xr
    >>> da = xr.DataArray(np.eye(18, 36), coords={"lat": np.arange(-85, 90, 10), "lon": np.arange(-175, 180, 10)})
    >>> cb.plot.field(da.rename("temperature anomaly")).norm.vmin
    -1.0
    """
    values = flat(own_grid(da, da))
    scale = colour_scale(
        values, diverging=diverging, vmin=vmin, vmax=vmax, cmap=cmap, norm=norm, levels=levels, extend=extend
    )
    ax = on_map(ax, *covered(values), extent)
    mesh = cells(ax, values, norm=scale.norm, cmap=scale.cmap)
    mesh.set_label(with_missing(described(da) if label is None else label, values))
    set_title(ax, title)
    if colorbar:
        colour_bar(ax, mesh, str(mesh.get_label()), extend=scale.extend)
    return mesh


def own_grid(part: Maps, shown: xr.DataArray) -> Maps:
    """Of one of several variables the rows and columns that it has; those of other grids stand between them."""
    if "variable" not in shown.coords or shown["variable"].ndim or not {"lat", "lon"} <= set(shown.dims):
        return part
    known = shown.notnull()
    kept = {axis: known.any([dim for dim in known.dims if dim != axis]).values for axis in ("lat", "lon")}
    return part.isel({axis: rows for axis, rows in kept.items() if rows.any()})


def flat(da: xr.DataArray) -> xr.DataArray:
    """The field as (lat, lon), or (node) of regions, with dimensions of length one dropped."""
    squeezed = da.squeeze([dim for dim in da.dims if da.sizes[dim] == 1 and dim not in ("lat", "lon", "node")])
    if squeezed.dims == ("node",) and {"lat", "lon"} <= set(squeezed.coords):
        return squeezed
    squeezed = squeezed.reset_coords(drop=True)
    if set(squeezed.dims) != {"lat", "lon"}:
        more = [str(dim) for dim in squeezed.dims if dim not in ("lat", "lon")]
        way_out = f"choose one value of {', '.join(more)}, e.g. with .sel() or .mean()" if more else "rename its own"
        raise ClimateBNError(f"a map needs a field with dimensions lat and lon; got {tuple(da.dims)}: {way_out}")
    for axis in ("lat", "lon"):
        if (
            axis not in squeezed.coords
            or not squeezed.sizes[axis]
            or not np.isfinite(real_array(axis, squeezed[axis].values)).all()
        ):
            raise ClimateBNError(f"a map needs finite numbers as {axis} of the field")
    if squeezed.dtype.kind not in "biuf":
        raise ClimateBNError(f"a map needs a field of real numbers; got {squeezed.dtype}")
    return squeezed.transpose("lat", "lon")


def cells(ax: GeoAxes, values: xr.DataArray, **look: Any) -> Drawn:
    """The cells of a (lat, lon) field as one mesh; an image inside PDF files, where single cells would show gaps."""
    if values.dims == ("node",):
        return coloured(ax, values, **look)
    mesh = map_mesh(ax.projection, values["lat"].values, values["lon"].values)
    missing = mesh.outlines(values.isnull().values)
    if missing:
        together = Outline.make_compound_path(*(Outline(corners, closed=True) for corners in missing))
        hatched = PathCollection(
            [together], facecolors="0.92", edgecolors="0.72", hatch="/////", linewidths=0, zorder=0.9, label="no data",
            transform=ax.transData,
        )  # fmt: skip
        within(ax, hatched)
    drawn = ax.pcolormesh(mesh.x, mesh.y, mesh.colours(values.values), rasterized=True, zorder=1, **look)
    drawn.set_in_layout(False)
    return drawn


def described(da: xr.DataArray) -> str:
    """What a field is and in which units, e.g. 'air temperature anomaly [K]'."""
    name = str(da.attrs.get("long_name", da.name or ""))
    units = str(da.attrs.get("units", ""))
    return plain(f"{name} [{units.replace('degC', '°C')}]" if units not in ("", "1") else name)


def with_missing(words: str, values: xr.DataArray) -> str:
    """A label that says what hatched cells are, where there are any."""
    return f"{words} (hatched: no data)" if bool(values.isnull().any()) else words
