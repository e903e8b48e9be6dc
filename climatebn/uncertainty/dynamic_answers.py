"""What an ensemble of networks in time answers: from the mean model, with the spread of its members' own answers."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.analysis.propagation_in_time import propagate_in_time
from climatebn.analysis.tails import TAILS
from climatebn.blas import few_threads
from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.region import region_mean
from climatebn.progress import Progress
from climatebn.uncertainty.answers import TOLD, WIDTH
from climatebn.uncertainty.ensemble_model import require_one_tail

if TYPE_CHECKING:
    from climatebn.uncertainty.dynamic_ensemble import DynamicEnsemble


def answer(
    ensemble: "DynamicEnsemble", evidence: Any, threshold: float, tail: str, units: Any, horizon: int | None
) -> xr.Dataset:
    """See `DynamicEnsemble.propagate`."""
    result = propagate_in_time(ensemble, evidence, horizon, threshold, tail, units)
    members, unstable = _members(ensemble, evidence, threshold, tail, units, horizon)
    for side in TAILS[tail]:
        ending = f"_{side}" if tail == "both" else ""
        main = f"difference{ending}"
        centre, words = result[main], result[main].attrs["long_name"]
        spread = xr.concat([one[main] for one in members], "member", coords="minimal", compat="override")
        sd = spread.std("member", ddof=1) if len(members) > 1 else xr.full_like(centre, np.nan)
        same = (np.sign(spread) == np.sign(centre)).mean("member").where(abs(centre) > TOLD)
        for name, values, said in (
            (f"{main}_sd", sd, "standard deviation over members"),
            (f"{main}_low", centre - WIDTH * sd, f"mean − {WIDTH} sd"),
            (f"{main}_high", centre + WIDTH * sd, f"mean + {WIDTH} sd"),
            (f"agreement{ending}", same, f"share of members with its sign, where beyond {TOLD}"),
        ):
            result[name] = values.assign_attrs(long_name=f"{words}: {said}", units="1")
    facts = {"members": len(members), "unstable": unstable, "criterion": ensemble.criterion}
    return result.assign_attrs(facts | {"algorithm": ensemble.algorithm})


def region_answer(
    ensemble: "DynamicEnsemble",
    evidence: Any,
    lat: tuple[float, float],
    lon: tuple[float, float],
    threshold: float,
    tail: str,
    units: Any,
    horizon: int | None,
) -> pd.DataFrame:
    """See `DynamicEnsemble.region_mean`."""
    require_one_tail(tail)
    whole = propagate_in_time(ensemble, evidence, horizon, threshold, tail, units)
    members, _ = _members(ensemble, evidence, threshold, tail, units, horizon)
    mean, *others = (region_mean(one["difference"], lat, lon).values for one in (whole, *members))
    sd = np.std(others, axis=0, ddof=1) if len(others) > 1 else np.full(len(mean), np.nan)
    columns = {"lead": whole["lead"].values, "mean": mean, "sd": sd}
    return pd.DataFrame({**columns, "low": mean - WIDTH * sd, "high": mean + WIDTH * sd})


def _members(
    ensemble: "DynamicEnsemble", evidence: Any, threshold: float, tail: str, units: Any, horizon: int | None
) -> tuple[list[xr.Dataset], int]:
    """The answers of the members that are stable, and how many are not."""
    found, unstable = [], 0
    columns = len(ensemble.names) * max(ensemble.lags)
    with few_threads(columns), Progress("answers", len(ensemble), "member") as bar:
        for number in range(len(ensemble)):
            network = ensemble.network(number)
            try:
                known = network.state_space.autocovariances
            except ClimateBNError:
                unstable += 1
                continue
            assert len(known)
            found.append(propagate_in_time(network, evidence, horizon, threshold, tail, units or "sd"))
            bar.update()
    if not found:
        raise ClimateBNError("no member is stable: none has an answer. Take a larger γ or a longer record")
    return found, unstable
