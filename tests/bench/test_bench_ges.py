"""The comparison of GES with other packages: own rows, a peer that answers, one that is too slow, one that fails."""

import os
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from references import frame

import climatebn as cb
from climatebn.bench import ges, ges_peer
from climatebn.cli.bench_ges import command
from climatebn.errors import ClimateBNError

ANSWERS = """
import sys, numpy as np
values = np.load(sys.argv[2])
cpdag = np.zeros((values.shape[1],) * 2, bool)
cpdag[0, 1] = cpdag[1, 0] = cpdag[2, 3] = cpdag[4, 3] = True
np.savez(sys.argv[3], cpdag=cpdag, seconds=1.5)
"""


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """An environment whose peers are scripts of ours; a function sets the script."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    script = tmp_path / "peer.py"
    monkeypatch.setattr(ges_peer, "__file__", str(script))
    monkeypatch.setattr(ges, "samples", lambda seed: [("gauss8", frame("gauss8").to_numpy())])

    def put(text):
        script.write_text(text)
        return tmp_path

    return put


def test_rows_hold_the_bic_of_each_program(environment):
    rows = {row.program: row for row in ges.compare(environment(ANSWERS))}
    stats = cb.GaussianStats.of(frame("gauss8").to_numpy())
    answered = cb.Dag.from_arcs(stats.names, [(0, 1), (2, 3), (4, 3)])
    assert set(rows) == {"climatebn ges", "climatebn annealing, then ges", "ges", "xges-0", "xges", "xges-default"}
    assert rows["ges"] == rows["xges"]._replace(program="ges")
    assert rows["ges"].seconds == 1.5
    assert rows["ges"].edges == 3
    assert rows["ges"].bic == pytest.approx(
        sum(cb.BIC().local(stats, i, p) for i, p in enumerate(answered.numbered_parents))
    )
    assert rows["climatebn annealing, then ges"].bic >= rows["climatebn ges"].bic > rows["ges"].bic


def test_a_slow_peer_is_recorded_as_not_ended(environment):
    rows = list(ges.compare(environment("while True: pass"), max_seconds=1))
    assert [(row.bic, row.edges, row.seconds) for row in rows[2:]] == [(None, None, 1.0)] * 4


def test_a_failing_peer_is_said(environment):
    with pytest.raises(ClimateBNError, match="no such thing"):
        list(ges.compare(environment("raise SystemExit('no such thing')")))


def test_data_sets():
    shapes = {name: values.shape for name, values in ges.samples(1)}
    assert shapes == {
        "arth150": (1820, 107),
        "ecoli70": (810, 46),
        "magic-irri": (1150, 64),
        "magic-niab": (770, 44),
        "tropics": (360, 72),
    }


def test_command_prints_a_table(environment):
    run = CliRunner().invoke(command, ["--peers", str(environment(ANSWERS))])
    assert run.exit_code == 0
    assert [line.split()[0] for line in run.output.splitlines()] == ["data"] + ["gauss8"] * 6
    assert CliRunner().invoke(command, ["--quiet"]).output == ""
    assert CliRunner().invoke(command, ["--install"]).exit_code == 2


def test_peer_script_runs_the_package_of_its_environment(tmp_path):
    (tmp_path / "ges.py").write_text("def fit_bic(values):\n    return values[:2, :2] > 0, 0.0\n")
    np.save(tmp_path / "values.npy", np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 1.0]]))
    command = [sys.executable, ges_peer.__file__, "ges", str(tmp_path / "values.npy"), str(tmp_path / "found.npz")]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True)
    with np.load(tmp_path / "found.npz") as found:
        assert found["cpdag"].tolist() == [[False, True], [False, False]]
        assert found["seconds"] >= 0


def test_peer_script_says_what_each_package_is_to_do(monkeypatch):
    asked = []

    class Package:
        @staticmethod
        def fit_bic(values):
            return np.array([[0, 1], [0, 0]]), -1.0

        class XGES:
            def __init__(self, alpha):
                self.alpha = alpha

            def fit(self, values, extended_search, verbose):
                asked.append((self.alpha, extended_search))
                return self

            def to_adjacency_matrix(self):
                return np.array([[0, 0], [1, 0]])

    monkeypatch.setattr(ges_peer, "import_module", {"ges": Package, "xges": Package}.__getitem__)
    assert ges_peer.run("ges", np.empty((3, 2))).tolist() == [[False, True], [False, False]]
    for program in ("xges", "xges-0", "xges-default"):
        assert ges_peer.run(program, np.empty((3, 2))).tolist() == [[False, False], [True, False]]
    assert asked == [(1.0, True), (1.0, False), (2.0, True)]
