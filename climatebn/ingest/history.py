"""Attributes of a result: those of its input, new units or names, and one more `history` line."""

from typing import Any

import numpy as np
import xarray as xr

from climatebn.provenance import array_hash, history_line, with_history


def stamped(
    result: xr.DataArray, source: xr.DataArray, function: str, attrs: dict[str, Any] | None = None, /, **arguments: Any
) -> xr.DataArray:
    """``result`` with the attributes of ``source``, ``attrs`` over them, and the history of this step."""
    line = history_line(function, arguments, input=input_hash(source))
    return result.assign_attrs(with_history({**source.attrs, **(attrs or {})}, line))


def input_hash(source: xr.DataArray) -> str:
    """Hash of the values of a field in memory; of a lazy field, which is not read for this, dask's own token."""
    return array_hash(np.asarray(source.values)) if source.chunks is None else str(source.data.name)
