r"""Which γ? By the likelihood of years that were not learned from, or by the share of long arcs that chance gives.

The first chooses the density of a model, with differences between γ paired fold by fold:

    best = argmax_γ ℓ̄(γ),     parsimonious = largest γ with  ℓ̄(best) − ℓ̄(γ) ≤ se of the paired differences.

The second is for reading single arcs: the smallest γ at which (expected by chance) / (found) ≤ share.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.criterion import BIC
from climatebn.criterion.stats import GaussianStats
from climatebn.errors import ClimateBNError, public, unknown
from climatebn.ingest.nodes.node_data import NodeData
from climatebn.jobs.runner import run_cells
from climatebn.jobs.study import Key, Record
from climatebn.learning import learn
from climatebn.network.fitting import fit
from climatebn.uncertainty.folds import standardised, year_folds
from climatebn.uncertainty.relearning import chosen_executor
from climatebn.uncertainty.shift_null import DistantNull, Whiten, distant_null

GAMMAS = (*(step / 4 for step in range(13)), 3.5, 4.0, 4.5, 5.0, 6.0, 8.0, 10.0)


@public
@dataclass(frozen=True)
class GammaChoice:
    """The γ chosen, and the table behind it.

    Attributes
    ----------
    best : by "likelihood" the γ with the highest mean; by "false_arcs" the smallest that keeps the share.
    parsimonious : by "likelihood" the largest γ within one paired standard error of the best; else the best.
    table : gamma, score (nats a month), se (of score), behind, behind_se (paired, to the best), arcs; or by
        "false_arcs" gamma, real, expected, sd, share.
    null : by "false_arcs" the null at the γ chosen, else None.

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> choice = cb.choose_gamma(tropics, "hill_climbing", gammas=(1, 4), folds=2, progress=False)
    >>> choice.best, choice.table.columns[:2].tolist()
    (4.0, ['gamma', 'score'])
    """

    best: float
    parsimonious: float
    by: str
    table: pd.DataFrame = field(repr=False)
    null: DistantNull | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Task:
    """What a cell (fold, γ) needs."""

    data: NodeData
    held_out: list[np.ndarray]
    algorithm: str
    options: dict[str, Any]


@public
def choose_gamma(
    data: NodeData,
    algorithm: str = "tabu",
    gammas: Sequence[float] | None = None,
    folds: int = 10,
    by: Literal["likelihood", "false_arcs"] = "likelihood",
    share: float = 0.1,
    *,
    whiten: Whiten = False,
    min_km: float = TELECONNECTION_KM,
    draws: int = 6,
    seed: int = 0,
    workers: int | Executor | None = None,
    progress: bool = True,
    **options: Any,
) -> GammaChoice:
    """Choose the γ of BIC.

    Parameters
    ----------
    data : NodeData.
    algorithm, options : as for `learn`; its networks must be valid for "likelihood".
    gammas : the grid; 20 values 0 … 10 when left out.
    folds : contiguous blocks of years, each held out once; climatology and scale come from the others ("likelihood").
    by : "likelihood" of held-out years, or "false_arcs": what chance gives among the long arcs.
    share, whiten, min_km, draws, seed : of "false_arcs"; see `distant_null`. The grid is tried upwards, until the
        expected number by chance is at most ``share`` of the number found.
    workers : number of processes or an executor; this machine's threads when None.
    progress : show a progress bar.

    Returns
    -------
    `GammaChoice` with ``best``, ``parsimonious`` and ``table``; `plot.gamma_choice` draws it.

    Notes
    -----
    By likelihood, ℓ(γ) the mean over the folds of the log-likelihood of a held-out month::

        best = argmax ℓ(γ),      parsimonious = the largest γ with ℓ(best) − ℓ(γ) ≤ se

    se the standard error of the differences fold by fold. By false arcs: the smallest γ at which the long arcs expected
    by chance are at most ``share`` of those found (`distant_null`).

    Examples
    --------
    >>> import climatebn as cb
    >>> tropics = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))
    >>> chosen = cb.choose_gamma(tropics, "hill_climbing", gammas=(0, 1, 4), folds=5, progress=False)
    >>> chosen.best, chosen.parsimonious
    (1.0, 1.0)
    """
    grid = _grid(gammas)
    if by == "false_arcs":
        asked = {"whiten": whiten, "min_km": min_km, "draws": draws, "seed": seed, "progress": progress, **options}
        return _by_false_arcs(data, algorithm, grid, share, workers, asked)
    if by != "likelihood":
        raise unknown("by", by, ("likelihood", "false_arcs"))
    task = Task(data, year_folds(data, folds), algorithm, options)
    keys: list[Key] = [(fold, gamma) for gamma in grid for fold in range(folds)]
    score, arcs = np.empty((len(grid), folds)), np.empty((len(grid), folds))
    with chosen_executor(workers) as executor:
        for key, outcome in run_cells(
            held_out_likelihood, task, keys, executor, name="γ", cost=_cost, progress=progress
        ):
            if not isinstance(outcome, Record):
                raise outcome
            at = grid.index(float(key[1])), int(key[0])
            score[at], arcs[at] = outcome.measures["score"], outcome.measures["arcs"]
    return _by_likelihood(grid, score, arcs)


def held_out_likelihood(task: Task, key: Key) -> Record:
    """Mean log-density of a held-out month, in sd of the training years, and the number of arcs."""
    fold, gamma = int(key[0]), float(key[1])
    seen, fresh = standardised(task.data, task.held_out[fold])
    stats = GaussianStats.of(seen.values, seen.names)
    result = learn(stats, task.algorithm, BIC(gamma=gamma), progress=False, **task.options).uninterrupted()
    if result.dag is None:
        raise ClimateBNError(f"{task.algorithm} at γ = {gamma:g} gives a graph that is not valid: it has no likelihood")
    bn = fit(result.dag, seen.values)
    return Record({"score": bn.loglik(fresh) / len(fresh), "arcs": len(result.dag.numbered_arcs)})


def _by_likelihood(grid: list[float], score: np.ndarray, arcs: np.ndarray) -> GammaChoice:
    folds = score.shape[1]
    top = int(np.argmax(score.mean(axis=1)))
    behind = score[top] - score
    error = behind.std(axis=1, ddof=1) / np.sqrt(folds)
    near = [i for i in range(len(grid)) if behind[i].mean() <= error[i]]
    table = pd.DataFrame(
        {
            "gamma": grid,
            "score": score.mean(axis=1),
            "se": score.std(axis=1, ddof=1) / np.sqrt(folds),
            "behind": behind.mean(axis=1),
            "behind_se": error,
            "arcs": arcs.mean(axis=1),
        }
    )
    table.attrs = {"units": dict.fromkeys(("score", "se", "behind", "behind_se"), "nat a month")}
    return GammaChoice(grid[top], max(grid[i] for i in [*near, top]), "likelihood", table)


def _by_false_arcs(
    data: NodeData, algorithm: str, grid: list[float], share: float, workers: Any, asked: dict[str, Any]
) -> GammaChoice:
    if not 0 < share < 1:
        raise ClimateBNError(f"share must lie between 0 and 1; got {share!r}")
    rows = []
    with chosen_executor(workers) as executor:
        for gamma in grid:
            found = distant_null(data, algorithm, BIC(gamma=gamma), workers=executor, **asked)
            rows.append((gamma, found.real, found.expected, found.sd, found.share))
            if found.share <= share:
                break
    table = pd.DataFrame(rows, columns=["gamma", "real", "expected", "sd", "share"])
    if rows[-1][-1] > share:
        least = min(rows, key=lambda row: row[-1])
        raise ClimateBNError(
            f"no γ of the grid up to {grid[-1]:g} brings the expected share of false long arcs to {share:g}; the least "
            f"is {least[-1]:.2f} at γ = {least[0]:g}. Try whiten=True, or larger gammas"
        )
    return GammaChoice(rows[-1][0], rows[-1][0], "false_arcs", table, found)


def _grid(gammas: Sequence[float] | None) -> list[float]:
    try:
        grid = sorted({float(gamma) for gamma in (GAMMAS if gammas is None else gammas)})
    except (TypeError, ValueError):
        raise ClimateBNError(f"gammas must be numbers ≥ 0; got {gammas!r}") from None
    if not grid or not np.isfinite(grid).all() or grid[0] < 0:
        raise ClimateBNError(f"gammas must be finite numbers ≥ 0, one or more; got {gammas!r}")
    return grid


def _cost(key: Key) -> float:
    """Small γ take longest."""
    return 1 / (0.15 + float(key[1]))
