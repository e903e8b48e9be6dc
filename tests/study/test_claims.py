"""Claims of the climate study on made-up results: each holds where it should and fails where it should."""

import numpy as np
import pandas as pd
import pytest

from climatebn.jobs.study import Record
from climatebn.study.claims.claim import Claim
from climatebn.study.climate.claim_cells import CONSTRAINT, HYBRID, SCORE
from climatebn.study.climate.claims import judge
from climatebn.study.climate.claims_page import sentence

GAMMAS = (50.0, 20.0, 10.0, 5.0, 1.0, 0.5, 0.2, 0.0)


def made_up():
    """A table on which every claim of the paper holds."""
    rows = []
    for algorithm in SCORE + CONSTRAINT + HYBRID:
        for gamma in GAMMAS:
            for order in (1, 2):
                small, score, constraint = gamma < 10, algorithm in SCORE, algorithm in CONSTRAINT
                arcs = {0.5: 2127, 0.0: 7868}.get(gamma, 3000) if score and small else 1000 if small else 400
                dense = arcs > 1500
                rows.append(
                    {
                        "field": "regular",
                        "scheme": "both",
                        "algorithm": algorithm,
                        "gamma": gamma,
                        "order": order,
                        "months": "all",
                        "ended": True,
                        "valid": not (constraint and small),
                        "arcs": arcs,
                        "calls": 1000 if score else 5000,
                        "calls_bnlearn": 1000 if score else 5000,
                        "loglik": None if constraint and small else (-10.0 if score == small else -20.0) + constraint,
                        "long_arcs": 300 if score and small else 0,
                        "vstructure_ratio": 0.3 if dense or algorithm == "pc_stable" else 0.1,
                        "vstructure_baseline": 0.25,
                        "vstructure_simulated": 0.33,
                        "collider_ratio": 0.31 if dense or algorithm == "pc_stable" else 0.11,
                        "collider_baseline": 0.25,
                        "collider_simulated": 1 / 3,
                    }
                )
    table = pd.DataFrame(rows)
    hybrid = table["algorithm"].isin(HYBRID) & (table["gamma"] >= 10)
    table.loc[hybrid, "loglik"] = -30.0
    arrays = {"directed": np.array([[0, 1], [1, 2]]), "undirected": np.zeros((0, 2))}
    records = {
        ("regular", "both", row.algorithm, row.gamma, row.order, "all"): Record({"valid": row.valid}, arrays)
        for row in table.itertuples()
    }
    return table, records


def rise(mean, half):
    return {"mean": mean, "low": mean - half, "high": mean + half, "members": 10}


OCEAN = {"tabu": (0.5, rise(0.2, 0.1)), "h2pc": (0.2, rise(0.01, 0.03))}


def verdicts(table, records, ocean=OCEAN):
    return {claim.id: claim.holds for claim in judge(table, records, "regular", "matched", ocean)}


def test_all_hold():
    found = verdicts(*made_up())
    assert len(found) == 21
    assert all(found.values()), found


def spoil(column, value, **where):
    table, records = made_up()
    chosen = np.ones(len(table), dtype=bool)
    for name, wanted in where.items():
        chosen &= table[name].isin(wanted if isinstance(wanted, tuple) else (wanted,))
    table.loc[chosen, column] = value
    return verdicts(table, records)


@pytest.mark.parametrize(
    ("claim", "column", "value", "where"),
    [
        ("1b", "arcs", 5000, {"algorithm": "mmhc", "gamma": 1.0}),
        ("1c", "loglik", 0.0, {"algorithm": "h2pc", "gamma": 5.0}),
        ("1d", "arcs", 1500, {"algorithm": "tabu", "gamma": 0.5}),
        ("2a", "valid", True, {"algorithm": "grow_shrink", "gamma": 5.0, "order": 2}),
        ("2b", "arcs", 600, {"algorithm": "pc_stable", "gamma": 10.0, "order": 1}),
        ("2c", "long_arcs", 1, {"algorithm": "pc_stable", "gamma": 20.0, "order": 1}),
        ("2d", "loglik", 0.0, {"algorithm": "tabu", "gamma": 20.0}),
        ("3a", "valid", False, {"algorithm": "mmhc", "gamma": 20.0, "order": 1}),
        ("3b", "arcs", 1300, {"algorithm": "h2pc", "gamma": 0.2, "order": 1}),
        ("3c", "long_arcs", 500, {"algorithm": HYBRID}),
        ("3d", "loglik", 0.0, {"algorithm": "mmhc", "gamma": 20.0}),
        ("5", "calls_bnlearn", 10, {"algorithm": "pc_stable", "gamma": 50.0}),
        ("6a", "vstructure_ratio", 0.2, {"algorithm": SCORE}),
        ("6b", "vstructure_ratio", 0.3, {"algorithm": SCORE}),
        ("6c", "vstructure_ratio", 0.1, {"algorithm": "pc_stable"}),
        ("6d", "collider_ratio", 0.2, {"algorithm": SCORE}),
        ("6e", "collider_ratio", 0.3, {"algorithm": SCORE}),
        ("6f", "collider_ratio", 0.1, {"algorithm": "pc_stable"}),
    ],
)
def test_one_fails(claim, column, value, where):
    assert spoil(column, value, **where)[claim] is False


def test_what_stands_against_a_claim_is_said():
    table, records = made_up()
    chosen = (table["algorithm"] == "tabu") & (table["gamma"] == 20)
    table.loc[chosen, ["loglik", "arcs"]] = [0.0, 900]
    against = {claim.id: claim.why for claim in judge(table, records, "regular", "as_run", OCEAN)}["2d"]
    assert against.startswith("at γ = 20: tabu 0, ")
    assert "arcs: tabu 900, " in against


def test_networks_that_differ_fail_1a():
    table, records = made_up()
    other = {"directed": np.array([[0, 1], [5, 6]]), "undirected": np.zeros((0, 2))}
    records = {k: r._replace(arrays=other) if k[2] == "tabu" else r for k, r in records.items()}
    assert verdicts(table, records)["1a"] is False


def test_propagation():
    table, records = made_up()
    wide = verdicts(table, records, {"tabu": (0.5, rise(0.2, 0.21)), "h2pc": (0.2, rise(0.01, 0.05))})
    assert (wide["4a"], wide["4b"]) == (False, False)  # the intervals decide, not the means
    narrow = verdicts(table, records, {"tabu": (0.5, rise(0.02, 0.01)), "h2pc": (0.2, rise(0.04, 0.005))})
    assert (narrow["4a"], narrow["4b"]) == (True, True)
    assert verdicts(table, records, {"tabu": (0.5, None)})["4a"] is None
    assert verdicts(table, records, {})["4a"] is None


@pytest.mark.parametrize("names", [CONSTRAINT, HYBRID, ("grow_shrink",)])
def test_any_part_of_the_cells_can_be_judged(names):
    table, records = made_up()
    kept = {key: record for key, record in records.items() if key[2] in names}
    assert verdicts(table[table["algorithm"].isin(names)], kept, {})["1a"] is None


def test_what_is_not_there_is_not_told():
    table, records = made_up()
    rest = table["algorithm"].isin(SCORE)
    found = verdicts(table[rest], {key: record for key, record in records.items() if key[2] in SCORE})
    assert {name for name, holds in found.items() if holds is None} == {
        "1b", "1c", "2a", "2b", "2c", "2d", "3a", "3b", "3c", "3d", "5", "6c", "6f"
    }  # fmt: skip


def test_networks_that_are_not_valid_do_not_count_in_2b():
    table, records = made_up()
    large = (table["algorithm"] == "pc_stable") & (table["gamma"] == 10.0) & (table["order"] == 1)
    table.loc[large, "arcs"], table.loc[large, "valid"] = 900, False
    assert verdicts(table, records)["2b"] is True


def test_schemes_and_fields_are_judged_apart():
    table, records = made_up()
    score = table["algorithm"].isin(SCORE)
    other = table[score].assign(scheme="as_run", arcs=1)
    table.loc[score, "scheme"] = "matched"
    both = pd.concat([table, other, table.assign(field="paper", arcs=1)])
    found = {scheme: judge(both, records, "regular", scheme, OCEAN) for scheme in ("matched", "as_run")}
    held = {scheme: {claim.id: claim.holds for claim in claims} for scheme, claims in found.items()}
    assert (held["matched"]["1d"], held["as_run"]["1d"]) == (True, False)
    assert {(claim.scheme, claim.setting) for claim in found["as_run"]} == {("as_run", "10° means")}


@pytest.mark.parametrize(
    ("run", "matched", "words"),
    [
        (True, True, "Reproduced as run, and survives matching."),
        (True, False, "Reproduced as run; does not survive matching: because."),
        (False, True, "Not reproduced as run (because), but holds when criteria match."),
        (False, False, "Neither: because."),
        (None, True, "Undetermined from these cells."),
    ],
)
def test_each_claim_gets_a_plain_sentence(run, matched, words):
    claims = {"as_run": run, "matched": matched}
    said = {name: Claim("1a", "", "", "", "", "", holds, "" if holds else "because") for name, holds in claims.items()}
    assert sentence(said) == words
