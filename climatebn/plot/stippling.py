"""Dots on cells of a map whose value is not to be relied on: members of an ensemble do not agree on its sign."""

import cartopy.crs as ccrs
import numpy as np
import xarray as xr
from cartopy.mpl.geoaxes import GeoAxes
from matplotlib.collections import PathCollection

from climatebn.plot.lettering import panel_width

AGREE = 0.9  # share of members


def disagreement(post: xr.Dataset) -> xr.DataArray | None:
    """Where fewer than 90 % of members agree, of the tail that the map shows; None for answers without members."""
    if "agreement" in post:
        return post["agreement"] < AGREE
    if "agreement_upper" not in post:
        return None
    warm = post["difference_upper"].clip(min=0.0) >= post["difference_lower"].clip(min=0.0)
    agreement: xr.DataArray = xr.where(warm, post["agreement_upper"], post["agreement_lower"])
    return agreement < AGREE


def stipple(ax: GeoAxes, mask: xr.DataArray) -> PathCollection:
    """Dots at the centres of the cells where ``mask`` (lat, lon), or (node) of regions, is true."""
    if "node" in mask.dims:
        lat, lon = (mask[axis].values[mask.values.astype(bool)] for axis in ("lat", "lon"))
    else:
        rows, columns = np.nonzero(mask.transpose("lat", "lon").values)
        lat, lon = mask["lat"].values[rows], mask["lon"].values[columns]
    dots: PathCollection = ax.scatter(
        lon,
        lat,
        s=float(np.clip(0.6 * panel_width(ax), 0.5, 4.0)),
        color="black",
        linewidths=0,
        zorder=4,
        transform=ccrs.PlateCarree(),
        label="members disagree",
    )
    return dots
