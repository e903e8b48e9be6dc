"""The climate study: its cells, what a cell measures, and the same table from every executor."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.jobs import open_executor, read_config, read_table, run_study
from climatebn.study.climate.schemes import criteria_of
from climatebn.study.climate.study import ClimateConfig, cells, load_months, read_networks, run_cell, study

SMALL = ClimateConfig(
    fields=("regular",), algorithms=("tabu", "pc_stable", "mmhc"), gammas=(50.0, 30.0), orders=(1, 2), members=0
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("climate") / "here"
    summary = run_study(study, folder, SMALL, progress=False)
    return folder, summary


def test_the_default_has_three_fields_both_schemes_and_what_is_the_same_in_both_once():
    keys = cells(study.default)
    assert len(set(keys)) == len(keys)
    assert {key[0] for key in keys} == {"regular", "paper", "paper_linear"}
    one = [key[1:] for key in keys if key[0] == "paper" and key[5] == "all"]
    gammas, orders = len(study.default.gammas), len(study.default.orders)
    assert len(one) == orders * (2 * (gammas - 1) + 2 * (2 * gammas - 1) + (2 * gammas - 1) + 2 * (gammas - 1))
    assert {key[0] for key in one if key[1] in ("pc_stable", "grow_shrink") or key[2] == 0} == {"both"}
    assert {key[0] for key in one if key[1] == "h2pc"} == {"matched", "as_run"}
    assert {key[1] for key in one if key[2] == 0} == {"tabu", "hill_climbing", "mmhc"}


def test_a_cell_measures_what_learn_finds():
    measures = run_cell(SMALL, ("regular", "matched", "tabu", 30.0, 2, "all")).measures
    data = load_months("regular").learned
    result = cb.learn(data, "tabu", cb.BIC(gamma=30.0), order=2, progress=False)
    km = cb.teleconnections(cb.fit(result.dag, data), min_km=0.0)["km"]
    assert measures["calls"] == result.calls
    assert measures["calls_bnlearn"] == result.calls_bnlearn
    assert measures["arcs"] == len(result.dag.arcs)
    assert measures["loglik"] == cb.fit(result.dag, data).loglik(data)
    assert measures["heldout_loglik"] is None
    rise = cb.propagate(cb.fit(result.dag, data, scale="sd"), {"X81": 2.0})["difference"]
    np.testing.assert_allclose(measures["indian_ocean"], float(cb.region_mean(rise, (-25, 20), (45, 100))), rtol=1e-9)
    counts = cb.vstructures(result.graph)
    assert measures["vstructure_ratio"] == counts.ratio
    assert measures["collider_ratio"] == (counts.unshielded + counts.shielded) / counts.pairs
    assert (measures["long_arcs"], measures["km_max"]) == ((km > 5000).sum(), km.max())


def test_as_run_the_score_has_twice_the_price_and_the_test_the_printed_one():
    score, test = cb.BIC(gamma=30.0, weight=2.0), cb.BIC(gamma=30.0)
    assert criteria_of("as_run", "tabu", 30.0, "ml") == (score, None)
    assert criteria_of("as_run", "mmhc", 30.0, "ml") == (score, test)
    assert criteria_of("as_run", "pc_stable", 30.0, "ml") == criteria_of("matched", "tabu", 30.0, "ml") == (test, None)
    assert criteria_of("as_run", "tabu", 0.0, "ml") == (cb.BIC(), None)
    assert criteria_of("as_run", "pc_stable:strongest", 30.0, "ml") == (test, None)
    measures = run_cell(SMALL, ("regular", "as_run", "mmhc", 30.0, 1, "all")).measures
    data = load_months("regular").learned
    result = cb.learn(data, "mmhc", score, test=test, progress=False)
    assert (measures["arcs"], measures["calls"]) == (len(result.dag.arcs), result.calls)


def test_another_rule_of_direction_is_asked_for_by_name():
    config = replace(SMALL, algorithms=("pc_stable:strongest", "boss"))
    key = ("regular", "both", "pc_stable:strongest", 30.0, 1, "all")
    assert key in cells(config)
    record = run_cell(config, key)
    result = cb.learn(
        load_months("regular").learned, "pc_stable", cb.BIC(gamma=30.0), orient="strongest", progress=False
    )
    assert record.arrays["directed"].tolist() == [list(arc) for arc in result.graph.numbered_arcs]


def test_claim_4a_is_judged_by_the_ensemble_of_its_own_cells(tmp_path):
    config = replace(SMALL, algorithms=("tabu",), gammas=(50.0, 8.0), orders=(1,), held_out_years=0, members=3)
    members = [key for key in cells(config) if key[5] == "resampled"]
    assert {key[1:4] for key in members} == {("matched", "tabu", 8.0), ("as_run", "tabu", 8.0)}
    assert [key[4] for key in members] == [1, 2, 3] * 2
    run_study(study, tmp_path, config, progress=False)
    claims = pd.read_csv(tmp_path / "claims.csv").set_index(["scheme", "id"])
    for scheme, weight in (("matched", 1.0), ("as_run", 2.0)):
        criterion = cb.BIC(gamma=8.0, weight=weight)
        ens = cb.ensemble(load_months("regular").learned, "tabu", criterion, resamples=3, progress=False)
        rise = ens.region_mean({"X81": 2.0}, lat=(-25, 20), lon=(45, 100))
        numbers = f"{rise['mean']:+.3f} [{rise['low']:+.3f}, {rise['high']:+.3f}] (3 members, γ = 8)"
        assert claims.loc[(scheme, "4a"), "found"] == numbers
        assert claims.loc[(scheme, "4a"), "holds"] == ("yes" if rise["low"] > 0 else "no")
    assert set(claims.loc[(slice(None), "4b"), "found"]) == {"no ensemble"}
    assert not any(key[5] == "resampled" for key in read_networks(tmp_path))


def test_held_out_months_are_not_seen():
    learned, held_out = load_months("regular", 10)
    assert (len(learned), len(held_out)) == (240, 120)
    whole = cb.to_nodes(cb.anomalies(cb.load_ncep().isel(time=slice(240))))
    np.testing.assert_allclose(learned.values, whole.values, atol=1e-12)  # the climatology is that of 1981–2000
    measures = run_cell(SMALL, ("regular", "matched", "tabu", 50.0, 1, "training")).measures
    bn = cb.fit(cb.learn(learned, "tabu", cb.BIC(gamma=50.0), progress=False).dag, learned)
    assert measures["heldout_loglik"] == bn.loglik(held_out)


def test_a_cell_that_does_not_end_has_no_numbers():
    record = run_cell(replace(SMALL, max_seconds=1e-6), ("regular", "matched", "tabu", 0.2, 1, "all"))
    assert not record.ended
    assert record.measures == {}


def test_results_claims_and_figures_are_written(finished):
    folder, summary = finished
    assert "30 cells" in summary
    assert {path.name for path in (folder / "figures").iterdir()} >= {
        "regular_figure1_field.png", "regular_figure3_panels.png", "regular_colliders.png"
    }  # fmt: skip
    assert (folder / "claims.md").read_text().count("\n| ") == 21 + 1  # claims and the head of the table
    claims = pd.read_csv(folder / "claims.csv")
    assert list(claims.columns) == ["id", "setting", "claim", "paper", "rule", "found", "holds", "why", "scheme"]
    assert claims["scheme"].value_counts().to_dict() == {"matched": 21, "as_run": 21}
    table = read_table(folder)
    assert table["loglik"].isna().equals(~table["valid"].astype(bool))


@pytest.mark.parametrize("algorithm", ["grow_shrink", "mmhc"])
def test_a_part_of_the_study_is_a_study(tmp_path, algorithm):
    config = replace(SMALL, algorithms=(algorithm,), gammas=(20.0,), orders=(2,), held_out_years=0)
    assert "undetermined" in run_study(study, tmp_path, config, progress=False)


def test_a_study_of_which_nothing_ends(tmp_path):
    config = replace(SMALL, gammas=(0.5,), algorithms=("tabu",), held_out_years=0, max_seconds=1e-6)
    assert run_study(study, tmp_path, config, progress=False).startswith("None of 4 cells ended within 1e-06 s")
    assert read_networks(tmp_path) == {}


def test_networks_are_read_back(finished):
    found = read_networks(finished[0])["regular", "as_run", "tabu", 30.0, 2, "all"]
    again = cb.learn(load_months("regular").learned, "tabu", cb.BIC(gamma=30.0, weight=2.0), order=2, progress=False)
    assert found.dag == again.dag
    assert (found.calls, found.criterion) == (again.calls, again.criterion)


def test_processes_give_the_same_bytes(finished, tmp_path):
    cells_only = replace(study, finish=lambda *results: "")
    with open_executor(2) as pool:
        run_study(cells_only, tmp_path / "pool", SMALL, executor=pool, progress=False)
    assert (tmp_path / "pool/results.csv").read_bytes() == (finished[0] / "results.csv").read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('algorithms = ["tabo"]', "unknown algorithm 'tabo'; did you mean 'tabu'"),
        ("gammas = []", "gammas must be one or more different values"),
        ("gammas = [1, 1]", "gammas must be one or more different values"),
        ("gammas = [-1]", "gammas must be 0 or more"),
        ("orders = [0]", r"orders must be 1 \(the original order\) or more"),
        ('variance = "mle"', 'variance must be "ml" or "unbiased"; got'),
        ('fields = ["no.nc"]', "fields must be each of regular, paper, paper_linear or the path of a file"),
        ('criteria = ["as run"]', "unknown scheme of criteria 'as run'; did you mean 'as_run'"),
        ("max_seconds = 0", "max_seconds must be more than 0"),
        ("gamma = [1]", "unknown key 'gamma'; did you mean 'gammas'"),
    ],
)
def test_wrong_configurations(tmp_path, text, message):
    (tmp_path / "wrong.toml").write_text(text)
    with pytest.raises(ClimateBNError, match=message):
        read_config(study.default, tmp_path / "wrong.toml")
