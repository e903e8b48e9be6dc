r"""A field on another grid: F' = (A F Bᵀ) / (A M Bᵀ), A, B the weights of latitude, longitude; M = 1 where F is there.

Missing cells are left out and the weights of the others renormalised; a target of which less than ``min_cover`` has
input is missing: otherwise a sliver of sea would make a cell of the sea, and one as small as its neighbour's repeat it.
The two products run block by block on dask arrays, so that a field larger than memory passes through chunk by
chunk; chunks along time stay as they are.
"""

from numbers import Real

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public
from climatebn.ingest.field.dims import standard
from climatebn.ingest.grid.cell_bounds import cell_edges
from climatebn.ingest.grid.grid import Grid, latitude_edges, longitude_edges
from climatebn.ingest.grid.weights import latitude_weights, longitude_weights
from climatebn.provenance import stamped


@public
def regrid(field: xr.DataArray, grid: Grid, method: str = "mean", *, min_cover: float = 0.5) -> xr.DataArray:
    """Bring a field to another grid.

    Parameters
    ----------
    field : with latitude and longitude in either direction and convention; other dimensions stay. Lazy in, lazy out.
    grid : e.g. ``Grid.regular(10)``.
    method : "mean" (area-weighted over exact cell overlaps, keeps the global mean), "linear" (periodic in longitude;
        beyond the outermost row, that row) or "nearest".
    min_cover : share of a target cell's area (of its weights, with "linear") that must have values, 0 … 1; cells with
        less are missing. 0 keeps every cell with any value.

    Returns
    -------
    DataArray on the new grid; the history says how.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.regrid(cb.load_ncep(), cb.Grid.regular(30)).sizes
    Frozen({'time': 360, 'lat': 6, 'lon': 12})
    """
    if not isinstance(grid, Grid):
        raise ClimateBNError(f"grid must be a Grid, e.g. Grid.regular(10) or Grid.paper(); got {grid!r}")
    if not (isinstance(min_cover, Real) and 0 <= min_cover <= 1):
        raise ClimateBNError(f"min_cover must be a share of the cell from 0 to 1; got {min_cover!r}")
    source = standard(field, time=False)
    if min(source.sizes["lat"], source.sizes["lon"]) < 2:
        raise ClimateBNError("regrid needs two latitudes and two longitudes or more, to know how wide cells are")
    lat = source["lat"].values.astype(np.float64)
    lon = source["lon"].values.astype(np.float64)
    rows = latitude_weights(lat, grid.lat, method, cell_edges(source, "lat"))
    columns = longitude_weights(lon, grid.lon, method, cell_edges(source, "lon"))
    infinite = 0 if source.chunks else int(np.isinf(source.values).sum())
    if infinite:
        raise ClimateBNError(f"field holds {infinite} infinite values; make them missing first")
    there = xr.apply_ufunc(np.isfinite, source, dask="allowed")
    total = _along(_along(source.where(there, 0), columns, "lon"), rows, "lat")
    share = _along(_along(there, columns, "lon"), rows, "lat")
    full = _full(grid, method)
    # A target cell counts as empty when its valid overlap is lost in rounding.
    enough = share >= np.maximum(min_cover * (1 - 1e-9), 1e-9) * full
    result = (total / share.where(enough)).assign_coords(lat=grid.lat, lon=grid.lon)
    for axis, name in (("lat", "latitude"), ("lon", "longitude")):
        side = "north" if axis == "lat" else "east"
        result[axis].attrs.update(standard_name=name, long_name=name, units=f"degrees_{side}", axis="YX"[axis == "lon"])
    return stamped(result.rename(field.name), field, "regrid", grid=grid, method=method, min_cover=min_cover)


def _full(grid: Grid, method: str) -> xr.DataArray:
    """The weight of each target cell when all of it has values."""
    sums = np.ones((grid.lat.size, grid.lon.size))
    if method == "mean":
        heights = np.diff(np.sin(np.deg2rad(latitude_edges(grid.lat))))
        sums = heights * np.diff(longitude_edges(grid.lon))[:, 0]
    return xr.DataArray(sums, dims=("lat", "lon"))


def _along(values: xr.DataArray, weights: np.ndarray, dim: str) -> xr.DataArray:
    """The weighted sums over one dimension; only that dimension must be one chunk."""
    if values.chunks is not None:
        values = values.chunk({dim: -1})
    summed: xr.DataArray = xr.apply_ufunc(
        lambda block: block.astype(np.float64) @ weights.T,
        values,
        input_core_dims=[[dim]],
        output_core_dims=[[f"{dim}_new"]],
        dask="parallelized",
        output_dtypes=[np.float64],
        dask_gufunc_kwargs={"output_sizes": {f"{dim}_new": len(weights)}},
    )
    order = [f"{dim}_new" if name == dim else name for name in values.dims]
    return summed.transpose(*order).rename({f"{dim}_new": dim})
