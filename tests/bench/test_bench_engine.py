"""The comparison with PyBNesian: its table, a peer that answers, what is said when an environment cannot be made."""

import json
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import climatebn as cb
from climatebn.bench import engine, engine_peer, peers
from climatebn.cli.bench import command
from climatebn.errors import ClimateBNError

ANSWERS = """
import sys, numpy as np
np.savez(sys.argv[3], arcs=np.array([[0, 1], [2, 1]]), seconds=3.0)
"""


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """An environment whose peer is a script of ours, on few nodes."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "peer.py").write_text(ANSWERS)
    monkeypatch.setattr(engine_peer, "__file__", str(tmp_path / "peer.py"))
    monkeypatch.setattr(engine, "NODES", (12,))
    return tmp_path


def test_both_programs_are_judged_by_the_same_formula(environment):
    whole, own, other = engine.beside(environment)
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()))
    stats = cb.GaussianStats.of(data.values[:, :12])
    dag = cb.learn(stats, "hill_climbing", progress=False).dag
    assert own.arcs == whole.arcs == len(dag.numbered_arcs)
    assert own.bic == pytest.approx(sum(cb.BIC().local(stats, i, p) for i, p in enumerate(dag.numbered_parents)))
    assert (other.program, other.arcs, other.seconds) == ("pybnesian", 2, 3.0)
    assert other.bic < own.bic
    assert other.ratio == pytest.approx(3.0 / whole.seconds)


def test_command_writes_what_it_shows(environment, monkeypatch):
    row = engine.Growth(648, 0.5, 10, 20, 0.5, 25000.0, 0.3)
    monkeypatch.setattr(engine, "embedded", lambda: [row])
    out = environment / "figures.json"
    run = CliRunner().invoke(command, ["engine", "--peers", str(environment), "--out", str(out)])
    assert run.exit_code == 0, run.output
    figures = json.loads(out.read_text())
    assert [one.get("program") for one in figures] == ["learn", "its search", "pybnesian", None]
    assert figures[3] == row._asdict()
    assert "25000" in run.output
    assert CliRunner().invoke(command, ["engine", "--install"]).exit_code == 2


def test_growth_runs_each_grid_in_a_process_of_its_own(tmp_path, monkeypatch):
    field = cb.load_ncep().sel(time=slice("1981", "2010")).isel(lat=slice(7, 11))
    field.to_netcdf(tmp_path / "field.nc")
    monkeypatch.setattr(engine, "GRIDS", (None,))
    (row,) = engine.growth(tmp_path / "field.nc")
    assert (row.nodes, row.gamma) == (144, 1.0)
    assert row.steps >= row.arcs > 144
    assert 0.05 < row.memory < 8


def test_environment_that_cannot_be_made_is_said(environment):
    with pytest.raises(ClimateBNError, match="could not install --no-such-option"):
        peers.make_environment(environment, ("--no-such-option",))


def test_peer_script_asks_for_plain_bic(monkeypatch):
    class Package:
        @staticmethod
        def GaussianNetworkType():
            return "gaussian"

        @staticmethod
        def hc(batch, bn_type, score):
            assert (batch, bn_type, score) == ((["X0", "X1"], 2), "gaussian", "bic")

            class Found:
                @staticmethod
                def arcs():
                    return [("X1", "X0")]

            return Found

        class RecordBatch:
            @staticmethod
            def from_arrays(arrays, names):
                return names, len(arrays)

        @staticmethod
        def array(column):
            return column

    monkeypatch.setattr(engine_peer, "import_module", lambda name: Package)
    arcs, seconds = engine_peer.run("pybnesian", np.zeros((3, 2)))
    assert arcs.tolist() == [[1, 0]]
    assert seconds >= 0
