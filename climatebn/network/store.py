"""Networks in files: one flat NetCDF, one variable a parameter, settings as JSON attributes. Loading executes nothing.

What the variables are is said by one module a kind of network, with ``pack(network) -> Dataset`` and ``unpack``.
"""

import os
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.provenance import history_line, to_json, versions, with_history

FORMAT = "climatebn network"
SCHEMA = 1
KINDS = {"GaussianBN": "gaussian_file", "DiscreteBN": "discrete_file"}


def save(network: Any, path: str | PathLike[str]) -> None:
    """Write a network; the file appears whole or not at all."""
    kind = type(network).__name__
    file: xr.Dataset = _module(kind).pack(network)
    facts = {"format": FORMAT, "schema": SCHEMA, "kind": kind, "versions": to_json(versions())}
    file.attrs = with_history({**file.attrs, **facts, "history": network.history}, history_line("save", {}))
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        file.to_netcdf(temporary, engine="netcdf4")
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def load_network(path: str | PathLike[str]) -> Any:
    """Read a network that its ``save`` wrote: a `GaussianBN` or a `DiscreteBN`."""
    file = _open(Path(path))
    try:
        return _module(file.attrs["kind"]).unpack(file)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise ClimateBNError(f"{path} is a damaged climatebn network: {what}") from None


def _module(kind: str) -> Any:
    return import_module(f"climatebn.network.{KINDS[kind]}")


def _open(path: Path) -> xr.Dataset:
    if not path.is_file():
        raise ClimateBNError(f"{path}: no such file; expected a network that `save` wrote")
    try:
        with xr.open_dataset(path, engine="netcdf4", decode_times=False) as lazy:
            file = lazy.load()
    except (OSError, ValueError, RuntimeError) as error:
        raise ClimateBNError(f"{path} cannot be read as NetCDF ({error}); expected a climatebn network") from None
    if file.attrs.get("format") != FORMAT:
        raise ClimateBNError(f"{path} is not a climatebn network: it has no attribute format={FORMAT!r}")
    if file.attrs.get("schema") != SCHEMA or file.attrs.get("kind") not in KINDS:
        found = f"schema {file.attrs.get('schema')}, kind {file.attrs.get('kind')}"
        raise ClimateBNError(f"{path} has {found}; this climatebn reads schema {SCHEMA}, {' or '.join(KINDS)}")
    return file
