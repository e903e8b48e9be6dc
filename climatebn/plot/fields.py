"""A field on a map: its cells as they are, colours centred on 0 for anomalies, units on the colour bar."""

from typing import Any

import numpy as np
import xarray as xr
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import QuadMesh
from matplotlib.colorbar import Colorbar
from matplotlib.colors import CenteredNorm, Normalize

from climatebn.errors import ClimateBNError
from climatebn.plot.axes import on_map
from climatebn.plot.mesh import map_mesh

DIVERGING, SEQUENTIAL = "RdBu_r", "viridis"  # both readable with any kind of colour vision
SIGNED_WORDS = ("anomal", "difference", "change", "response")


def field(
    da: xr.DataArray,
    ax: GeoAxes | None = None,
    *,
    diverging: bool | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    cmap: Any = None,
    label: str | None = None,
    title: str | None = None,
    colorbar: bool = True,
) -> QuadMesh:
    """Draw a (lat, lon) field on a map.

    Parameters
    ----------
    ax : map axes; Pacific-centred ones are made when None.
    diverging : colours centred on 0. When None: for fields whose name or long_name speaks of an anomaly, a difference,
        a change or a response.
    label : what the colour bar shows; long_name and units of the field when None.

    Returns
    -------
    the mesh; its ``.axes`` and ``.colorbar`` lead to the rest.

    >>> import numpy as np, xarray as xr
    >>> da = xr.DataArray(np.eye(18, 36), coords={"lat": np.arange(-85, 90, 10), "lon": np.arange(-175, 180, 10)})
    >>> field(da.rename("temperature anomaly")).norm.vcenter
    0
    """
    values = flat(da)
    ax = on_map(ax)
    if diverging is None:
        diverging = any(word in f"{da.name} {da.attrs.get('long_name', '')}".lower() for word in SIGNED_WORDS)
    mesh = cells(ax, values, norm=_norm(values.values, diverging, vmin, vmax), cmap=cmap or _colours(diverging))
    if title is not None:
        ax.set_title(title, fontsize=10)
    if colorbar:
        colour_bar(ax, mesh, described(da) if label is None else label)
    return mesh


def flat(da: xr.DataArray) -> xr.DataArray:
    """The field as (lat, lon), with dimensions of length one dropped."""
    squeezed = da.squeeze(drop=True)
    if set(squeezed.dims) != {"lat", "lon"}:
        more = [str(dim) for dim in squeezed.dims if dim not in ("lat", "lon")]
        way_out = f"choose one value of {', '.join(more)}, e.g. with .sel() or .mean()" if more else "rename its own"
        raise ClimateBNError(f"a map needs a field with dimensions lat and lon; got {tuple(da.dims)}: {way_out}")
    return squeezed.transpose("lat", "lon")


def cells(ax: GeoAxes, values: xr.DataArray, **look: Any) -> QuadMesh:
    """The cells of a (lat, lon) field as one mesh; an image inside PDF files, where single cells would show gaps."""
    mesh = map_mesh(ax.projection, values["lat"].values, values["lon"].values)
    return ax.pcolormesh(mesh.x, mesh.y, mesh.colours(values.values), rasterized=True, zorder=1, **look)


def colour_bar(ax: GeoAxes, mesh: ScalarMappable, label: str, **options: Any) -> Colorbar:
    """A horizontal colour bar under the map."""
    look = {"orientation": "horizontal", "shrink": 0.72, "aspect": 32, "pad": 0.04, **options}
    bar = ax.figure.colorbar(mesh, ax=ax, **look)
    bar.set_label(label, fontsize=9)
    bar.ax.tick_params(labelsize=8)
    return bar


def described(da: xr.DataArray) -> str:
    """What a field is and in which units, e.g. 'air temperature anomaly [K]'."""
    name = str(da.attrs.get("long_name", da.name or ""))
    units = str(da.attrs.get("units", ""))
    return f"{name} [{units.replace('degC', '°C')}]" if units not in ("", "1") else name


def _colours(diverging: bool) -> str:
    return DIVERGING if diverging else SEQUENTIAL


def _norm(values: np.ndarray, diverging: bool, vmin: float | None, vmax: float | None) -> Normalize:
    if not np.isfinite(values).any():
        raise ClimateBNError("the field has no finite value to draw")
    if not diverging:
        return Normalize(np.nanmin(values) if vmin is None else vmin, np.nanmax(values) if vmax is None else vmax)
    reach = max((abs(bound) for bound in (vmin, vmax) if bound is not None), default=np.nanmax(np.abs(values)))
    return CenteredNorm(0, float(reach) or 1.0)
