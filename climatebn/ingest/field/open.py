"""Open a field: whatever climate people have becomes one DataArray (time, lat, lon), lazy where it is large."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public, unknown
from climatebn.ingest.field.chunking import in_chunks, is_large
from climatebn.ingest.field.dims import find, is_date, standard
from climatebn.ingest.field.files import open_datasets
from climatebn.ingest.field.months import is_finer_than_monthly, month_numbers, monthly_means, require_dates
from climatebn.ingest.field.units import temperature_unit
from climatebn.ingest.grid.cell_bounds import with_bounds
from climatebn.provenance import stamped


@public
def open_field(
    source: Any,
    variable: str | None = None,
    *,
    select: Mapping[str, Any] | None = None,
    monthly: bool = False,
    units: str | None = None,
    chunks: Mapping[str, int] | str | None = None,
    progress: bool = True,
) -> xr.DataArray:
    """Open a gridded field as a DataArray with dimensions (time, lat, lon).

    Where the file has CF bounds of latitude and longitude, the field keeps them (coordinates lat_south, lat_north,
    lon_west, lon_east), and means over cells and regions use them.

    Values of named regions, e.g. (time, region), become (time, node).

    Parameters
    ----------
    source : a NetCDF or Zarr path, a pattern ("air.*.nc", joined along time), an address, a list of paths, a Dataset
        or a DataArray.
    variable : its name; needed only when several variables have time, latitude and longitude.
    select : values of dimensions, e.g. ``{"level": 1000}``, or a part, ``{"time": slice("1981", "2010")}``.
    monthly : average daily or finer data to monthly means, a month at a time; without it such data is refused.
    units : says the units where the file does not, or says them wrongly. Nothing is converted; what a file states is
        kept, and only spellings of kelvin and of degrees Celsius become "K" and "degC".
    chunks : "auto" or sizes such as ``{"time": 120}`` ask for a lazy field; variables over 512 MB are lazy anyway where
        dask is installed.
    progress : show one while monthly means are taken.

    Returns
    -------
    DataArray (time, lat, lon), or (time, node), with the units that the file states.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.open_field(cb.ingest.data_path("ncep_10deg_1981-2010.nc")).sizes
    Frozen({'time': 360, 'lat': 18, 'lon': 36})
    """
    if isinstance(source, xr.DataArray | xr.Dataset):
        field, shown = _standard(_pick(source, variable), select), type(source).__name__
        _check_frequency(field, monthly)
        field = field if chunks is None else in_chunks(field, chunks)
    else:
        field, shown = _from_files(open_datasets(source), variable, select, monthly, chunks, progress), str(source)
    attrs = {} if (unit := _units(field, units)) is None else {"units": unit}
    field = monthly_means(field, progress) if monthly else field
    return stamped(field, field, "open_field", attrs, source=shown, variable=field.name, select=select, monthly=monthly)


def _from_files(
    files: Mapping[str, xr.Dataset],
    variable: str | None,
    select: Mapping[str, Any] | None,
    monthly: bool,
    chunks: Mapping[str, int] | str | None,
    progress: bool,
) -> xr.DataArray:
    parts = {path: _standard(_pick(dataset, variable, path), select) for path, dataset in files.items()}
    for part in parts.values():
        _check_frequency(part, monthly)
    if chunks is not None or is_large(parts.values(), monthly):
        return _join({path: in_chunks(part, chunks or "auto") for path, part in parts.items()})
    if monthly and _months_apart(parts.values()):
        parts = {path: monthly_means(part, progress) for path, part in parts.items()}
    field = _join({path: part.load() for path, part in parts.items()})
    for dataset in files.values():
        dataset.close()
    return field


def _pick(source: xr.DataArray | xr.Dataset, variable: str | None, path: str = "") -> xr.DataArray:
    """The variable asked for, or the only one with time, latitude and longitude, with the history of its file."""
    where = f" in {path!r}" if path else ""
    if isinstance(source, xr.DataArray):
        if variable not in (None, source.name):
            raise ClimateBNError(f"variable={variable!r}, but the DataArray given is named {source.name!r}")
        return source
    fields = {
        str(name): part
        for name, part in source.data_vars.items()
        if all(find(part, axis, required=False) is not None for axis in ("time", "lat", "lon"))
    }
    fields = fields or {str(name): part for name, part in source.data_vars.items() if part.ndim > 1}
    if variable is not None and variable not in source.data_vars:
        raise unknown(f"variable{where}", variable, map(str, source.data_vars))
    if variable is None and len(fields) != 1:
        listed = "; ".join(f"{name} ({part.attrs.get('units', 'no units')})" for name, part in fields.items())
        if not listed:
            raise ClimateBNError(f"no variable has time, latitude and longitude{where}; there are {list(source)}")
        raise ClimateBNError(f"variable must be given, one of: {listed}{where}")
    field = source[variable] if variable is not None else next(iter(fields.values()))
    before = {"history": source.attrs["history"]} if "history" in source.attrs else {}
    return with_bounds(field, source).assign_attrs({**before, **field.attrs})


def _standard(field: xr.DataArray, select: Mapping[str, Any] | None) -> xr.DataArray:
    for dim, value in (select or {}).items():
        if dim not in field.dims:
            raise unknown("dimension in select", dim, map(str, field.dims))
        try:
            field = field.sel({dim: _as_stored(field, dim, value)}) if dim in field.coords else field.isel({dim: value})
        except (KeyError, IndexError, TypeError, ValueError):
            raise ClimateBNError(
                f"select={{{dim!r}: {value!r}}} is not there; {dim} has {_there(field, dim)}"
            ) from None
    plain = standard(field, regions=True)
    axes = {find(field, axis, required=False): axis for axis in ("time", "lat", "lon")}
    stored = {axes.get(dim): size for dim, size in field.encoding.get("preferred_chunks", {}).items()}
    plain.encoding = {**field.encoding, "preferred_chunks": stored}
    require_dates(plain["time"])
    return plain


def _as_stored(field: xr.DataArray, dim: str, value: Any) -> Any:
    """A value as the coordinate has it: a year among dates is text, a range runs as the coordinate does."""
    if not isinstance(value, slice):
        return str(value) if is_date(field[dim]) and isinstance(value, int) else value
    ends = [_as_stored(field, dim, end) for end in (value.start, value.stop)]
    if None not in ends and ends[0] < ends[1] and not field.indexes[dim].is_monotonic_increasing:
        ends.reverse()
    return slice(*ends)


def _there(field: xr.DataArray, dim: str) -> str:
    """What a dimension has, in one line."""
    if dim not in field.coords:
        return f"positions 0 … {field.sizes[dim] - 1}"
    values = field[dim].values
    shown = [str(value)[:10] for value in values] if is_date(field[dim]) else values.tolist()
    return str(shown) if len(shown) <= 20 else f"{shown[0]} … {shown[-1]} ({len(shown)} values)"


def _check_frequency(field: xr.DataArray, monthly: bool) -> None:
    """Refuse data finer than monthly, before any of it is read, unless means are asked for."""
    if not monthly and is_finer_than_monthly(field["time"]):
        month_numbers(field["time"])


def _months_apart(parts: Iterable[xr.DataArray]) -> bool:
    """Whether no month is spread over two files, so that each can be averaged alone."""
    months = [np.unique(part["time"].dt.year * 12 + part["time"].dt.month) for part in parts]
    return len(np.unique(np.concatenate(months))) == sum(map(len, months))


def _join(parts: Mapping[str, xr.DataArray]) -> xr.DataArray:
    """Files one after the other in time; they must share one grid."""
    (first, reference), *others = parts.items()
    if not others:
        return reference
    for path, part in others:
        for axis in ("node",) if "node" in reference.dims else ("lat", "lon"):
            if axis not in part.dims or not np.array_equal(part[axis].values, reference[axis].values):
                raise ClimateBNError(f"files must share one grid; {axis} of {path!r} differs from {first!r}")
    return xr.concat(list(parts.values()), "time", join="override", combine_attrs="override").sortby("time")


def _units(field: xr.DataArray, stated: str | None) -> str | None:
    """Units as stated or as the file has them; a temperature in one of its two spellings."""
    spelt = stated if stated is not None else field.attrs.get("units")
    return None if spelt is None else temperature_unit(spelt) or str(spelt)
