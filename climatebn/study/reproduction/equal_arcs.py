"""Networks with equal numbers of arcs, whoever learned them: no penalty has to be agreed upon to compare these.

For each algorithm the γ is sought that gives the wanted number of arcs, with matched criteria. Networks of the last ten
years held out are sought apart, from the other months.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from climatebn.analysis.arcs import TELECONNECTION_KM
from climatebn.analysis.links import links
from climatebn.criterion import find as find_criterion
from climatebn.learning import LearnResult, learn
from climatebn.learning.registry import ALGORITHMS
from climatebn.network import fit
from climatebn.progress import Progress
from climatebn.study.climate.measures import Months
from climatebn.study.climate.members import EVIDENCE
from climatebn.study.climate.study import load_months
from climatebn.study.showcase.summary import answer

TARGETS = (500, 1000, 2000)
NEAR = 0.02  # as a share of the target: near enough to stop
FAR = 0.10  # no network is nearer: there is none of that size
ALGORITHMS_COMPARED = ("pc_stable", "grow_shrink", "tabu", "hill_climbing", "mmhc", "h2pc")
LEAST_GAMMA, MOST_GAMMA = 0.2, 60.0
STEPS = 9
NEIGHBOURS = 12  # γ on either side that are tried where the nearest network is not valid


class Sized(NamedTuple):
    """A network of about the wanted size; ``result`` is None where there is no valid one."""

    gamma: float
    result: LearnResult | None


def equal_arcs(field: str = "paper", held_out_years: int = 10, *, progress: bool = True) -> pd.DataFrame:
    """Likelihood, held-out likelihood of a month, long arcs, calls and El Niño answer at 500, 1000 and 2000 arcs."""
    whole, part = load_months(field), load_months(field, held_out_years)
    rows = []
    with Progress(
        "networks of equal size", len(TARGETS) * len(ALGORITHMS_COMPARED), "network", enabled=progress
    ) as bar:
        for target in TARGETS:
            for algorithm in ALGORITHMS_COMPARED:
                rows.append({"arcs_wanted": target, "algorithm": algorithm, **_row(algorithm, target, whole, part)})
                bar.update(1)
    return pd.DataFrame(rows)


def _row(algorithm: str, target: int, whole: Months, part: Months) -> dict[str, Any]:
    gamma, result = sized(whole.learned, algorithm, target)
    if result is None or result.dag is None:
        return {"gamma": gamma, "valid": False}
    data = whole.learned
    bn, km = fit(result.dag, data), links(result.graph, data).km()
    row = {
        "gamma": gamma,
        "valid": True,
        "arcs": len(result.dag.arcs),
        "loglik": round(bn.loglik(data)),
        "long_arcs": int((km > TELECONNECTION_KM).sum()),
        "calls_bnlearn": result.calls_bnlearn,
        "indian_ocean": round(float(answer(algorithm, "", result, data, EVIDENCE).indian_ocean or 0.0), 3),
    }
    training = sized(part.learned, algorithm, target).result
    if training is not None and training.dag is not None and part.held_out is not None:
        unseen = fit(training.dag, part.learned).loglik(part.held_out) / len(part.held_out)
        row |= {"training_arcs": len(training.dag.arcs), "heldout_month": round(float(unseen), 1)}
    return row


def sized(data: Any, algorithm: str, target: int) -> Sized:
    """The valid network nearest to ``target`` arcs, by bisection of γ (arcs fall as γ grows)."""
    low, high = np.log(LEAST_GAMMA), np.log(MOST_GAMMA)
    best: tuple[float, float, LearnResult] | None = None
    for _ in range(STEPS):
        gamma = float(np.exp((low + high) / 2))
        result = _learn(data, algorithm, gamma)
        size = len(result.graph.skeleton)
        distance = abs(size / target - 1)
        if best is None or distance < best[0]:
            best = (distance, gamma, result)
        if distance <= NEAR:
            break
        low, high = ((low + high) / 2, high) if size > target else (low, (low + high) / 2)
    assert best is not None
    distance, gamma, result = best
    if distance > FAR:
        return Sized(gamma, None)
    if result.valid or ALGORITHMS[algorithm].kind != "constraint":
        return Sized(gamma, result if result.valid else None)
    near = []
    for step in range(1, NEIGHBOURS + 1):
        for other in (gamma * (1 + 0.02 * step), gamma / (1 + 0.02 * step)):
            found = _learn(data, algorithm, other)
            if found.valid and abs(len(found.graph.skeleton) / target - 1) <= FAR:
                near.append((abs(len(found.graph.skeleton) / target - 1), other, found))
        if near:
            break
    if not near:
        return Sized(gamma, None)
    _, gamma, result = min(near, key=lambda item: item[0])
    return Sized(gamma, result)


def _learn(data: Any, algorithm: str, gamma: float) -> LearnResult:
    return learn(data, algorithm, find_criterion("BIC")(gamma=gamma), progress=False).uninterrupted()
