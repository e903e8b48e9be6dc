"""How sure the main job is, as sections of its report, in the order in which a reader asks."""

from pathlib import Path

import numpy as np
import pandas as pd

from climatebn import pages
from climatebn.analysis.tails import NOTICEABLE
from climatebn.pages.parts import Part
from climatebn.plot.stippling import AGREE
from climatebn.study.showcase.certainty import FALSE_SHARE, Certainty, Remaining
from climatebn.study.showcase.delay import in_words
from climatebn.study.showcase.findings import interval
from climatebn.study.showcase.subject import Subject

INTERVAL = "Intervals are the ensemble's answer ± 1.645 standard deviations of its members, nominally 90 %"


def in_short(found: Certainty, about: Subject) -> list[str]:
    """A few lines for the terminal."""
    lines = [
        f"Indian Ocean, mean of {one.algorithm}'s members: {interval(found.ocean[key])}"
        for key, one in (("first", found.first), ("hybrid", found.hybrid))
        if one is not None and key in found.ocean and about.el_nino
    ]
    for key, null in found.nulls.items():
        lines.append(
            f"arcs over {null.min_km:g} km, {key}: {null.real}; of these, by chance at most {null.expected:.0f}"
        )
    if found.remaining is not None:
        null = found.remaining.null
        where = f"after whitening, γ = {found.remaining.choice.best:g}"
        lines.append(f"arcs over {null.min_km:g} km {where}: {null.real}; by chance at most {null.expected:.1f}")
    return lines


def ocean_verdicts(ocean: dict[str, dict[str, float]]) -> list[str]:
    """The paper's claims 4a and 4b by their intervals: tabu warms the Indian Ocean, H2PC does not.

    >>> ocean_verdicts({"first": {"low": 0.10, "high": 0.21}, "hybrid": {"low": -0.02, "high": 0.01}})
    ['Claim 4a of the paper, tabu warms the Indian Ocean: holds (low +0.100 > 0)', \
'Claim 4b, H2PC does not: holds (high +0.010 < 0.05)']
    """
    said = []
    if "first" in ocean:
        low = ocean["first"]["low"]
        holds = f"holds (low {low:+.3f} > 0)" if low > 0 else f"does not hold (low {low:+.3f} ≤ 0)"
        said.append(f"Claim 4a of the paper, tabu warms the Indian Ocean: {holds}")
    if "hybrid" in ocean:
        high = ocean["hybrid"]["high"]
        holds = (
            f"holds (high {high:+.3f} < {NOTICEABLE})"
            if high < NOTICEABLE
            else f"does not hold (high {high:+.3f} ≥ {NOTICEABLE})"
        )
        said.append(f"Claim 4b, H2PC does not: {holds}")
    return said


def certainty_sections(
    found: Certainty, about: Subject, folder: Path, given: str, label: str, hybrid_label: str
) -> list[Part]:
    """The sections; those without data are not there."""
    sections: list[Part] = [
        pages.figure(
            folder / "answer.png",
            f"Rise in the probability of extremes given {given}: the mean of {len(found.first)} networks, each learned "
            "from resampled years. Blank: less than 0.05. Dots: fewer than 90 % of the networks agree on the sign.",
        )
    ]
    ocean = _ocean(found, about, label, hybrid_label) if about.el_nino and found.ocean else []
    sections.append(pages.section("How sure is it?", _agreement(found), *ocean))
    if "contrast" in _drawn(folder):
        words = "Both networks, each as the mean of an ensemble, on one scale."
        sections.append(pages.section("Two algorithms, two answers", pages.figure(folder / "contrast.png", words)))
    if found.nulls:
        sections.append(pages.section("How many long arcs are chance?", *_nulls(found, about, folder)))
    if found.remaining is not None:
        sections.append(pages.section("What remains after whitening", *_remaining(found.remaining, folder)))
    if found.skill is not None:
        sections.append(pages.section("Does it describe years that it was not learned from?", *_skill(found.skill)))
    if found.detrended is not None:
        words = (
            f"A linear trend makes up {found.trend:.0%} of the variance of the area mean. Left: the answer as above. "
            "Right: from anomalies without each place's linear trend."
        )
        sections.append(pages.section("With and without the trend", pages.figure(folder / "trend.png", words)))
    if found.delay is not None:
        caption = (
            f"Mean rise over 45–100°E, 25°S–20°N in the months after the evidence: the mean of {found.delay.members} "
            f"networks in time (lags 0 and 1 month) of the {found.delay.places} places within 30° of the equator, "
            "trends removed, and of as many networks of one month. Bands and bars: ± 1.645 standard deviations."
        )
        drawn = pages.figure(folder / "delayed_answer.png", caption)
        sections.append(pages.section("Does the Indian Ocean answer later?", in_words(found.delay), drawn))
    if found.composite is not None:
        words = (
            f"Left: the mean anomaly of the {found.composite.months} months in which {found.composite.when}. "
            "Right: the mean that the ensemble gives for such evidence."
        )
        sections.append(pages.section("What was observed", pages.figure(folder / "composite.png", words)))
    return sections


def _drawn(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.png")}


def _agreement(found: Certainty) -> str:
    """How many of the places that respond do so in nine networks of ten."""
    tails = ("_upper", "_lower") if "difference_upper" in found.answer else ("",)
    rises = [found.answer[f"difference{tail}"] > NOTICEABLE for tail in tails]
    sure = [rise & (found.answer[f"agreement{tail}"] >= AGREE) for rise, tail in zip(rises, tails, strict=True)]
    there, agreed = (int(np.any([part.values for part in parts], axis=0).sum()) for parts in (rises, sure))
    return (
        f"At {there} places the probability of an extreme rises by more than {NOTICEABLE}; at {agreed} of them at "
        f"least {AGREE:.0%} of the networks agree that it rises."
    )


def _ocean(found: Certainty, about: Subject, label: str, hybrid_label: str) -> list[Part]:
    names = {"first": label, "hybrid": hybrid_label}
    rows = [
        {"mean rise over the Indian Ocean": names[key], "ensemble": interval(mean), "single network": mean["single"]}
        for key, mean in found.ocean.items()
    ]
    apart = ""
    if {"first", "hybrid"} <= set(found.ocean):
        first, hybrid = found.ocean["first"], found.ocean["hybrid"]
        meet = first["low"] <= hybrid["high"] and hybrid["low"] <= first["high"]
        apart = " The two intervals meet." if meet else " The two intervals do not meet: the contrast is no accident."
    table = pages.table(pd.DataFrame(rows), formats={"single network": "+.3f"})
    claims = [pages.bullets(f"{words}." for words in ocean_verdicts(found.ocean))] if about.paper else []
    return [table, f"{INTERVAL}.{apart}", *claims]


def _nulls(found: Certainty, about: Subject, folder: Path) -> list[Part]:
    rows = [
        {"setting": key, "found": one.real, "by chance, at most": f"{one.expected:.0f} ± {one.sd:.0f}"}
        for key, one in found.nulls.items()
    ]
    why = (
        "Arcs over 5000 km, and how many are found when regions are shifted against each other by whole years, so that "
        "no distant link exists but everything local stays. It is an upper bound: links across the borders of regions "
        "are cut too and come back as longer ones."
    )
    if about.paper:
        why += " The paper's networks, by their numbers, were learned with twice the penalty of its formula."
    caption = "Number of long arcs at least as strong as x: of the data (red), of each draw of the null (grey)."
    return [why, pages.table(pd.DataFrame(rows)), pages.figure(folder / "null.png", caption)]


def _remaining(remaining: Remaining, folder: Path) -> list[Part]:
    null = remaining.null
    lead = (
        "With persistence and the seasonal cycle of variance removed, "
        f"γ = {remaining.choice.best:g} is the smallest at which at most {FALSE_SHARE:.0%} of the long arcs are "
        f"expected by chance: {null.real} remain, where at most "
        f"{null.expected:.1f} come by chance."
    )
    parts: list[Part] = [lead]
    if "remaining_links" in _drawn(folder):
        parts.append(pages.figure(folder / "remaining_links.png", "These links, in the colour of their support."))
    links = remaining.links.head(30)
    links = links.assign(**{end: links[end] + " (" + links[f"{end}_place"] + ")" for end in ("source", "target")})
    headings = {
        "km": "length [km]",
        "strength": "strength [nat]",
        "fdr": "expected share of false ones",
    }
    formats = {"km": ".0f", "strength": ".1f", "support": ".0%", "fdr": ".2f"}
    parts.append(pages.table(links[["source", "target", *formats]], headings=headings, formats=formats, empty="None."))
    return parts


def _skill(skill: pd.DataFrame) -> list[Part]:
    best = skill.loc[skill.groupby("places")["gain"].idxmax(), ["places", "model"]]
    winners = ", ".join(
        f"{model} ({', '.join(map(str, own))} place{'s' * (own.tolist() != [1])})"
        for model, own in best.groupby("model", sort=False)["places"]
    )
    shown = skill.assign(cell=[f"{gain:.4f} ± {se:.4f}" for gain, se in zip(skill["gain"], skill["se"], strict=True)])
    table = shown.pivot(index="model", columns="places", values="cell").reindex(skill["model"].unique()).reset_index()
    table = table.rename(columns={k: f"{k} place{'s' * (k > 1)}" for k in skill["places"].unique().tolist()})
    words = (
        "Gain over climatology in nats a place and month, in held-out years, when the values of a few random places "
        f"are given (± standard error over folds). Best: {winners}."
    )
    return [words, pages.table(table)]
