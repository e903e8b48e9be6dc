"""The thresholded-correlation network and its own answer to evidence."""

import numpy as np
import pytest
import xarray as xr

import climatebn as cb
from climatebn import analysis
from climatebn.analysis import correlation as module
from climatebn.errors import ClimateBNError


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-30, 30)))


@pytest.fixture(scope="module")
def network(data):
    return analysis.correlation_network(data, arcs=600)


def test_edges_are_the_strongest_correlations(data, network, monkeypatch):
    r = np.corrcoef(data.values.T)
    upper = np.triu_indices(216, 1)
    cut = np.sort(np.abs(r[upper]))[-600]
    expected = [(i, j) for i, j in zip(*upper, strict=True) if abs(r[i, j]) >= cut]
    assert network.graph.numbered_undirected.tolist() == [list(map(int, pair)) for pair in expected]
    np.testing.assert_allclose(network.correlations, [r[pair] for pair in expected])
    assert network.threshold == pytest.approx(cut)
    monkeypatch.setattr(module, "BLOCK", 50)
    assert analysis.correlation_network(data, arcs=600).graph == network.graph


def test_one_value_moves_direct_neighbours_only(data, network):
    r = np.corrcoef(data.values.T)[26]
    post = network.condition({"X27": 2.0})
    near = [b if a == 26 else a for a, b in network.graph.numbered_undirected.tolist() if 26 in (a, b)]
    far = [i for i in range(216) if i not in near and i != 26]
    np.testing.assert_allclose(post.mean[near], 2 * r[near])
    np.testing.assert_allclose(post.sd[near], np.sqrt(1 - r[near] ** 2))
    assert len(near) > 2
    assert not post.mean[far].any()
    assert (post.sd[far] == 1).all()
    assert post["X27"] == (2.0, 0.0)


def test_two_values_act_together_where_both_are_neighbours(data, network):
    r = np.corrcoef(data.values.T)
    joined = [
        {b if a == i else a for a, b in network.graph.numbered_undirected.tolist() if i in (a, b)} for i in (26, 27)
    ]
    both = min(joined[0] & joined[1])
    post = network.condition({"X27": 1.0, "X28": 1.5})
    block = r[np.ix_([26, 27], [26, 27])]
    weights = np.linalg.solve(block, r[[26, 27], both])
    np.testing.assert_allclose(post.mean[both], weights @ [1.0, 1.5], rtol=1e-9)
    np.testing.assert_allclose(post.sd[both] ** 2, 1 - weights @ r[[26, 27], both], rtol=1e-9)


def test_it_can_be_set_beside_a_bayesian_network(data, network):
    post = cb.propagate(network, {(-5, -135): 2.0}, tail="both")
    assert post.difference_upper.dims == ("lat", "lon")
    assert post.difference_upper.max() > 0.5
    kelvin = cb.propagate(network, {"X27": 2 * network.spread[26]}, units="data")
    sd = cb.propagate(network, {"X27": 2.0})
    assert network.centre == pytest.approx(np.zeros(216), abs=1e-9)
    xr.testing.assert_allclose(
        kelvin["mean"].drop_attrs(), (sd["mean"] * data.to_xarray(network.spread)).drop_attrs(), atol=1e-9
    )
    table = cb.teleconnections(network, min_km=0)
    assert len(table) == 600
    assert not table["directed"].any()
    row = table.iloc[-1]
    ends = [data.names.index(row[end]) for end in ("source", "target")]
    r = np.corrcoef(data.values[:, ends].T)[0, 1]
    assert row["strength"] == pytest.approx(-180 * np.log(1 - r**2) - np.log(360) / 2)


def test_wrong_input_is_said(data, network):
    with pytest.raises(ClimateBNError, match=r"arcs must be 1 … 23220"):
        analysis.correlation_network(data, arcs=0)
    with pytest.raises(ClimateBNError, match="unknown units"):
        network.condition({"X27": 1.0}, units="K")
    with pytest.raises(ClimateBNError, match=r"\+9.0 standard deviations"):
        network.condition({"X27": 9.0})
