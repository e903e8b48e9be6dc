r"""A network in time as a vector autoregression, and all its moments by exact Gaussian algebra.

    X_t = c + Σ_k A_k X_{t−k} + e_t,   e_t ~ N(0, Q),   k = 1 … p

With same-month arcs B_0 the reduced form is meant: A_k = (I − B_0ᵀ)⁻¹ B_kᵀ and Q = (I − B_0ᵀ)⁻¹ D (I − B_0)⁻¹. The
last p months form the state, which moves by the companion matrix F. The stationary covariance Γ = F Γ Fᵀ + Q comes from
doubling: Γ ← Γ + F Γ Fᵀ, F ← F², so that k steps sum 2^k terms (Anderson, Moore 1979).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from climatebn.errors import ClimateBNError

MOST_DOUBLINGS = 24  # 16 million months: a network that needs more is as good as unstable
SETTLED = 1e-15


@dataclass(frozen=True, eq=False)
class StateSpace:
    """Intercept (N), transitions A_k (p × N × N, [k − 1, to, from]) and a root of Q = root rootᵀ (N × m)."""

    intercept: np.ndarray
    transitions: np.ndarray
    root: np.ndarray

    @property
    def order(self) -> int:
        """How many months the state has: the longest lag."""
        return len(self.transitions)

    def step(self, past: Sequence[np.ndarray]) -> np.ndarray:
        """Σ_k A_k past_k, where past_1 is the month before: (N × m) arrays."""
        total: np.ndarray = self.transitions[0] @ past[0]
        for transition, earlier in zip(self.transitions[1:], past[1:], strict=True):
            total += transition @ earlier
        return total

    def means(self, states: np.ndarray, leads: int) -> np.ndarray:
        """Expected months 1 … ``leads`` after each state: (lead × state × N) from (state × p × N), the latest last."""
        past = [states[:, -lag].T for lag in range(1, self.order + 1)]
        found = np.empty((leads, len(states), len(self.intercept)))
        for lead in range(leads):
            month = self.intercept[:, None] + self.step(past)
            found[lead] = month.T
            past = [month, *past[:-1]]
        return found

    def responses(self, start: np.ndarray, leads: int) -> Iterator[np.ndarray]:
        """Ψ_h · start for h = 0, 1, … ``leads``: what a departure in the present month (N × m) becomes."""
        zero = np.zeros_like(start)
        past = [start, *[zero] * (self.order - 1)]
        yield start
        for _ in range(leads):
            month = self.step(past)
            yield month
            past = [month, *past[:-1]]

    def error_variances(self, leads: int, weights: np.ndarray | None = None) -> np.ndarray:
        """Variance of the error of forecasts (lead × N); of combinations where ``weights`` (N × m) are given."""
        found, total = [], np.zeros(len(self.intercept) if weights is None else weights.shape[1])
        for response in self.responses(self.root, leads - 1):
            seen = response if weights is None else weights.T @ response
            total = total + np.einsum("ij,ij->i", seen, seen)
            found.append(total)
        return np.array(found)

    @cached_property
    def companion(self) -> np.ndarray:
        """F, (pN × pN)."""
        size, p = len(self.intercept), self.order
        matrix = np.zeros((p * size, p * size))
        matrix[:size] = np.concatenate(list(self.transitions), axis=1)
        matrix[size:, : (p - 1) * size] = np.eye((p - 1) * size)
        return matrix

    @cached_property
    def mean(self) -> np.ndarray:
        """The stationary mean (N)."""
        known = self.autocovariances[0]  # refuses an unstable network in words
        return np.asarray(np.linalg.solve(np.eye(len(known)) - self.transitions.sum(axis=0), self.intercept))

    @cached_property
    def autocovariances(self) -> np.ndarray:
        """C_h = Cov(X_{t+h}, X_t) of the stationary network for h = 0 … p: (p + 1) × N × N."""
        size, p = len(self.intercept), self.order
        total = np.zeros((p * size, p * size))
        total[:size, :size] = self.root @ self.root.T
        power, doublings = self.companion.copy(), 0
        while True:
            with np.errstate(over="ignore", invalid="ignore"):
                more = power @ total @ power.T
                total += more
            doublings += 1
            if not np.isfinite(total).all() or doublings > MOST_DOUBLINGS:
                raise self._unstable()
            if np.abs(more).max() <= SETTLED * np.abs(total).max():
                break
            with np.errstate(over="ignore", invalid="ignore"):
                power = power @ power
        blocks = [total[:size, h * size : (h + 1) * size] for h in range(p)]  # Cov(X_t, X_{t−h}) = C_h
        last = sum(self.transitions[k] @ blocks[p - 1 - k] for k in range(p))
        return np.stack([(blocks[0] + blocks[0].T) / 2, *blocks[1:], last])

    def _unstable(self) -> ClimateBNError:
        radius = self.spectral_radius()
        return ClimateBNError(
            f"the network is not stable: departures grow by a factor of {radius:.4g} a month, so that it has no "
            "stationary distribution to answer from. Take anomalies without trend, a larger γ or a longer record; "
            "forecast(state, leads) works for any network"
        )

    def spectral_radius(self) -> float:
        """The largest factor by which a departure grows or fades in a month: below 1 for a stable network."""
        return float(np.abs(np.linalg.eigvals(self.companion)).max())
