"""Files to Datasets: NetCDF 3/4, OPeNDAP addresses and Zarr, one or many; times decoded in any CF calendar."""

import glob
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError


def open_datasets(source: Any) -> dict[str, xr.Dataset]:
    """Every file that ``source`` (a path, a pattern, an address, or a list of them) means; values are not read yet."""
    if isinstance(source, str | Path):
        paths = _expand(str(source))
    elif isinstance(source, Iterable) and getattr(source, "ndim", 1) != 0:  # numpy counts a single number as iterable
        paths = [path for part in source for path in _expand(str(part))]
    else:
        raise ClimateBNError(
            "source must be a path, a pattern, an address, a list of paths, a Dataset or a DataArray; "
            f"got {type(source).__name__}"
        )
    if not paths:
        raise ClimateBNError(f"no file matches {str(source)!r}")
    return {path: _open(path) for path in paths}


def _expand(text: str) -> list[str]:
    text = text.removeprefix("file://")
    if "://" in text:
        return [text]
    path = Path(text).expanduser()
    if path.exists():
        return [str(path)]
    if glob.has_magic(text):
        return sorted(glob.glob(str(path), recursive=True))
    raise ClimateBNError(f"no such file: {text!r}")


def _open(path: str) -> xr.Dataset:
    engine = "zarr" if _is_zarr(path) else "netcdf4"
    try:
        raw = xr.open_dataset(path, engine=engine, decode_cf=False, cache=False)
    except ImportError as error:
        raise ClimateBNError(f"reading {path!r} needs another package: {error}") from error
    except (OSError, ValueError, KeyError) as error:
        hint = (
            ". An address must be that of an OPeNDAP or Zarr store; download a plain file first"
            if "://" in path
            else ""
        )
        raise ClimateBNError(f"cannot read {path!r} as NetCDF or Zarr: {error}{hint}") from error
    try:
        return xr.decode_cf(_whole_months(raw), decode_timedelta=False)
    except (ValueError, OverflowError) as error:
        times = {
            str(name): {key: raw[name].attrs[key] for key in ("units", "calendar") if key in raw[name].attrs}
            for name in raw.variables
            if "since" in str(raw[name].attrs.get("units", ""))
        }
        raw.close()
        raise ClimateBNError(
            f"cannot decode {path!r}: {str(error).splitlines()[0]} Times in the file: {times}; known are units like "
            "'days since 1900-01-01' in a CF calendar (standard, noleap, 360_day, …)"
        ) from error


def _is_zarr(path: str) -> bool:
    marks = (".zgroup", ".zmetadata", "zarr.json")
    return path.rstrip("/").endswith((".zarr", ".zarr.zip")) or any((Path(path) / mark).exists() for mark in marks)


def _whole_months(raw: xr.Dataset) -> xr.Dataset:
    """Times in "months since …", which CF decoders refuse in most calendars, as the first day of the month."""
    for name, variable in raw.variables.items():
        reference = re.match(
            r"months? since (-?\d{1,4})-(\d{1,2})", str(variable.attrs.get("units", "")), re.IGNORECASE
        )
        if reference is None:
            continue
        if str(variable.attrs.get("calendar", "standard")) in ("360", "360_day"):
            raw = raw.assign_coords({name: variable.copy(deep=False)})
            raw[name].attrs["calendar"] = "360_day"  # some data libraries spell it "360"
            continue
        start = np.datetime64(f"{int(reference[1]):04d}-{int(reference[2]):02d}", "M")
        dates = start + np.floor(np.asarray(variable.values, dtype=np.float64)).astype(np.int64)
        kept = {key: value for key, value in variable.attrs.items() if key not in ("units", "calendar")}
        raw = raw.assign_coords({name: (variable.dims, dates.astype("datetime64[ns]"), kept)})
    return raw
