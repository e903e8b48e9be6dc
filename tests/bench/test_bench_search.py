"""The comparison of searches: own rows with their measures, peers of both forms, the table and the figure."""

import math
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import climatebn as cb
from climatebn.bench import engine_peer, ges_peer, search, search_data, search_figure, search_peer, search_table
from climatebn.cli.bench_search import command

CHAIN = """
import sys, numpy as np
nodes = np.load(sys.argv[2]).shape[1]
cpdag = np.eye(nodes, k=1, dtype=bool)
np.savez(sys.argv[3], cpdag=cpdag | cpdag.T, seconds=2.5)
"""


@pytest.fixture
def environment(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "peer.py").write_text(CHAIN)
    (tmp_path / "endless.py").write_text("while True: pass")
    monkeypatch.setattr(ges_peer, "__file__", str(tmp_path / "peer.py"))
    monkeypatch.setattr(search_peer, "__file__", str(tmp_path / "endless.py"))
    monkeypatch.setattr(search, "OWN", {"tabu": {}, "boss, then ges": {"then": "ges"}})
    monkeypatch.setattr(
        search, "PEERS", {"gaussian": {"xges": (ges_peer, "xges"), "causal-learn boss": (search_peer, "boss")}}
    )
    return tmp_path


def test_all_programs_are_judged_by_the_same_formula(environment):
    tabu, chain, xges, endless = search.compare(["magic-niab"], environment, 1)
    task = search_data.reference_task("magic-niab", 1)
    dag = cb.learn(task.stats, "tabu", progress=False).dag
    assert tabu.score == pytest.approx(
        sum(cb.BIC().local(task.stats, i, p) for i, p in enumerate(dag.numbered_parents))
    )
    assert (tabu.arcs, tabu.shd) == (len(dag.numbered_arcs), cb.shd(dag, task.truth))
    assert tabu.held_out == pytest.approx(cb.fit(dag, task.training).loglik(task.unseen) / len(task.unseen))
    assert chain.score >= tabu.score
    assert (xges.arcs, xges.seconds, xges.held_out) == (43, 2.5, None)
    assert xges.score < tabu.score
    assert (endless.score, endless.seconds) == (None, 1.0)


def test_discrete_data_and_the_months_that_were_not_seen(monkeypatch):
    monkeypatch.setattr(search, "OWN", {"tabu": {}})
    monkeypatch.setattr(search_data, "OBSERVATIONS", 300)
    (row,) = search.compare(["win95pts"])
    assert row.shd > 0 > row.held_out
    (row,) = search.compare(["ncep72"])
    task = next(search_data.field_tasks("ncep72"))
    assert (row.nodes, row.shd) == (72, None)
    assert task.training.shape == (240, 72)
    alone = cb.learn(task.training, "tabu", progress=False).dag
    assert row.held_out == pytest.approx(cb.fit(alone, task.training).loglik(task.unseen) / 120)
    assert np.abs(task.training.mean(axis=0)).max() < 1e-6 < np.abs(task.unseen.mean(axis=0)).max()


def test_command_writes_the_table_and_the_figure(environment):
    run = CliRunner().invoke(command, ["magic-niab", "--out", str(environment / "out"), "--max-seconds", "5"])
    assert run.exit_code == 0, run.output
    kept = search_table.read(environment / "out" / "search.json")
    assert [row.program for row in kept] == ["climatebn tabu", "climatebn boss, then ges"]
    more = CliRunner().invoke(
        command, ["ecoli70", "--out", str(environment / "out"), "--peers", str(environment), "--max-seconds", "1"]
    )
    assert more.exit_code == 0, more.output
    assert "highest of the others xges" in more.output
    again = search_table.read(environment / "out" / "search.json")
    assert again[: len(kept)] == kept
    assert [row.data for row in again[len(kept) :]] == ["ecoli70"] * 4
    for name in ("search.png", "unseen.png"):
        assert (environment / "out" / name).stat().st_size > 5000
    assert "unknown data 'magic'" in str(CliRunner().invoke(command, ["magic"]).exception)
    assert "--install needs --peers" in CliRunner().invoke(command, ["--install"]).output


def test_other_packages_alone_are_drawn_without_unseen_data(environment):
    asked = ["magic-niab", "--out", str(environment / "out"), "--peers", str(environment), "--program", "xges"]
    run = CliRunner().invoke(command, asked)
    assert run.exit_code == 0, run.output
    assert "highest of the others" not in run.output  # with nothing beside it
    assert sorted(path.name for path in (environment / "out").iterdir()) == ["search.json", "search.png"]


def row(program, score, seconds, gamma=0.0, held_out=None):
    return search.Row("alarm", 37, gamma, program, score, seconds, held_out, None, None)


def test_a_network_that_unseen_data_contradicts_leaves_the_scale_to_the_others():
    unseen = {"climatebn tabu": -550.0, "climatebn ges": -540.0, "climatebn boss": -1.8e10}
    drawn = search_figure.unseen_figure([row(name, -1000.0, 1.0, 0.0, value) for name, value in unseen.items()])
    (panel,) = (ax for ax in drawn.axes if ax.axison)
    assert -600 < panel.get_ylim()[0] < panel.get_ylim()[1] < -500
    assert [text.get_text() for text in panel.texts] == ["boss: BIC -1000, -1.8e+10 nats"]


def test_verdict_names_our_fastest_that_is_as_high_and_the_fastest_other_near_it():
    rows = [
        row("climatebn tabu", -1001.0, 0.1),
        row("climatebn boss", -1000.0, 2.0),
        row("climatebn best", -999.9, 4.0),
        row("xges", -1000.5, 90.0),
        row("xges-0", -1001.0, 30.0),
        row("pybnesian", -1002.0, 1.0),
        row("causal-learn boss", None, 100.0),
    ]
    (said,) = search_table.verdicts(rows)
    assert (said.highest.program, said.own.program, said.nearest.program) == ("xges", "climatebn boss", "xges-0")
    assert said.ratio == 15.0
    assert (said.quickest.program, said.alike) == ("climatebn tabu", 300.0)
    (said,) = search_table.verdicts([row("climatebn tabu", -1001.0, 0.1), *rows[3:]])
    assert (said.own, said.ratio) == (None, None)
    (said,) = search_table.verdicts([*rows[1:3], rows[5]])
    assert (said.own.program, said.nearest, said.alike) == ("climatebn boss", None, None)
    assert list(search_table.verdicts([*rows[:3], rows[6]])) == []


def test_other_packages_get_the_penalty_of_gamma(environment, monkeypatch):
    given = []
    monkeypatch.setattr(search, "OWN", {})
    monkeypatch.setattr(search, "run_peer", lambda *arguments: given.append(arguments[2:3] + arguments[4:]))
    peers = {"xges": (ges_peer, "xges"), "pybnesian": (engine_peer, "pybnesian")}
    monkeypatch.setattr(search, "PEERS", {"gaussian": peers})
    list(search.compare(["field200"], environment, 5))
    assert given == [("xges", 5, "1.0"), ("pybnesian", 5), ("xges", 5, repr(1 + math.log(200) / math.log(360)))]
