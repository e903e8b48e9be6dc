"""The variables of a saved `GaussianBN`: parameters by node and by arc, places of the nodes, settings."""

import json
from typing import Any

import numpy as np
import xarray as xr
from scipy.sparse import csc_array

from climatebn.errors import ClimateBNError
from climatebn.graph import Dag
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.linear_gaussian import SCALES
from climatebn.network.node_places import pack_nodes, unpack_nodes
from climatebn.provenance import to_json

SETTINGS = ("scale", "units", "n", "variance")
BY_NODE = {
    "intercepts": "intercept, in the network's own units",
    "residual_variances": "variance given the parents, in the network's own units",
    "centre": "mean of the data",
    "spread": "standard deviation (n - 1) of the data",
}
BY_ARC = {
    "parent": "number of the node an arc leads from, from 0",
    "child": "number of the node an arc leads to, from 0",
    "arc_coefficients": "regression coefficient of the child on the parent, in the network's own units",
    "arc_loglik": "log-likelihood lost when the arc is removed",
}


def pack(bn: GaussianBN) -> xr.Dataset:
    """The network as a dataset."""
    parent, child = bn.dag.numbered_arcs.T
    arcs = {"parent": parent, "child": child, "arc_coefficients": bn.arc_coefficients, "arc_loglik": bn.arc_loglik}
    variables: dict[str, Any] = {"node": ("node", np.array(bn.names, dtype=object))}
    for name, words in BY_NODE.items():
        variables[name] = ("node", getattr(bn, name), {"long_name": words})
    for name, values in arcs.items():
        if values is not None:
            variables[name] = ("arc", values, {"long_name": BY_ARC[name]})
    variables |= pack_nodes(bn.nodes)
    return xr.Dataset(variables, attrs={"settings": to_json({name: getattr(bn, name) for name in SETTINGS})})


def unpack(file: xr.Dataset) -> GaussianBN:
    """The network of a dataset, checked."""
    names = tuple(map(str, file["node"].values))
    arcs = np.column_stack([file["parent"].values, file["child"].values])
    dag = Dag.from_arcs(names, arcs.tolist())
    if not np.array_equal(dag.numbered_arcs, arcs):
        raise ClimateBNError("arcs must be sorted by parent, then by child, each once")
    weights = file["arc_coefficients"].values.astype(np.float64)
    if not np.isfinite(weights).all():
        raise ClimateBNError("arc_coefficients must be finite")
    parameters: dict[str, Any] = {name: file[name].values for name in BY_NODE} | read_settings(file)
    return GaussianBN(
        dag=dag,
        coefficients=csc_array((weights, tuple(arcs.T)), shape=(len(names), len(names))),
        nodes=unpack_nodes(file, names),
        arc_loglik=file["arc_loglik"].values if "arc_loglik" in file else None,
        history=str(file.attrs.get("history", "")),
        **parameters,
    )


def read_settings(file: xr.Dataset) -> dict[str, Any]:
    """Scale, units and the like, checked."""
    record = json.loads(file.attrs["settings"])
    if not isinstance(record, dict) or set(record) != set(SETTINGS):
        raise ClimateBNError(f"its attribute `settings` must be JSON with {', '.join(SETTINGS)}")
    if record["scale"] not in SCALES:
        raise ClimateBNError(f"scale must be one of {', '.join(SCALES)}; it is {record['scale']!r}")
    return record
