"""The numbers that matter, network by network, each with a line that says what it means."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from climatebn.analysis.tails import NOTICEABLE
from climatebn.study.showcase.subject import Subject
from climatebn.study.showcase.summary import Answer

_OF_TWO = ("none", "one", "both")


class Finding(NamedTuple):
    """One number for each network (in the order of the answers), and its meaning in words."""

    name: str
    values: tuple[str, ...]
    meaning: str


def findings(answers: Sequence[Answer], about: Subject) -> list[Finding]:
    """All findings; that of the Indian Ocean for El Niño alone.

    The first answer is the score-based network, the second the hybrid one, the last correlation.
    """
    return [
        _arcs(answers),
        _calls(answers),
        _likelihood(answers),
        _long_arcs(answers),
        _colliders(answers),
        _neighbours(answers),
        *([_indian_ocean(answers, about)] if about.el_nino else []),
        _far(answers),
        _implied(answers),
    ]


def _arcs(answers: Sequence[Answer]) -> Finding:
    first, second, *_ = answers
    share = len(first.arcs) / max(len(second.arcs), 1)
    meaning = (
        f"{first.label} keeps {share:.1f} times the arcs of {second.label}; the correlation network is given as many "
        "as the first, so that they can be compared"
    )
    return Finding("arcs", tuple(str(len(a.arcs)) for a in answers), meaning)


def _calls(answers: Sequence[Answer]) -> Finding:
    values = tuple("–" if a.result is None else grouped(a.result.calls) for a in answers)
    score, hybrid = (a.result.calls if a.result else 0 for a in answers[:2])
    more = int(hybrid > score)
    times = max(score, hybrid) / max(min(score, hybrid), 1)
    meaning = f"the cost that no machine changes: {answers[more].label} made {times:.1f} times as many as the other"
    return Finding("calls of the criterion", values, meaning)


def _likelihood(answers: Sequence[Answer]) -> Finding:
    values = tuple("–" if a.loglik is None else grouped(a.loglik) for a in answers)
    first, second = (a.loglik or 0.0 for a in answers[:2])
    better = answers[0] if first > second else answers[1]
    gap = grouped(abs(first - second))
    meaning = f"{better.label} describes the months it was learned from better, by {gap} nats"
    return Finding("log-likelihood [nats]", values, meaning)


def _long_arcs(answers: Sequence[Answer]) -> Finding:
    values = tuple(f"{len(a.long)} ({len(a.long) / max(len(a.arcs), 1):.1%})" for a in answers)
    first = answers[0].long
    if first.empty:
        return Finding("teleconnections (arcs over 5000 km)", values, "the network joins neighbours only")
    top = first.iloc[0]
    meaning = (
        f"the strongest of {answers[0].label} joins {top['source_place']} and "
        f"{top['target_place']}, {top['km']:.0f} km apart: BIC would lose {top['strength']:.0f} nats "
        "without it"
    )
    return Finding("teleconnections (arcs over 5000 km)", values, meaning)


def _colliders(answers: Sequence[Answer]) -> Finding:
    values = tuple("–" if a.counts is None else f"{a.counts.ratio:.3f}" for a in answers)
    said = []
    for item in answers:
        if item.counts is not None:
            side = "above" if item.counts.ratio > item.counts.paper_baseline else "below"
            said.append(
                f"{item.label}: {side} the {item.counts.paper_baseline:.3f} expected at random "
                f"(random DAGs: {item.counts.simulated_mean:.3f})"
            )
    return Finding("unshielded v-structure ratio", values, "; ".join(said))


def _neighbours(answers: Sequence[Answer]) -> Finding:
    nearest = answers[0].near()["name"].head(2).tolist()
    values = []
    for item in answers:
        change = item.near().set_index("name")["difference"]
        values.append(", ".join(signed(change[name], 2) for name in nearest) or "–")
    strong = int((answers[0].near()["difference"].head(2) > 0.7).sum())
    clear = f"{_OF_TWO[strong]} of the direct neighbours {'rise' if strong == 2 else 'rises'} by more than 0.7"
    return Finding(
        f"rise of P(X ≥ 1 sd) next to the evidence ({', '.join(nearest) or 'no neighbour'})",
        tuple(values),
        f"in {answers[0].label} {clear}; from 0.16, what a normal distribution has beyond 1 sd, a probability can rise "
        "by some 0.84",
    )


def _indian_ocean(answers: Sequence[Answer], about: Subject) -> Finding:
    name = "rise of P(X ≥ 1 sd), Indian Ocean mean"
    means = [item.indian_ocean for item in answers]
    if any(mean is None for mean in means):
        return Finding(name, ("–",) * len(answers), "the field does not reach 45–100°E, 25°S–20°N")
    said = [f"{item.label} {_judged(mean)}" for item, mean in zip(answers, means, strict=True) if mean is not None]
    paper = ". The paper found it for tabu and not for H2PC" if about.paper else ""
    meaning = f"45–100°E, 25°S–20°N: {'; '.join(said)}{paper}"
    return Finding(name, tuple(signed(mean, 3) for mean in means if mean is not None), meaning)


def _judged(mean: float) -> str:
    if abs(mean) <= NOTICEABLE:
        return "changes next to nothing there"
    return "warms it" if mean > 0 else "cools it"


def _far(answers: Sequence[Answer]) -> Finding:
    values = tuple(str(len(a.far(NOTICEABLE))) for a in answers)
    reach = int(np.argmax([len(a.far(NOTICEABLE)) for a in answers]))
    none = [a.label for a in answers if a.far(NOTICEABLE).empty]
    silent = f"; no such place in {' and '.join(none)}" if none else ""
    return Finding(
        "places over 5000 km away that respond",
        values,
        f"P(X ≥ 1 sd) changes by more than {NOTICEABLE}: evidence travels farthest in {answers[reach].label}{silent}",
    )


def _implied(answers: Sequence[Answer]) -> Finding:
    pairs = [item.far_correlation() for item in answers]
    values = tuple("–" if pair is None else f"{pair[0]:.2f} (sample {pair[1]:.2f})" for pair in pairs)
    weaker = [item.label for item, pair in zip(answers, pairs, strict=True) if pair and pair[0] < 0.8 * pair[1]]
    meaning = "networks and sample agree within a fifth"
    if weaker:
        verb = "understates" if len(weaker) == 1 else "understate"
        meaning = f"{' and '.join(weaker)} {verb} distant links: a sparser network is no sign of a weaker link"
    return Finding("correlation of the evidence with places over 5000 km away, root mean square", values, meaning)


def signed(number: float, digits: int) -> str:
    """A number with its sign."""
    return f"{number:+.{digits}f}".replace("-", "−")


def interval(numbers: Mapping[str, float]) -> str:
    """E.g. +0.16 [+0.10, +0.21]."""
    return "{} [{}, {}]".format(*(signed(numbers[name], 3) for name in ("mean", "low", "high")))


def unbroken(words: str) -> str:
    """The same on one line, however narrow its column."""
    return words.replace(" ", "\u00a0")


def grouped(number: float) -> str:
    """A whole number in groups of three digits: 1 085 902."""
    return f"{number:,.0f}".replace(",", " ").replace("-", "−")
