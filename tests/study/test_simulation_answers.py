"""The questions of the simulation study, on tables made by hand."""

import numpy as np
import pandas as pd
import pytest

from climatebn.study.simulation.claims import QUESTIONS, answer, comparisons, means

NODES = {"child": 20, "pigs": 441, "ecoli70": 46}
NUMBERS = [q.number for q in QUESTIONS]


def made(values, networks=tuple(NODES), ratios=(0.5, 2.0)):
    """A table of a study: ``values`` gives (scaled SHD, calls) of each algorithm, the same for every network."""
    rows = [
        {
            "network": network, "criterion": "bic", "algorithm": name, "ratio": ratio, "sample": sample, "ended": True,
            "n": 100, "valid": True, "scaled_shd": shd + 0.01 * sample, "calls": calls,
        }
        for network in networks
        for name, (shd, calls) in values.items()
        for ratio in ratios
        for sample in (-1, 1)
    ]  # fmt: skip
    return pd.DataFrame(rows)


PAPER = {"tabu": (0.5, 1000), "pc_stable": (0.8, 2000), "grow_shrink": (0.8, 8000), "mmhc": (0.9, 5000)}


def verdicts(table):
    return {a.number: a.holds for a in answer(comparisons(means(table)), NODES, ("child", "pigs"))}


def test_a_world_like_the_paper_gives_its_answers():
    assert verdicts(made(PAPER)) == dict.fromkeys((*NUMBERS, "Q4", "Q5"), True)


def test_a_world_unlike_the_paper_does_not():
    table = made({"tabu": (0.9, 9000), "pc_stable": (0.5, 1000), "mmhc": (0.2, 100)})
    assert verdicts(table) == dict.fromkeys(NUMBERS, False) | {"Q4": True, "Q5": True}  # everywhere alike


def test_q4_and_q5_see_a_difference_that_all_together_hide():
    other = {**PAPER, "pc_stable": (0.1, 2000), "grow_shrink": (0.1, 8000)}
    table = pd.concat([made(PAPER), made(other, networks=["pigs"], ratios=(2.0,))])
    table = table[~((table["network"] == "pigs") & (table["ratio"] == 2.0) & (table["scaled_shd"] > 0.7))]
    found = verdicts(table)
    assert found["Q1"] is True  # one of six comparisons goes the other way
    table = pd.concat([made(PAPER, networks=["child", "ecoli70"]), made(other, networks=["pigs"])])
    assert verdicts(table)["Q1"] is True
    assert verdicts(table)["Q4"] is False  # every large network does
    assert verdicts(table)["Q5"] is True
    table = pd.concat([made(PAPER, ratios=(0.2, 0.5)), made(other, ratios=(2.0,))])
    assert verdicts(table)["Q5"] is False  # every large sample does
    assert verdicts(table)["Q4"] is True


def test_means_are_over_samples_that_ended_and_calls_are_geometric():
    table = made({"tabu": (0.5, 100)}, networks=["child"], ratios=(0.5,))
    table.loc[0, "calls"] = 10000
    lost = table.iloc[[0]].assign(ended=False, scaled_shd=np.nan, calls=np.nan)
    (row,) = means(pd.concat([table, lost])).to_dict("records")
    assert row["cells"] == 2
    assert row["scaled_shd"] == pytest.approx(0.5)
    assert row["calls"] == pytest.approx(1000)
    assert row["size"] == "small"


def test_a_class_is_the_mean_of_its_algorithms_and_score_is_tabu():
    table = made({**PAPER, "annealing": (0.0, 10**9)}, networks=["child"], ratios=(2.0,))
    compared = comparisons(means(table)).set_index("question")
    assert compared.loc["Q1", ["first_mean", "second_mean", "better"]].tolist() == [
        pytest.approx(0.8), pytest.approx(0.5), "second",
    ]  # fmt: skip
    assert compared.loc["Q3a", "first_mean"] == pytest.approx(4000)  # geometric, of 2000 and 8000
    assert compared.loc["Q3a", "second_mean"] == pytest.approx(1000)


def test_near_means_are_a_tie_and_missing_classes_are_not_told():
    table = made({"tabu": (0.50, 100), "pc_stable": (0.51, 105)}, networks=["child"])
    compared = comparisons(means(table))
    assert set(compared["better"]) == {"tie"}
    assert verdicts(table)["Q2a"] is None
    nothing = made({"tabu": (0.5, 100)})
    assert set(verdicts(nothing).values()) == {None}


def test_every_question_names_two_classes():
    pairs = [("constraint", "score"), ("hybrid", "constraint"), ("hybrid", "score")]
    assert [(q.measure, q.first, q.second) for q in QUESTIONS] == [
        (measure, *pair) for measure in ("scaled_shd", "calls") for pair in pairs
    ]
