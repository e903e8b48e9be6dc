r"""Regridding weights of one axis: a (target × source) matrix, the same for every row and time.

mean: w_ts = |target cell t ∩ source cell s|, lengths in sin(latitude) or in longitude, so that the product of
both axes is the exact area of the overlap on the sphere. linear and nearest: the neighbours of each target
point. A target outside the source has a row of zeros.
"""

import numpy as np

from climatebn.errors import unknown
from climatebn.ingest.grid.grid import eastwards, is_round, latitude_edges, longitude_edges

METHODS = ("mean", "linear", "nearest")


def latitude_weights(
    source: np.ndarray, target: np.ndarray, method: str, edges: np.ndarray | None = None
) -> np.ndarray:
    """Weights between two sets of latitudes; points between the outermost row and its cell's edge take that row.

    ``edges`` are the (south, north) of the source's cells; midway between its latitudes when None.
    """
    edges = latitude_edges(source) if edges is None else edges
    if _known(method) == "mean":
        return _overlap(*(np.sin(np.deg2rad(e)) for e in (latitude_edges(target), edges)))
    order = np.argsort(source)
    inside = (target >= edges.min()) & (target <= edges.max())
    weights = np.zeros((target.size, source.size))
    weights[:, order] = _between(source[order], np.clip(target, source.min(), source.max()), method)
    return weights * inside[:, None]


def longitude_weights(
    source: np.ndarray, target: np.ndarray, method: str, edges: np.ndarray | None = None
) -> np.ndarray:
    """Weights between two sets of longitudes, round the circle; ``edges`` as in `latitude_weights`."""
    edges = longitude_edges(source) if edges is None else edges
    if _known(method) == "mean":
        cells = longitude_edges(target)
        return sum((_overlap(cells, edges + turn) for turn in (-720, -360, 0, 360, 720)), np.zeros((1, 1)))
    order, rising, gaps = eastwards(source)
    weights = np.zeros((target.size, source.size))
    if is_round(gaps):
        points = rising[0] + (target - rising[0]) % 360
        closed = _between(np.r_[rising, rising[0] + 360], points, method)
        closed[:, 0] += closed[:, -1]
        weights[:, order] = closed[:, :-1]
        return weights
    west, east = edges.min(), edges.max()
    points = west + (target - west) % 360
    weights[:, order] = _between(rising, np.clip(points, rising[0], rising[-1]), method)
    return weights * (points <= east)[:, None]


def _known(method: str) -> str:
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    return method


def _overlap(target: np.ndarray, source: np.ndarray) -> np.ndarray:
    """Common length of each pair of (low, high) intervals; slivers made by rounding count as none."""
    low = np.maximum(target[:, :1], source[None, :, 0])
    high = np.minimum(target[:, 1:], source[None, :, 1])
    common = np.clip(high - low, 0, None)
    common[common < 1e-9 * np.diff(target)] = 0
    return common


def _between(rising: np.ndarray, points: np.ndarray, method: str) -> np.ndarray:
    """Shares of the two neighbours of each point; "nearest" gives all to the closer one, the first on a tie."""
    left = np.clip(np.searchsorted(rising, points, side="right") - 1, 0, rising.size - 2)
    share = (points - rising[left]) / (rising[left + 1] - rising[left])
    if method == "nearest":
        share = (share > 0.5).astype(np.float64)
    weights = np.zeros((points.size, rising.size))
    rows = np.arange(points.size)
    weights[rows, left] = 1 - share
    weights[rows, left + 1] = share
    return weights
