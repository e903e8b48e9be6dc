"""Nodes set from outside: the arcs into them are cut, and their values run down the arcs that leave them."""

import numpy as np
from scipy.sparse import diags_array

from climatebn.network.condition import Conditional
from climatebn.network.evidence import Evidence, locate, require_possible
from climatebn.network.linear_gaussian import LinearGaussian, Units
from climatebn.network.triangle import Triangle

NOT_CAUSES = "arcs learned from observations are not causes: read do() as an experiment only if they are"


def do(bn: LinearGaussian, values: Evidence, units: Units | None) -> Conditional:
    """See `GaussianBN.do`."""
    shift, factor = bn.into(units)
    sd_shift, sd_factor = bn.into("sd")
    at, stated = locate(values, bn.names, bn.nodes, "do sets the values of single nodes only")
    own = (stated - shift[at]) / factor[at]
    names = [bn.names[i] for i in at]
    require_possible(names, own * sd_factor[at] + sd_shift[at])
    kept = np.ones(len(bn.names))
    kept[at] = 0.0
    triangle = Triangle.of((bn.coefficients @ diags_array(kept)).tocsc(), bn.triangle.order)
    intercepts = bn.intercepts.copy()
    intercepts[at] = own
    mean = triangle.down(intercepts[:, None])[:, 0] * factor + shift
    sd = np.sqrt(triangle.variances(bn.residual_variances * kept)) * factor
    mean[at] = stated
    label = "sd" if (units or bn.own_units) == "sd" else bn.units
    words = ", ".join(f"{name} = {value:g} {label}".rstrip() for name, value in zip(names, stated, strict=True))
    return Conditional(
        names=bn.names,
        mean=mean,
        sd=sd,
        evidence=dict(zip(names, stated.tolist(), strict=True)),
        units=label,
        nodes=bn.nodes,
        given=kept == 0,
        words=f"do({words})",
        note=NOT_CAUSES,
    )
