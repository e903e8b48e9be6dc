r"""Empirical orthogonal functions: the patterns of a field that explain most of its variance.

With X the anomalies (time × place, mean removed) and a the area of each cell:  X √a = U S Vᵀ.  A pattern is a column of
V, its principal component X √a V; the explained variance of pattern k is s_k² / (n − 1).
"""

from dataclasses import dataclass

import numpy as np

from climatebn.errors import ClimateBNError, public, real_array, whole


@public
@dataclass(frozen=True, eq=False)
class Eofs:
    """Leading patterns of anomalies; made by `eofs`.

    Attributes
    ----------
    patterns : (place × k), orthonormal for weighted anomalies.
    variances : of each component.
    total_variance : of all components together.
    weights : √area of each place.
    mean : of each place, which was removed, in the units of the values.

    Examples
    --------
    >>> import climatebn as cb, numpy as np
    >>> found = cb.forecast.eofs(np.random.default_rng(1).normal(size=(40, 3)), np.ones(3), 2)
    >>> found.patterns.shape, found.variances.shape
    ((3, 2), (2,))
    """

    patterns: np.ndarray
    variances: np.ndarray
    total_variance: float
    weights: np.ndarray
    mean: np.ndarray

    @property
    def share(self) -> np.ndarray:
        """Share of the total variance that each pattern explains."""
        return self.variances / self.total_variance

    def components(self, values: np.ndarray) -> np.ndarray:
        """Principal components (time × k) of values (time × place).

        Parameters
        ----------
        values : (time × place), in the units of the analysed values.

        Returns
        -------
        array (time × k).

        Examples
        --------
        >>> x = np.outer([1.0, -1.0, 2.0, -2.0], [1.0, 2.0])
        >>> eofs(x, np.ones(2), 1).components(x).shape
        (4, 1)
        """
        values = real_array("values", values, 2)
        if values.shape[1] != len(self.mean):
            raise ClimateBNError(f"values must be time × place, {len(self.mean)} places; their shape is {values.shape}")
        result: np.ndarray = ((values - self.mean) * self.weights) @ self.patterns
        return result

    def loadings(self) -> np.ndarray:
        """What one unit of each component is at each place (place × k), in the units of the values.

        Returns
        -------
        array (place × k).

        Examples
        --------
        >>> x = np.outer([1.0, -1.0, 2.0, -2.0], [1.0, 2.0])
        >>> found = eofs(x, np.ones(2), 1)
        >>> bool(np.allclose(found.components(x) @ found.loadings().T + found.mean, x))
        True
        """
        result: np.ndarray = self.patterns / self.weights[:, None]
        return result


@public
def eofs(values: np.ndarray, area: np.ndarray, count: int) -> Eofs:
    """The ``count`` leading EOFs of values (time × place), cells weighted by their area.

    Parameters
    ----------
    values : (time × place).
    area : of each place, in any unit.
    count : number of EOFs.

    Returns
    -------
    `Eofs`.

    Raises
    ------
    ClimateBNError where there are not so many.

    Notes
    -----
    With X the values without their means and a the areas, the singular value decomposition::

        X √a = U S Vᵀ

    Patterns are columns of V, the variance of component k is s_k² / (n − 1) for n times.

    Examples
    --------
    >>> x = np.outer([1.0, -1.0, 2.0, -2.0], [1.0, 2.0])
    >>> eofs(x, np.ones(2), 1).share
    array([1.])
    """
    values, area = real_array("values", values, 2), real_array("area", area, 1)
    n, size = values.shape
    count = whole("count", count, least=None)
    if len(area) != size or not (np.isfinite(area) & (area >= 0)).all() or not np.isfinite(values).all():
        raise ClimateBNError(f"area must have a number, 0 or more, for each of the {size} places, and values be finite")
    if not 1 <= count <= min(n - 1, size):
        raise ClimateBNError(f"count must be 1 … {min(n - 1, size)}, the number of EOFs that there are; got {count}")
    weights = np.sqrt(area)
    mean = values.mean(axis=0)
    _, s, vt = np.linalg.svd((values - mean) * weights, full_matrices=False)
    signs = np.sign(vt[np.arange(len(vt)), np.abs(vt).argmax(axis=1)])  # the largest loading of each is positive
    variances = s**2 / (n - 1)
    return Eofs((vt * signs[:, None])[:count].T, variances[:count], float(variances.sum()), weights, mean)
