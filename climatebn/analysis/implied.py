r"""What a network implies against what the sample has: correlations on the map, or of two places or regions.

A sparser network implies weaker distant correlations, whatever the sample says: compare before reading one as a
weaker link. Network: aᵀΣb / √(aᵀΣa · bᵀΣb); sample: the same with the covariance of the data.
"""

from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public
from climatebn.network.columns import aligned
from climatebn.network.fitting import standardise
from climatebn.network.gaussian_bn import GaussianBN
from climatebn.network.labels import on_map
from climatebn.network.quantities import Quantity, quantity

BLOCK = 128  # columns of the correlation matrices held at once


@public
def implied_correlation(bn: GaussianBN, data: Any, a: Any = None, b: Any = None) -> xr.Dataset:
    """Correlations that a network implies, and those of the data.

    Parameters
    ----------
    bn : a fitted network.
    data : what it was fitted to, or other data with the same nodes.
    a : a node, place, region or combination: its correlation with every node, on the map. Left out: the root mean
        square of each node's correlations with all others, which shows where the network loses correlation.
    b : a second one: the correlation of the two, two numbers.

    Returns
    -------
    Dataset with network, sample and difference (network − sample), on the map or as numbers.

    Notes
    -----
    With a, b the weights of two quantities over the nodes, and Σ the covariance of the network or of the data::

        aᵀΣb / √(aᵀΣa · bᵀΣb)

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-20, 20)))
    >>> bn = cb.fit(cb.Dag.from_arcs(data.names), data, scale="sd")
    >>> pair = cb.analysis.implied_correlation(bn, data, "nino34", "indian_ocean")
    >>> pair.network.item(), round(pair["sample"].item(), 2)
    (0.0, 0.41)
    """
    if not isinstance(bn, GaussianBN):
        raise ClimateBNError(f"implied_correlation is for Gaussian networks; got {type(bn).__name__}")
    if a is None and b is not None:
        raise ClimateBNError("b is the second of two places or regions; give a, too")
    sample = standardise(aligned(bn.names, data).values, bn.names)
    if a is None:
        network, seen = _root_mean_squares(bn, sample.rows)
        return _told(bn, network, seen, "root mean square correlation with all other nodes")
    first = quantity(a, bn.names, bn.nodes, "correlation")
    network, seen = _with_all(bn, first, sample.rows, sample.sd)
    if b is None:
        return _told(bn, network, seen, f"correlation with {first.label}", of=first.label)
    second = quantity(b, bn.names, bn.nodes, "correlation")
    pair = _of_pair(bn, first, second, sample.rows, sample.sd)
    return _told(None, *pair, f"correlation of {first.label} and {second.label}", of=f"{first.label}, {second.label}")


def _row(bn: GaussianBN, one: Quantity, scale: np.ndarray) -> np.ndarray:
    """Weights of nodes that are in units in which 1 is ``scale`` in the units of the data."""
    row = np.zeros(len(bn.names))
    numbers = list(one.numbers)
    row[numbers] = np.array(one.weights) * scale[numbers]
    return row


def _with_all(bn: GaussianBN, one: Quantity, rows: np.ndarray, spread: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    own = _row(bn, one, bn.into("data")[1])
    column = bn.covariance_with(own[:, None])[:, 0]
    network = column / np.sqrt(bn.variances() * (own @ column))
    series = rows @ _row(bn, one, spread)
    return network, rows.T @ series / (np.linalg.norm(series) * np.linalg.norm(rows, axis=0))


def _of_pair(
    bn: GaussianBN, first: Quantity, second: Quantity, rows: np.ndarray, spread: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    own = np.stack([_row(bn, one, bn.into("data")[1]) for one in (first, second)])
    covariance = own @ bn.covariance_with(own.T)
    series = [rows @ _row(bn, one, spread) for one in (first, second)]
    seen = series[0] @ series[1] / (np.linalg.norm(series[0]) * np.linalg.norm(series[1]))
    return covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]), np.asarray(seen)


def _root_mean_squares(bn: GaussianBN, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    size, sd = len(bn.names), np.sqrt(bn.variances())
    network, seen = np.zeros(size), np.zeros(size)
    for start in range(0, size, BLOCK):
        at = list(range(start, min(start + BLOCK, size)))
        own = bn.covariance(at) / np.outer(sd, sd[at])
        theirs = rows.T @ rows[:, at] / (len(rows) - 1)
        network += (own**2).sum(axis=1)
        seen += (theirs**2).sum(axis=1)
    others = max(size - 1, 1)
    return np.sqrt(np.maximum(network - 1, 0) / others), np.sqrt(np.maximum(seen - 1, 0) / others)


def _told(bn: GaussianBN | None, network: Any, seen: Any, words: str, **attrs: str) -> xr.Dataset:
    fields = {
        "network": (network, f"{words}, implied by the network"),
        "sample": (seen, f"{words}, in the sample"),
        "difference": (network - seen, f"{words}, network − sample"),
    }
    maps = {}
    for name, (values, long_name) in fields.items():
        facts = {"long_name": long_name, "units": "1"}
        maps[name] = (
            xr.DataArray(values, name=name, attrs=facts)
            if bn is None
            else on_map(bn.names, bn.nodes, values, name, **facts)
        )
    return xr.Dataset(maps, attrs=attrs)
