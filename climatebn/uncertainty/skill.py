r"""Held-out skill: given k places in months that no model has seen, how well is every other place predicted?

    gain = mean over months and places of  log N(z; m, v) − log N(z; 0, 1),   z in sd about the training climatology,

m, v the model's mean and variance given the k places: nats a place and month above climatology.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from climatebn.criterion.stats import GaussianStats
from climatebn.errors import MANY, ClimateBNError, public, unknown, whole
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.jobs.runner import run_cells
from climatebn.jobs.study import Key, Record
from climatebn.learning import learn
from climatebn.network.fitting import fit
from climatebn.rng import generator
from climatebn.uncertainty.baselines import BASELINES
from climatebn.uncertainty.ensemble_model import Ensemble
from climatebn.uncertainty.folds import standardised, year_folds
from climatebn.uncertainty.relearning import chosen_executor, ensemble

FLOOR = 1e-6  # least conditional variance, in sd²


class Fitted(NamedTuple):
    """A model of the training years: its covariance in sd, whether it is a density, and its loss of freedom."""

    covariance: np.ndarray
    density: bool = True
    n: int | None = None


@dataclass(frozen=True)
class Task:
    """What a cell (model, fold) needs."""

    data: NodeData
    held_out: list[np.ndarray]
    models: dict[str, Any]
    places: dict[int, list[np.ndarray]]
    seed: int


@public
def held_out_skill(
    data: NodeData,
    models: Mapping[str, Any],
    places: Sequence[int] = (1, 2, 5, 20, 60),
    folds: int = 5,
    sets: int = 25,
    seed: int = 0,
    *,
    workers: int | Executor | None = None,
    progress: bool = True,
) -> pd.DataFrame:
    """How much better than climatology models tell the rest of the world from a few places, in years not learned from.

    Parameters
    ----------
    data : NodeData; blocks of whole years are held out, climatology and scale come from the other years.
    models : name and recipe of each: ``(algorithm, criterion, members)`` for an ensemble, ``(algorithm, criterion)``
        for one network, ``(algorithm, criterion, "sample")`` for one network with the sample's variances, an `Ensemble`
        (relearned with its own settings), "regression", "ledoit_wolf" or "eof" (10 EOFs and a diagonal).
    folds : contiguous blocks of years, each held out once.
    places : numbers k of evidence places.
    sets : random sets of each, the same for all models and folds.
    seed : names the random places and years.
    workers : number of processes or an executor that fits and asks the models; this machine's threads when None.
    progress : show a progress bar.

    Returns
    -------
    DataFrame, a row a model and number of places: model, places, gain (nats a place and month above climatology), se
    (standard error over folds), joint (log-density of a whole month, nats a place; missing for regression),
    ahead, ahead_se (gain minus that of the first model on the same sets and folds, and its standard error).

    Notes
    -----
    With z in standard deviations from the training climatology, m and v the model's mean and variance given the k
    places, N the normal density::

        gain = mean over months and places of log N(z; m, v) − log N(z; 0, 1)

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> models = {"network": ("hill_climbing", cb.BIC(gamma=1)), "regression": "regression"}
    >>> table = cb.held_out_skill(tropics, models, places=(1, 5), folds=3, sets=5, progress=False)
    >>> table.columns.tolist()
    ['model', 'places', 'gain', 'se', 'joint', 'ahead', 'ahead_se']
    """
    if not isinstance(models, Mapping) or not models:
        raise ClimateBNError(f"models must map names to models, e.g. {{'regression': 'regression'}}; got {models!r}")
    places = tuple(places) if isinstance(places, Sequence | np.ndarray) else (places,)
    held_out = year_folds(data, folds)
    size = len(data.names)
    wrong = [k for k in places if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k < size]
    if wrong or not len(places):
        raise ClimateBNError(f"places must be numbers 1 … {size - 1} of evidence places; got {list(places)!r}")
    if not 2 <= whole("sets", sets) <= MANY:
        raise ClimateBNError(f"sets must be 2 or more, for a standard error, and at most {MANY}; got {sets!r}")
    chosen = {
        k: [generator(seed, "places", int(k), i).choice(size, k, replace=False) for i in range(sets)] for k in places
    }
    gains = {(name, k): np.empty((len(held_out), sets)) for name in models for k in places}
    joints = {name: np.empty(len(held_out)) for name in models}
    task = Task(data, held_out, {name: _checked(recipe) for name, recipe in models.items()}, chosen, int(seed))
    keys: list[Key] = [(name, fold) for fold in range(len(held_out)) for name in models]
    with chosen_executor(workers) as executor:
        for key, outcome in run_cells(
            score_fold, task, keys, executor, name="held-out skill", cost=partial(_cost, task), progress=progress
        ):
            if not isinstance(outcome, Record):
                raise outcome
            name, fold = str(key[0]), int(key[1])
            joints[name][fold] = outcome.arrays["joint"][0]
            for k in places:
                gains[name, k][fold] = outcome.arrays[f"gain{k}"]
    first = next(iter(models))
    rows_ = []
    for (name, k), cells in gains.items():
        ahead = cells - gains[first, k]
        rows_.append((name, k, cells.mean(), _error(cells), np.mean(joints[name]), ahead.mean(), _error(ahead)))
    table = pd.DataFrame(rows_, columns=["model", "places", "gain", "se", "joint", "ahead", "ahead_se"])
    words = {"gain": "log-density above climatology", "joint": "log-density of all places", "ahead": f"gain − {first}"}
    table.attrs = {"long_name": words, "units": dict.fromkeys(("gain", "se", "joint", "ahead", "ahead_se"), "nat")}
    return table


def score_fold(task: Task, key: Key) -> Record:
    """One model, fitted to the years around one fold: its gain for every set of places, and its joint density."""
    name, fold = str(key[0]), int(key[1])
    seen, fresh = standardised(task.data, task.held_out[fold])
    model = _fitted(task.models[name], seen, task.seed)
    joint = joint_density(model.covariance, fresh) if model.density else float("nan")
    gains = {
        f"gain{k}": np.array([conditional_gain(model, fresh, at) for at in sets]) for k, sets in task.places.items()
    }
    return Record({}, {"joint": np.array([joint]), **gains})


def conditional_gain(model: Fitted, fresh: np.ndarray, at: np.ndarray) -> float:
    """The gain over climatology at all places but ``at``, whose values are given."""
    c = model.covariance
    others = np.setdiff1d(np.arange(len(c)), at)
    weights = np.linalg.lstsq(c[np.ix_(at, at)], c[np.ix_(at, others)], rcond=1e-12)[0]
    mean = fresh[:, at] @ weights
    variance = c[others, others] - np.einsum("ei,ei->i", weights, c[np.ix_(at, others)])
    if model.n is not None:  # regression: residuals have n − k − 1 degrees of freedom
        variance = variance * (model.n - 1) / max(model.n - len(at) - 1, 1)
    variance = np.maximum(variance, FLOOR)
    z = fresh[:, others]
    return float(np.mean(-(np.log(variance) + (z - mean) ** 2 / variance) / 2 + z**2 / 2))


def joint_density(covariance: np.ndarray, fresh: np.ndarray) -> float:
    """Mean log-density of a month, a place."""
    root = np.linalg.cholesky(covariance + 1e-10 * np.eye(len(covariance)))
    solved = np.linalg.solve(root, fresh.T)
    terms = np.log(2 * np.pi) + 2 * np.mean(np.log(np.diag(root))) + np.mean(np.sum(solved**2, axis=0)) / len(root)
    return float(-terms / 2)


def _checked(recipe: Any) -> Any:
    """The name of a baseline, or algorithm, criterion and number of members; refused before anything is learned."""
    if isinstance(recipe, str):
        if recipe not in BASELINES:
            raise unknown("model", recipe, BASELINES)
        return recipe
    if isinstance(recipe, Ensemble):
        if recipe.recipe is None:
            raise ClimateBNError("an Ensemble from a file has no criterion; give (algorithm, criterion, members)")
        recipe = recipe.recipe
    return _recipe(recipe)


def _fitted(recipe: Any, seen: NodeData, seed: int) -> Fitted:
    """The model of the training years."""
    if isinstance(recipe, str):
        by_regression = recipe == "regression"
        return Fitted(BASELINES[recipe](seen.values), not by_regression, len(seen) if by_regression else None)
    algorithm, criterion, members = recipe
    if isinstance(members, int):
        many = ensemble(seen, algorithm, criterion, resamples=members, seed=seed, workers=1, progress=False)
        return Fitted(many.covariance())
    stats = GaussianStats.of(seen.values, seen.names)
    result = learn(stats, algorithm, criterion, progress=False).uninterrupted()
    covariance = fit(result.dag, seen.values).covariance()
    if members == "sample":
        sd = np.sqrt(np.diag(covariance))
        covariance = covariance / np.outer(sd, sd)
    return Fitted(covariance)


def _cost(task: Task, key: Key) -> float:
    """Members take most."""
    recipe = task.models[str(key[0])]
    return 1.0 if isinstance(recipe, str) or not isinstance(recipe[2], int) else 1.0 + recipe[2]


def _recipe(recipe: Any) -> tuple[str, Any, Any]:
    if isinstance(recipe, tuple) and len(recipe) in (2, 3) and isinstance(recipe[0], str):
        members = recipe[2] if len(recipe) == 3 else None
        if members in (None, "sample") or (isinstance(members, int) and not isinstance(members, bool) and members >= 1):
            return recipe[0], recipe[1], members
    raise ClimateBNError(
        "a model is (algorithm, criterion), (algorithm, criterion, members), an Ensemble, "
        f"{', '.join(map(repr, BASELINES))}; got {recipe!r}"
    )


def _error(cells: np.ndarray) -> float:
    """Standard error of the mean over folds: sets of places share the years of their fold."""
    return float(cells.mean(axis=1).std(ddof=1) / np.sqrt(len(cells)))
