r"""Linear inverse model of the tropics (Penland & Sardeshmukh 1995): the field's usual statistical forecast.

With z the k leading principal components of the tropics (each place in standard deviations), C₀ and C₁ their
covariances at lag 0 and 1 month:

    G = C₁ C₀⁻¹,   forecast z_{t+h} = Gʰ z_t,   error covariance C₀ − Gʰ C₀ Gʰᵀ

and, for what the components leave out of a place, its own variance. Places outside the tropics have no forecast.
"""

from dataclasses import dataclass

import numpy as np

from climatebn.errors import ClimateBNError, public
from climatebn.forecast.eof_analysis import Eofs, eofs
from climatebn.forecast.persistence import Forecasts
from climatebn.forecast.record import Record
from climatebn.ingest.grid.region import row_areas

TROPICS = 30.0  # degrees of latitude to either side of the equator
EOFS = (5, 10, 15, 20, 25, 30)  # numbers of components that are tried inside the training years


@public
@dataclass(frozen=True, eq=False)
class LinearInverse:
    """Components, their one-month propagator G and what is left out, from the training years of a record.

    Attributes
    ----------
    record : the anomalies that it was fitted to.
    tropics : column numbers of the nodes it knows.
    scale : their standard deviations in the training years.
    eofs : their leading patterns.
    propagator : G, of the components from one month to the next.
    covariance : of the components.
    left_out : what the components leave of the training months (time × tropical node), in sd.

    Examples
    --------
    >>> import climatebn as cb
    >>> field = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
    >>> tried = cb.hindcast(field, test=("2000", "2004"), leads=(1,), lags=(1,), members=2, progress=False)
    >>> cb.forecast.linear_inverse(tried.record, 3).propagator.shape
    (3, 3)
    """

    record: Record
    tropics: np.ndarray  # the nodes it knows
    scale: np.ndarray  # their standard deviations in the training years
    eofs: Eofs
    propagator: np.ndarray
    covariance: np.ndarray
    left_out: np.ndarray  # of the training months, time × tropical node, in sd

    def forecast(self, weights: np.ndarray, lead: int) -> Forecasts:
        """Forecasts of weighted sums of the nodes (node × target) from every month; missing outside the tropics.

        Parameters
        ----------
        weights : (node × target), e.g. one column with the weights of a region.
        lead : months ahead.

        Returns
        -------
        (mean, sd), each (month × target), in the units of the anomalies; missing outside the tropics.

        Examples
        --------
        >>> import climatebn as cb, numpy as np
        >>> field = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
        >>> tried = cb.hindcast(field, test=("2000", "2004"), leads=(1,), lags=(1,), members=2, progress=False)
        >>> mean, sd = cb.forecast.linear_inverse(tried.record, 3).forecast(np.eye(12)[:, :1], lead=3)
        >>> mean.shape == (len(tried.record.values), 1)
        True
        """
        inside = weights[self.tropics] * self.scale[:, None]
        known = (weights != 0).sum(axis=0) == (inside != 0).sum(axis=0)
        ahead = np.linalg.matrix_power(self.propagator, lead)
        target = self.eofs.loadings().T @ inside  # component × target
        components = self.eofs.components(self.record.values[:, self.tropics] / self.scale)
        mean = (components @ ahead.T) @ target + self.eofs.mean @ inside
        spread = self.covariance - ahead @ self.covariance @ ahead.T
        variance = np.einsum("ij,ik,kj->j", target, spread, target) + ((self.left_out @ inside) ** 2).mean(axis=0)
        sd = np.sqrt(np.maximum(variance, 0))
        return np.where(known, mean, np.nan), np.broadcast_to(np.where(known, sd, np.nan), mean.shape)


@public
def linear_inverse(record: Record, count: int) -> LinearInverse:
    """Fit a linear inverse model to the training years of a record.

    Parameters
    ----------
    record : anomalies with their training years, e.g. ``hindcast(…).record``.
    count : number of EOFs of the tropics that it follows.

    Returns
    -------
    `LinearInverse`.

    Raises
    ------
    ClimateBNError where no place lies in the tropics.

    Notes
    -----
    With z the leading principal components of the tropics (each place in standard deviations), C₀ and C₁ their
    covariances at lags 0 and 1 month, h the lead::

        G = C₁ C₀⁻¹,      forecast of z_{t+h} = Gʰ z_t,      covariance of its error = C₀ − Gʰ C₀ Gʰᵀ

    Penland and Sardeshmukh (1995, J. Climate 8, 1999–2024).

    Examples
    --------
    >>> import climatebn as cb
    >>> field = cb.load_ncep(period="long").sel(lat=[-5, 5]).isel(lon=slice(None, None, 6))
    >>> tried = cb.hindcast(field, test=("2000", "2004"), leads=(1,), lags=(1,), members=2, progress=False)
    >>> len(cb.forecast.linear_inverse(tried.record, 3).tropics)
    12
    """
    tropics = tropics_of(record)
    if len(tropics) < 2:
        raise ClimateBNError(f"a linear inverse model needs places within {TROPICS:g}° of the equator; there are none")
    seen = record.values[: record.trained, tropics]
    scale = seen.std(axis=0, ddof=1)
    seen = seen / scale
    found = eofs(seen, cell_areas(record)[tropics], count)
    z = found.components(seen)
    now, later = z[:-1], z[1:]
    covariance = z.T @ z / len(z)
    propagator = np.linalg.solve(now.T @ now, now.T @ later).T
    left_out = seen - found.mean - z @ found.loadings().T
    return LinearInverse(record, tropics, scale, found, propagator, covariance, left_out)


def tropics_of(record: Record) -> np.ndarray:
    """The nodes within the tropics."""
    return np.flatnonzero(record.nodes.on_grid & (np.abs(record.nodes.lat) <= TROPICS))


def cell_areas(record: Record) -> np.ndarray:
    """The area of each node's cell, in units of the largest."""
    grid_lat = record.nodes.grid_lat
    order = np.argsort(grid_lat)
    area = row_areas(grid_lat[order])[np.searchsorted(grid_lat[order], record.nodes.lat)]
    result: np.ndarray = area / area.max()
    return result
