"""The climate study: its cells, what a cell measures, and the same table from every executor."""

from dataclasses import replace

import numpy as np
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.jobs import open_executor, read_config, read_table, run_study
from climatebn.study.climate.study import ClimateConfig, cells, load_months, read_networks, run_cell, study

SMALL = ClimateConfig(algorithms=("tabu", "pc_stable", "mmhc"), gammas=(50.0, 30.0), orders=(1, 2))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("climate") / "here"
    summary = run_study(study, folder, SMALL, progress=False)
    return folder, summary


def test_the_default_is_the_papers_whole_study():
    keys = cells(study.default)
    learned = [key for key in keys if key[3] == "all"]
    assert len(learned) == 6 * 30 * 5 - 3 * 5
    assert sorted({key[1] for key in learned if key[0] == "tabu"}) == [0, 0.2, 0.5, 1, 1.5, *range(2, 51, 2)]
    assert {key[0] for key in learned if key[1] == 0} == {"tabu", "hill_climbing", "mmhc"}
    assert len(keys) - len(learned) == 6 * 30 - 3
    assert len(set(keys)) == len(keys)


def test_a_cell_measures_what_learn_finds():
    key = ("tabu", 30.0, 2, "all")
    measures = run_cell(SMALL, key).measures
    data = load_months("regular").learned
    result = cb.learn(data, "tabu", cb.BIC(gamma=30.0), order=2, progress=False)
    km = cb.teleconnections(cb.fit(result.dag, data), min_km=0.0)["km"]
    assert measures["calls"] == result.calls
    assert measures["calls_bnlearn"] == result.calls_bnlearn
    assert measures["arcs"] == len(result.dag.arcs)
    assert measures["loglik"] == cb.fit(result.dag, data).loglik(data)
    assert measures["heldout_loglik"] is None
    assert measures["vstructure_ratio"] == cb.vstructures(result.graph).ratio
    assert (measures["long_arcs"], measures["km_max"]) == ((km > 5000).sum(), km.max())


def test_held_out_months_are_not_seen():
    learned, held_out = load_months("regular", 10)
    assert (len(learned), len(held_out)) == (240, 120)
    whole = cb.to_nodes(cb.anomalies(cb.load_ncep().isel(time=slice(240))))
    np.testing.assert_allclose(learned.values, whole.values, atol=1e-12)  # the climatology is that of 1981–2000
    measures = run_cell(SMALL, ("tabu", 50.0, 1, "training")).measures
    bn = cb.fit(cb.learn(learned, "tabu", cb.BIC(gamma=50.0), progress=False).dag, learned)
    assert measures["heldout_loglik"] == bn.loglik(held_out)


def test_a_cell_that_does_not_end_has_no_numbers():
    record = run_cell(replace(SMALL, max_seconds=1e-6), ("tabu", 0.2, 1, "all"))
    assert not record.ended
    assert record.measures == {}


def test_results_claims_and_figures_are_written(finished):
    folder, summary = finished
    assert "18 cells" in summary
    assert {path.name for path in (folder / "figures").iterdir()} >= {"figure1_field.png", "figure3_panels.png"}
    assert (folder / "claims.md").read_text().count("\n| ") == 18 + 1  # claims and the head of the table
    table = read_table(folder)
    assert table["loglik"].isna().equals(~table["valid"].astype(bool))


@pytest.mark.parametrize("algorithm", ["grow_shrink", "mmhc"])
def test_a_part_of_the_study_is_a_study(tmp_path, algorithm):
    config = ClimateConfig(algorithms=(algorithm,), gammas=(20.0,), orders=(2,), held_out_years=0)
    assert "not told" in run_study(study, tmp_path, config, progress=False)


def test_a_study_of_which_nothing_ends(tmp_path):
    config = replace(SMALL, gammas=(0.5,), algorithms=("tabu",), held_out_years=0, max_seconds=1e-6)
    assert run_study(study, tmp_path, config, progress=False).startswith("None of 2 cells ended within 1e-06 s")
    assert read_networks(tmp_path) == {}


def test_networks_are_read_back(finished):
    found = read_networks(finished[0])[("tabu", 30.0, 2, "all")]
    again = cb.learn(load_months("regular").learned, "tabu", cb.BIC(gamma=30.0), order=2, progress=False)
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
        ('field = "no.nc"', 'field must be "regular", "paper" or the path of a file'),
        ("max_seconds = 0", "max_seconds must be more than 0"),
        ("gamma = [1]", "unknown key 'gamma'; did you mean 'gammas'"),
    ],
)
def test_wrong_configurations(tmp_path, text, message):
    (tmp_path / "wrong.toml").write_text(text)
    with pytest.raises(ClimateBNError, match=message):
        read_config(study.default, tmp_path / "wrong.toml")
