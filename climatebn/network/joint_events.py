r"""P(all events | evidence): the probability of a box under the joint normal of a few quantities.

Given values first condition the network; intervals in the evidence divide, P(events, intervals) / P(intervals).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from climatebn.errors import ClimateBNError
from climatebn.network.evidence import SINGULAR, Evidence
from climatebn.network.interval import Truncated
from climatebn.network.linear_gaussian import LinearGaussian, Units
from climatebn.network.observed import observe, update

MOST = 5


def probability(bn: LinearGaussian, events: Mapping[Any, Any], given: Evidence, units: Units | None) -> float:
    """See `GaussianBN.probability`."""
    if not isinstance(events, Mapping) or not events:
        raise ClimateBNError(f"events must map nodes to intervals, e.g. {{'X81': (1, None)}}; got {events!r}")
    asked, known = observe(bn, events, units, "events"), observe(bn, given, units)
    if asked.values:
        name = asked.labels[asked.values[0]]
        raise ClimateBNError(f"an event is an interval, e.g. {{{name!r}: (1, None)}}; a single value has probability 0")
    count = len(asked.observations) + len(known.intervals)
    if count > MOST:
        raise ClimateBNError(
            f"a joint event may have up to {MOST} intervals, those of given included; got {count}. "
            "Count them in bn.sample(…) instead"
        )
    updated = update(bn, known)
    at = known.intervals
    rows = np.concatenate([known.rows[at], asked.rows])
    columns = np.concatenate([known.columns[:, at], asked.columns], axis=1)
    response = rows @ updated.response
    covariance = rows @ columns - response @ response.T
    sd = np.concatenate([known.sd[at], asked.sd])
    centre = rows @ updated.mean
    low = np.concatenate([known.low[at], asked.low]) - centre
    high = np.concatenate([known.high[at], asked.high]) - centre
    evidence = slice(0, len(at))
    base = box(covariance[evidence, evidence], low[evidence], high[evidence], sd[evidence])
    if base <= 0:
        raise ClimateBNError("the intervals of given have no probability; check their units (units='sd' or 'data')")
    return float(min(box(covariance, low, high, sd) / base, 1.0))


def box(covariance: np.ndarray, low: np.ndarray, high: np.ndarray, prior_sd: np.ndarray) -> float:
    """P(low ≤ Y ≤ high) of a normal with mean 0; what is known already (no variance is left) is 0 or 1."""
    variance = np.diag(covariance)
    free = variance > SINGULAR * prior_sd**2
    tolerance = np.sqrt(SINGULAR) * prior_sd[~free]
    if not ((low[~free] <= tolerance) & (high[~free] >= -tolerance)).all():
        return 0.0
    spread = np.sqrt(variance[free])
    low, high = low[free] / spread, high[free] / spread
    correlation = covariance[np.ix_(free, free)] / np.outer(spread, spread)
    if len(low) == 0:
        return 1.0
    if len(low) <= 2:
        first = _between(low[0], high[0])
        if len(low) == 1 or first == 0:
            return first
        r = np.clip(correlation[0, 1], -1.0, 1.0)
        rest = Truncated(low[0], high[0], np.zeros(1), np.array([r]), np.array([np.sqrt(1 - r * r)]))
        return first * float(max(rest.above(low[1])[0] - rest.above(high[1])[0], 0.0))
    joint = multivariate_normal(np.zeros(len(low)), correlation, allow_singular=True, seed=1)
    joint.maxpts, joint.abseps, joint.releps = 200_000, 1e-7, 1e-7
    return float(np.clip(joint.cdf(high, lower_limit=low), 0.0, 1.0))


def _between(low: float, high: float) -> float:
    """P(low ≤ Y ≤ high) of the standard normal, also far in its tails."""
    if low > 0:
        low, high = -high, -low
    return float(ndtr(high) - ndtr(low))
