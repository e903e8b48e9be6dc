"""How sure the main job is: ensembles, nulls of long arcs, what remains of them, held-out skill, trend, composite."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import xarray as xr

from climatebn.analysis.arcs import teleconnections
from climatebn.criterion import BIC
from climatebn.errors import ClimateBNError
from climatebn.ingest import NodeData, anomalies, to_nodes, whiten
from climatebn.ingest.nodes.doubts import SHARE, trend_share
from climatebn.learning import learn
from climatebn.study.showcase.delay import Delay, delayed
from climatebn.study.showcase.question import Question
from climatebn.study.showcase.summary import INDIAN_OCEAN, THRESHOLD
from climatebn.uncertainty.ensemble_model import Ensemble
from climatebn.uncertainty.gamma_choice import GammaChoice, choose_gamma
from climatebn.uncertainty.relearning import ensemble
from climatebn.uncertainty.shift_null import DistantNull, distant_null
from climatebn.uncertainty.skill import held_out_skill

FALSE_SHARE = 0.1
REMAINING_GAMMAS = (0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
EXTREME = 1.5  # sd, of the months in the composite
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
class Remaining:
    """Long arcs after whitening, at the γ at which at most a tenth are expected by chance."""

    choice: GammaChoice
    links: pd.DataFrame  # source, target, places, km, strength, fdr, support

    @property
    def null(self) -> DistantNull:
        """The null at that γ."""
        assert self.choice.null is not None
        return self.choice.null


@dataclass(frozen=True)
class Composite:
    """Mean of the months in which the evidence was extreme, or held, in sd; how many there are, ``when`` in words."""

    observed: xr.DataArray
    expected: xr.DataArray
    months: int
    when: str


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
    trend: float
    detrended: xr.Dataset | None
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
    remaining = unless_refused(
        "long arcs that remain after whitening", lambda: _remaining(data, algorithm, effort, run)
    )
    models = {"ensemble": (algorithm, BIC(gamma=1.0), effort.skill_members), "one network": (algorithm, BIC(gamma=1.0))}
    baselines = {"regression": "regression", "Ledoit–Wolf": "ledoit_wolf", "EOFs": "eof"}
    places = [k for k in (1, 2, 5, 20, 60) if k <= len(data.names) // 4]
    skill = unless_refused("held-out skill", lambda: held_out_skill(data, models | baselines, places, **run))
    trend = trend_share(data)
    detrended = None
    if trend > SHARE and not (anomaly_options or {}).get("detrend"):
        say("the answer without the trend")
        flat = to_nodes(anomalies(field, **{**(anomaly_options or {}), "detrend": "linear"}), **(node_options or {}))
        members = max(2, effort.members // 4)
        alone = ensemble(flat, algorithm, BIC(gamma=gamma), resamples=members, **run)
        detrended = alone.propagate(evidence, THRESHOLD, "both")
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
        remaining=remaining,
        skill=skill,
        trend=trend,
        detrended=detrended,
        composite=_composite(first, asked),
        delay=delay,
        notes=tuple(notes),
    )


def _remaining(data: NodeData, algorithm: str, effort: Effort, run: dict[str, Any]) -> Remaining:
    """The γ by the null, the null there, and each long arc with its support and its share of false ones."""
    asked = {"draws": effort.draws, "whiten": True, **run}
    choice = choose_gamma(data, algorithm, REMAINING_GAMMAS, by="false_arcs", share=FALSE_SHARE, **asked)
    criterion = BIC(gamma=choice.best)
    white = whiten(data)
    learned = learn(white.values, algorithm, criterion, progress=False).uninterrupted()
    links = teleconnections(learned, white, null=choice.null)
    again = ensemble(white, algorithm, criterion, resamples=max(2, effort.members // 4), **run).arcs()
    names = {frozenset(pair): support for *pair, support in again[["source", "target", "support"]].to_numpy()}
    pairs = zip(links["source"], links["target"], strict=True)
    links["support"] = [names.get(frozenset(pair), 0.0) for pair in pairs]
    return Remaining(choice, links.sort_values("strength", ascending=False, ignore_index=True))


def _ocean(one: Ensemble, evidence: Mapping[Any, Any]) -> dict[str, float] | None:
    try:
        return one.region_mean(evidence, INDIAN_OCEAN["lat"], INDIAN_OCEAN["lon"], THRESHOLD)
    except ClimateBNError:
        return None


def _composite(first: Ensemble, asked: Question) -> Composite | None:
    """Beside what is answered for evidence as far off as in these months; None where a month never has it all."""
    data, series = asked.data, asked.series()
    ends = np.array([(one.low, one.high) for one in asked.observations]).T
    values = all(one.exact for one in asked.observations)
    beyond = series * np.sign(ends[0]) > EXTREME if values else (series >= ends[0]) & (series <= ends[1])
    rows = beyond.all(axis=1)
    if not rows.any():
        return None
    when = f"the evidence was beyond {EXTREME:g} standard deviations on its side" if values else "the evidence held"
    scale = float(np.abs(series[rows]).mean() / np.abs(ends[0]).mean()) if values else 1.0
    answered = first.condition(asked.evidence).mean * scale
    z = (data.values - first.centre) / first.spread
    words = {"observed mean anomaly": z[rows].mean(axis=0), "mean anomaly given the evidence": answered}
    observed, expected = (data.to_xarray(v).assign_attrs(long_name=name, units="sd") for name, v in words.items())
    return Composite(observed, expected, int(rows.sum()), when)
