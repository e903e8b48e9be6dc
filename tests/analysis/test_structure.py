"""v-structures and their baselines, centrality, communities."""

import networkx
import numpy as np
import pytest
from references import numbers

import climatebn as cb
from climatebn import analysis
from climatebn.analysis.collider_ratio import _random_ratio
from climatebn.errors import ClimateBNError


def test_counts_equal_the_reference():
    for case in numbers("graphs"):
        found = cb.vstructures(cb.Dag.from_arcs(case["nodes"], case["dag"]), simulations=0)
        assert found.unshielded == case["n_unshielded"]


def test_baseline_of_the_paper():
    names = [f"X{i}" for i in range(648)]
    dag = cb.Dag.from_arcs(names, [(i, i + 1) for i in range(25)])
    assert cb.vstructures(dag, simulations=0).paper_baseline == pytest.approx(0.2499, abs=5e-5)


def test_simulated_baseline_is_a_third_of_open_pairs():
    """In a random DAG the shared node of two arcs is the last of three nodes in ⅓ of all cases."""
    size, arcs = 60, 400
    dag = cb.Dag.from_arcs([f"X{i}" for i in range(size)], [(i, j) for i in range(20) for j in range(20, 40)])
    found = cb.vstructures(dag, simulations=200, seed=3)
    density = arcs / (size * (size - 1) / 2)
    assert found.simulated_mean == pytest.approx((1 - density) / 3, abs=0.01)
    assert found == cb.vstructures(dag, simulations=200, seed=3)
    assert found.unshielded == 20 * 190  # pairs of parents
    assert found.ratio == found.unshielded / found.pairs


def test_simulated_ratio_counts_as_the_graph_does():
    class Fixed:
        def choice(self, total, count, replace):
            self.drawn = np.random.default_rng(1).choice(total, count, replace=False)
            return self.drawn

    rng = Fixed()
    ratio = _random_ratio(12, 25, rng)
    pairs = [(p, c) for c in range(12) for p in range(c)]
    dag = cb.Dag.from_arcs([f"X{i}" for i in range(12)], [pairs[k] for k in rng.drawn])
    assert ratio == pytest.approx(cb.vstructures(dag, simulations=0).ratio)


def test_undirected_edges_shield_but_do_not_collide():
    graph = cb.Pdag.from_edges("abcd", directed=[("a", "c"), ("b", "c")], undirected=[("a", "b"), ("c", "d")])
    found = cb.vstructures(graph, simulations=0)
    assert (found.unshielded, found.shielded, found.pairs) == (0, 1, 5)


def test_a_graph_without_meeting_arcs_has_no_ratio():
    found = cb.vstructures(cb.Dag.from_arcs("ab", [("a", "b")]))
    assert np.isnan(found.ratio)
    assert np.isnan(found.simulated_mean)
    with pytest.raises(ClimateBNError, match="simulations"):
        cb.vstructures(cb.Dag.from_arcs("ab"), simulations=-1)


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(40, 90)))


@pytest.fixture(scope="module")
def dag(data):
    rng = np.random.default_rng(4)
    arcs = {tuple(sorted(rng.choice(len(data.names), 2, replace=False).tolist())) for _ in range(300)}
    return cb.Dag.from_arcs(data.names, arcs)


def test_centrality_equals_networkx(data, dag):
    fields = analysis.centrality(dag, data)
    graph = networkx.Graph(dag.arcs)
    graph.add_nodes_from(data.names)
    betweenness = networkx.betweenness_centrality(graph)
    area = np.cos(np.radians(data.lat))
    for i in (0, 17, 100):
        name, at = data.names[i], {"lat": data.lat[i], "lon": data.lon[i]}
        assert fields.degree.sel(at) == graph.degree[name]
        assert fields.betweenness.sel(at) == pytest.approx(betweenness[name])
        joined = sum(area[data.names.index(other)] for other in graph[name])
        assert fields.area_weighted_connectivity.sel(at) == pytest.approx(joined / area.sum())
    assert all(field.attrs["long_name"] for field in fields.data_vars.values())
    estimate = analysis.centrality(dag, data, sources=100)
    assert estimate.attrs["betweenness_sources"] == 100
    assert np.corrcoef(estimate.betweenness.values.ravel(), fields.betweenness.values.ravel())[0, 1] > 0.9
    with pytest.raises(ClimateBNError, match="sources"):
        analysis.centrality(dag, data, sources=0)


def test_communities_find_two_separate_parts(data):
    half = [(i, j) for i in range(30) for j in range(i + 1, 30)]
    other = [(i, j) for i in range(30, 50) for j in range(i + 1, 50)]
    found = analysis.communities(cb.Dag.from_arcs(data.names, half + other), data)
    labels = [float(found.sel(lat=data.lat[i], lon=data.lon[i])) for i in range(51)]
    assert labels[:30] == [1.0] * 30
    assert labels[30:50] == [2.0] * 20
    assert labels[50] > 2
    assert found.attrs["modularity"] > 0.3
    assert found.identical(analysis.communities(cb.Dag.from_arcs(data.names, half + other), data))
