"""Each comparison with other packages prints its rows, and --out writes them as they came; --quiet prints nothing."""

import json

import pytest
from click.testing import CliRunner

from climatebn.bench import discrete, engine, ges, lagged, questions
from climatebn.cli.bench import command

ROWS = {
    "discrete": (
        discrete,
        [discrete.Row("alarm", "climatebn tabu", 46, 0.25), discrete.Row("alarm", "pgmpy", None, 300.0)],
        [["alarm", "climatebn", "tabu", "46", "0.25"], ["alarm", "pgmpy", "not", "ended", "300.00"]],
    ),
    "ges": (
        ges,
        [ges.Row("tropics", 72, "climatebn ges", 161, 10124.65, 0.5), ges.Row("tropics", 72, "ges", None, None, 600.0)],
        [
            ["tropics", "72", "climatebn", "ges", "161", "10124.65", "0.50"],
            ["tropics", "72", "ges", "–", "not", "ended", "600.00"],
        ],
    ),
    "questions": (
        questions,
        [
            questions.Row("andes", "climatebn", 0.02, 0.19, None),
            questions.Row("andes", "pyagrum", 0.012, 0.25, 2e-13),
        ],
        [["andes", "climatebn", "0.020", "0.190", "–"], ["andes", "pyagrum", "0.012", "0.250", "2.0e-13"]],
    ),
    "lagged": (
        lagged,
        [
            lagged.Row("random 1", "climatebn tabu", 99, 0.99, 0.985, 0.04),
            lagged.Row("tropics", "pcmci", 240, None, None, 31.0),
            lagged.Row("tropics", "pcmciplus", None, None, None, 600.0),
        ],
        [
            ["random", "1", "climatebn", "tabu", "99", "0.990", "0.985", "0.04"],
            ["tropics", "pcmci", "240", "–", "–", "31.00"],
            ["tropics", "pcmciplus", "–", "–", "–", "600.00"],
        ],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_are_shown_and_written(name, monkeypatch, tmp_path):
    module, rows, words = ROWS[name]
    monkeypatch.setattr(module, "compare", lambda *_: iter(rows))
    monkeypatch.setattr("climatebn.bench.lagged_search.searches", lambda field: iter(()))
    shown = CliRunner().invoke(command, [name, "--out", str(tmp_path / "rows.json")])
    assert shown.exit_code == 0, shown.output
    assert [line.split() for line in shown.output.split("\n\n")[0].splitlines()[1:]] == words
    assert json.loads((tmp_path / "rows.json").read_text()) == [row._asdict() for row in rows]
    quiet = CliRunner().invoke(command, [name, "--quiet", "--out", str(tmp_path / "again.json")])
    assert (quiet.exit_code, quiet.output) == (0, "")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "rows.json").read_bytes()


@pytest.mark.parametrize("name", [*ROWS, "engine"])
def test_the_environment_is_made_where_asked(name, monkeypatch, tmp_path):
    made = []
    module = ROWS[name][0] if name in ROWS else engine
    monkeypatch.setattr("climatebn.bench.peers.make_environment", lambda *given: made.append(given))
    monkeypatch.setattr("climatebn.bench.lagged_search.searches", lambda field: iter(()))
    for part in ("compare", "beside", "embedded"):
        monkeypatch.setattr(module, part, lambda *_: iter(()), raising=False)
    assert "--install needs --peers" in CliRunner().invoke(command, [name, "--install"]).output
    assert CliRunner().invoke(command, [name, "--install", "--peers", str(tmp_path)]).exit_code == 0
    assert made == [(tmp_path, module.PEERS if module is engine else module.PACKAGES)]
