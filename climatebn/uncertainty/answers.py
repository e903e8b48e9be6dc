"""What an ensemble answers: from the mean correlation, with the spread of its members' own answers beside it."""

from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from climatebn.analysis.propagation import propagate
from climatebn.analysis.tails import NOTICEABLE, TAILS, Tail
from climatebn.ingest.grid.region import region_mean
from climatebn.ingest.nodes.node_maps import from_maps
from climatebn.network.labels import on_map
from climatebn.progress import Progress
from climatebn.uncertainty.ensemble_model import require_one_tail

if TYPE_CHECKING:
    from climatebn.uncertainty.ensemble_model import Ensemble

WIDTH = 1.645  # standard deviations on each side: nominally 90 %
TOLD = NOTICEABLE  # agreement is given beyond this change


def answer(ensemble: "Ensemble", evidence: Any, threshold: float, tail: Tail, units: Any) -> xr.Dataset:
    """See `Ensemble.propagate`."""
    result = propagate(ensemble.joint, evidence, threshold, tail, units)
    sides = TAILS[tail]
    spread = member_differences(ensemble, evidence, threshold, sides, units)
    alone = single_difference(ensemble, evidence, threshold, sides, units)
    names, nodes = ensemble.names, ensemble.nodes
    for number, side in enumerate(sides):
        ending = f"_{side}" if tail == "both" else ""
        main = f"difference{ending}"
        centre = _by_node(result[main], ensemble)
        sd = spread[:, number].std(axis=0, ddof=1) if len(spread) > 1 else np.full(len(names), np.nan)
        words = result[main].attrs["long_name"]
        for name, values, said in (
            (f"{main}_sd", sd, "standard deviation over members"),
            (f"{main}_low", centre - WIDTH * sd, f"mean − {WIDTH} sd"),
            (f"{main}_high", centre + WIDTH * sd, f"mean + {WIDTH} sd"),
            (
                f"agreement{ending}",
                agreement(centre, spread[:, number]),
                f"share of members with its sign, where beyond {TOLD}",
            ),
            (f"{main}_single", alone[number], "of the network of the whole record"),
        ):
            result[name] = on_map(names, nodes, values, name, long_name=f"{words}: {said}", units="1")
    facts = {"members": len(ensemble), "criterion": ensemble.criterion, "algorithm": ensemble.algorithm}
    return result.assign_attrs(facts)


def agreement(centre: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Share of members (member × node) whose change has the sign of the ensemble's, given where that is beyond 0.05."""
    same = np.sign(members) == np.sign(centre)
    return np.where(np.abs(centre) > TOLD, same.mean(axis=0), np.nan)


def region_answer(
    ensemble: "Ensemble",
    evidence: Any,
    lat: tuple[float, float],
    lon: tuple[float, float],
    threshold: float,
    tail: Tail,
    units: Any,
) -> dict[str, float]:
    """See `Ensemble.region_mean`."""
    require_one_tail(tail)
    sides = TAILS[tail]
    result = propagate(ensemble.joint, evidence, threshold, tail, units)
    mean = float(region_mean(result["difference"], lat, lon))
    spread = member_differences(ensemble, evidence, threshold, sides, units)[:, 0]
    alone = single_difference(ensemble, evidence, threshold, sides, units)
    found = [
        float(region_mean(on_map(ensemble.names, ensemble.nodes, row, "d"), lat, lon)) for row in [*spread, *alone]
    ]
    *members, single = found
    sd = float(np.std(members, ddof=1)) if len(members) > 1 else float("nan")
    low, high = mean - WIDTH * sd, mean + WIDTH * sd
    return {"mean": mean, "sd": sd, "low": low, "high": high, "single": single}


def member_differences(
    ensemble: "Ensemble", evidence: Any, threshold: float, sides: tuple[str, ...], units: Any
) -> np.ndarray:
    """(member × side × node) change of the probability by each member's own correlations."""
    before = ensemble.joint.condition({}, units)
    prior = [before.probability(threshold, side) for side in sides]
    found = np.empty((len(ensemble), len(sides), len(ensemble.names)))
    with Progress("answers", len(ensemble), "member") as bar:
        for number, one in enumerate(ensemble.members):
            after = ensemble._normal(one.product).condition(evidence, units)
            for place, side in enumerate(sides):
                found[number, place] = after.probability(threshold, side) - prior[place]
            bar.update()
    return found


def single_difference(
    ensemble: "Ensemble", evidence: Any, threshold: float, sides: tuple[str, ...], units: Any
) -> list[np.ndarray]:
    """For each side, the answer of the network of the whole record with its own variances; missing without one."""
    if ensemble.single is None:
        return [np.full(len(ensemble.names), np.nan) for _ in sides]
    bn = ensemble.network()
    before, after = bn.condition({}, units), bn.condition(evidence, units)
    return [after.probability(threshold, side) - before.probability(threshold, side) for side in sides]


def _by_node(field: xr.DataArray, ensemble: "Ensemble") -> np.ndarray:
    """The values of a map at the nodes."""
    if ensemble.nodes is None or ensemble.nodes.regional:
        return np.asarray(field.values)
    return from_maps(ensemble.nodes, field)
