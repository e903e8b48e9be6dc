"""Files of Gaussian networks: what is written comes back; damaged and foreign files are named."""

import json
from dataclasses import replace
from itertools import pairwise

import networkx
import numpy as np
import pytest
import xarray as xr

import climatebn as cb
from climatebn.errors import ClimateBNError


@pytest.fixture(scope="module")
def data():
    field = cb.anomalies(cb.load_ncep()).sel(lat=slice(-20, 20), lon=slice(-150, -100))
    return cb.to_nodes(field)


@pytest.fixture(scope="module")
def bn(data):
    names = data.names
    return cb.fit(cb.Dag.from_arcs(names, pairwise(names)), data, scale="sd")


def test_round_trip_keeps_everything(bn, data, tmp_path):
    bn.save(tmp_path / "n.nc")
    again = cb.load_network(tmp_path / "n.nc")
    assert again.dag == bn.dag
    assert (again.scale, again.units, again.n, again.variance) == ("sd", "K", 360, "ml")
    for name in ("intercepts", "residual_variances", "centre", "spread", "arc_loglik", "lat", "lon"):
        np.testing.assert_array_equal(getattr(again, name), getattr(bn, name))
    assert again.loglik(data) == bn.loglik(data)
    xr.testing.assert_identical(
        cb.propagate(bn, {(-5, -135): 2.0}).drop_attrs(), cb.propagate(again, {(-5, -135): 2.0}).drop_attrs()
    )
    assert again.history.startswith(bn.history)
    assert "fit(scale='sd'" in again.history
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n.nc"]


def test_a_network_of_numbers_needs_no_places(tmp_path):
    bn = cb.GaussianBN.from_parameters(("a", "b"), {("b", "a"): 0.5}, {"a": 1, "b": 2}, {"a": 1, "b": 1})
    bn.save(tmp_path / "n.nc")
    again = cb.load_network(tmp_path / "n.nc")
    assert again.nodes is None
    assert again.n is None
    assert again.dag.arcs == [("b", "a")]


def test_a_network_without_arcs(tmp_path):
    cb.GaussianBN.from_parameters(("a",), {}, {"a": 1}, {"a": 1}).save(tmp_path / "n.nc")
    assert cb.load_network(tmp_path / "n.nc").dag.arcs == []


def test_nothing_half_written(bn, tmp_path, monkeypatch):
    def fail(self, path, **kwargs):
        path.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(xr.Dataset, "to_netcdf", fail)
    with pytest.raises(OSError, match="disk full"):
        bn.save(tmp_path / "n.nc")
    assert not list(tmp_path.iterdir())


def edited(bn, path, edit):
    bn.save(path)
    file = xr.load_dataset(path)
    edit(file).to_netcdf(path)
    return path


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda f: f.drop_vars("arc_coefficients"), "damaged.*arc_coefficients"),
        (lambda f: f.assign_attrs(format="other"), "is not a climatebn network"),
        (lambda f: f.assign_attrs(schema=99), "schema 99.*reads schema 1"),
        (lambda f: f.assign_attrs(kind="QuantumBN"), "kind QuantumBN"),
        (lambda f: f.assign_attrs(settings="{"), "damaged"),
        (lambda f: f.assign_attrs(settings='{"scale": "sd"}'), "settings"),
        (lambda f: f.assign(residual_variances=-f["residual_variances"]), "damaged.*positive"),
        (lambda f: f.isel(arc=slice(None, None, -1)), "damaged.*sorted"),
        (lambda f: f.assign(child=f["parent"]), "damaged.*itself"),
        (lambda f: f.assign(child=f["child"] + 1000), "damaged.*outside"),
        (lambda f: f.assign(arc_coefficients=f["arc_coefficients"] * np.nan), "damaged.*finite"),
    ],
)
def test_damaged_and_foreign_files_are_named(bn, tmp_path, edit, words):
    path = edited(bn, tmp_path / "bad.nc", edit)
    with pytest.raises(ClimateBNError, match=f"bad.nc.*{words}"):
        cb.load_network(path)


def test_files_that_are_no_netcdf(bn, tmp_path):
    (tmp_path / "text.nc").write_text("not a network")
    with pytest.raises(ClimateBNError, match=r"text.nc cannot be read as NetCDF"):
        cb.load_network(tmp_path / "text.nc")
    with pytest.raises(ClimateBNError, match="no such file"):
        cb.load_network(tmp_path / "none.nc")
    bn.save(tmp_path / "cut.nc")
    (tmp_path / "cut.nc").write_bytes((tmp_path / "cut.nc").read_bytes()[:3000])
    with pytest.raises(ClimateBNError, match=r"cut\.nc"):
        cb.load_network(tmp_path / "cut.nc")


def test_exports_have_places_and_weights(bn, tmp_path):
    bn.to_graphml(tmp_path / "n.graphml")
    graph = networkx.read_graphml(tmp_path / "n.graphml")
    bn.to_json(tmp_path / "n.json")
    again = networkx.node_link_graph(json.loads((tmp_path / "n.json").read_text()), edges="edges")
    for found in (graph, again):
        assert list(found.edges) == bn.dag.arcs
        assert found.nodes["X3"]["lat"] == bn.lat[2]
        first = bn.dag.arcs[0]
        assert found.edges[first]["coefficient"] == bn.arc_coefficients[0]
        assert found.edges[first]["km"] == pytest.approx(1111.95, abs=0.01)


def test_a_saved_network_says_how_it_was_learned(data, tmp_path):
    result = cb.learn(data, "tabu", cb.BIC(gamma=0.5), order=3, seed=7, list_size=5, progress=False)
    cb.fit(result, data).save(tmp_path / "n.nc")
    again = cb.load_network(tmp_path / "n.nc")
    assert again.dag == result.dag
    assert again.learned == result.record
    wanted = {"algorithm": "tabu", "seed": 7, "options": {"list_size": "5"}, "calls": result.calls, "stopped": ""}
    assert wanted.items() <= again.learned.items()
    assert "gamma=0.5" in again.learned["criterion"]
    assert again.learned["order"] == list(result.order)
    assert {"climatebn", "numpy"} <= again.learned["versions"].keys()
    steps = [line.split(": ", 1)[1] for line in again.history.splitlines()]
    assert [step.split("(")[0] for step in steps][-3:] == ["learn tabu, BIC", "fit", "save"]
    assert again.history.startswith(data.attrs["history"])
    assert "order=3 seed=7" in again.history
    with xr.open_dataset(tmp_path / "n.nc") as file:
        assert json.loads(file.attrs["learned"]) == result.record


def test_a_given_structure_has_no_record(bn, tmp_path):
    bn.save(tmp_path / "n.nc")
    assert cb.load_network(tmp_path / "n.nc").learned == bn.learned == {}
    assert "learn " not in bn.history
    with pytest.raises(ClimateBNError, match="structure must be a LearnResult or a Dag; got list"):
        cb.fit([("X1", "X2")], np.zeros((5, 2)))


def test_a_saved_result_keeps_places_and_history(data, tmp_path):
    result = cb.learn(data, "hill_climbing", progress=False)
    result.save(tmp_path / "r.json")
    again = cb.LearnResult.load(tmp_path / "r.json")
    assert again == result
    assert again.history.startswith(data.attrs["history"])
    assert again.nodes.names == data.names
    for part in ("lat", "lon", "grid_lat", "grid_lon"):
        np.testing.assert_array_equal(getattr(again.nodes, part), getattr(data.nodes, part))
    bn = cb.fit(again, data)
    assert bn.learned == result.record
    assert len(cb.teleconnections(bn, min_km=0)) == len(result.dag.arcs)


def test_names_with_nul_are_refused_not_cut(tmp_path):
    zero = {"a\0b": 0.0, "a\0c": 0.0}
    bn = cb.GaussianBN.from_parameters(tuple(zero), {}, zero, dict.fromkeys(zero, 1.0))
    with pytest.raises(ClimateBNError, match="NUL"):
        bn.save(tmp_path / "n.nc")
    assert list(tmp_path.iterdir()) == []


def test_coefficients_stand_where_the_arcs_are(bn):
    moved = bn.coefficients.T.tocsc()
    with pytest.raises(ClimateBNError, match="where the arcs of the dag are"):
        replace(bn, coefficients=moved)
    unknown = bn.coefficients.copy()
    unknown.data[0] = np.nan
    with pytest.raises(ClimateBNError, match="coefficients must be finite"):
        replace(bn, coefficients=unknown)


def test_an_earlier_file_survives_an_error(bn, tmp_path, monkeypatch):
    path = tmp_path / "n.nc"
    bn.save(path)
    before = path.read_bytes()

    def full(*_, **__):
        raise RuntimeError("NetCDF: HDF error")

    monkeypatch.setattr(xr.Dataset, "to_netcdf", full)
    with pytest.raises(OSError, match="is the disk full"):
        bn.save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["n.nc"]
