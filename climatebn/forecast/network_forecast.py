r"""Forecasts of a network in time: an ensemble learned on resampled training years, its coefficients averaged.

Anomalies are divided by the standard deviation of their calendar month in the training years, so that one network
serves the whole year: variances change over it by a factor of two and more. With z such values,

    z_t = c + Σ_l A_l z_{t−l} + e_t,   e_t ~ N(0, Q)

A_l and c are means over the members. Q is the covariance of one-month errors out of bag: each training month is
forecast by the members that have not drawn its year, since a month's own members know it too well.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.forecast.persistence import Forecasts
from climatebn.forecast.record import Record
from climatebn.ingest.nodes.lags import lagged
from climatebn.network.state_space import StateSpace
from climatebn.rng import generator
from climatebn.uncertainty.relearning import ensemble
from climatebn.uncertainty.resampling import blocks_of, resampled_rows


@dataclass(frozen=True, eq=False)
class NetworkForecast:
    """A network in time with the scale of each calendar month (12 × node) that its values are divided by."""

    record: Record
    scale: np.ndarray
    space: StateSpace
    longest: int
    arcs: tuple[int, ...]  # of each member

    @cached_property
    def _means(self) -> np.ndarray:
        """Forecasts from every month in sd: lead × time × node; the first months have too little past."""
        z = self.record.values / self.scale[self.record.months % 12]
        order = self.space.order
        states = np.stack([z[back : len(z) - order + 1 + back] for back in range(order)], axis=1)
        found = np.full((self.longest, *z.shape), np.nan)
        found[:, order - 1 :] = self.space.means(states, self.longest)
        return found

    @cached_property
    def _errors(self) -> np.ndarray:
        """Covariance of the forecast's error in sd²: lead × node × node."""
        total, found = np.zeros((len(self.space.intercept),) * 2), []
        for response in self.space.responses(self.space.root, self.longest - 1):
            total = total + response @ response.T
            found.append(total)
        return np.array(found)

    def forecast(self, weights: np.ndarray, lead: int) -> Forecasts:
        """Forecasts of weighted sums of the nodes (node × target) from every month."""
        then = (self.record.months + lead) % 12
        mean = (self._means[lead - 1] * self.scale[then]) @ weights
        error = self._errors[lead - 1]
        scaled = (self.scale[month][:, None] * weights for month in range(12))
        variance = np.array([np.einsum("ij,ij->j", one, error @ one) for one in scaled])
        return mean, np.sqrt(np.maximum(variance, 0))[then]


def learned(
    record: Record,
    algorithm: str,
    criterion: Any,
    lags: Sequence[int],
    members: int,
    longest: int,
    seed: int,
    workers: int | Executor | None = None,
    progress: bool = True,
) -> NetworkForecast:
    """Learn the network on the training years of a record."""
    scale = monthly_scale(record)
    training = record.training
    z = training.values / scale[record.months[: record.trained] % 12]
    data = replace(training, values=z, units="sd")
    table = lagged(data, lags)
    blocks = blocks_of(table, len(table), "year")
    drawn = [resampled_rows(blocks, generator(seed, "resample", number)) for number in range(1, members + 1)]
    found = ensemble(
        data, algorithm, criterion, resamples=members, seed=seed, lags=tuple(lags), workers=workers, progress=progress
    )
    if len(found) < members:
        raise ClimateBNError(
            f"{members - len(found)} of {members} networks of {algorithm} are not valid or did not end, and cannot "
            "forecast; take hill_climbing or tabu"
        )
    spaces = [in_values(found.network(number).state_space, found.centre, found.spread) for number in range(members)]
    errors = out_of_bag_errors(z, spaces, drawn)
    space = StateSpace(
        np.mean([one.intercept for one in spaces], axis=0),
        np.mean([one.transitions for one in spaces], axis=0),
        errors.T / np.sqrt(len(errors)),
    )
    return NetworkForecast(record, scale, space, longest, tuple(int((one.transitions != 0).sum()) for one in spaces))


def in_values(space: StateSpace, centre: np.ndarray, spread: np.ndarray) -> StateSpace:
    """A model of (x − centre) / spread as one of x."""
    transitions = space.transitions * spread[:, None] / spread
    intercept = space.intercept * spread + centre - transitions.sum(axis=0) @ centre
    return StateSpace(intercept, transitions, space.root * spread[:, None])


def monthly_scale(record: Record) -> np.ndarray:
    """The standard deviation of each calendar month about its mean in the training years, 12 × node."""
    seen, months = record.values[: record.trained], record.months[: record.trained] % 12
    return np.array([seen[months == month].std(axis=0, ddof=1) for month in range(12)])


def out_of_bag_errors(z: np.ndarray, spaces: Sequence[StateSpace], drawn: Sequence[np.ndarray]) -> np.ndarray:
    """One-month errors (time × node) of the mean of those members that have not drawn a month's block.

    Months that every member has drawn are forecast by all of them.
    """
    order = max(one.order for one in spaces)
    rows = np.arange(order, len(z))
    fresh = np.array([~np.isin(np.arange(len(rows)), one) for one in drawn])  # member × row
    fresh[:, ~fresh.any(axis=0)] = True
    total = np.zeros((len(rows), z.shape[1]))
    for space, mine in zip(spaces, fresh, strict=True):
        at = rows[mine]
        past = [z[at - lag].T for lag in range(1, space.order + 1)]
        total[mine] += (space.intercept[:, None] + space.step(past)).T
    result: np.ndarray = z[rows] - total / fresh.sum(axis=0)[:, None]
    return result
