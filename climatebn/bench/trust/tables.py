"""What the public functions say of the embedded field: long arcs and their nulls, skill, γ, the Indian Ocean, speed.

Each table is one function that gives a DataFrame with its own spread; ``effort`` (1 … ) multiplies draws and members.
"""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np
import pandas as pd
from scipy.signal import lfilter

import climatebn as cb
from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.bench.trust.coverage import coverage as measured_coverage
from climatebn.bench.trust.known_truth import known_truth
from climatebn.ingest.nodes.effective_size import lag_one

AR1: dict[str, Any] = {"order": 1, "monthly_sd": False}
NINO = {"X81": 2.0}
OCEAN: dict[str, Any] = {"lat": (-25, 20), "lon": (45, 100)}


def embedded() -> cb.NodeData:
    """The 648 places of the embedded field, anomalies."""
    return cb.to_nodes(cb.anomalies(cb.load_ncep()))


def long_arcs(data: cb.NodeData, gamma: float, n: float | None = None) -> int:
    """Arcs over 5000 km of tabu; ``n`` states the number of months otherwise."""
    stats = cb.GaussianStats.of(data.values, data.names)
    if n is not None:
        stats = cb.GaussianStats(round(n), stats.cov, data.names)
    arcs = cb.learn(stats, "tabu", cb.BIC(gamma=gamma), progress=False).uninterrupted().graph.numbered_arcs
    return int((data.distances()[arcs[:, 0], arcs[:, 1]] > TELECONNECTION_KM).sum())


def serial(effort: int, executor: Executor) -> pd.DataFrame:
    """Arcs over 5000 km: plain, with one effective n, AR(1) innovations; of the field, of red and of white noise."""
    real, rows = embedded(), []
    r = lag_one(real.values)
    for draw in range(2 * effort):
        noise = np.random.default_rng(draw).normal(size=(560, len(r)))
        red = np.column_stack([lfilter([1.0], [1.0, -r[i]], noise[:, i])[200:] for i in range(len(r))])
        kinds = {"red noise": red, "white noise": noise[200:]} | ({} if draw else {"field": real.values})
        for kind, values in kinds.items():
            data = cb.NodeData(values, real.nodes, real.time)
            white, n = cb.whiten(data, **AR1), cb.effective_n(data)
            for gamma in (0.5, 1.0, 2.0, 5.0):
                counts = long_arcs(data, gamma), long_arcs(data, gamma, n), long_arcs(white, gamma)
                rows.append((kind, gamma, *counts))
    table = pd.DataFrame(rows, columns=["data", "gamma", "plain", "effective_n", "innovations"])
    return table.groupby(["data", "gamma"]).mean().reset_index()


def truth(effort: int, executor: Executor) -> pd.DataFrame:
    """Right and wrong arcs of networks learned from persistent data with known truth."""
    return known_truth(10 * effort)


def null(effort: int, executor: Executor) -> pd.DataFrame:
    """Arcs over 5000 km found and expected by chance, by whitening, γ and weight of the penalty."""
    data, rows = embedded(), []
    kinds: dict[str, Any] = {"plain": False, "AR(1)": AR1, "monthly sd, AR by BIC": True}
    cases = [
        *((name, whiten, gamma, 1.0) for name, whiten in kinds.items() for gamma in (0.5, 1.0, 1.25, 1.5, 2.0)),
        *((name, whiten, 0.5, 2.0) for name, whiten in kinds.items()),  # as the paper's networks were run
    ]
    for name, whiten, gamma, weight in cases:
        asked: dict[str, Any] = {"draws": 10 * effort, "whiten": whiten, "workers": executor, "progress": False}
        found = cb.distant_null(data, "tabu", cb.BIC(gamma=gamma, weight=weight), **asked)
        rows.append((name, gamma, weight, len(found.null), found.real, found.expected, found.sd, found.share))
    return pd.DataFrame(rows, columns=["data", "gamma", "weight", "draws", "real", "expected", "sd", "share"])


def reach(effort: int, executor: Executor) -> pd.DataFrame:
    """The Indian Ocean's mean rise given X81 = 2 sd, with intervals, beside regression."""
    data, rows = embedded(), []
    cases = [*(("tabu", gamma, 15 * effort) for gamma in (0.25, 0.5, 1.0)), ("h2pc", 0.5, 5 * effort)]
    for algorithm, gamma, members in cases:
        asked: dict[str, Any] = {"resamples": members, "workers": executor, "progress": False}
        found = cb.ensemble(data, algorithm, cb.BIC(gamma=gamma), **asked).region_mean(NINO, **OCEAN)
        rows.append((algorithm, gamma, members, *found.values()))
    regression = cb.region_mean(cb.regression_map(data, NINO).difference, **OCEAN).item()
    rows.append(("regression", np.nan, 0, regression, np.nan, np.nan, np.nan, regression))
    return pd.DataFrame(rows, columns=["model", "gamma", "members", "mean", "sd", "low", "high", "single"])


def skill(effort: int, executor: Executor) -> pd.DataFrame:
    """Held-out skill of networks, ensembles and baselines."""
    recipes: dict[str, Any] = {
        "ledoit_wolf": "ledoit_wolf",
        "regression": "regression",
        "eof": "eof",
        "one network": ("tabu", cb.BIC(gamma=1)),
        "one network, sample variances": ("tabu", cb.BIC(gamma=1), "sample"),
    }
    members = {1.0: (1, 6, 20, 50, 200)[: 4 + effort], 0.5: (1, 6, 20, 50, 200)[: 3 + effort], 0.25: (20,), 1.5: (20,)}
    for gamma, numbers in members.items():
        recipes |= {f"{m} members, γ = {gamma:g}": ("tabu", cb.BIC(gamma=gamma), m) for m in numbers}
    return cb.held_out_skill(embedded(), recipes, seed=1, workers=executor)


def sets(effort: int, executor: Executor) -> pd.DataFrame:
    """Held-out skill of two baselines by the seed that chose the 25 sets of places: what the choice makes of a gain."""
    models = {"ledoit_wolf": "ledoit_wolf", "regression": "regression"}
    asked: dict[str, Any] = {"places": (1, 2, 5), "workers": executor, "progress": False}
    parts = [cb.held_out_skill(embedded(), models, seed=seed, **asked).assign(seed=seed) for seed in range(8 * effort)]
    return pd.concat(parts, ignore_index=True)


def gamma(effort: int, executor: Executor) -> pd.DataFrame:
    """Held-out likelihood by γ."""
    return cb.choose_gamma(embedded(), "tabu", workers=executor).table


def coverage(effort: int, executor: Executor, **asked: Any) -> pd.DataFrame:
    """Error and coverage of intervals on simulated data with known truth."""
    return measured_coverage(data_sets=100 * effort, executor=executor, **asked)


def speed(effort: int, executor: Executor) -> pd.DataFrame:
    """Seconds of 100 members of tabu at γ = 1 with their answer, and of the choice of γ."""
    data, rows = embedded(), []
    started = time.perf_counter()
    cb.ensemble(data, "tabu", cb.BIC(gamma=1), resamples=100, workers=executor).propagate(NINO)
    rows.append(("ensemble of 100, tabu γ = 1, with propagate", time.perf_counter() - started))
    started = time.perf_counter()
    cb.choose_gamma(data, "tabu", workers=executor)
    rows.append(("choose_gamma, 20 γ × 10 folds", time.perf_counter() - started))
    return pd.DataFrame(rows, columns=["work", "seconds"])


TABLES: dict[str, Callable[..., pd.DataFrame]] = {
    "serial": serial,
    "truth": truth,
    "null": null,
    "reach": reach,
    "skill": skill,
    "sets": sets,
    "gamma": gamma,
    "coverage": coverage,
    "speed": speed,
}
