"""The Indian Ocean's delayed answer to El Niño: networks in time of the tropics beside the network of one month.

The past of the evidence is set to its mean in one of the answers: what then comes in later months was not there before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import xarray as xr

from climatebn.criterion import BIC
from climatebn.ingest import anomalies, to_nodes
from climatebn.study.showcase.findings import interval
from climatebn.study.showcase.question import Question
from climatebn.study.showcase.summary import INDIAN_OCEAN, THRESHOLD
from climatebn.uncertainty.relearning import ensemble

TROPICS = 30.0  # degrees from the equator
HORIZON = 9  # months
FRESH, LASTING, ONE_MONTH = "El Niño's first month", "its past not known", "network of one month"


@dataclass(frozen=True)
class Delay:
    """The mean rise of P(X ≥ 1 sd) over the Indian Ocean by lead: lead, mean, sd, low, high, one table a question."""

    tables: dict[str, pd.DataFrame]
    places: int
    members: int


def delayed(
    field: xr.DataArray,
    asked: Question,
    members: int,
    anomaly_options: Mapping[str, Any],
    node_options: Mapping[str, Any],
    run: Mapping[str, Any],
) -> Delay | None:
    """What follows El Niño, month by month, by networks of 216 places learned with and without the month before.

    Trends are removed, which would tie months together; None for evidence that has no name in the month before.
    """
    anomaly = anomalies(field, **{**anomaly_options, "detrend": "linear"})
    tropics = to_nodes(anomaly.sel(lat=abs(anomaly["lat"]) < TROPICS), **node_options)
    now: dict[str, float] = {}
    for key, one in zip(asked.evidence, asked.observations, strict=True):
        node = one.quantity.node
        name = key if node is None else tropics.nearest(float(asked.data.lat[node]), float(asked.data.lon[node]))
        if not one.exact or not isinstance(name, str):
            return None
        now[name] = one.low
    before = {f"{name}@-1": 0.0 for name in now}
    recipe: dict[str, Any] = {"criterion": BIC(gamma=0.5), "resamples": members, "seed": 1, **run}
    months = ensemble(tropics, "hill_climbing", lags=(0, 1), **recipe)
    month = ensemble(tropics, "hill_climbing", **recipe)
    box: dict[str, Any] = {**INDIAN_OCEAN, "threshold": THRESHOLD}
    tables = {
        FRESH: months.region_mean(now | before, **box, horizon=HORIZON),
        LASTING: months.region_mean(now, **box, horizon=HORIZON),
        ONE_MONTH: pd.DataFrame([{"lead": 0, **month.region_mean(now, **box)}]),
    }
    return Delay(tables, len(tropics.names), len(months))


def in_words(found: Delay) -> str:
    """The same month, by both, and the month in which the answer to a new El Niño is clearest."""
    tables = [found.tables[name] for name in (FRESH, LASTING, ONE_MONTH)]
    fresh, lasting, alone = ([{str(k): v for k, v in row.items()} for row in t.to_dict("records")] for t in tables)
    first, clear = fresh[0], max(fresh[1:], key=lambda row: row["mean"] / row["sd"])
    nothing, unsure = (", which may be nothing" if row["low"] <= 0 <= row["high"] else "" for row in (first, clear))
    months = int(clear["lead"])
    return (
        f"Where nothing is known of the months before, the probability of a warm Indian Ocean rises by "
        f"{interval(lasting[0])} in the same month; the network of one month says {interval(alone[0])}. "
        f"Where the evidence was at its mean the month before, the same month has {interval(first)}{nothing}; after "
        f"{months} month{'s' * (months > 1)} it is {interval(clear)}{unsure}."
    )
