"""The algebra of a page whose networks are too large for it: the same answers, by the process that serves the page."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from climatebn.analysis.correlation import CorrelationNetwork
from climatebn.errors import ClimateBNError, number, short, whole
from climatebn.ingest.grid.region import Region
from climatebn.network.observed import observe
from climatebn.network.quantities import quantity
from climatebn.pages.explorer.models import Model
from climatebn.pages.explorer.packing import numbers
from climatebn.uncertainty.answers import WIDTH, agreement, member_differences
from climatebn.uncertainty.ensemble_model import Ensemble

SIDES = ("upper", "lower")
MOST = 200  # pieces of evidence, and letters of a name
FIELDS = {"model", "evidence", "threshold", "units", "about"}


def answer(models: list[Model], asked: Any, rows: np.ndarray | None = None) -> dict[str, Any]:
    """What a page asks, as its ``models.js`` writes it; anything else is refused."""
    if not isinstance(asked, Mapping) or set(asked) != FIELDS:
        raise ClimateBNError(f"a question has {', '.join(sorted(FIELDS))}; got {short(asked)}")
    model = models[whole("model", asked["model"], most=len(models) - 1)]
    evidence = _evidence(asked["evidence"])
    threshold, units = number("threshold", asked["threshold"], least=0), asked["units"]
    if units not in ("sd", "data"):
        raise ClimateBNError(f'units must be "sd" or "data"; got {short(units)}')
    before, after = model.condition({}, units), model.condition(evidence, units)
    told: dict[str, Any] = {"mean": after.mean, "sd": after.sd, "prior": {}, "posterior": {}, "difference": {}}
    for side in SIDES:
        told["prior"][side], told["posterior"][side] = (one.probability(threshold, side) for one in (before, after))
        told["difference"][side] = told["posterior"][side] - told["prior"][side]
    if isinstance(model, Ensemble) and evidence:
        told |= _spread(model, evidence, threshold, units, told["difference"])
    if asked["about"] is not None:
        told |= _correlations(model, _key(asked["about"]), rows)
    packed: dict[str, Any] = _packed(told)
    return packed


def _spread(model: Ensemble, evidence: Any, threshold: float, units: Any, centre: dict[str, np.ndarray]) -> Any:
    members = member_differences(model, evidence, threshold, SIDES, units)
    found: dict[str, Any] = {"low": {}, "high": {}, "agreement": {}}
    for at, side in enumerate(SIDES):
        one = members[:, at]
        half = WIDTH * (one.std(axis=0, ddof=1) if len(one) > 1 else np.full(one.shape[1], np.nan))
        found["low"][side], found["high"][side] = centre[side] - half, centre[side] + half
        found["agreement"][side] = agreement(centre[side], one)
    return found


def _correlations(model: Model, key: Any, rows: np.ndarray | None) -> dict[str, np.ndarray]:
    """The correlation of every node with a quantity: as the model implies it, and in the sample where that is known."""
    about = quantity(key, model.names, model.nodes)
    at, weights = list(about.numbers), np.array(about.weights)
    weights = weights if about.node is not None else weights * model.spread[at]
    found = {}
    if rows is not None:
        series = rows[:, at] @ weights
        found["sample"] = series @ rows / np.linalg.norm(series)
    if isinstance(model, CorrelationNetwork):
        series = model.rows[:, at] @ weights
        column = model.rows.T @ series / (np.sqrt(model.n - 1) * np.linalg.norm(series))
        return found | {"implied": np.where(model.reach(at), column, 0.0)}
    joint: Any = model.joint if isinstance(model, Ensemble) else model
    observed = observe(joint, {key: 0.0}, "sd" if about.node is None else None)
    return found | {"implied": observed.columns[:, 0] / (observed.sd[0] * np.sqrt(joint.variances()))}


def _evidence(pairs: Any) -> dict[Any, float]:
    if not isinstance(pairs, list) or len(pairs) > MOST or any(not isinstance(p, list) or len(p) != 2 for p in pairs):
        raise ClimateBNError(f"evidence must be at most {MOST} pairs of a name and a value; got {short(pairs)}")
    return {_key(key): number("evidence", value) for key, value in pairs}


def _key(text: Any) -> str | Region:
    """A name, or the box south/north/west/east."""
    if not isinstance(text, str) or len(text) > MOST:
        raise ClimateBNError(f"evidence is set by name; got {short(text)}")
    try:
        south, north, west, east = (float(edge) for edge in text.split("/"))
    except ValueError:
        return text
    return Region((south, north), (west, east))


def _packed(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: _packed(part) for name, part in told.items()}
    return numbers(told)
