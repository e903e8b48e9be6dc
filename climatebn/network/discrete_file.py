"""The variables of a saved `DiscreteBN`: names, level names, arcs, and all tables one after the other."""

import json

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.graph import Dag
from climatebn.network.discrete_bn import DiscreteBN
from climatebn.provenance import to_json


def pack(bn: DiscreteBN) -> xr.Dataset:
    """The network as a dataset."""
    parent, child = bn.dag.numbered_arcs.T
    words = "probabilities, node by node; within a node levels of its parents by number, then its own, run fastest"
    variables = {
        "node": ("node", np.array(bn.names, dtype=object)),
        "parent": ("arc", parent, {"long_name": "number of the node an arc leads from, from 0"}),
        "child": ("arc", child, {"long_name": "number of the node an arc leads to, from 0"}),
        "probability": ("cell", np.concatenate([table.ravel() for table in bn.tables]), {"long_name": words}),
    }
    return xr.Dataset(variables, attrs={"levels": to_json(bn.levels), "n": -1 if bn.n is None else bn.n})


def unpack(file: xr.Dataset) -> DiscreteBN:
    """The network of a dataset, checked."""
    names = tuple(map(str, file["node"].values))
    arcs = np.column_stack([file["parent"].values, file["child"].values])
    dag = Dag.from_arcs(names, arcs.tolist())
    levels = json.loads(file.attrs["levels"])
    if not isinstance(levels, list) or len(levels) != len(names) or not all(isinstance(own, list) for own in levels):
        raise ClimateBNError("its attribute `levels` must be JSON with one list of names a node")
    shapes = [[len(levels[i]) for i in (*parents, node)] for node, parents in enumerate(dag.numbered_parents)]
    ends = np.cumsum([np.prod(shape, dtype=np.int64) for shape in shapes])
    cells = file["probability"].values
    if ends[-1] != len(cells):
        raise ClimateBNError(f"its tables need {ends[-1]} probabilities; there are {len(cells)}")
    tables = [part.reshape(shape) for part, shape in zip(np.split(cells, ends[:-1]), shapes, strict=True)]
    n = int(file.attrs["n"])
    return DiscreteBN(dag, levels, tables, None if n < 0 else n, str(file.attrs.get("history", "")))
