"""The models that are scored beside each other, each fitted to the training years of a record."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from climatebn.criterion import BIC
from climatebn.errors import MANY, ClimateBNError, whole
from climatebn.forecast.choice import chosen_eofs
from climatebn.forecast.inverse_model import linear_inverse
from climatebn.forecast.network_forecast import learned
from climatebn.forecast.persistence import BASELINES, Forecasts, OwnPast
from climatebn.forecast.record import LONGEST_LEAD, Record

GAMMA = 0.25  # chosen by cross-validation inside 1950–1999, see docs/forecasts.md
NAMES = ("network", *BASELINES, "lim")


class Model(Protocol):
    """Whatever gives means and standard deviations of weighted sums of the nodes."""

    def forecast(self, weights: np.ndarray, lead: int) -> Forecasts:
        """Mean and sd, time × target: row t is made in month t for month t + lead; weights are node × target."""


@dataclass(frozen=True)
class Recipe:
    """How the network is learned, and which leads are asked for."""

    lags: tuple[int, ...]
    algorithm: str
    criterion: Any
    members: int
    seed: int
    leads: tuple[int, ...]


def recipe(leads: Any, lags: Sequence[int], algorithm: str, criterion: Any, members: int, seed: int) -> Recipe:
    """The recipe, checked; a number of leads stands for 1 … that number."""
    one = isinstance(leads, int | np.integer)
    asked = tuple(range(1, whole("leads", leads, 1, LONGEST_LEAD) + 1)) if one else tuple(leads)
    if not asked or len(set(asked)) < len(asked):
        raise ClimateBNError(f"leads must be different months ahead, e.g. (1, 3, 6); got {leads!r}")
    for lead in asked:
        whole("leads", lead, 1, LONGEST_LEAD)
    if 0 in lags and len(lags) == 1:
        raise ClimateBNError("lags=(0,) has no past to forecast from; give e.g. lags=(1, 2, 3)")
    chosen = BIC(gamma=GAMMA) if criterion is None else criterion
    return Recipe(
        tuple(lags),
        algorithm,
        chosen,
        whole("members", members, 1, MANY),
        whole("seed", seed),
        tuple(map(int, sorted(asked))),
    )


def fitted(record: Record, how: Recipe, workers: int | Executor | None, progress: bool) -> dict[str, Model]:
    """All models on the training years of a record, by name."""
    found: dict[str, Model] = {
        "network": learned(
            record,
            how.algorithm,
            how.criterion,
            how.lags,
            how.members,
            max(how.leads),
            how.seed,
            workers,
            progress,
        )
    }
    found |= {name: OwnPast(record, rule) for name, rule in BASELINES.items()}
    count = chosen_eofs(record, how.leads)
    if count:
        found["lim"] = linear_inverse(record, count)
    return found
