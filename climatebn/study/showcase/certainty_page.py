"""How sure the main job is, as sections of its report, in the order in which a reader asks."""

from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from climatebn import pages
from climatebn.analysis.tails import NOTICEABLE
from climatebn.pages.parts import Part
from climatebn.plot.stippling import AGREE
from climatebn.study.showcase.certainty import Certainty
from climatebn.study.showcase.composite import Composite
from climatebn.study.showcase.delay import in_words
from climatebn.study.showcase.findings import interval, unbroken
from climatebn.study.showcase.remaining import FALSE_SHARE, NEAR_KM, Remaining
from climatebn.study.showcase.skill_section import skill_section
from climatebn.study.showcase.subject import Subject
from climatebn.uncertainty.shift_null import DistantNull

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
    sections.append(pages.section("How sure is it?", _agreement(found.answer), *ocean))
    if "contrast" in _drawn(folder):
        words = "Both networks, each as the mean of an ensemble, on one scale."
        sections.append(pages.section("Two algorithms, two answers", pages.figure(folder / "contrast.png", words)))
    if found.nulls:
        sections.append(pages.section("How many long arcs are chance?", *_nulls(found, about, folder)))
    if found.remaining is not None:
        sections.append(pages.section("What remains after whitening", *_remaining(found.remaining, folder)))
    if found.skill is not None:
        sections.append(
            pages.section(
                "Does it describe years that it was not learned from?",
                *skill_section(found.skill, label, found.skill_members),
            )
        )
    if found.detrended is not None:
        sections.append(pages.section("With and without the trend", *_trend(found, about, folder)))
    if found.delay is not None:
        caption = (
            f"Mean rise over 45–100°E, 25°S–20°N in the months after the evidence: the mean of {found.delay.members} "
            f"networks in time (lags 0 and 1 month) of the {found.delay.places} places within 30° of the equator, "
            "trends removed, and of as many networks of one month. Bands and bars: ± 1.645 standard deviations."
        )
        drawn = pages.figure(folder / "delayed_answer.png", caption)
        sections.append(pages.section("Does the Indian Ocean answer later?", in_words(found.delay), drawn))
    if found.composite is not None:
        sections.append(pages.section("What was observed", *_observed(found.composite, folder)))
    return sections


def _drawn(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.png")}


def _agreement(answer: xr.Dataset) -> str:
    """How many of the places that respond do so in nine networks of ten."""
    tails = ("_upper", "_lower") if "difference_upper" in answer else ("",)
    rises = [answer[f"difference{tail}"] > NOTICEABLE for tail in tails]
    sure = [rise & (answer[f"agreement{tail}"] >= AGREE) for rise, tail in zip(rises, tails, strict=True)]
    there, agreed = (int(np.any([part.values for part in parts], axis=0).sum()) for parts in (rises, sure))
    return (
        f"At {there} places the probability of an extreme rises by more than {NOTICEABLE}; at {agreed} of them at "
        f"least {AGREE:.0%} of the networks agree that it rises."
    )


def _ocean(found: Certainty, about: Subject, label: str, hybrid_label: str) -> list[Part]:
    names = {"first": label, "hybrid": hybrid_label}
    rows = [
        {
            "mean rise over the Indian Ocean": names[key],
            "ensemble": unbroken(interval(mean)),
            "single network": mean["single"],
        }
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
        {
            "setting": key,
            "found": one.real,
            "by chance, at most": unbroken(_chance(one)),
            "expected share of false ones, at most": f"{one.share:.0%}",
        }
        for key, one in found.nulls.items()
    ]
    why = (
        "Arcs over 5000 km, and how many are found when regions are shifted against each other by whole years, so that "
        "no distant link exists but everything local stays. It is an upper bound: links across the borders of regions "
        f"are cut too and come back as longer ones. Mean ± standard deviation of {_draws(found)} draws."
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
        f"expected by chance: {null.real} remain, where at most {_chance(null)} come by chance. Support is the share "
        f"of {remaining.members} networks of resampled years that have the arc, and that join places within "
        f"{NEAR_KM:.0f} km of both of its ends: single arcs hop between neighbouring cells."
    )
    parts: list[Part] = [lead]
    if "remaining_links" in _drawn(folder):
        parts.append(pages.figure(folder / "remaining_links.png", "These links, in the colour of their own support."))
    links = remaining.links.assign(fdr=remaining.false_shares()).head(30)
    ends = {end: links[end] + (" (" + links[f"{end}_place"] + ")").map(unbroken) for end in ("source", "target")}
    links = links.assign(**{end: [unbroken(words) for words in column] for end, column in ends.items()})
    headings = {
        "km": "length [km]",
        "strength": "strength [nat]",
        "support_near": f"within {NEAR_KM:.0f} km",
        "fdr": "expected share of false ones",
    }
    formats = {"km": ".0f", "strength": ".1f", "support": ".0%", "support_near": ".0%"}
    columns = ["source", "target", *formats, "fdr"]
    parts.append(pages.table(links[columns], headings=headings, formats=formats, empty="None."))
    return parts


def _chance(null: DistantNull) -> str:
    """Mean and standard deviation of what chance gives, with a digit where there are few."""
    digits = 0 if null.expected >= 10 else 1
    spread = f" ± {null.sd:.{digits}f}" if np.isfinite(null.sd) else ""
    return f"{null.expected:.{digits}f}{spread}"


def _draws(found: Certainty) -> str:
    return " or ".join(map(str, sorted({len(one.null) for one in found.nulls.values()})))


def _trend(found: Certainty, about: Subject, folder: Path) -> list[Part]:
    assert found.detrended is not None
    ocean = ""
    if about.el_nino and found.detrended_ocean is not None and "first" in found.ocean:
        with_trend, without = interval(found.ocean["first"]), interval(found.detrended_ocean)
        ocean = f" The mean rise over the Indian Ocean is {with_trend} with the trend and {without} without it."
    caption = (
        f"A linear trend makes up {found.trend:.0%} of the variance of the area mean. Left: the answer as above. "
        f"Right: from anomalies without each place's linear trend ({found.detrended.attrs['members']} members)."
    )
    return [f"Without the trend: {_agreement(found.detrended)}{ocean}", pages.figure(folder / "trend.png", caption)]


def _observed(seen: Composite, folder: Path) -> list[Part]:
    caption = (
        f"Left: the mean anomaly of the {seen.months} months (of {seen.years} years) in which {seen.when}. "
        "Right: the mean that the ensemble gives for such evidence."
    )
    drawn = pages.figure(folder / "composite.png", caption)
    if not np.isfinite([seen.pattern, seen.amplitude]).all():
        return [drawn]
    alike = (
        f"Away from the evidence the two maps have a correlation of {seen.pattern:.2f} (weighted by area), and the "
        f"answer has {seen.amplitude:.2f} times the amplitude of what was observed. A composite of few events also "
        "holds what else happened in these months, and the trend between them where it was not removed; it is no test "
        "of the answer."
    )
    return [alike, drawn]
