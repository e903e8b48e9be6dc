r"""How many independent months a record is worth for the correlation of two places.

With r_i the lag-1 autocorrelation of node i, two series that do not depend on each other have a correlation as
variable as that of n (1 − r_i r_j) / (1 + r_i r_j) independent months (Bretherton et al. 1999); the mean over all pairs
is one number for the whole field.
"""

import math
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError, public
from climatebn.ingest.nodes.learning_table import to_table

BLOCK = 256  # rows at once
STRONG = 0.8  # a record worth less than this share of its months is strongly autocorrelated


@public
def effective_n(data: Any) -> float:
    """The number of independent months that the record is worth, for criteria that count months.

    ``cb.GaussianStats(round(cb.effective_n(data)), np.cov(data.values.T), data.names)`` learns with it; `whiten` is
    better where the truth is known, because one number for all places cuts true arcs with the false ones.

    Parameters
    ----------
    data : NodeData, DataFrame or array, months in order.

    Returns
    -------
    months, between 1 and (without persistence) about n.

    Notes
    -----
    With r_i the lag-1 autocorrelation of node i and n months, the mean over all pairs of nodes of::

        n (1 − r_i r_j) / (1 + r_i r_j)

    which is how many independent months make the correlation of two unrelated series as variable: Bretherton et al.
    (1999, J. Climate 12, 1990–2009).

    Examples
    --------
    >>> import climatebn as cb
    >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    >>> len(data), round(cb.effective_n(data))
    (360, 248)
    """
    table = to_table(data)
    if table.levels is not None:
        raise ClimateBNError("effective_n is for numeric data; this is discrete")
    if len(table.values) < 3:
        raise ClimateBNError(f"effective_n needs 3 months or more; got {len(table.values)}")
    worth = effective_size(table.values)
    if not math.isfinite(worth):
        raise ClimateBNError("effective_n needs nodes that vary, with numbers whose squares are finite")
    return worth


def effective_size(values: np.ndarray) -> float:
    """`effective_n` of a (time × node) matrix."""
    r = lag_one(values)
    if len(r) == 1:
        return float(len(values) * (1 - r[0] ** 2) / (1 + r[0] ** 2))
    total = 0.0
    for start in range(0, len(r), BLOCK):  # all pairs of a block of nodes with the nodes after each of them
        product = np.outer(r[start : start + BLOCK], r[start:])
        total += float(np.sum(np.triu((1 - product) / (1 + product), 1)))
    return len(values) * total / (len(r) * (len(r) - 1) / 2)


def lag_one(values: np.ndarray) -> np.ndarray:
    """Correlation of each column with itself a row later."""
    early, late = values[:-1] - values[:-1].mean(axis=0), values[1:] - values[1:].mean(axis=0)
    spread = np.sqrt(np.einsum("ti,ti->i", early, early) * np.einsum("ti,ti->i", late, late))
    return np.einsum("ti,ti->i", early, late) / np.where(spread > 0, spread, 1.0)


def serial_note(data: Any) -> tuple[str, ...]:
    """What is to be said of node data that is strongly autocorrelated and was not whitened; nothing of other data."""
    if getattr(data, "time", None) is None or getattr(data, "whitening", None) is not None or len(data.values) < 3:
        return ()
    if data.nodes.lag.any():  # the past is among the nodes: persistence is modelled
        return ()
    n, worth = len(data.values), effective_size(data.values)
    if worth >= STRONG * n:
        return ()
    return (
        f"the {n} months are autocorrelated and worth about {worth:.0f} independent ones: many distant arcs are due to "
        "chance (see climatebn.whiten, effective_n, distant_null)",
    )
