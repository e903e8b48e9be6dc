"""`climatebn bench lagged`: the simulated truth is a stable network with two parents a node, and is found again."""

import json

import numpy as np
from click.testing import CliRunner

from climatebn.bench import lagged, lagged_search
from climatebn.bench.lagged import compare, simulated
from climatebn.cli import group


def test_truth_and_recovery():
    values, truth = simulated(10, 300, seed=1)
    assert values.shape == (300, 10)
    assert len(truth) == 20
    assert np.abs(values).max() < 20
    rows = list(compare(records=1, nodes=12, n=1500))
    assert [row.data for row in rows] == ["random 1", "tropics"]
    assert rows[0].precision >= 0.9
    assert rows[0].recall >= 0.9
    assert rows[1].arcs > 0


def test_the_command_stores_what_it_shows(tmp_path, monkeypatch):
    row = lagged.Row("random 1", "climatebn tabu γ=0.5", 21, 0.95, 1.0, 0.0123)
    whole = lagged_search.Search("tabu", 648, (0, 1, 2), 900, 1.0, 4990, 1245, 1.1, 0.5)
    monkeypatch.setattr(lagged, "compare", lambda *_: iter([row]))
    monkeypatch.setattr(lagged_search, "searches", lambda *_: iter([whole]))
    outcome = CliRunner().invoke(group, ["bench", "lagged", "--out", str(tmp_path / "lagged.json")])
    assert outcome.exit_code == 0, outcome.output
    stored = json.loads((tmp_path / "lagged.json").read_text(encoding="utf-8"))
    assert [one["arcs"] for one in stored] == [21, 4990]
    assert stored[1]["lags"] == [0, 1, 2]
    assert "4990    1245       1.1      0.5" in outcome.output


def test_a_search_on_a_field_counts_its_arcs():
    found = lagged_search.search("tabu", (1,), ("2001", "2010"))
    assert (found.places, found.months) == (648, 120)
    assert 0 < found.lagged == found.arcs
    assert found.seconds > 0
