"""The questions of the simulation study, answered from its results beside the paper's own answers.

One comparison is one network, one criterion pair, and small (n < |Θ|) or large samples: the mean of one class of
algorithms against the mean of another. Classes: constraint-based and hybrid, the mean of their algorithms;
score-based, tabu, which alone is run in all cells (annealing and GES are in the table of means). The rules were fixed
before any result was seen.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from climatebn.learn.registry import ALGORITHMS

SMALL_NETWORK = 70  # nodes at most
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
        "Q2", "Are hybrid algorithms more accurate than constraint-based ones?",
        "scaled_shd", "hybrid", "constraint", "no", 1 / 2,
    ),
    Question(
        "Q3", "Are constraint-based algorithms faster than score-based ones?",
        "calls", "constraint", "score", "seldom", 1 / 3,
    ),
    Question(
        "Q4", "Are hybrid algorithms faster than constraint-based ones?",
        "calls", "hybrid", "constraint", "no", 1 / 2,
    ),
)  # fmt: skip


class Answer(NamedTuple):
    """``holds`` is None when the study has no comparison to tell from."""

    number: str
    question: str
    paper: str
    rule: str
    found: str
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
    """Q1–Q4 over all comparisons, and Q5: whether the answers differ between small and large."""
    answers = [_answer(q, compared[compared["question"] == q.number], discrete) for q in QUESTIONS]
    return [*answers, _same_everywhere(compared, nodes)]


def _answer(q: Question, rows: pd.DataFrame, discrete: Sequence[str]) -> Answer:
    kinds = {"discrete": rows["network"].isin(discrete), "Gaussian": ~rows["network"].isin(discrete)}
    parts = [f"all: {_said(rows)}", *(f"{name}: {_said(rows[part])}" for name, part in kinds.items() if part.any())]
    parts += [f"{name}: {_said(part)}" for name, part in rows.groupby("criterion", sort=False)]
    rule = f"{q.first} is better in at most {q.share:.0%} of the comparisons"
    return Answer(q.number, q.question, q.paper, rule, "; ".join(parts), _holds(q, rows))


def _same_everywhere(compared: pd.DataFrame, nodes: dict[str, int]) -> Answer:
    small = compared["network"].map(nodes) <= SMALL_NETWORK
    parts = {
        "small samples": compared["size"] == "small",
        "large samples": compared["size"] == "large",
        "small networks": small,
        "large networks": ~small,
    }
    found, verdicts = [], []
    for q in QUESTIONS:
        rows = {name: compared[part & (compared["question"] == q.number)] for name, part in parts.items()}
        told = {name: (part["better"] == "first").mean() for name, part in rows.items() if len(part)}
        verdicts += [_holds(q, part) for part in rows.values() if len(part)]
        found.append(f"{q.number}: " + ", ".join(f"{share:.0%} in {name}" for name, share in told.items()))
    return Answer(
        "Q5",
        "Do the answers differ between small and large samples, and between small and large networks?",
        "no: constraint-based algorithms are seldom faster at large samples either",
        f"Q1 to Q4 hold in each part (large samples: n ≥ |Θ|; large networks: more than {SMALL_NETWORK} nodes)",
        "; ".join(found) + " (how often the first class is better)",
        all(verdicts) if verdicts else None,
    )


def _holds(q: Question, rows: pd.DataFrame) -> bool | None:
    return bool((rows["better"] == "first").mean() <= q.share) if len(rows) else None


def _said(rows: pd.DataFrame) -> str:
    """Better, tie, worse; and by how much in the middle."""
    if rows.empty:
        return "no comparison"
    counts = [int((rows["better"] == side).sum()) for side in ("first", "tie", "second")]
    ratio = float((rows["first_mean"] / np.maximum(rows["second_mean"], 1e-12)).median())
    return f"{counts[0]} better, {counts[1]} tie, {counts[2]} worse (median ratio {ratio:.2f})"
