"""The networks on the maps learned again from resampled years, for the intervals of claims 4a and 4b.

They are cells of their own: ``months`` is "resampled", ``order`` the number of the member, as in `climatebn.ensemble`.
"""

from collections.abc import Iterable, Sequence

from climatebn.errors import ClimateBNError
from climatebn.ingest import NodeData
from climatebn.jobs.study import Key, Record
from climatebn.study.climate.schemes import Criteria
from climatebn.study.showcase.summary import INDIAN_OCEAN, THRESHOLD
from climatebn.uncertainty.ensemble_model import Ensemble
from climatebn.uncertainty.relearning import Task, gathered, learn_member
from climatebn.uncertainty.resampling import blocks_of

SHOWN = {"tabu": 0.5, "h2pc": 0.2}  # the networks on the maps: algorithm, γ
EVIDENCE = {"X81": 2.0}
RESAMPLED = "resampled"


def shown_gammas(algorithms: Iterable[str], gammas: Sequence[float]) -> dict[str, float]:
    """The γ of each network on the maps: the smallest of the study that is not below the paper's.

    >>> shown_gammas(["tabu", "mmhc"], (50.0, 1.0, 0.2))
    {'tabu': 1.0}
    """
    dense = {name: [gamma for gamma in gammas if gamma >= wanted] for name, wanted in SHOWN.items()}
    return {name: min(dense[name]) for name in SHOWN if name in set(algorithms) and dense[name]}


def learn_resampled(data: NodeData, algorithm: str, criteria: Criteria, number: int, max_seconds: float) -> Record:
    """One member, as `climatebn.ensemble` with seed 0 learns it."""
    return learn_member(_task(data, algorithm, criteria, max_seconds), (number,))


def ocean_interval(
    data: NodeData, algorithm: str, criteria: Criteria, records: dict[Key, Record]
) -> dict[str, float] | None:
    """Mean rise of P(X ≥ 1 sd) over the Indian Ocean with its interval; None with fewer than two valid members.

    Members that are not valid or did not end are not in it.
    """
    task = _task(data, algorithm, criteria, None)
    try:
        found = gathered(task, [records[key] for key in sorted(records)], None, data)
        if not isinstance(found, Ensemble) or len(found) < 2:
            return None
        answer = found.region_mean(EVIDENCE, INDIAN_OCEAN["lat"], INDIAN_OCEAN["lon"], THRESHOLD)
    except ClimateBNError:
        return None
    return {**answer, "members": len(found)}


def _task(data: NodeData, algorithm: str, criteria: Criteria, max_seconds: float | None) -> Task:
    options = {} if criteria.test is None else {"test": criteria.test}
    blocks = blocks_of(data, len(data), "year")
    score = criteria.criterion
    return Task(data.values, data.names, blocks, algorithm, score, score, 0, max_seconds, options)
