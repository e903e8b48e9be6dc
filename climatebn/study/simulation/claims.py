"""The questions of the simulation study, answered from its results beside the paper's own answers.

One comparison is one network, one criterion pair, and small (n < |Θ|) or large samples: the mean of one class of
algorithms against the mean of another. Classes: constraint-based and hybrid, the mean of their algorithms;
score-based, tabu, which alone is run in all cells (annealing and GES are in the table of means). The rules of Q1, Q2a,
Q3a and Q3b were fixed before any result was seen; Q2b and Q3c came later, with the rule of their neighbours.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from climatebn.learning.registry import ALGORITHMS

SMALL_NETWORK = 70  # nodes at most
NONE = "–"  # no comparison
MARGIN = {"scaled_shd": 1.05, "calls": 1.1}  # means nearer than this factor are a tie


class Question(NamedTuple):
    """Is ``first`` better than ``second``? The paper's answer holds when first wins at most ``share`` of all."""

    number: str
    question: str
    measure: str
    first: str
    second: str
    paper: str
    share: float


QUESTIONS = (
    Question(
        "Q1", "Are constraint-based algorithms more accurate than score-based ones?",
        "scaled_shd", "constraint", "score", "no, they are often less accurate", 1 / 2,
    ),
    Question(
        "Q2a", "Are hybrid algorithms more accurate than constraint-based ones?",
        "scaled_shd", "hybrid", "constraint", "no", 1 / 2,
    ),
    Question(
        "Q2b", "Are hybrid algorithms more accurate than score-based ones?",
        "scaled_shd", "hybrid", "score", "no", 1 / 2,
    ),
    Question(
        "Q3a", "Are constraint-based algorithms faster than score-based ones?",
        "calls", "constraint", "score", "seldom", 1 / 3,
    ),
    Question(
        "Q3b", "Are hybrid algorithms faster than constraint-based ones?",
        "calls", "hybrid", "constraint", "no", 1 / 2,
    ),
    Question(
        "Q3c", "Are hybrid algorithms faster than score-based ones?",
        "calls", "hybrid", "score", "no", 1 / 2,
    ),
)  # fmt: skip


class Answer(NamedTuple):
    """``found``: how each part of the comparisons ended; ``holds`` is None where there is none to tell from."""

    number: str
    question: str
    paper: str
    rule: str
    found: dict[str, str]
    holds: bool | None


def means(table: pd.DataFrame) -> pd.DataFrame:
    """Each algorithm's mean over the samples that ended: scaled SHD, calls (geometric), share of valid graphs."""
    ended = table[table["ended"]].assign(
        size=lambda t: np.where(t["ratio"] < 1, "small", "large"),
        calls=lambda t: np.log(t["calls"].astype(float)),
        scaled_shd=lambda t: t["scaled_shd"].astype(float),
        valid=lambda t: t["valid"].astype(float),
    )
    groups = ended.groupby(["network", "criterion", "size", "algorithm"], sort=False)
    found = groups.agg(cells=("n", "size"), **{name: (name, "mean") for name in ("scaled_shd", "calls", "valid")})
    return found.assign(calls=np.exp(found["calls"])).reset_index()


def comparisons(averages: pd.DataFrame) -> pd.DataFrame:
    """For each question and each (network, criterion, size): the means of both classes and who is better."""
    kinds = averages["algorithm"].map(lambda name: ALGORITHMS[name].kind)
    kept = averages.assign(kind=kinds)[(kinds != "score") | (averages["algorithm"] == "tabu")]
    rows = []
    for q in QUESTIONS:
        speed = q.measure == "calls"  # compared by geometric means
        values = kept.assign(value=np.log(kept["calls"]) if speed else kept["scaled_shd"])
        classes = values.groupby(["network", "criterion", "size", "kind"], sort=False)["value"].mean().unstack()
        if not {q.first, q.second} <= set(classes.columns):
            continue
        pairs = classes[[q.first, q.second]].dropna()
        pairs = pairs.map(np.exp) if speed else pairs
        better = np.select(
            [
                pairs[q.first] * MARGIN[q.measure] < pairs[q.second],
                pairs[q.second] * MARGIN[q.measure] < pairs[q.first],
            ],
            ["first", "second"],
            "tie",
        )
        named = pairs.rename(columns={q.first: "first_mean", q.second: "second_mean"}).assign(better=better)
        rows.append(named.reset_index().assign(question=q.number, first=q.first, second=q.second, measure=q.measure))
    columns = ["question", "measure", "network", "criterion", "size", "first", "first_mean", "second", "second_mean"]
    return (
        pd.concat(rows, ignore_index=True)[[*columns, "better"]] if rows else pd.DataFrame(columns=[*columns, "better"])
    )


def answer(compared: pd.DataFrame, nodes: dict[str, int], discrete: Sequence[str]) -> list[Answer]:
    """Q1 to Q3 over all comparisons; Q4 and Q5, whether these answers hold for small and large alike."""
    small = compared["network"].map(nodes) <= SMALL_NETWORK
    networks = {f"networks to {SMALL_NETWORK} nodes": small, "larger networks": ~small}
    samples = {"samples n < |Θ|": compared["size"] == "small", "samples n ≥ |Θ|": compared["size"] == "large"}
    return [
        *(_answer(q, compared[compared["question"] == q.number], discrete) for q in QUESTIONS),
        _alike("Q4", "small and large networks", "no", compared, networks),
        _alike("Q5", "small and large samples", "no: constraint-based seldom faster at large ones", compared, samples),
    ]


def _answer(q: Question, rows: pd.DataFrame, discrete: Sequence[str]) -> Answer:
    is_discrete = rows["network"].isin(discrete)
    parts = {"all": rows, "discrete": rows[is_discrete], "Gaussian": rows[~is_discrete]}
    parts |= {str(name): part for name, part in rows.groupby("criterion", sort=False)}
    rule = f"{q.first} wins at most {q.share:.0%}"
    return Answer(
        q.number, q.question, q.paper, rule, {name: _said(part) for name, part in parts.items()}, _holds(q, rows)
    )


def _alike(number: str, where: str, paper: str, compared: pd.DataFrame, parts: dict[str, pd.Series]) -> Answer:
    found = {}
    for name, part in parts.items():
        rows = {q: compared[part & (compared["question"] == q.number)] for q in QUESTIONS}
        told = {q.number: _holds(q, own) for q, own in rows.items() if len(own)}
        found[name] = ", ".join(f"{number} {'yes' if holds else 'no'}" for number, holds in told.items()) or NONE
    same = None if NONE in found.values() else len(set(found.values())) == 1
    return Answer(number, f"Do the answers differ between {where}?", paper, "the same verdicts in both", found, same)


def _holds(q: Question, rows: pd.DataFrame) -> bool | None:
    return bool((rows["better"] == "first").mean() <= q.share) if len(rows) else None


def _said(rows: pd.DataFrame) -> str:
    """Won / tie / lost, and by how much in the middle."""
    if rows.empty:
        return NONE
    won, tie, lost = (int((rows["better"] == side).sum()) for side in ("first", "tie", "second"))
    ratio = float((rows["first_mean"] / np.maximum(rows["second_mean"], 1e-12)).median())
    return f"{won} / {tie} / {lost} (× {ratio:.2f})"
