"""An ensemble in one NetCDF file: the arcs of all members one after the other, and where each begins."""

import json
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.network.node_places import pack_nodes, unpack_nodes
from climatebn.network.store import read_file, write_file
from climatebn.provenance import to_json
from climatebn.uncertainty.ensemble_model import Ensemble
from climatebn.uncertainty.member import Member

KIND = "Ensemble"
SETTINGS = ("algorithm", "criterion", "single_criterion", "invalid", "unended", "n", "units")
PAIRS = ("directed", "undirected", "edges")


def save(ensemble: Ensemble, path: str | PathLike[str]) -> None:
    """Write an ensemble; the file appears whole or not at all."""
    fitted = [*ensemble.members, *([] if ensemble.single is None else [ensemble.single])]
    pairs = {
        "directed": [directed for directed, _ in ensemble.graphs],
        "undirected": [lines for _, lines in ensemble.graphs],
        "edges": [member.edges for member in fitted],
    }
    variables: dict[str, Any] = {
        "node": ("node", np.array(ensemble.names, dtype=object)),
        "centre": ("node", ensemble.centre, {"long_name": "mean of the data"}),
        "spread": ("node", ensemble.spread, {"long_name": "standard deviation (n - 1) of the data"}),
        "weights": ("edges_row", np.concatenate([np.zeros(0), *(member.weights for member in fitted)])),
    }
    for name, arrays in pairs.items():
        variables[name] = ((f"{name}_row", "end"), np.concatenate([np.zeros((0, 2), np.int32), *arrays]))
        variables[f"{name}_length"] = (f"{name}_member", np.array([len(array) for array in arrays], dtype=np.int64))
    if fitted:
        for name in ("order", "residual_variances"):
            variables[name] = (("edges_member", "node"), np.stack([getattr(member, name) for member in fitted]))
    variables |= pack_nodes(ensemble.nodes)
    settings = {name: getattr(ensemble, name) for name in SETTINGS} | {"has_single": ensemble.single is not None}
    file = xr.Dataset(variables, attrs={"settings": to_json(settings)})
    write_file(file, KIND, ensemble.history, path)


def load(path: str | PathLike[str]) -> Ensemble:
    """Read an ensemble that `save` wrote."""
    file = read_file(Path(path), (KIND,))
    try:
        return _unpacked(file)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise ClimateBNError(f"{path} is a damaged climatebn ensemble: {what}") from None


def _unpacked(file: xr.Dataset) -> Ensemble:
    settings = json.loads(file.attrs["settings"])
    names = tuple(map(str, file["node"].values))
    parts = {name: _split(file, name, file[name].values) for name in PAIRS}
    weights = _split(file, "edges", file["weights"].values)
    by_node = [file[name].values if weights else np.zeros((0, 0)) for name in ("order", "residual_variances")]
    fitted = [Member(*one) for one in zip(parts["edges"], weights, *by_node, strict=True)]
    single = fitted.pop() if settings.pop("has_single") else None
    return Ensemble(
        names=names,
        members=tuple(fitted),
        graphs=tuple(zip(parts["directed"], parts["undirected"], strict=True)),
        single=single,
        centre=file["centre"].values,
        spread=file["spread"].values,
        nodes=unpack_nodes(file, names),
        history=str(file.attrs.get("history", "")),
        **{name: settings[name] for name in SETTINGS},
    )


def _split(file: xr.Dataset, name: str, rows: np.ndarray) -> list[np.ndarray]:
    lengths = file[f"{name}_length"].values
    if lengths.sum() != len(rows):
        raise ClimateBNError(f"{name} has {len(rows)} rows, its members {int(lengths.sum())}")
    return np.split(rows, np.cumsum(lengths)[:-1]) if len(lengths) else []
