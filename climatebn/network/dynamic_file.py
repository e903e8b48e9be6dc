"""The variables of a saved `DynamicBN`: parameters by node of the present and by arc, places of all columns."""

from typing import Any

import numpy as np
import xarray as xr
from scipy.sparse import csc_array

from climatebn.errors import ClimateBNError
from climatebn.graph import Dag
from climatebn.network.dynamic_bn import DynamicBN
from climatebn.network.gaussian_file import BY_ARC, BY_NODE, SETTINGS, read_settings
from climatebn.network.node_places import pack_nodes, unpack_nodes
from climatebn.provenance import to_json


def pack(bn: DynamicBN) -> xr.Dataset:
    """The network as a dataset."""
    parent, child = bn.dag.numbered_arcs.T
    arcs = {"parent": parent, "child": child, "arc_coefficients": bn.arc_coefficients, "arc_loglik": bn.arc_loglik}
    variables: dict[str, Any] = {"node": ("node", np.array(bn.dag.names, dtype=object))}
    for name, words in BY_NODE.items():
        variables[name] = ("present", getattr(bn, name), {"long_name": words})
    for name, values in arcs.items():
        if values is not None:
            variables[name] = ("arc", values, {"long_name": BY_ARC[name]})
    variables |= pack_nodes(bn.nodes)
    return xr.Dataset(variables, attrs={"settings": to_json({name: getattr(bn, name) for name in SETTINGS})})


def unpack(file: xr.Dataset) -> DynamicBN:
    """The network of a dataset, checked."""
    names = tuple(map(str, file["node"].values))
    arcs = np.column_stack([file["parent"].values, file["child"].values])
    dag = Dag.from_arcs(names, arcs.tolist())
    if not np.array_equal(dag.numbered_arcs, arcs):
        raise ClimateBNError("arcs must be sorted by parent, then by child, each once")
    present = [name for name in names if "@-" not in name]
    place = {name: i for i, name in enumerate(present)}
    target = [place.get(names[child], -1) for child in arcs[:, 1]]
    if min(target, default=0) < 0:
        raise ClimateBNError("arcs must lead into the present month")
    weights = file["arc_coefficients"].values.astype(np.float64)
    parameters: dict[str, Any] = {name: file[name].values for name in BY_NODE} | read_settings(file)
    return DynamicBN(
        dag=dag,
        coefficients=csc_array((weights, (arcs[:, 0], target)), shape=(len(names), len(present))),
        nodes=unpack_nodes(file, names),
        arc_loglik=file["arc_loglik"].values if "arc_loglik" in file else None,
        history=str(file.attrs.get("history", "")),
        **parameters,
    )
