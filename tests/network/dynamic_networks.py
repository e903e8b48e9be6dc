"""Random stable networks in time, simulated paths, and the joint distribution of a few months, unrolled by hand."""

import numpy as np
import pandas as pd
from scipy.sparse import csc_array

import climatebn as cb
from climatebn.network import DynamicBN


def random_network(size: int, lags: tuple[int, ...], seed: int, same_month: bool, scale: str = "none") -> DynamicBN:
    """A sparse network with a lagged effect of each node on itself and some arcs; stable."""
    random = np.random.default_rng(seed)
    names = [f"X{i + 1}" for i in range(size)]
    columns = names + [f"{name}@-{lag}" for lag in lags for name in names]
    weights: dict[tuple[int, int], float] = {}
    for child in range(size):
        weights[size + child, child] = random.uniform(0.2, 0.4)
        for lag in range(len(lags)):
            weights[size * (1 + lag) + random.integers(size), child] = random.uniform(0.1, 0.3) * random.choice([-1, 1])
        if same_month and child:
            weights[random.integers(child), child] = random.uniform(0.2, 0.6)
    dag = cb.Dag.from_arcs(columns, list(weights))
    values = [weights[a, b] for a, b in dag.numbered_arcs.tolist()]
    return DynamicBN(
        dag,
        csc_array((values, tuple(dag.numbered_arcs.T)), shape=(len(columns), size)),
        random.normal(size=size),
        random.uniform(0.5, 1.5, size=size),
        random.normal(size=size),
        random.uniform(0.5, 2, size=size),
        scale=scale,
    )


def equations(bn: DynamicBN) -> tuple[np.ndarray, list[np.ndarray]]:
    """B_0 and [B_1 … B_p] as [to, from], read arc by arc."""
    size = len(bn.names)
    found = np.zeros((bn.order + 1, size, size))
    for (source, target), weight in zip(bn.dag.arcs, bn.arc_coefficients, strict=True):
        name, _, lag = source.partition("@-")
        found[int(lag or 0), bn.names.index(target), bn.names.index(name)] = weight
    return found[0], list(found[1:])


def unrolled(bn: DynamicBN, months: int, burn_in: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Mean (months × N) and covariance of the last months after a long burn-in from zero, by dense algebra."""
    now, past = equations(bn)
    size, p = len(bn.names), bn.order
    solved = np.linalg.inv(np.eye(size) - now)
    mean, rows = [np.zeros(size)] * p, []  # each month as a linear map of all shocks
    total = burn_in + months
    rows = [np.zeros((size, total * size)) for _ in range(p)]
    for month in range(total):
        own = np.zeros((size, total * size))
        own[:, month * size : (month + 1) * size] = np.diag(np.sqrt(bn.residual_variances))
        rows.append(solved @ (own + sum(past[k] @ rows[-1 - k] for k in range(p))))
        mean.append(solved @ (bn.intercepts + sum(past[k] @ mean[-1 - k] for k in range(p))))
    last = np.concatenate(rows[-months:])
    return np.array(mean[-months:]), last @ last.T


def paths(bn: DynamicBN, count: int, months: int, seed: int, burn_in: int = 60) -> np.ndarray:
    """Simulated paths (month × path × N) after a burn-in."""
    random = np.random.default_rng(seed)
    now, past = equations(bn)
    solved = np.linalg.inv(np.eye(len(bn.names)) - now).T
    held = [np.zeros((count, len(bn.names)))] * bn.order
    kept = []
    for month in range(burn_in + months):
        shock = random.normal(size=(count, len(bn.names))) * np.sqrt(bn.residual_variances) + bn.intercepts
        new = (shock + sum(held[k] @ past[k].T for k in range(bn.order))) @ solved
        held = [new, *held[:-1]]
        if month >= burn_in:
            kept.append(new)
    return np.array(kept)


def record(bn: DynamicBN, months: int, seed: int) -> pd.DataFrame:
    """One simulated record of some months."""
    return pd.DataFrame(paths(bn, 1, months, seed)[:, 0], columns=list(bn.names))
