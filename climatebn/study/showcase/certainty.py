"""How sure the main job is: ensembles, nulls of long arcs, what remains of them, held-out skill, trend, composite."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import xarray as xr

from climatebn.criterion import BIC
from climatebn.errors import ClimateBNError
from climatebn.ingest import NodeData, anomalies, to_nodes
from climatebn.ingest.nodes.doubts import SHARE, trend_share
from climatebn.study.showcase.composite import Composite, composite
from climatebn.study.showcase.delay import Delay, delayed
from climatebn.study.showcase.question import Question
from climatebn.study.showcase.remaining import Remaining, remaining, varying
from climatebn.study.showcase.summary import INDIAN_OCEAN, THRESHOLD
from climatebn.uncertainty.ensemble_model import Ensemble
from climatebn.uncertainty.relearning import ensemble
from climatebn.uncertainty.shift_null import DistantNull, distant_null
from climatebn.uncertainty.skill import held_out_skill

Say = Callable[[str], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Effort:
    """How much is spent: members of the first and of the hybrid ensemble, draws of a null, members of the skill."""

    members: int = 100
    hybrid_members: int = 20
    draws: int = 6
    skill_members: int = 10

    @classmethod
    def of(cls, members: int = 100, quick: bool = False) -> "Effort":
        """The effort for a number of members; H2PC, which takes longer, gets a fifth of them."""
        if members < 2:
            raise ClimateBNError(f"members must be 2 or more, for intervals; got {members}")
        if quick:
            return cls(min(members, 10), min(members, 4), 2, 2)
        return cls(members, max(2, members // 5), 6, min(10, members))


@dataclass(frozen=True)
class Certainty:
    """What is known of how sure the answers are; parts that the data does not allow are None, and notes say why."""

    first: Ensemble
    hybrid: Ensemble | None
    answer: xr.Dataset
    hybrid_answer: xr.Dataset | None
    ocean: dict[str, dict[str, float]]  # Indian Ocean mean by ensemble
    nulls: dict[str, DistantNull]
    remaining: Remaining | None
    skill: pd.DataFrame | None
    skill_members: int
    trend: float
    detrended: xr.Dataset | None
    detrended_ocean: dict[str, float] | None
    composite: Composite | None
    delay: Delay | None
    notes: tuple[str, ...]


def certainty(
    field: xr.DataArray,
    data: NodeData,
    learned: tuple[str, float, float],
    asked: Question,
    effort: Effort,
    el_nino: bool,
    *,
    anomaly_options: Mapping[str, Any] | None = None,
    node_options: Mapping[str, Any] | None = None,
    workers: int | Executor | None = None,
    progress: bool = True,
    say: Say = lambda line: None,
) -> Certainty:
    """Relearn, shift, hold out: everything the report says about how sure it is.

    ``learned`` is the first algorithm, its γ, and the γ of H2PC; ``el_nino`` asks what follows in the Indian Ocean.
    """
    algorithm, gamma, hybrid_gamma = learned
    evidence = asked.evidence
    run: dict[str, Any] = {"workers": workers, "progress": progress}
    notes: list[str] = []

    def unless_refused(what: str, make: Callable[[], T]) -> T | None:
        say(what)
        try:
            return make()
        except ClimateBNError as error:
            notes.append(f"left out: {what} ({error})")
            return None

    say(f"{effort.members} members of {algorithm}, γ = {gamma:g}")
    first = ensemble(data, algorithm, BIC(gamma=gamma), resamples=effort.members, **run)
    hybrid = unless_refused(
        f"{effort.hybrid_members} members of H2PC, γ = {hybrid_gamma:g}",
        lambda: ensemble(data, "h2pc", BIC(gamma=hybrid_gamma), resamples=effort.hybrid_members, **run),
    )
    ensembles = {"first": first} | ({"hybrid": hybrid} if hybrid is not None and len(hybrid) else {})
    nulls = {}
    for label, weight in ((f"γ = {gamma:g}", 1.0), (f"γ = {gamma:g}, twice the penalty", 2.0)):
        shift = partial(distant_null, data, algorithm, BIC(gamma=gamma, weight=weight), draws=effort.draws, **run)
        found = unless_refused(f"null of long arcs, {label}", shift)
        if found is not None:
            nulls[label] = found
    again = max(2, effort.members // 4)
    moving, still = varying(data)
    links = unless_refused(
        "long arcs that remain after whitening", lambda: remaining(moving, algorithm, effort.draws, again, run)
    )
    if still and links is not None:
        notes.append(still)
    own = BIC(gamma=gamma)
    models = {"ensemble": (algorithm, own, effort.skill_members), "one network": (algorithm, own)}
    baselines = {"regression": "regression", "Ledoit–Wolf": "ledoit_wolf", "EOFs": "eof"}
    places = [k for k in (1, 2, 5, 20, 60) if k <= len(data.names) // 4]
    skill = unless_refused("held-out skill", lambda: held_out_skill(data, models | baselines, places, **run))
    trend = trend_share(data)
    detrended = detrended_ocean = None
    if trend > SHARE and not (anomaly_options or {}).get("detrend"):
        say("the answer without the trend")
        flat = to_nodes(anomalies(field, **{**(anomaly_options or {}), "detrend": "linear"}), **(node_options or {}))
        alone = ensemble(flat, algorithm, own, resamples=again, **run)
        detrended, detrended_ocean = alone.propagate(evidence, THRESHOLD, "both"), _ocean(alone, evidence)
    delay = None
    if el_nino:
        options = (anomaly_options or {}, node_options or {})
        delay = unless_refused(
            "the Indian Ocean's delayed answer", lambda: delayed(field, asked, effort.skill_members, *options, run)
        )
    answers = {name: one.propagate(evidence, THRESHOLD, "both") for name, one in ensembles.items()}
    return Certainty(
        first=first,
        hybrid=hybrid,
        answer=answers["first"],
        hybrid_answer=answers.get("hybrid"),
        ocean={name: mean for name, one in ensembles.items() if (mean := _ocean(one, evidence)) is not None},
        nulls=nulls,
        remaining=links,
        skill=skill,
        skill_members=effort.skill_members,
        trend=trend,
        detrended=detrended,
        detrended_ocean=detrended_ocean,
        composite=composite(first, asked),
        delay=delay,
        notes=tuple(notes),
    )


def _ocean(one: Ensemble, evidence: Mapping[Any, Any]) -> dict[str, float] | None:
    try:
        return one.region_mean(evidence, INDIAN_OCEAN["lat"], INDIAN_OCEAN["lon"], THRESHOLD)
    except ClimateBNError:
        return None
