"""`climatebn bench trust`: its tables come from the public functions; the simulation knows its truth."""

import numpy as np
from click.testing import CliRunner

from climatebn.bench.trust import tables
from climatebn.bench.trust.coverage import Task, coverage
from climatebn.bench.trust.known_truth import SIMULATED, known_truth
from climatebn.cli import group


def test_coverage_has_a_row_a_model_and_regression_beside():
    table = coverage(truths=(1.0,), lags=(0.5,), data_sets=2, task=Task((0.5,), 4), progress=False)
    assert table["model"].tolist() == ["members γ = 0.5", "regression"]
    assert (table["data_sets"] == 2).all()
    assert table["place_error"].between(0.005, 0.1).all()
    assert table["place_covered"].between(0, 1).all()


def test_the_effective_n_cuts_long_arcs():
    data = tables.embedded()
    assert tables.long_arcs(data, 2.0) == 95
    assert tables.long_arcs(data, 2.0, 248) == 40


def test_the_command_knows_its_tables(monkeypatch, tmp_path):
    made = tables.pd.DataFrame({"gamma": [1.0], "arcs": [np.pi]})
    monkeypatch.setitem(tables.TABLES, "gamma", lambda effort, executor: made)
    outcome = CliRunner().invoke(group, ["bench", "trust", "gamma", "--workers", "1", "--out", str(tmp_path)])
    assert outcome.exit_code == 0, outcome.output
    assert "3.1416" in outcome.output
    assert (tmp_path / "gamma.csv").exists()
    assert CliRunner().invoke(group, ["bench", "trust", "other"]).exit_code == 2


def test_innovations_find_more_true_and_fewer_false_arcs():
    table = known_truth(2).set_index(["truth", "learned"])
    for kind in SIMULATED:
        plain, white = table.loc[(kind, "plain")], table.loc[(kind, "AR(1) innovations")]
        assert white["precision"] > plain["precision"] + 0.05
        assert white["right_long"] >= plain["right_long"]
        assert white["false_long"] < plain["false_long"] / 5
        assert plain["true_long"] == white["true_long"] > 10
