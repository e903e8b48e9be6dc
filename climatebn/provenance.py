"""Where a result comes from: one `history` line per step (time, function, arguments, version, input hash, seed)."""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version as installed
from typing import TYPE_CHECKING, Any

import numpy as np

from climatebn import __version__

if TYPE_CHECKING:
    import xarray as xr


def array_hash(*arrays: np.ndarray) -> str:
    """First 16 hex digits of the SHA-256 of shapes, types and values."""
    digest = hashlib.sha256()
    for array in arrays:
        contiguous = np.ascontiguousarray(array)
        digest.update(f"{contiguous.dtype.str}{contiguous.shape}".encode())
        digest.update(contiguous.tobytes())
    return digest.hexdigest()[:16]


def history_line(function: str, arguments: Mapping[str, Any], **facts: Any) -> str:
    """One line that says when, what and with which version; ``facts`` holds e.g. ``input=…`` or ``seed=…``."""
    shown = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    more = "".join(f" {name}={value}" for name, value in facts.items() if value is not None)
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} climatebn {__version__}: {function}({shown}){more}"


def with_history(attrs: Mapping[str, Any], line: str) -> dict[str, Any]:
    """A copy of ``attrs`` whose `history` has ``line`` added at its end."""
    before = str(attrs.get("history", "")).strip()
    return {**attrs, "history": f"{before}\n{line}" if before else line}


def stamped(
    result: "xr.DataArray",
    source: "xr.DataArray",
    function: str,
    attrs: dict[str, Any] | None = None,
    /,
    **arguments: Any,
) -> "xr.DataArray":
    """``result`` with the attributes of ``source``, ``attrs`` over them, and the history of this step."""
    line = history_line(function, arguments, input=input_hash(source))
    return result.assign_attrs(with_history({**source.attrs, **(attrs or {})}, line))


def input_hash(source: "xr.DataArray") -> str:
    """Hash of the values of a field in memory; of a lazy field, which is not read for this, dask's own token."""
    return array_hash(np.asarray(source.values)) if source.chunks is None else str(source.data.name)


def versions(*more: str) -> dict[str, str]:
    """Versions of climatebn and of the numerical packages below it, and of ``more`` packages."""
    names = ("numpy", "scipy", "numba", "xarray", *more)
    return {"climatebn": __version__} | {name: _installed(name) for name in names}


_installed = cache(installed)  # reading the metadata of a package takes milliseconds


def to_json(value: Any) -> str:
    """Compact JSON for file attributes; numpy scalars and arrays become plain numbers and lists."""
    return json.dumps(value, default=lambda item: item.tolist(), ensure_ascii=False, sort_keys=True)
