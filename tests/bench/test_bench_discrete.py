"""The comparison on discrete data: own rows, a peer that answers, one that is too slow."""

import sys

import pytest
from click.testing import CliRunner

from climatebn.bench import discrete, discrete_peer
from climatebn.cli.bench_discrete import command

ANSWERS = "import sys, numpy as np; np.savez(sys.argv[3], arcs=np.array([[0, 1], [1, 2]]), seconds=1.5)"


@pytest.fixture
def environment(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "peer.py").write_text(ANSWERS)
    monkeypatch.setattr(discrete_peer, "__file__", str(tmp_path / "peer.py"))
    monkeypatch.setattr(discrete, "ALGORITHMS", ("tabu", "mmhc", "pc_stable"))
    return tmp_path


def test_rows_of_all_programs(environment):
    rows = list(discrete.compare(("alarm",), environment, n=300))
    assert [row.program for row in rows] == [
        "climatebn tabu", "climatebn mmhc", "climatebn pc_stable", "pyagrum", "pgmpy",
    ]  # fmt: skip
    assert all(row.edges > 0 for row in rows)
    assert rows[-1] == ("alarm", "pgmpy", 2, 1.5)


def test_a_peer_without_end_is_told(environment):
    (environment / "peer.py").write_text("while True: pass")
    assert list(discrete.compare(("alarm",), environment, 1, n=100))[-1].edges is None


def test_install_needs_a_place():
    assert "--install needs --peers" in CliRunner().invoke(command, ["--install"]).output
