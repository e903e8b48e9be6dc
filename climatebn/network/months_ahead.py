r"""A stationary network in time seen over a few months, as one joint normal distribution that evidence conditions.

Months −p … 0 (what can be known) and 1 … H (what is asked). Cov(X_{t+h}, X_t) = C_h is known for h ≤ p, and goes on by
C_h = Σ_k A_k C_{h−k}; only its products with the few columns of evidence are formed.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.nodes import Nodes, past_name
from climatebn.network.condition import Conditional, condition
from climatebn.network.evidence import Evidence
from climatebn.network.forecasting import InTime
from climatebn.network.linear_gaussian import Units


@dataclass(frozen=True, eq=False)
class MonthsAhead:
    """All nodes of the months 0, −1 … −p, 1 … ``horizon``, in this order."""

    network: InTime
    horizon: int

    @property
    def order(self) -> int:
        """How many months before the present evidence may be about."""
        return self.network.state_space.order

    @cached_property
    def names(self) -> tuple[str, ...]:
        """X1 …, X1@-1 …, X1@+1 …."""
        past = [past_name(name, lag) for lag in range(self.order + 1) for name in self.network.names]
        return (*past, *(f"{name}@+{lead}" for lead in range(1, self.horizon + 1) for name in self.network.names))

    @cached_property
    def nodes(self) -> Nodes | None:
        """Places of the nodes that can be known."""
        nodes = self.network.present
        return None if nodes is None else nodes.with_past(range(1, self.order + 1))

    @property
    def units(self) -> str:
        """Of the data."""
        return self.network.units

    @cached_property
    def own_units(self) -> Units:
        """Of the parameters, evidence and answers."""
        return cast(Any, self.network).own_units

    def into(self, units: Units | None) -> tuple[np.ndarray, np.ndarray]:
        """(shift, factor) of each node of each month from own units."""
        shift, factor = self.network.into(units)
        return self._repeated(shift), self._repeated(factor)

    @cached_property
    def mean(self) -> np.ndarray:
        """The stationary mean, month after month."""
        return self._repeated(self.network.state_space.mean)

    def variances(self) -> np.ndarray:
        """The stationary variances, month after month."""
        return self._repeated(np.diag(self.network.state_space.autocovariances[0]).copy())

    def _repeated(self, values: np.ndarray) -> np.ndarray:
        return np.tile(values, self.order + 1 + self.horizon)

    def covariance_with(self, weights: np.ndarray) -> np.ndarray:
        """Covariance of all nodes with linear combinations of those that can be known."""
        size, p, space = len(self.network.names), self.order, self.network.state_space
        blocks = weights.reshape(p + 1 + self.horizon, size, -1)
        if blocks[p + 1 :].any():
            raise ClimateBNError("evidence is about the present and past months; what lies ahead is the answer")
        total = np.zeros_like(blocks)
        known = space.autocovariances
        for lag in range(p + 1):
            if not blocks[lag].any():
                continue
            ahead = [known[h] @ blocks[lag] for h in range(p + 1)]  # h months after the evidence
            while len(ahead) <= lag + self.horizon:
                ahead.append(space.step(ahead[: -p - 1 : -1]))
            for month in range(p + 1):
                total[month] += ahead[lag - month] if month <= lag else known[month - lag].T @ blocks[lag]
            for lead in range(1, self.horizon + 1):
                total[p + lead] += ahead[lag + lead]
        return total.reshape(weights.shape)

    def condition(self, evidence: Evidence, units: Units | None) -> Conditional:
        """Mean and sd of every node of every month given the evidence."""
        return condition(cast(Any, self), evidence, units)

    def leads(self, values: np.ndarray) -> np.ndarray:
        """Of values of all nodes of all months those of months 0 … horizon: (lead × node)."""
        months = values.reshape(self.order + 1 + self.horizon, -1)
        return np.concatenate([months[:1], months[self.order + 1 :]])

    def known(self, values: np.ndarray) -> np.ndarray:
        """Of values of all nodes of all months those of months 0 … −p: (month × node)."""
        return values.reshape(self.order + 1 + self.horizon, -1)[: self.order + 1]
