r"""How many arcs are true? Persistent data with known arcs: learned plain, with one effective n, whitened, in time.

Truth: networks learned from the embedded field at 288 places (γ = 1); 360 months are simulated from each. Months depend
on each other in one of three ways:

    x_t = a x_{t−1} + e_t,  e_t from the network;    x_t = Bᵀ x_t + u_t,  u_t = a u_{t−1} + ε_t;   sparse VAR, lags 0, 1

a the lag-1 autocorrelation of each place (of the field). The first two networks are learned from AR(1) innovations of
the field, the third from the field itself, with lags 0 and 1. An arc counts as true when it joins two places that the
truth joins, in either direction and in the same month or a month apart; a long one exceeds 5000 km.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.signal import lfilter

import climatebn as cb
from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.ingest.nodes.effective_size import lag_one

MONTHS, BEFORE = 360, 200  # kept, and thrown away before them
LAGS = (0, 1)


@dataclass(frozen=True)
class Truth:
    """Which places are joined, and what simulates months from a random stream."""

    joined: np.ndarray
    months: Callable[[np.random.Generator], np.ndarray]


def known_truth(draws: int, gamma: float = 1.0) -> pd.DataFrame:
    """Precision and recall of arcs, false and right long arcs; means over draws and their standard errors."""
    real = cb.to_nodes(cb.anomalies(cb.load_ncep()).isel(lat=slice(1, -1), lon=slice(None, None, 2)))
    far, rows = real.distances() > TELECONNECTION_KM, []
    for kind, truth in truths(real, gamma).items():
        true = truth.joined
        for draw in range(draws):
            data = cb.NodeData(truth.months(np.random.default_rng(draw)), real.nodes, real.time)
            for method, learn in METHODS.items():
                found = joined(learn(data, gamma), len(real.names))
                right = found & true
                scores = right.sum() / found.sum(), right.sum() / true.sum()
                long = (found & ~true & far).sum() // 2, (right & far).sum() // 2
                rows.append((kind, (true & far).sum() // 2, method, *scores, *long))
    scored = ["precision", "recall", "false_long", "right_long"]
    groups = pd.DataFrame(rows, columns=["truth", "true_long", "learned", *scored]).groupby(
        ["truth", "true_long", "learned"], sort=False
    )
    spread = (groups.std(ddof=1) / np.sqrt(draws)).add_suffix("_se")
    return groups.mean().join(spread).assign(draws=draws).reset_index()


def truths(real: cb.NodeData, gamma: float) -> dict[str, Truth]:
    """The three kinds of truth."""
    size, memory = len(real.names), lag_one(real.values)
    white = cb.whiten(real, order=1, monthly_sd=False)
    bn = cb.fit(learned(white, gamma), white, scale="sd")
    in_time = cb.fit(
        cb.learn(real, "tabu", cb.BIC(gamma=gamma), lags=LAGS, progress=False).uninterrupted(), real, scale="sd"
    )
    assert isinstance(in_time, cb.DynamicBN)
    step = in_time.state_space

    def innovations_from_network(random: np.random.Generator) -> np.ndarray:
        return remembered(bn.sample(MONTHS + BEFORE, seed=random).to_numpy(), memory)

    def persistent_noise(random: np.random.Generator) -> np.ndarray:
        noise = random.standard_normal((MONTHS + BEFORE, size)) * np.sqrt(bn.residual_variances)
        return np.asarray(bn.triangle.down(remembered(noise, memory).T).T)

    def autoregression(random: np.random.Generator) -> np.ndarray:
        values = random.standard_normal((MONTHS + BEFORE, size)) @ step.root.T
        for t in range(1, len(values)):
            values[t] += step.transitions[0] @ values[t - 1]
        return values[BEFORE:]

    return {
        "AR nodes, network of innovations": Truth(joined(bn.dag, size), innovations_from_network),
        "network with AR noise": Truth(joined(bn.dag, size), persistent_noise),
        "sparse VAR, lags 0 and 1": Truth(joined(in_time.dag, size), autoregression),
    }


def joined(dag: cb.Dag, size: int) -> np.ndarray:
    """Which two places are adjacent; columns from ``size`` on are the same places a month before."""
    found = np.zeros((size, size), dtype=bool)
    found[tuple(dag.numbered_arcs.T % size)] = True
    np.fill_diagonal(found, False)
    return found | found.T


def remembered(noise: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """AR(1) of each column, its variance kept."""
    columns = [lfilter([np.sqrt(1 - a**2)], [1.0, -a], noise[:, i]) for i, a in enumerate(memory)]
    return np.column_stack(columns)[BEFORE:]


def learned(data: cb.NodeData, gamma: float, n: float | None = None) -> cb.Dag:
    """The network of one month; ``n`` states the number of months otherwise."""
    stats = cb.GaussianStats.of(data.values, data.names)
    if n is not None:
        stats = cb.GaussianStats(round(n), stats.cov, data.names)
    dag = cb.learn(stats, "tabu", cb.BIC(gamma=gamma), progress=False).uninterrupted().dag
    assert dag is not None
    return dag


def _common(data: cb.NodeData) -> cb.NodeData:
    """Innovations by one coefficient for all places."""
    a = float(np.mean(lag_one(data.values)))
    return cb.NodeData(data.values[1:] - a * data.values[:-1], data.nodes, data.time[1:])


def _in_time(data: cb.NodeData, gamma: float) -> cb.Dag:
    """The network of two months, each place's own past among its parents."""
    own = cb.Knowledge(required=[(f"{name}@-1", name) for name in data.names])
    asked: dict[str, Any] = {"lags": LAGS, "knowledge": own, "progress": False}
    dag = cb.learn(data, "tabu", cb.BIC(gamma=gamma), **asked).uninterrupted().dag
    assert dag is not None
    return dag


METHODS: dict[str, Callable[[cb.NodeData, float], cb.Dag]] = {
    "plain": learned,
    "one effective n": lambda data, gamma: learned(data, gamma, cb.effective_n(data)),
    "AR(1) innovations": lambda data, gamma: learned(cb.whiten(data, order=1, monthly_sd=False), gamma),
    "one common AR": lambda data, gamma: learned(_common(data), gamma),
    "lags 0 and 1, own lag given": _in_time,
}
