r"""Do intervals cover the truth? Data simulated from a known network, an ensemble learned from it, again and again.

Truth: a network learned from the embedded field, on the places of a coarser grid (108) or all (648), sparse (γ = 1) or
dense (γ = 0.25). Data: 360 months, independent, or with a lag-1 autocorrelation of 0.5 at every place. Question: the
rise of P(X ≥ 1 sd) given 2 sd at 5°S 135°W, at 50 places and as the mean over the Indian Ocean.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from climatebn.analysis.regression import sample_normal
from climatebn.criterion import BIC
from climatebn.ingest.field.datasets import load_ncep
from climatebn.ingest.grid.region_table import regions
from climatebn.ingest.nodes.anomaly import anomalies
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.ingest.nodes.node_matrix import to_nodes
from climatebn.ingest.nodes.node_weights import region_weights
from climatebn.jobs.executors import InProcess
from climatebn.jobs.runner import run_cells
from climatebn.jobs.study import Key, Record
from climatebn.learning import learn
from climatebn.network.fitting import fit
from climatebn.network.joint_normal import JointNormal, with_sample_variances
from climatebn.rng import generator
from climatebn.uncertainty.answers import WIDTH, member_differences
from climatebn.uncertainty.relearning import ensemble
from climatebn.uncertainty.resampling import blocks_of, resampled_rows

EVIDENCE = {(-5.0, -135.0): 2.0}
PLACES = 50
STEPS = {108: (2, 3), 648: (1, 1)}  # every how many rows and columns of the 10° grid


@dataclass(frozen=True)
class Task:
    """What a data set is asked: the members' γ to compare, and how many members."""

    gammas: tuple[float, ...]
    members: int
    months: int = 360


def coverage(
    sizes: Sequence[int] = (108,),
    truths: Sequence[float] = (1.0, 0.25),
    lags: Sequence[float] = (0.0, 0.5),
    data_sets: int = 100,
    task: Task = Task((0.0, 0.25, 0.5, 1.0), 20),
    executor: Executor | None = None,
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Error and coverage of nominal 90 % intervals, a row a (size, truth, lag, model): means over data sets."""
    keys: list[Key] = [
        (size, truth, lag, number) for size in sizes for truth in truths for lag in lags for number in range(data_sets)
    ]
    rows = []
    for key, outcome in run_cells(
        one_data_set, task, keys, executor or InProcess(), name="coverage", progress=progress
    ):
        if not isinstance(outcome, Record):
            raise outcome
        for model, values in zip(_models(task), outcome.arrays["scores"], strict=True):
            rows.append((*key[:3], model, *values))
    columns = ["size", "truth_gamma", "lag1", "model", "place_mse", "region_bias", "place_covered", "region_covered"]
    table = pd.DataFrame(rows, columns=columns)
    groups = table.groupby(columns[:4], sort=False)
    result = groups.agg(
        data_sets=("region_bias", "size"),
        place_error=("place_mse", lambda x: np.sqrt(x.mean())),
        region_error=("region_bias", lambda x: np.sqrt((x**2).mean())),
        region_bias=("region_bias", "mean"),
        place_covered=("place_covered", "mean"),
        region_covered=("region_covered", "mean"),
    )
    return result.reset_index()


def one_data_set(task: Task, key: Key) -> Record:
    """One simulated record, answered by ensembles of each γ and by regression."""
    size, truth_gamma, lag, number = int(key[0]), float(key[1]), float(key[2]), int(key[3])
    real, joint, root = _truth(size, truth_gamma)
    random = generator(number, "coverage", size, int(100 * truth_gamma), int(100 * lag))
    noise = random.standard_normal((task.months, len(real.names))) @ root.T
    values = noise.copy()
    for t in range(1, len(values)):
        values[t] = lag * values[t - 1] + np.sqrt(1 - lag**2) * noise[t]
    data = NodeData(values, real.nodes, real.time[: task.months], "sd")
    places, box = _asked(real)
    true = _rise(joint)
    scores = []
    for gamma in task.gammas:
        ens = ensemble(
            data, "tabu", BIC(gamma=gamma), resamples=task.members, seed=number, workers=InProcess(), progress=False
        )
        spread = member_differences(ens, EVIDENCE, 1.0, ("upper",), None)[:, 0]
        scores.append(_score(_rise(ens.joint), spread, true, places, box))
    blocks = blocks_of(data, len(data), "year")
    draws = [values[resampled_rows(blocks, generator(number, "regression", i))] for i in range(task.members)]
    spread = np.array([_rise(sample_normal(NodeData(rows, data.nodes, data.time))) for rows in draws])
    scores.append(_score(_rise(sample_normal(data)), spread, true, places, box))
    return Record({}, {"scores": np.array(scores)})


def _models(task: Task) -> list[str]:
    return [*(f"members γ = {gamma:g}" for gamma in task.gammas), "regression"]


def _score(
    answer: np.ndarray, spread: np.ndarray, true: np.ndarray, places: np.ndarray, box: np.ndarray
) -> list[float]:
    width = WIDTH * spread.std(axis=0, ddof=1)
    inside = np.abs(answer - true)[places] <= width[places]
    bias = float(box @ (answer - true))
    region_width = WIDTH * float((spread @ box).std(ddof=1))
    return [float(((answer - true)[places] ** 2).mean()), bias, float(inside.mean()), float(abs(bias) <= region_width)]


def _rise(joint: JointNormal) -> np.ndarray:
    """The change of P(X ≥ 1 sd) at every node."""
    before, after = joint.condition({}), joint.condition(EVIDENCE)
    return after.probability(1.0) - before.probability(1.0)


@cache
def _truth(size: int, gamma: float) -> tuple[NodeData, JointNormal, np.ndarray]:
    """The real field on so many places, the known distribution, and a root of its correlations."""
    rows, columns = STEPS[size]
    field = anomalies(load_ncep()).isel(lat=slice(None, None, rows), lon=slice(None, None, columns))
    data = to_nodes(field)
    learned = learn(data.values, "tabu", BIC(gamma=gamma), progress=False).uninterrupted()
    joint = with_sample_variances(fit(learned.dag, data, scale="sd"))
    correlation = joint.product(np.eye(len(data.names)))
    return data, joint, np.linalg.cholesky(correlation + 1e-10 * np.eye(len(correlation)))


def _asked(data: NodeData) -> tuple[np.ndarray, np.ndarray]:
    """Fifty places that are not evidence, and the weights of the Indian Ocean's mean."""
    given = data.nodes.positions([data.nearest(*place) for place in EVIDENCE])
    others = np.setdiff1d(np.arange(len(data.names)), given)
    places = generator(0, "places").choice(others, PLACES, replace=False)
    weights = np.zeros(len(data.names))
    for name, weight in region_weights(regions["indian_ocean"], data.nodes).items():
        weights[data.nodes.positions([name])] = weight
    return places, weights
