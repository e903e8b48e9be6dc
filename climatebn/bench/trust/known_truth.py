r"""How many arcs are true? Persistent data from a known network, learned plain, with one effective n, from innovations.

Truth: a network learned from the innovations of the embedded field at every second place (γ = 1), 360 months. Months
depend on each other in one of two ways: innovations come from the network and each place remembers them,

    x_t = a x_{t−1} + e_t,  e_t from the network;        or        x_t = Bᵀ x_t + u_t,  u_t = a u_{t−1} + ε_t,

a the lag-1 autocorrelation of each place (of the field). An arc counts as true when it joins two places that the truth
joins, in either direction; a long one exceeds 5000 km.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.signal import lfilter

import climatebn as cb
from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.ingest.nodes.effective_size import lag_one

MONTHS, BEFORE = 360, 200  # kept, and thrown away before them


def known_truth(draws: int, gamma: float = 1.0) -> pd.DataFrame:
    """Precision and recall of arcs, false and true long arcs; means over draws and their standard error."""
    field = cb.anomalies(cb.load_ncep()).isel(lon=slice(None, None, 2))
    real = cb.to_nodes(field.isel(lat=slice(1, -1)))
    bn = cb.fit(
        cb.learn(cb.whiten(real), "tabu", cb.BIC(gamma=gamma), progress=False).uninterrupted(),
        cb.whiten(real),
        scale="sd",
    )
    memory = lag_one(real.values)
    true, far = _joined(bn.dag), real.distances() > TELECONNECTION_KM
    rows = []
    for draw in range(draws):
        random = np.random.default_rng(draw)
        for kind, make in SIMULATED.items():
            data = cb.NodeData(make(bn, memory, random), real.nodes, real.time)
            for method, learn in METHODS.items():
                found = _joined(learn(data, gamma))
                right = found & true
                scores = right.sum() / found.sum(), right.sum() / true.sum()
                long = (found & ~true & far).sum() // 2, (right & far).sum() // 2
                rows.append((kind, (true & far).sum() // 2, method, *scores, *long))
    columns = ["truth", "true_long", "learned", "precision", "recall", "false_long", "right_long"]
    groups = pd.DataFrame(rows, columns=columns).groupby(columns[:3], sort=False)
    spread = groups["false_long"].std(ddof=1) / np.sqrt(draws)
    return groups.mean().assign(false_long_se=spread).reset_index()


def _joined(dag: cb.Dag) -> np.ndarray:
    """Which two nodes are adjacent."""
    found = np.zeros((len(dag), len(dag)), dtype=bool)
    found[tuple(dag.numbered_arcs.T)] = True
    return found | found.T


def _remembered(noise: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """AR(1) of each column, its variance kept."""
    columns = [lfilter([np.sqrt(1 - a**2)], [1.0, -a], noise[:, i]) for i, a in enumerate(memory)]
    return np.column_stack(columns)[BEFORE:]


def _innovations_from_network(bn: cb.GaussianBN, memory: np.ndarray, random: np.random.Generator) -> np.ndarray:
    return _remembered(bn.sample(MONTHS + BEFORE, seed=random).to_numpy(), memory)


def _persistent_noise(bn: cb.GaussianBN, memory: np.ndarray, random: np.random.Generator) -> np.ndarray:
    noise = random.standard_normal((MONTHS + BEFORE, len(bn.names))) * np.sqrt(bn.residual_variances)
    return np.asarray(bn.triangle.down(_remembered(noise, memory).T).T)


def _learned(data: cb.NodeData, gamma: float, n: float | None = None) -> cb.Dag:
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


SIMULATED: dict[str, Callable[[cb.GaussianBN, np.ndarray, np.random.Generator], np.ndarray]] = {
    "innovations from the network": _innovations_from_network,
    "network with AR noise": _persistent_noise,
}
METHODS: dict[str, Callable[[cb.NodeData, float], cb.Dag]] = {
    "plain": _learned,
    "one effective n": lambda data, gamma: _learned(data, gamma, cb.effective_n(data)),
    "AR(1) innovations": lambda data, gamma: _learned(cb.whiten(data, order=1, monthly_sd=False), gamma),
    "one common AR": lambda data, gamma: _learned(_common(data), gamma),
}
