"""What commands must not overwrite: their input, an earlier network beside a graph that is none, files of others."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner

import climatebn as cb
from climatebn.cli import group


def invoke(*arguments):
    return CliRunner().invoke(group, [str(argument) for argument in arguments])


@pytest.fixture
def field_file(tmp_path):
    rng = np.random.default_rng(8)
    coords = {
        "time": xr.date_range("1990-01-01", periods=48, freq="MS"),
        "lat": ("lat", [-15.0, 15.0], {"units": "degrees_north"}),
        "lon": ("lon", [0.0, 30.0, 60.0], {"units": "degrees_east"}),
    }
    field = xr.DataArray(rng.normal(size=(48, 2, 3)), coords, ("time", "lat", "lon"), name="t", attrs={"units": "K"})
    field.to_netcdf(tmp_path / "t.nc")
    return tmp_path / "t.nc"


@pytest.fixture
def network(field_file):
    path = field_file.with_name("network.nc")
    assert invoke("learn", field_file, "--scale", "sd", "--out", path, "--quiet").exit_code == 0
    return path


@pytest.mark.parametrize("through", ["its name", "a link", "another spelling"])
def test_the_input_of_learn_is_no_output(field_file, through):
    out = {
        "its name": field_file,
        "a link": field_file.with_name("link.nc"),
        "another spelling": field_file.parent / ".." / field_file.parent.name / "t.nc",
    }[through]
    if through == "a link":
        out.symlink_to(field_file)
    before = field_file.read_bytes()
    outcome = invoke("learn", field_file, "--out", out)
    assert outcome.exit_code == 2
    assert "is the input itself" in outcome.output
    assert field_file.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ("propagate", "NETWORK", "--set", "X1=1", "--out", "NETWORK"),
        ("propagate", "NETWORK", "--set", "X1=1", "--png", "NETWORK"),
        ("explore", "NETWORK", "--out", "NETWORK"),
        ("run", "--field", "FIELD", "--out", "FIELD"),
        ("forecast", "FIELD", "--out", "FIELD"),
    ],
)
def test_the_input_of_others_is_no_output(network, field_file, words):
    before = network.read_bytes(), field_file.read_bytes()
    names = {"NETWORK": network, "FIELD": field_file}
    outcome = invoke(*(names.get(word, word) for word in words))
    assert outcome.exit_code == 2
    assert "itself; give another" in outcome.output
    assert (network.read_bytes(), field_file.read_bytes()) == before


@pytest.fixture
def not_valid(monkeypatch):
    """Graphs that are learned have a conflict."""
    learn = cb.learn

    def conflicting(*arguments, **options):
        return replace(learn(*arguments, **options), dag=None, valid=False, reason="made so")

    monkeypatch.setattr(cb, "learn", conflicting)


def test_a_graph_that_is_not_valid_leaves_no_older_network_in_its_place(network, field_file, not_valid):
    older = network.read_bytes()
    for aside in ("network.earlier.nc", "network.earlier1.nc"):  # what was moved aside once is not lost the next time
        outcome = invoke("learn", field_file, "--out", network)
        assert outcome.exit_code == 0
        assert f"the earlier {network} is now {network.with_name(aside)}" in outcome.output
        assert not network.exists()
        assert network.with_name(aside).read_bytes() == older
        assert "not valid: made so" in outcome.output
        network.write_bytes(older)
    assert cb.LearnResult.load(network.with_suffix(".json")).valid is not None


def test_files_of_others_beside_it_stay(field_file, not_valid):
    out = field_file.with_name("net.nc")
    (own := out.with_suffix(".json")).write_text('{"mine": 1}')
    outcome = invoke("learn", field_file, "--out", out)
    assert outcome.exit_code == 0
    assert own.read_text() == '{"mine": 1}'
    assert f"saved to {out.with_suffix('.edges.json')}" in outcome.output
    (out.with_suffix(".edges.json")).write_text("mine too")
    outcome = invoke("learn", field_file, "--out", out)
    assert "is not a result of climatebn" in str(outcome.exception)
    assert out.with_suffix(".edges.json").read_text() == "mine too"


@pytest.mark.parametrize("arcs", [0, 1])
def test_a_search_that_found_nothing_yet_replaces_nothing(field_file, network, monkeypatch, arcs):
    """Ctrl-C before the first arc; after it, the best network so far is saved."""
    before, learn = network.read_bytes(), cb.learn

    def interrupted(data, *given, **named):
        known = cb.Knowledge(required=[data.names[:2]] * arcs)
        found = learn(data, "hill_climbing", knowledge=known, max_iter=0, progress=False)
        return replace(found, stopped="interrupted")

    monkeypatch.setattr(cb, "learn", interrupted)

    def words(out):
        arguments = ["learn", str(field_file), "--out", str(out)]
        return str(CliRunner().invoke(group, arguments, standalone_mode=False).exception.__cause__)

    assert ("is as it was before" if arcs == 0 else "is saved to") in words(network)
    assert (network.read_bytes() == before) == (arcs == 0)
    new = network.with_name("new.nc")
    assert ("nothing is saved" in words(new)) == (arcs == 0)
    assert new.exists() == (arcs > 0)
