"""Where a result comes from: one `history` line per step (time, function, arguments, version, input hash, seed)."""

import hashlib
import json
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.metadata import version as installed
from pathlib import Path
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


@cache
def commit() -> str:
    """The commit that climatebn was installed from or is run in, with "-dirty" behind it after changes.

    Empty where neither a working copy around the package nor its installation tells.
    """
    package = Path(__file__).parent
    for question in (
        ["ls-files", "--error-unmatch", "__init__.py"],
        ["describe", "--always", "--dirty", "--exclude=*"],
    ):
        try:
            asked = subprocess.run(["git", *question], cwd=package, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return _installed_commit()
    return asked.stdout.strip()


def _installed_commit() -> str:
    """The commit of an installation straight from a repository, which pip notes."""
    try:
        noted = json.loads(distribution("climatebn").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    return str(noted.get("vcs_info", {}).get("commit_id", ""))[:7]


def to_json(value: Any) -> str:
    """Compact JSON for file attributes; numpy scalars and arrays become plain numbers and lists."""
    return json.dumps(value, default=lambda item: item.tolist(), ensure_ascii=False, sort_keys=True)
