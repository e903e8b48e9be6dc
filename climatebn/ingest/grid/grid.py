"""Latitude–longitude grids: cell centres and the cell edges around them.

An edge lies midway between two centres. Longitudes go round: a grid whose largest gap is no wider than twice any
other covers the whole circle. An outermost latitude cell reaches the pole when a further row would lie beyond it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError, number, public, short

# The authors' points lie on the T62 Gaussian grid, every 10°.
_PAPER_SOUTH, _PAPER_WEST = -88.542, -178.125


@public
@dataclass(frozen=True, eq=False)
class Grid:
    """Cell centres: ``lat`` from south to north, ``lon`` eastwards within −180 … 180.

    Parameters
    ----------
    lat, lon : degrees; `Grid.regular` makes a global grid, `Grid.of` takes that of a field.

    Examples
    --------
    >>> Grid.regular(10)
    Grid(18 × 36: lat −85 … 85, lon −175 … 175)
    """

    lat: np.ndarray
    lon: np.ndarray

    def __post_init__(self) -> None:
        lat = np.sort(np.array(self.lat, dtype=np.float64).ravel())
        lon = np.sort(wrap(np.array(self.lon, dtype=np.float64).ravel()))
        for axis, values in (("lat", lat), ("lon", lon)):
            if not np.isfinite(values).all() or (np.diff(values) <= 0).any() or values.size < 2:
                raise ClimateBNError(f"{axis} of a Grid must be two or more different numbers; got {values.tolist()}")
            values.flags.writeable = False
            object.__setattr__(self, axis, values)
        if np.abs(lat).max() > 90:
            raise ClimateBNError(f"lat of a Grid must lie within ±90°; got {lat[0]:g} … {lat[-1]:g}")

    @classmethod
    def regular(cls, degrees: float) -> "Grid":
        """Cells of ``degrees`` × ``degrees`` that cover the sphere, edges at −90 and −180.

        Parameters
        ----------
        degrees : size of a cell; must divide 180.

        Returns
        -------
        Grid.

        Raises
        ------
        ClimateBNError where cells of that size do not cover the sphere.

        Examples
        --------
        >>> Grid.regular(5)
        Grid(36 × 72: lat −87.5 … 87.5, lon −177.5 … 177.5)
        """
        number("degrees", degrees, finite=False)
        rows = round(180 / degrees) if np.isfinite(degrees) and 0 < degrees <= 90 else 0
        if rows < 2 or abs(rows * degrees - 180) > 1e-9 * 180:
            raise ClimateBNError(f"degrees must divide 180 and be at most 90, e.g. 10, 5, 2.5; got {degrees!r}")
        return cls(-90 + 180 / rows * (np.arange(rows) + 0.5), -180 + 180 / rows * (np.arange(2 * rows) + 0.5))

    @classmethod
    def paper(cls) -> "Grid":
        """The points of Scutari et al. (2019): every 10° from 88.542°S, 178.125°W.

        Returns
        -------
        Grid of 18 × 36 points.

        Examples
        --------
        >>> Grid.paper()
        Grid(18 × 36: lat −88.542 … 81.458, lon −178.125 … 171.875)
        """
        return cls(_PAPER_SOUTH + 10 * np.arange(18), _PAPER_WEST + 10 * np.arange(36))

    @classmethod
    def of(cls, field: xr.DataArray) -> "Grid":
        """The grid of a field in standard form.

        Parameters
        ----------
        field : DataArray with coordinates lat and lon.

        Returns
        -------
        Grid.

        Examples
        --------
        >>> import climatebn as cb
        >>> Grid.of(cb.load_sst())
        Grid(18 × 36: lat −85 … 85, lon −175 … 175)
        """
        if not isinstance(field, xr.DataArray) or not {"lat", "lon"} <= set(field.dims):
            raise ClimateBNError(f"field must be a DataArray with dimensions lat and lon; got {short(field)}")
        return cls(field["lat"].values, field["lon"].values)

    @property
    def area(self) -> np.ndarray:
        """Share of the sphere of each cell (lat × lon); sums to 1 on a global grid."""
        south, north = np.sin(np.deg2rad(latitude_edges(self.lat))).T
        west, east = longitude_edges(self.lon).T
        return np.outer(north - south, east - west) / 720

    def __repr__(self) -> str:
        lat, lon = (f"{v[0]:g} … {v[-1]:g}".replace("-", "−") for v in (self.lat, self.lon))
        return f"Grid({self.lat.size} × {self.lon.size}: lat {lat}, lon {lon})"


def wrap(lon: Any) -> np.ndarray:
    """Longitudes in −180 … 180 (180 itself becomes −180)."""
    wrapped: np.ndarray = (np.asarray(lon, dtype=np.float64) + 180) % 360 - 180
    return wrapped


def latitude_edges(lat: np.ndarray) -> np.ndarray:
    """(south, north) of each row, in the order of ``lat``."""
    order = np.argsort(lat)
    rising = lat[order]
    middles = (rising[1:] + rising[:-1]) / 2
    first, last = rising[1] - rising[0], rising[-1] - rising[-2]
    bottom = -90 if rising[0] - first < -90 else rising[0] - first / 2
    top = 90 if rising[-1] + last > 90 else rising[-1] + last / 2
    edges = np.empty((lat.size, 2))
    edges[order] = np.column_stack([np.r_[bottom, middles], np.r_[middles, top]])
    return edges


def longitude_edges(lon: np.ndarray) -> np.ndarray:
    """(west, east) of each column with west < east, in the order of ``lon``; east may lie beyond 180 or 360."""
    order, rising, gaps = eastwards(lon)
    widest = gaps[-1]
    outer = widest if is_round(gaps) else gaps[:-1][[0, -1]]  # half the neighbours' spacing at the open ends
    before, after = np.broadcast_to(outer, 2)
    middles = (rising[1:] + rising[:-1]) / 2
    edges = np.empty((lon.size, 2))
    edges[order] = np.column_stack([np.r_[rising[0] - before / 2, middles], np.r_[middles, rising[-1] + after / 2]])
    return edges


def eastwards(lon: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Order, unwrapped rising longitudes, and gaps, so that the widest gap comes last (from the end to the start)."""
    order = np.argsort(lon % 360)
    turned = (lon % 360)[order]
    gaps = np.diff(np.r_[turned, turned[0] + 360])
    start = (int(np.argmax(gaps)) + 1) % lon.size
    order, gaps = np.roll(order, -start), np.roll(gaps, -start)
    rising = turned[start] + np.r_[0, np.cumsum(gaps[:-1])]
    return order, rising, gaps


def is_round(gaps: np.ndarray) -> bool:
    """Whether columns with these gaps (the widest last) go round the whole circle."""
    return bool(gaps[-1] <= 2 * gaps[:-1].max())
