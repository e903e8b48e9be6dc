r"""Do intervals cover the truth? Data simulated from a known network, an ensemble learned from it, again and again.

Truth: a network learned from the embedded field, on the places of a coarser grid (108) or all (648), sparse (γ = 1) or
dense (γ = 0.25). A network of 648 places of which 108 are seen is no sparse network of these 108. Data: 360 months e_t
drawn from it, independent ("iid"), or remembered by each place with the lag-1 autocorrelation a_i that it has in the
field ("ar"), whose correlations follow from those of the network, r_ij:

    x_t = a x_{t−1} + √(1 − a²) e_t,     ρ_ij = r_ij √((1 − a_i²)(1 − a_j²)) / (1 − a_i a_j).

Question: the rise of P(X ≥ 1 sd) given 2 sd at 5°S 135°W, at 50 places and as the mean over the Indian Ocean.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd
from scipy.signal import lfilter

from climatebn.analysis.regression import sample_normal
from climatebn.criterion import BIC
from climatebn.ingest.field.datasets import load_ncep
from climatebn.ingest.grid.region_table import regions
from climatebn.ingest.nodes.anomaly import anomalies
from climatebn.ingest.nodes.effective_size import lag_one
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
BEFORE = 100  # months that are thrown away, so that the first one kept has a past


@dataclass(frozen=True)
class Task:
    """What a data set is asked: the members' γ to compare, and how many members."""

    gammas: tuple[float, ...]
    members: int
    months: int = 360


TASKS = {108: Task((0.0, 0.25, 0.5, 1.0), 12), 648: Task((0.25, 0.5, 1.0), 12)}


def coverage(
    size: int = 108,
    networks: Sequence[int] | None = None,
    truths: Sequence[float] = (1.0, 0.25),
    months: Sequence[str] = ("iid", "ar"),
    data_sets: int = 100,
    task: Task | None = None,
    executor: Executor | None = None,
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Error and coverage of nominal 90 % intervals, a row a setting and model: means over data sets.

    Data has ``size`` places, of a network of as many or more (``networks``; all that are known when None).
    """
    task = task or TASKS[size]
    known = [number for number in STEPS if number >= size] if networks is None else networks
    settings = product((size,), known, truths, months)
    keys: list[Key] = [(*setting, number) for setting in settings for number in range(data_sets)]
    rows = []
    for key, outcome in run_cells(
        one_data_set, task, keys, executor or InProcess(), name="coverage", progress=progress
    ):
        if not isinstance(outcome, Record):
            raise outcome
        for model, values in zip(_models(task), outcome.arrays["scores"], strict=True):
            rows.append((*key[:4], model, *values))
    setting = ["places", "network", "truth_gamma", "months", "model"]
    scores = ["true", "place_mse", "bias", "place_covered", "region_covered"]
    groups = pd.DataFrame(rows, columns=[*setting, *scores]).groupby(setting, sort=False)
    result = groups.agg(
        data_sets=("bias", "size"),
        region_true=("true", "mean"),
        place_error=("place_mse", lambda x: np.sqrt(x.mean())),
        region_error=("bias", lambda x: np.sqrt((x**2).mean())),
        region_bias=("bias", "mean"),
        place_covered=("place_covered", "mean"),
        region_covered=("region_covered", "mean"),
    )
    result.insert(1, "members", task.members)
    return result.reset_index()


def one_data_set(task: Task, key: Key) -> Record:
    """One simulated record, answered by ensembles of each γ and by regression."""
    size, network, truth_gamma, kind, number = int(key[0]), int(key[1]), float(key[2]), str(key[3]), int(key[4])
    truth = _truth(size, network, truth_gamma, kind)
    random = generator(number, "coverage", size, network, int(100 * truth_gamma), kind)
    values = truth.months(task.months, random)
    data = NodeData(values, truth.real.nodes, truth.real.time[: task.months], "sd")
    score = partial(_score, true=_rise(truth.joint), places=truth.places, box=truth.box)
    scores = []
    for gamma in task.gammas:
        ens = ensemble(
            data, "tabu", BIC(gamma=gamma), resamples=task.members, seed=number, workers=InProcess(), progress=False
        )
        spread = member_differences(ens, EVIDENCE, 1.0, ("upper",), None)[:, 0]
        scores.append(score(_rise(ens.joint), spread))
    blocks = blocks_of(data, len(data), "year")
    draws = [values[resampled_rows(blocks, generator(number, "regression", i))] for i in range(task.members)]
    spread = np.array([_rise(sample_normal(NodeData(rows, data.nodes, data.time))) for rows in draws])
    scores.append(score(_rise(sample_normal(data)), spread))
    return Record({}, {"scores": np.array(scores)})


def _models(task: Task) -> list[str]:
    return [*(f"members γ = {gamma:g}" for gamma in task.gammas), "regression"]


def _score(
    answer: np.ndarray, spread: np.ndarray, *, true: np.ndarray, places: np.ndarray, box: np.ndarray
) -> list[float]:
    width = WIDTH * spread.std(axis=0, ddof=1)
    inside = np.abs(answer - true)[places] <= width[places]
    bias = float(box @ (answer - true))
    region_width = WIDTH * float((spread @ box).std(ddof=1))
    error, covered = float(((answer - true)[places] ** 2).mean()), float(abs(bias) <= region_width)
    return [float(box @ true), error, bias, float(inside.mean()), covered]


def _rise(joint: JointNormal) -> np.ndarray:
    """The change of P(X ≥ 1 sd) at every node."""
    before, after = joint.condition({}), joint.condition(EVIDENCE)
    return after.probability(1.0) - before.probability(1.0)


@dataclass(frozen=True)
class Truth:
    """The field's places, the known distribution, a root of e's correlations, each place's memory, what is asked."""

    real: NodeData
    joint: JointNormal
    root: np.ndarray
    memory: np.ndarray
    places: np.ndarray
    box: np.ndarray

    def months(self, count: int, random: np.random.Generator) -> np.ndarray:
        """So many simulated months."""
        noise = random.standard_normal((BEFORE + count, len(self.memory))) @ self.root.T
        columns = [lfilter([np.sqrt(1 - a**2)], [1.0, -a], noise[:, i]) for i, a in enumerate(self.memory)]
        return np.column_stack(columns)[BEFORE:]


@cache
def _truth(size: int, network: int, gamma: float, kind: str) -> Truth:
    """So many places of a network of ``network`` places that is learned at γ; its months "iid" or "ar"."""
    whole, data = _field(network), _field(size)
    learned = learn(whole.values, "tabu", BIC(gamma=gamma), progress=False).uninterrupted()
    seen = whole.nodes.positions([whole.nearest(*place) for place in zip(data.lat, data.lon, strict=True)])
    fresh = with_sample_variances(fit(learned.dag, whole, scale="sd")).covariance(list(seen))[seen]
    memory = lag_one(data.values) if kind == "ar" else np.zeros(len(data.names))
    whole = fresh * np.sqrt(np.outer(1 - memory**2, 1 - memory**2)) / (1 - np.outer(memory, memory))
    joint = JointNormal(data.names, partial(np.matmul, whole), np.zeros(len(whole)), np.ones(len(whole)), data.nodes)
    root = np.linalg.cholesky(fresh + 1e-10 * np.eye(len(fresh)))
    return Truth(data, joint, root, memory, *_asked(data))


@cache
def _field(size: int) -> NodeData:
    """The embedded field at so many places."""
    rows, columns = STEPS[size]
    return to_nodes(anomalies(load_ncep()).isel(lat=slice(None, None, rows), lon=slice(None, None, columns)))


def _asked(data: NodeData) -> tuple[np.ndarray, np.ndarray]:
    """Fifty places that are not evidence, and the weights of the Indian Ocean's mean."""
    given = data.nodes.positions([data.nearest(*place) for place in EVIDENCE])
    others = np.setdiff1d(np.arange(len(data.names)), given)
    places = generator(0, "places").choice(others, PLACES, replace=False)
    weights = np.zeros(len(data.names))
    for name, weight in region_weights(regions["indian_ocean"], data.nodes).items():
        weights[data.nodes.positions([name])] = weight
    return places, weights
