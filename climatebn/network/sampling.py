r"""Draws from the network given evidence, exactly: draw from the network, then move each draw onto the evidence.

    x ← x + ΣAᵀ (AΣAᵀ)⁻¹ (e − A x)

has the conditional distribution (Matheron's rule). For an interval, e is itself drawn from the truncated normal.
"""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.errors import ClimateBNError, whole
from climatebn.network.columns import aligned
from climatebn.network.condition import one_interval, within
from climatebn.network.evidence import Evidence
from climatebn.network.linear_gaussian import LinearGaussian, Units
from climatebn.network.observed import observe, update
from climatebn.rng import generator

BLOCK = 1 << 13  # draws that are worked on at a time: all else is of their size, and millions fit


def sample(
    bn: LinearGaussian, n: int, seed: int | np.random.Generator | None, units: Units | None, given: Evidence
) -> pd.DataFrame:
    """See `GaussianBN.sample`."""
    n = whole("n", n, least=1)
    shift, factor = bn.into(units)
    observed = observe(bn, given, units)
    random = generator(seed, "sample")
    draws = random.standard_normal((len(bn.names), n))
    at, root = observed.values, observed.root()
    interval = one_interval(observed)
    limits = None if interval is None else within(observed, update(bn, observed), interval)
    wanted = None if limits is None else limits.centre + limits.spread * limits.draw(random.random(n))
    for first in range(0, n, BLOCK):
        part = draws[:, first : first + BLOCK]
        moved = bn.triangle.down(part * np.sqrt(bn.residual_variances)[:, None] + bn.intercepts[:, None])
        if at:
            moved += observed.columns[:, at] @ root @ (root.T @ (observed.low[at, None] - observed.rows[at] @ moved))
        if limits is not None and wanted is not None:
            move = wanted[first : first + BLOCK] - observed.rows[interval] @ moved
            moved += (limits.column / limits.spread**2)[:, None] * move
        part[:] = moved * factor[:, None] + shift[:, None]
    table = pd.DataFrame(draws.T, columns=list(bn.names))
    for i, node in zip(*observed.fixed(), strict=True):
        table.isetitem(node, np.full(n, observed.observations[i].low))
    table.attrs = {"units": "sd" if (units or bn.own_units) == "sd" else bn.units}
    return table


def to_maps(bn: LinearGaussian, samples: Any) -> xr.DataArray:
    """See `GaussianBN.to_maps`."""
    if bn.nodes is None:
        raise ClimateBNError("to_maps needs nodes with lat and lon; this network has none")
    values = aligned(bn.names, samples).values
    units = getattr(samples, "attrs", {}).get("units", "")
    attrs = {"long_name": "draw from the network", "units": units or "1"}
    return bn.nodes.to_xarray(values, ("sample",), {"sample": np.arange(len(values))}, "draw", attrs)
