r"""Innovations: what each month brings that its own past at that place did not say.

With x_t the anomaly of a node, m(t) the calendar month of t, s_m the standard deviation of that month:

    z_t = x_t / s_m(t),      z_t − μ = Σ_{k=1}^{p} a_k (z_{t−k} − μ) + e_t

The order p ≤ max_order of each node is the one of least BIC, n log(RSS / n) + p log n, with all orders fitted to the
same months; a_k by least squares. e_t begins max_order months after the record does, at every node.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, public, require_nodes
from climatebn.ingest.field.months import month_numbers
from climatebn.ingest.field.months import name as month_name
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.nodes import read_only
from climatebn.provenance import history_line, with_history


@public
@dataclass(frozen=True, eq=False, repr=False)
class Whitening:
    """How innovations were made from anomalies, and the way back (`restore`).

    Attributes
    ----------
    coefficients : (node × max_order) a_1, a_2, …; 0 beyond the order of the node.
    orders : the order p of each node.
    monthly_sd : (12 × node) standard deviation of January … December, in the units of the anomalies; ones if not used.
    mean : μ of each node.
    first : the months of z before the first innovation.
    units : of the anomalies.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> way = cb.whiten(tropics).whitening
    >>> way.coefficients.shape, way.monthly_sd.shape
    ((72, 6), (12, 72))
    """

    coefficients: np.ndarray
    orders: np.ndarray
    monthly_sd: np.ndarray
    mean: np.ndarray
    first: np.ndarray
    first_time: np.ndarray
    units: str

    def __post_init__(self) -> None:
        for name in ("coefficients", "monthly_sd", "mean", "first"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def restore(self, innovations: NodeData) -> NodeData:
        """The anomalies again, from the first month of the record on.

        Parameters
        ----------
        innovations : NodeData of all innovations, from the first on.

        Returns
        -------
        NodeData of anomalies in their own units; it begins before the first innovation.

        Examples
        --------
        >>> import climatebn as cb, numpy as np
        >>> data = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> white = cb.whiten(data)
        >>> bool(np.allclose(white.whitening.restore(white).values, data.values))
        True
        """
        if innovations.values.shape[1] != len(self.mean):
            raise ClimateBNError(
                f"innovations must have the {len(self.mean)} nodes of the whitening; got {innovations!r}"
            )
        lost = self.first.shape[0]
        z = np.concatenate([self.first - self.mean, innovations.values])
        for t in range(lost, len(z)):
            past = z[t - lost : t][::-1]
            z[t] += np.einsum("ki,ik->i", past, self.coefficients)
        time = np.concatenate([self.first_time, innovations.time])
        values = (z + self.mean) * self.monthly_sd[_calendar(time)]
        return replace(innovations, values=values, time=time, units=self.units, whitening=None)

    def select(self, columns: np.ndarray) -> "Whitening":
        """Of these columns only.

        Parameters
        ----------
        columns : column numbers.

        Returns
        -------
        Whitening.

        Examples
        --------
        >>> import climatebn as cb, numpy as np
        >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
        >>> cb.whiten(tropics).whitening.select(np.array([0, 5])).orders.shape
        (2,)
        """
        require_nodes(len(self.mean), columns)
        columns = np.array(columns, dtype=np.int64)
        return Whitening(
            self.coefficients[columns],
            self.orders[columns],
            self.monthly_sd[:, columns],
            self.mean[columns],
            self.first[:, columns],
            self.first_time,
            self.units,
        )

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} of order {p}" for p, count in enumerate(np.bincount(self.orders)) if count)
        sd = "" if (self.monthly_sd == 1).all() else "divided by the sd of each calendar month; "
        return f"Whitening({sd}AR: {counts})"


@public
def whiten(
    data: NodeData, order: int | Literal["bic"] = "bic", max_order: int = 6, monthly_sd: bool = True
) -> NodeData:
    """Remove persistence and the seasonal cycle of variance: the innovations of each node.

    Months that follow each other are alike, so a criterion that counts them as independent finds arcs that are not
    there; innovations are not alike. The result is ``max_order`` months (``order``, if a number) shorter than ``data``.

    Parameters
    ----------
    data : NodeData of anomalies without time gaps.
    order : order of the autoregression of every node, or "bic": each node's own, 0 … ``max_order``.
    max_order : the highest order that "bic" tries.
    monthly_sd : divide by the standard deviation (n − 1) of each calendar month first.

    Returns
    -------
    NodeData of innovations; its ``whitening`` keeps AR coefficients, orders and monthly sd, and leads back.

    Notes
    -----
    With x_t the anomaly of a node and s_m(t) the standard deviation of the calendar month of t, e_t are the
    innovations::

        z_t = x_t / s_m(t),      z_t − μ = Σ_k a_k (z_{t−k} − μ) + e_t,      k = 1 … p

    a_k by least squares, the order p the one of least BIC, n log(RSS / n) + p log n, on the same months.

    Examples
    --------
    >>> import climatebn as cb
    >>> white = cb.whiten(cb.to_nodes(cb.anomalies(cb.load_ncep())))
    >>> white.whitening
    Whitening(divided by the sd of each calendar month; AR: 8 of order 0, 397 of order 1, 156 of order 2, 45 of order \
3, 30 of order 4, 9 of order 5, 3 of order 6)
    >>> len(white), round(float(cb.effective_n(white)))
    (354, 354)
    """
    if not isinstance(data, NodeData):
        raise ClimateBNError(f"data must be NodeData, months in order at known places; got {type(data).__name__}")
    if order != "bic" and (isinstance(order, bool) or not isinstance(order, int) or order < 0):
        raise ClimateBNError(f"order must be 'bic' or a whole number ≥ 0; got {order!r}")
    if isinstance(max_order, bool) or not isinstance(max_order, int) or max_order < 0:
        raise ClimateBNError(f"max_order must be a whole number ≥ 0; got {max_order!r}")
    if data.whitening is not None:
        raise ClimateBNError("data holds innovations already; whiten anomalies once")
    flat = [name for name, same in zip(data.names, np.ptp(data.values, axis=0) == 0, strict=True) if same]
    if flat or not np.isfinite(data.values).all() or not data.names:
        raise ClimateBNError(f"whiten needs nodes with finite values that vary; {flat[0] if flat else 'data'} has none")
    months = _consecutive(data.time)
    lost = max_order if order == "bic" else order
    if len(data) < max(3 * lost, 24) + lost:
        raise ClimateBNError(
            f"whiten needs {max(3 * lost, 24) + lost} months or more for order {lost}; got {len(data)}"
        )
    sd = np.ones((12, data.values.shape[1]))
    if monthly_sd:
        sd = np.array([data.values[months % 12 == month].std(axis=0, ddof=1) for month in range(12)])
        if not (sd > 0).all():
            least = data.names[int(np.argmin(sd.min(axis=0)))]
            raise ClimateBNError(
                f"monthly_sd=True needs months that vary; {least} is constant in some month. Leave such places out "
                "(data.select), or give monthly_sd=False"
            )
    z = data.values / sd[months % 12]
    mean = z.mean(axis=0)
    lowest = lost if order != "bic" else 0
    coefficients, orders, innovations = autoregressions(z - mean, lowest, lost)
    line = history_line("whiten", {"order": order, "max_order": max_order, "monthly_sd": monthly_sd})
    attrs = with_history({**data.attrs, "long_name": f"innovation of {data.attrs.get('long_name', 'anomaly')}"}, line)
    units = "1" if monthly_sd else data.units
    whitening = Whitening(coefficients, orders, sd, mean, z[:lost], data.time[:lost], data.units)
    return NodeData(innovations, data.nodes, data.time[lost:], units, {**attrs, "units": units}, whitening)


def autoregressions(z: np.ndarray, lowest: int, highest: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """AR coefficients (node × highest), orders lowest … highest by BIC, and innovations of each centred column.

    Normal equations of all lags are formed once a node; the leading blocks serve the lower orders.
    """
    n, size = len(z) - highest, z.shape[1]
    target = z[highest:]
    lags = np.stack([z[highest - k : len(z) - k] for k in range(1, highest + 1)]) if highest else np.zeros((0, n, size))
    gram = np.einsum("ati,bti->iab", lags, lags)
    cross = np.einsum("ati,ti->ia", lags, target)
    coefficients, orders = np.zeros((size, highest)), np.full(size, -1, dtype=np.int64)
    least = np.full(size, np.inf)
    for p in range(lowest, highest + 1):
        found = np.zeros((size, highest))
        try:
            found[:, :p] = np.linalg.solve(gram[:, :p, :p], cross[:, :p, None])[..., 0]
        except np.linalg.LinAlgError:
            raise ClimateBNError(
                f"no autoregression of order {p}: a node follows exactly from the months before it, or is far too large"
            ) from None
        rss = np.einsum("ti,ti->i", target, target) - np.einsum("ia,ia->i", found, cross)
        bic = n * np.log(np.maximum(rss, 1e-300) / n) + p * np.log(n)
        better = bic < least
        coefficients[better], orders[better], least[better] = found[better], p, bic[better]
    return coefficients, orders, target - np.einsum("ati,ia->ti", lags, coefficients)


def _consecutive(time: np.ndarray) -> np.ndarray:
    months = month_numbers(xr.DataArray(time, dims="time"))
    breaks = np.flatnonzero(np.diff(months) != 1)
    if breaks.size:
        at = int(breaks[0])
        raise ClimateBNError(
            f"whiten needs months that follow each other; {month_name(months[at + 1])} follows "
            f"{month_name(months[at])}. Whiten the whole record, then select its months"
        )
    return months


def _calendar(time: np.ndarray) -> np.ndarray:
    return month_numbers(xr.DataArray(time, dims="time")) % 12
