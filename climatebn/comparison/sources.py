"""Where models come from: a mapping, one file with a dimension ``model``, several files, or a folder of CMIP files."""

import re
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import xarray as xr

from climatebn.errors import ClimateBNError, short
from climatebn.ingest.field.files import open_datasets
from climatebn.ingest.field.open import open_field

MODEL = "model"
CMIP = re.compile(r"^[A-Za-z0-9]+_[A-Za-z0-9]+_(?P<model>[^_]+)_[^_]+_(?P<member>r\d+i\d+p\d+(?:f\d+)?)(?:_|$)")
FILES = ("*.nc", "*.nc4", "*.zarr")


def is_source(given: Any) -> bool:
    """Whether something is a field or names files, rather than data or a network that is ready to compare."""
    return isinstance(given, str | PathLike | xr.DataArray | xr.Dataset) or (
        isinstance(given, list | tuple) and bool(given) and all(isinstance(part, str | PathLike) for part in given)
    )


def fields(source: Any, variable: str | None = None, **options: Any) -> dict[str, xr.DataArray]:
    """The field of each model by its name, as `open_field` gives it; ``options`` are those of `open_field`.

    Files are named by their model where they are named as CMIP files are, else by their own name without ending; files
    of one model and member are joined in time. A dimension ``model`` makes as many models as it has values.
    """
    if isinstance(source, Mapping):
        if not source:
            raise ClimateBNError("models is empty; give one model or more")
        found: dict[str, xr.DataArray] = {}
        for name, part in source.items():
            split = _split(part, variable, options)
            for own, field in split.items():
                _add(found, str(name) if len(split) == 1 else own, field)
        return found
    if isinstance(source, xr.DataArray | xr.Dataset):
        return _split(source, variable, options)
    if not is_source(source):
        raise ClimateBNError(
            "models must be a mapping of names to data, networks, fields or files, a Dataset with a dimension model, "
            f"a list of files, or a folder or pattern; got {short(source)}"
        )
    found = {}
    for name, group in _by_model(_paths(source)).items():
        split = _split(group[0] if len(group) == 1 else group, variable, options)
        for own, field in split.items():
            _add(found, name if len(split) == 1 and not own else own or name, field)
    return found


def model_name(path: str | PathLike[str]) -> str:
    """The model of a CMIP file; of others the name of the file without its ending.

    >>> model_name("tas_Amon_GFDL-CM4_historical_r1i1p1f1_gr1_195001-201412.nc"), model_name("data/obs.nc")
    ('GFDL-CM4_r1i1p1f1', 'obs')
    """
    stem = Path(str(path).rstrip("/")).name
    stem = re.sub(r"\.(nc4?|zarr)$", "", stem)
    match = CMIP.match(stem)
    return f"{match['model']}_{match['member']}" if match else stem


def _paths(source: Any) -> list[str]:
    if isinstance(source, list | tuple):
        return [path for part in source for path in _paths(part)]
    folder = Path(source).expanduser()
    if folder.is_dir() and not str(source).rstrip("/").endswith(".zarr") and not (folder / ".zgroup").exists():
        inside = sorted(str(path) for ending in FILES for path in folder.glob(ending))
        if not inside:
            raise ClimateBNError(f"the folder {folder} holds no {' or '.join(FILES)}")
        return inside
    if any(letter in str(source) for letter in "*?[") and not folder.exists():
        import glob

        inside = sorted(glob.glob(str(folder), recursive=True))
        if not inside:
            raise ClimateBNError(f"no file matches {str(source)!r}")
        return inside
    return [str(source)]


def _by_model(paths: Iterable[str]) -> dict[str, list[str]]:
    """Paths by model; only CMIP files of one model belong together, other files of one name get different names."""
    found: dict[str, list[str]] = {}
    for path in paths:
        name = model_name(path)
        joined = name in found and CMIP.match(Path(path).name) is not None
        number = 2
        while name in found and not joined:
            name, number = f"{model_name(path)} ({number})", number + 1
        found.setdefault(name, []).append(path)
    return found


def _split(source: Any, variable: str | None, options: Mapping[str, Any]) -> dict[str, xr.DataArray]:
    """One field, under the name "" where the source has no models of its own, or one for each of its models."""
    held: Any = source
    if isinstance(source, str | PathLike):
        (held,) = open_datasets(source).values() if not isinstance(source, list) else (None,)
    if isinstance(held, xr.DataArray | xr.Dataset) and MODEL in held.dims:
        if MODEL not in held.coords:
            raise ClimateBNError(f"the dimension {MODEL} of {short(source)} has no names; give it a coordinate")
        names = [str(name) for name in held[MODEL].values]
        return {
            name: open_field(held.isel({MODEL: number}), variable, **options).rename(None)
            for number, name in enumerate(names)
        }
    return {"": open_field(source, variable, **options)}


def _add(found: dict[str, xr.DataArray], name: str, field: xr.DataArray) -> None:
    if name in found:
        raise ClimateBNError(f"two models have the name {name!r}; give a mapping with different names")
    found[name] = field
