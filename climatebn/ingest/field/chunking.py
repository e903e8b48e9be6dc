"""When a field is lazy, and in which chunks."""

import importlib.util
import os
from collections.abc import Iterable, Mapping

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, unknown, whole

_IN_MEMORY = 512 * 2**20  # what is larger stays on disk
_CHUNK = 32 * 2**20  # bytes that a chunk grows to


def is_large(fields: Iterable[xr.DataArray], monthly: bool = False) -> bool:
    """Whether fields are too large to load unasked; without dask, what memory has room for is not.

    ``monthly`` fields are read a month at a time and only their means are kept.
    """
    size = sum(field.nbytes for field in fields)
    if size <= _IN_MEMORY or importlib.util.find_spec("dask") is not None:
        return size > _IN_MEMORY
    return (size / 28 if monthly else size) > _free_memory() / 2


def _free_memory() -> int:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # this system does not say
        return 4 * 2**30


def in_chunks(field: xr.DataArray, chunks: Mapping[str, int] | str) -> xr.DataArray:
    """The field as a dask array: "auto", or sizes of time, lat, lon."""
    if importlib.util.find_spec("dask") is None:
        raise ClimateBNError(
            f"a lazy field ({field.nbytes / 2**30:.1f} GB here) needs dask: pip install 'climatebn[dask]', "
            "or give open_field the part you need as a DataArray"
        )
    if isinstance(chunks, str):
        if chunks != "auto":
            raise ClimateBNError(f"chunks must be 'auto' or sizes of time, lat, lon; got {chunks!r}")
        return field.chunk(_sizes(field))
    strange = set(chunks) - set(field.dims)
    if strange:
        raise unknown("dimension in chunks", strange.pop(), map(str, field.dims))
    for name, size in chunks.items():
        if size != -1:
            whole(f"chunks[{name!r}]", size, least=1)
    return field.chunk(dict(chunks))


def _sizes(field: xr.DataArray) -> dict[str, int]:
    """Whole multiples of the chunks in the file, grown over space first, then time."""
    stored = field.encoding.get("preferred_chunks", {})
    whole = {"time": 1, "lat": field.sizes["lat"], "lon": field.sizes["lon"]}  # of a file without chunks
    sizes = {axis: min(int(stored.get(axis, size)), field.sizes[axis]) for axis, size in whole.items()}
    for axis in ("lon", "lat", "time"):
        room = _CHUNK // (int(np.prod(list(sizes.values()))) * field.dtype.itemsize)
        sizes[axis] = min(sizes[axis] * max(room, 1), field.sizes[axis])
    return sizes
