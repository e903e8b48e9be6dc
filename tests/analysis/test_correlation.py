"""The thresholded-correlation network and its own answer to evidence."""

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm

import climatebn as cb
from climatebn import analysis
from climatebn.analysis import correlation as module
from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.node_weights import region_weights


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


def test_a_region_moves_its_own_places_and_those_joined_to_them(data, network):
    weights = region_weights(cb.regions["nino34"], data.nodes)
    own = [data.names.index(name) for name in weights]
    index = data.values[:, own] @ np.array(list(weights.values()))
    pairs = network.graph.numbered_undirected.tolist()
    near = sorted({node for pair in pairs if set(pair) & set(own) for node in pair} | set(own))
    far = sorted(set(range(216)) - set(near))
    post = network.condition({"nino34": 2.0})
    r = np.array([np.corrcoef(index, data.values[:, i])[0, 1] for i in near])
    np.testing.assert_allclose(post.mean[near], 2 * r, atol=1e-9)
    np.testing.assert_allclose(post.sd[near], np.sqrt(1 - r**2), atol=1e-9)
    assert len(near) > len(own) > 4
    assert not post.mean[far].any()
    assert post.given.tolist() == [i in own for i in range(216)]
    kelvin = network.condition({"nino34": index.mean() + 2 * index.std(ddof=1)}, units="data")
    np.testing.assert_allclose(kelvin.mean, post.mean * network.spread + network.centre, atol=1e-9)


def test_an_interval_moves_neighbours_as_draws_within_it_do(data, network):
    r = np.corrcoef(data.values.T)[26]
    post = network.condition({"X27": (1.0, None)})
    beyond = norm.pdf(1) / norm.sf(1)  # E[Y | Y ≥ 1]
    near = [b if a == 26 else a for a, b in network.graph.numbered_undirected.tolist() if 26 in (a, b)]
    np.testing.assert_allclose(post.mean[near], beyond * r[near])
    far = [i for i in range(216) if i not in near and i != 26]
    assert not post.mean[far].any()
    np.testing.assert_allclose(post.probability(1.0)[far], norm.sf(1))
    np.testing.assert_allclose(post.probability(1.0)[26], 1.0)


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
    with pytest.raises(ClimateBNError, match="only where it is the only evidence"):
        network.condition({"X27": (1.0, None), "X60": 1.0})
    with pytest.raises(ClimateBNError, match=r"\+9.0 standard deviations"):
        network.condition({"X27": 9.0})


def test_only_nodes_that_are_there_reach_others():
    network = cb.analysis.correlation_network(np.random.default_rng(1).normal(size=(50, 3)), arcs=1)
    with pytest.raises(ClimateBNError, match="a node must be a column number 0 … 2; got 7"):
        network.reach([7])
