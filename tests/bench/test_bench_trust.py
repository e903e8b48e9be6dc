"""`climatebn bench trust`: its tables come from the public functions; the simulation knows its truth."""

import numpy as np
import pytest
from click.testing import CliRunner

from climatebn.bench.trust import tables
from climatebn.bench.trust.coverage import Task, _truth, coverage
from climatebn.bench.trust.known_truth import known_truth
from climatebn.cli import group
from climatebn.ingest.nodes.effective_size import lag_one


def test_coverage_has_a_row_a_model_and_regression_beside():
    table = coverage(108, (108,), truths=(1.0,), months=("ar",), data_sets=2, task=Task((0.5,), 4), progress=False)
    assert table["model"].tolist() == ["members γ = 0.5", "regression"]
    assert (table["data_sets"] == 2).all()
    assert table["place_error"].between(0.005, 0.1).all()
    assert table["place_covered"].between(0, 1).all()


@pytest.mark.parametrize("kind", ["iid", "ar"])
def test_simulated_months_have_the_correlations_that_are_called_true(kind):
    truth = _truth(108, 648, 1.0, kind)
    values = truth.months(40_000, np.random.default_rng(1))
    expected = truth.joint.product(np.eye(108))
    np.testing.assert_allclose(np.diag(expected), 1, atol=1e-9)
    np.testing.assert_allclose(np.corrcoef(values.T), expected, atol=0.08)  # memory of 0.9: 2000 independent months
    np.testing.assert_allclose(lag_one(values), truth.memory, atol=0.03)
    assert (truth.memory.max() > 0.8) == (kind == "ar")


def test_a_part_of_a_network_is_asked_where_the_whole_has_its_places():
    whole, part = _truth(648, 648, 1.0, "iid"), _truth(108, 648, 1.0, "iid")
    places = zip(part.real.lat, part.real.lon, strict=True)
    at = whole.real.nodes.positions([whole.real.nearest(*place) for place in places])
    np.testing.assert_allclose(part.joint.product(np.eye(108)), whole.joint.product(np.eye(648))[np.ix_(at, at)])


def test_the_effective_n_cuts_long_arcs():
    data = tables.embedded()
    assert tables.long_arcs(data, 2.0) == 95
    assert tables.long_arcs(data, 2.0, 248) == 40


def test_the_command_knows_its_tables(monkeypatch, tmp_path):
    made = tables.pd.DataFrame({"gamma": [1.0], "arcs": [np.pi]})
    monkeypatch.setitem(tables.TABLES, "gamma", lambda effort, executor: made)
    asked = {}
    monkeypatch.setitem(tables.TABLES, "coverage", lambda effort, executor, **given: asked.update(given) or made)
    words = ["bench", "trust", "coverage", "--places", "648", "--truth", "0.25", "--months", "ar", "--workers", "1"]
    assert CliRunner().invoke(group, words).exit_code == 0
    assert asked == {"size": 648, "networks": None, "truths": (0.25,), "months": ("ar",)}
    outcome = CliRunner().invoke(group, ["bench", "trust", "gamma", "--workers", "1", "--out", str(tmp_path)])
    assert outcome.exit_code == 0, outcome.output
    assert "3.1416" in outcome.output
    assert (tmp_path / "gamma.csv").exists()
    assert CliRunner().invoke(group, ["bench", "trust", "other"]).exit_code == 2


def test_innovations_find_more_true_and_fewer_false_arcs():
    table = known_truth(2).set_index(["truth", "learned"])
    kinds = table.index.unique("truth")
    assert len(kinds) == 3
    for kind in kinds:
        plain, white = table.loc[(kind, "plain")], table.loc[(kind, "AR(1) innovations")]
        assert white["precision"] > plain["precision"] + 0.05
        assert white["false_long"] < plain["false_long"] / 4
        assert plain["true_long"] == white["true_long"] > 10
        assert white["right_long"] >= plain["right_long"] or kind.startswith("sparse VAR")
    in_time = table.loc[("sparse VAR, lags 0 and 1", "lags 0 and 1, own lag given")]
    assert in_time["recall"] > table.loc[("sparse VAR, lags 0 and 1", "AR(1) innovations")]["recall"] + 0.05
