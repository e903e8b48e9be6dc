"""The claims of the simulation study, on tables made by hand: each holds where it should and fails where it should."""

from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pytest

from climatebn.network.reference import DISCRETE, GAUSSIAN
from climatebn.study.claims.claim import alike
from climatebn.study.simulation.claims import RULES, judge, judged
from climatebn.study.simulation.panels import CONSTRAINT, HYBRID, in_paper, size_of, to_panels
from climatebn.study.simulation.questions import concordance

IDS = ["Q1", "Q2", "Q3", "Q4", "Q5", *(f"D{i}" for i in range(1, 12)), *(f"G{i}" for i in range(1, 7))]
NETWORKS = DISCRETE + GAUSSIAN
# (SHD/|A| small, large; calls; arcs/|A| small, large) in each setting; a world like the paper's
DISCRETE_BIC = {
    "pc_stable": (1.0, 0.95, 100, 0.1, 0.4), "grow_shrink": (1.01, 0.96, 3100, 0.1, 0.4),
    "inter_iamb": (1.02, 0.97, 3200, 0.3, 0.4), "mmhc": (1.01, 0.95, 2900, 0.1, 0.4),
    "rsmax2": (1.0, 0.94, 120, 0.1, 0.4), "h2pc": (0.99, 0.9, 3000, 0.1, 0.4),
    "tabu": (0.995, 0.5, 300, 0.8, 1.0), "annealing": (1.5, 0.93, 90000, 2.0, 1.5),
}  # fmt: skip
DISCRETE_POSTERIOR = {
    **{name: row for name, row in DISCRETE_BIC.items() if name != "annealing"},
    "tabu": (0.6, 0.5, 5000, 0.8, 1.0), "ges": (0.7, 0.6, 4000, 0.8, 1.0),
}  # fmt: skip
GAUSSIAN_BIC = {
    "pc_stable": (0.9, 0.54, 100, 0.5, 0.7), "grow_shrink": (0.92, 0.55, 3100, 0.5, 0.7),
    "inter_iamb": (0.93, 0.56, 3200, 0.5, 0.7), "mmhc": (0.91, 0.55, 2900, 0.5, 0.7),
    "rsmax2": (0.9, 0.54, 120, 0.5, 0.7), "h2pc": (0.9, 0.53, 3000, 0.5, 0.7),
    "tabu": (3.0, 1.3, 300, 4.0, 1.5), "annealing": (3.1, 1.35, 90000, 4.0, 1.5),
}  # fmt: skip
GAUSSIAN_POSTERIOR = {
    **{name: row for name, row in GAUSSIAN_BIC.items() if name != "annealing"}, "tabu": (0.4, 0.3, 90, 0.8, 1.0)
}  # fmt: skip


@cache
def made():
    """The table of a study with two samples of two sizes in which the paper's claims hold; copy it to change it."""
    rows = []
    for number, network in enumerate(NETWORKS):
        discrete = network in DISCRETE
        bic, posterior = (DISCRETE_BIC, DISCRETE_POSTERIOR) if discrete else (GAUSSIAN_BIC, GAUSSIAN_POSTERIOR)
        for criterion, world in (("bic", bic), ("posterior", posterior)):
            for name, (small, large, calls, few, many) in world.items():
                for ratio in (0.5, 2.0):
                    for sample in (1, 2):
                        shd = (small if ratio < 1 else large) + 0.001 * (sample - 1.5)
                        arcs = few if ratio < 1 else many
                        row = {
                            "network": network, "criterion": criterion, "algorithm": name, "ratio": ratio,
                            "sample": sample, "ended": True, "budget": np.nan, "arcs": arcs * size_of(network)[1],
                            "scaled_shd": shd, "calls": calls, "calls_bnlearn": calls,
                        }  # fmt: skip
                        rows.append(row)
                        # where the paper counts fewer than all: change the first networks of a kind
                        _like_the_paper(row, number if discrete else number - len(DISCRETE), discrete)
    return pd.DataFrame(rows)


def _like_the_paper(row, where, discrete):
    small, bic = row["ratio"] < 1, row["criterion"] == "bic"
    if discrete and bic and row["algorithm"] == "annealing":
        if where >= 7 and small:
            row["scaled_shd"] = 0.8  # D2: highest in 7/10 small; D8: better than constraint-based with tabu in 3/10
        if where < 3 and not small:
            row["scaled_shd"] = 1.2  # D2: highest in 3/10 large
    if discrete and bic and row["algorithm"] == "tabu" and small and where < 4:
        row["scaled_shd"] = 0.6  # D4: lowest in 4/10 small
    if discrete and bic and row["algorithm"] == "h2pc" and where >= 7:
        row["scaled_shd"] += 0.05  # D9: smallest of six in 14/20
    if not discrete and not bic and row["algorithm"] == "rsmax2" and where < 2:
        row["calls"] = row["calls_bnlearn"] = 5000  # G6: one of the two fastest in 4/8


def verdicts(table):
    return {claim.id: claim.holds for claim in judge(to_panels(table))}


def changed(table, value, column="scaled_shd", **where):
    chosen = np.ones(len(table), dtype=bool)
    for name, wanted in where.items():
        chosen &= table[name].isin(wanted if isinstance(wanted, tuple) else (wanted,))
    assert chosen.any()
    table = table.astype({column: float})
    table.loc[chosen, column] = value
    return table


def test_every_claim_of_the_paper_is_there_once():
    assert [rule.id for rule in RULES] == IDS
    assert all(rule.paper and rule.rule and rule.claim for rule in RULES)


def test_a_world_like_the_paper_gives_its_answers():
    table = made()
    found = {claim.id: (claim.holds, claim.found, claim.why) for claim in judge(to_panels(table))}
    failing = {name: said for name, said in found.items() if said[0] is not True}
    assert not failing


CALLS = {"column": "calls_bnlearn"}


@pytest.mark.parametrize(
    ("claim", "value", "where"),
    [
        ("Q1", 2.0, {"algorithm": "tabu", "ratio": 0.5}),
        ("Q1", 0.3, {"algorithm": ("annealing", "ges")}),
        ("Q2", 10**6, {"algorithm": "tabu", **CALLS}),
        ("Q3", 0.5, {"algorithm": HYBRID}),
        ("Q4", 10, {"algorithm": HYBRID, **CALLS}),
        ("Q5", 5, {"algorithm": "inter_iamb", "network": ("alarm", "child", "water"), **CALLS}),
        ("D1", 10, {"algorithm": "annealing", "ratio": 2.0, **CALLS}),
        ("D2", 1.5, {"algorithm": "annealing", "ratio": 2.0}),
        ("D3", 10, {"algorithm": "annealing", **CALLS}),
        ("D4", 0.95, {"algorithm": "tabu", "ratio": 2.0}),
        ("D4", 0.1, {"algorithm": "tabu", "ratio": 0.5}),
        ("D5", 10**7, {"algorithm": "tabu", **CALLS}),
        ("D6", 0.3, {"algorithm": HYBRID}),
        ("D7", 40.0, {"algorithm": CONSTRAINT + HYBRID, "ratio": 0.5, "column": "arcs"}),
        ("D8", 0.1, {"algorithm": "tabu", "ratio": 0.5}),
        ("D9", 10, {"algorithm": "mmhc", **CALLS}),
        ("D9", 2.0, {"algorithm": "h2pc"}),
        ("D10", 10, {"algorithm": "tabu", **CALLS}),
        ("D11", 10**7, {"algorithm": "ges", **CALLS}),
        ("D11", 0.1, {"algorithm": "ges"}),
        ("G1", 0.1, {"algorithm": "annealing"}),
        ("G1", 1.0, {"algorithm": ("tabu", "annealing"), "ratio": 0.5, "column": "arcs"}),
        ("G2", 0.3, {"algorithm": HYBRID}),
        ("G3", 3.0, {"algorithm": "tabu", "ratio": 2.0}),
        ("G4", 10, {"algorithm": "mmhc", **CALLS}),
        ("G5", 2.0, {"algorithm": "tabu"}),
        ("G6", 10, {"algorithm": ("mmhc", "h2pc"), **CALLS}),
        ("G6", 10, {"algorithm": "rsmax2", **CALLS}),
    ],
)
def test_one_fails(claim, value, where):
    table = changed(made(), value, **where)
    (rule,) = (rule for rule in RULES if rule.id == claim)
    found = judged(rule, to_panels(table))
    assert found.holds is False
    assert found.why


@pytest.mark.parametrize(
    ("found", "paper", "same"),
    [("6/10", "7/10", True), ("9/10", "7/10", True), ("5/10", "7/10", False), ("10/10", "7/10", False),
     ("4/10", "4/10", True), ("5/10", "4/10", False), ("6/8", "4/8", True), ("7/8", "4/8", False)],
)  # fmt: skip
def test_shares_are_alike_on_the_same_side_and_within_a_quarter(found, paper, same):
    assert alike(float(Fraction(found)), float(Fraction(paper))) is same


def test_speed_is_judged_by_the_papers_count_and_shown_by_both():
    table = changed(made(), 10**6, "calls", algorithm="tabu")
    (claim,) = (c for c in judge(to_panels(table)) if c.id == "Q2")
    assert claim.holds is True
    assert "[each test counted once: tabu faster than most in 0/56]" in claim.found


def test_small_networks_have_fewer_than_fifty_nodes():
    small = {name for name in NETWORKS if size_of(name)[0] < 50}
    assert small == {"alarm", "child", "water", "ecoli70", "magic-niab"}


def test_cells_that_the_paper_has_not_are_in_no_claim():
    assert not in_paper("alarm", "bic", "ges")
    assert not in_paper("ecoli70", "posterior", "ges")
    assert not in_paper("alarm", "posterior", "annealing")
    assert not in_paper("alarm", "bic", "hill_climbing")
    table = made()
    extra = table[table["algorithm"] == "tabu"].assign(algorithm="hill_climbing", scaled_shd=0.0)
    other = table[(table["algorithm"] == "ges")].assign(criterion="bic", scaled_shd=0.0)
    assert judge(to_panels(pd.concat([table, extra, other]))) == judge(to_panels(table))


def test_a_class_that_is_left_out_is_named_in_the_claims_that_need_it():
    claims = {c.id: c for c in judge(to_panels(made()[lambda t: ~t["algorithm"].isin(HYBRID)]))}
    assert {name for name, c in claims.items() if c.holds is None} == set(IDS) - {"Q1", "D8", "D11"}
    assert claims["Q3"].why == "the study has no mmhc, no rsmax2, no h2pc"
    discrete = {c.id: c for c in judge(to_panels(made()[lambda t: t["network"].isin(DISCRETE)]))}
    assert discrete["G1"].why == "the study has no panel (Gaussian, BIC)"
    assert discrete["D1"].holds is True
    small = {c.id: c for c in judge(to_panels(made()[lambda t: t["ratio"] < 1]))}
    assert small["D4"].holds is None
    assert small["D3"].holds is True


def test_panels_with_cells_that_did_not_end_are_named_and_judged_on_common_samples():
    table = made().copy()
    lost = (table["network"] == "pigs") & (table["criterion"] == "bic") & (table["ratio"] > 1)
    one = lost & (table["algorithm"] == "h2pc") & (table["sample"] == 1)
    table.loc[one, ["ended", "scaled_shd", "calls", "calls_bnlearn", "arcs"]] = [False] + [np.nan] * 4
    panels = to_panels(table)
    assert panels.unended == (
        "pigs, bic, large samples: judged on 50% of its samples (cells that did not end: h2pc 1)",
    )
    other = panels.shd.loc[("pigs", "discrete", "bic", "large"), "pc_stable"]
    assert other == pytest.approx(0.95 + 0.0005)  # the second sample alone, for every algorithm
    table.loc[lost & (table["algorithm"] == "h2pc"), "ended"] = False
    panels = to_panels(table)
    assert "not judged" in panels.unended[0]
    assert ("pigs", "discrete", "bic", "large") not in panels.shd.index


def test_concordance():
    same = pd.DataFrame([[1, 2, 3], [4, 5, 6]])
    assert concordance(same) == pytest.approx(1.0)
    assert concordance(pd.DataFrame([[1, 2, 3], [3, 2, 1]])) == pytest.approx(0.0)
