"""Networks in files: one flat NetCDF, one variable a parameter, settings as JSON attributes. Loading executes nothing.

What the variables are is said by one module a kind of network, with ``pack(network) -> Dataset`` and ``unpack``.
"""

import json
from collections.abc import Collection
from dataclasses import replace
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import xarray as xr

from climatebn.errors import ClimateBNError, public
from climatebn.files import write_netcdf
from climatebn.provenance import history_line, to_json, versions, with_history

if TYPE_CHECKING:
    from climatebn.network.gaussian_bn import GaussianBN

FORMAT = "climatebn network"
SCHEMA = 1
KINDS = {"GaussianBN": "gaussian_file", "DiscreteBN": "discrete_file", "DynamicBN": "dynamic_file"}


def save(network: Any, path: str | PathLike[str]) -> None:
    """Write a network; the file appears whole or not at all."""
    kind = type(network).__name__
    cut = [name for name in network.names if "\0" in name]
    if cut:
        raise ClimateBNError(f"names with the character NUL cannot be saved; rename {cut[0]!r}")
    file: xr.Dataset = _module(kind).pack(network)
    if network.learned:
        file.attrs["learned"] = to_json(dict(network.learned))
    write_file(file, kind, network.history, path)


def write_file(file: xr.Dataset, kind: str, history: str, path: str | PathLike[str]) -> None:
    """Write a dataset as a file of this kind, whole or not at all."""
    facts = {"format": FORMAT, "schema": SCHEMA, "kind": kind, "versions": to_json(versions())}
    file.attrs = with_history({**file.attrs, **facts, "history": history}, history_line("save", {}))
    write_netcdf(path, file)


@public
def load_network(path: str | PathLike[str]) -> "GaussianBN | Any":
    """Read a network that its ``save`` wrote: a `GaussianBN`, a `DiscreteBN` or a `DynamicBN`.

    Parameters
    ----------
    path : a NetCDF file.

    Returns
    -------
    GaussianBN, DiscreteBN or DynamicBN, as it was saved. A damaged or foreign file is refused in words.

    Raises
    ------
    ClimateBNError where the file is not there, is damaged, or is of another kind.

    Examples
    --------
    >>> import climatebn as cb
    >>> numbers = {"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 3.0}
    >>> bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 2.0}, *numbers)
    >>> from tempfile import mkdtemp
    >>> path = mkdtemp() + "/network.nc"
    >>> bn.save(path)
    >>> cb.load_network(path).condition({"a": 1.5})["b"].mean
    3.0
    """
    file = read_file(Path(path), KINDS)
    try:
        network: GaussianBN | Any = _module(file.attrs["kind"]).unpack(file)
        return replace(network, learned=json.loads(file.attrs.get("learned", "{}")))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise ClimateBNError(f"{path} is a damaged climatebn network: {what}") from None


def _module(kind: str) -> Any:
    return import_module(f"climatebn.network.{KINDS[kind]}")


def read_file(path: Path, kinds: Collection[str]) -> xr.Dataset:
    """The dataset of a file of one of these kinds, in memory."""
    if not path.is_file():
        raise ClimateBNError(f"{path}: no such file; expected a network that `save` wrote")
    try:
        with xr.open_dataset(path, engine="netcdf4", decode_times=False) as lazy:
            file = lazy.load()
    except (OSError, ValueError, RuntimeError) as error:
        raise ClimateBNError(f"{path} cannot be read as NetCDF ({error}); expected a climatebn network") from None
    if file.attrs.get("format") != FORMAT:
        raise ClimateBNError(f"{path} is not a climatebn network: it has no attribute format={FORMAT!r}")
    if file.attrs.get("schema") != SCHEMA or file.attrs.get("kind") not in kinds:
        found = f"schema {file.attrs.get('schema')}, kind {file.attrs.get('kind')}"
        raise ClimateBNError(f"{path} has {found}; here climatebn reads schema {SCHEMA}, {' or '.join(kinds)}")
    return file
