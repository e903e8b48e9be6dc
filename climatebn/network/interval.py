r"""All nodes given that one quantity Y lies in an interval: exact, by one-dimensional integration.

With Y standardised, X_i = m_i + k_i Y + residual of sd s_i, so that

    E X_i = m_i + k_i E[Y | l ≤ Y ≤ u],     Var X_i = s_i² + k_i² Var[Y | l ≤ Y ≤ u],
    P(X_i ≥ t) = ∫_l^u Φ((m_i + k_i y − t) / s_i) φ(y) dy / ∫_l^u φ(y) dy.

The integrand has a step of width s_i/|k_i| where it crosses t; Gauss–Legendre panels end there: exact to 1e-12.
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from scipy.special import ndtr, ndtri

REACH = 80.0  # the density is cut where its logarithm is 40 below its highest value in the interval
STEP_WIDTHS = 9.0
POINTS = 64
SMALL = 1e-150


@dataclass(frozen=True)
class Truncated:
    """The standard normal Y within (low, high), and each node's answer to it: mean, slope and residual sd."""

    low: float
    high: float
    mean: np.ndarray
    slope: np.ndarray
    sd: np.ndarray

    def moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of each node."""
        y, weight = panel(*self._range())
        centre = float(weight @ y)
        variance = float(weight @ (y - centre) ** 2)
        return self.mean + self.slope * centre, np.sqrt(self.sd**2 + self.slope**2 * variance)

    def above(self, threshold: float) -> np.ndarray:
        """P(X_i ≥ threshold) of each node."""
        low, high = self._range()
        slope = np.where(np.abs(self.slope) < SMALL, SMALL, self.slope)  # such a node does not answer to Y
        crossing, width = (threshold - self.mean) / slope, STEP_WIDTHS * self.sd / np.abs(slope)
        ends = [np.full(len(slope), low), crossing - width, crossing + width, np.full(len(slope), high)]
        ends = [np.clip(end, low, high) for end in ends]
        total = np.zeros(len(slope))
        norm = np.zeros(len(slope))
        for first, last in pairwise(ends):
            y, weight = _spread(first[:, None], last[:, None], low, high)
            with np.errstate(divide="ignore", invalid="ignore"):
                chance = ndtr((self.mean[:, None] + self.slope[:, None] * y - threshold) / self.sd[:, None])
            known = (self.sd == 0)[:, None]
            chance = np.where(known, self.mean[:, None] + self.slope[:, None] * y >= threshold, chance)
            total += np.einsum("ij,ij->i", chance, weight)
            norm += weight.sum(axis=1)
        return total / norm

    def _range(self) -> tuple[float, float]:
        return _cut(self.low, self.high)


@dataclass(frozen=True)
class Limits:
    """A quantity Y = centre + spread · y (own units) with low ≤ y ≤ high; without the limits y ~ N(0, 1).

    ``column`` is its covariance with every node, ``node`` the node that it is, if it is one.
    """

    low: float
    high: float
    centre: float
    spread: float
    column: np.ndarray
    node: int | None

    def answer(self, mean: np.ndarray, sd: np.ndarray, factor: np.ndarray) -> Truncated:
        """All nodes, whose ``mean`` and ``sd`` without the interval are in own units · factor."""
        slope = np.where(sd == 0, 0.0, self.column / self.spread * factor)
        rest = np.sqrt(np.maximum(sd**2 - slope**2, 0.0))
        if self.node is not None:
            rest[self.node] = 0.0
        return Truncated(self.low, self.high, mean, slope, rest)

    def draw(self, uniform: np.ndarray) -> np.ndarray:
        """y at these levels (0 … 1) of its distribution function."""
        sign = -1.0 if self.low > 0 else 1.0  # the tail that ndtr keeps in full precision
        first, last = sorted((ndtr(sign * self.low), ndtr(sign * self.high)))
        drawn: np.ndarray = sign * ndtri(first + (last - first) * uniform)
        return np.clip(drawn, self.low, self.high)


def panel(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights, summing to 1, for means of a smooth function of the standard normal within (low, high)."""
    low, high = _cut(low, high)
    points, weights = _spread(np.array([[low]]), np.array([[high]]), low, high)
    return points[0], weights[0] / weights.sum()


def _cut(low: float, high: float) -> tuple[float, float]:
    """The part of the interval that holds all but 1e-17 of its probability."""
    peak = min(max(0.0, low), high)
    reach = float(np.sqrt(peak**2 + REACH))
    return max(low, -reach), min(high, reach)


def _spread(first: np.ndarray, last: np.ndarray, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss–Legendre points between ``first`` and ``last`` with the density of Y, relative to its highest value."""
    x, w = _rule()
    y = (first + last) / 2 + (last - first) / 2 * x
    peak = min(max(0.0, low), high)
    return y, (last - first) / 2 * w * np.exp((peak**2 - y**2) / 2)


@cache
def _rule() -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(POINTS)
