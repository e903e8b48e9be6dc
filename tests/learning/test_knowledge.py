"""Tiers, places and regions in Knowledge: what algorithms then do, and what is refused."""

import numpy as np
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError


@pytest.fixture(scope="module")
def chain():
    """d → c → b → a, learned with tiers against and along it."""
    rng = np.random.default_rng(3)
    columns = [rng.normal(size=400)]
    for _ in range(3):
        columns.append(columns[-1] + rng.normal(size=400))
    return cb.NodeData(
        np.column_stack(columns[::-1]),
        cb.ingest.Nodes(tuple("abcd"), [0, 0, 10, 10], [0, 10, 0, 10], [0, 10], [0, 10]),
        np.arange("1980-01", "2013-05", dtype="datetime64[M]"),
    )


@pytest.mark.parametrize(
    "algorithm", ["hill_climbing", "tabu", "annealing", "pc_stable", "grow_shrink", "mmhc", "h2pc"]
)
@pytest.mark.parametrize("order", [None, 5])
def test_no_arc_leads_to_an_earlier_tier(chain, algorithm, order):
    tiers = [["a", "b"], [(10, 0)], ["d"]]
    result = cb.learn(chain, algorithm, knowledge=cb.Knowledge(tiers=tiers), order=order, progress=False, seed=1)
    rank = {"a": 0, "b": 0, "c": 1, "d": 2}
    assert {("b", "c"), ("c", "d")} <= set(result.graph.directed)
    assert all(rank[a] <= rank[b] for a, b in result.graph.directed)
    assert all(rank[a] == rank[b] for a, b in result.graph.undirected)
    assert all(rank[a] <= rank[b] for a, b in result.dag.arcs)


def test_places_in_required_and_forbidden_and_free_nodes(chain):
    by_name = cb.Knowledge(required=[("a", "d")], forbidden=[("c", "d"), ("d", "c")])
    by_place = cb.Knowledge(required=[((0, 0), (10, 10))], forbidden=[((10, 0), "d"), ("d", (10.5, 359))])
    assert by_place.numbered(chain.names, chain.nodes) == by_name.numbered(chain.names)
    result = cb.learn(chain, "tabu", knowledge=by_place, progress=False)
    assert ("a", "d") in result.dag.arcs
    assert not {("c", "d"), ("d", "c")} & set(result.dag.arcs)
    free = cb.Knowledge(tiers=[["d"], ["a"]]).numbered(chain.names)
    table = free.barred_table(4)
    assert np.argwhere(table).tolist() == [[0, 3]]
    assert table.tolist() == [[free.barred(i, j) for j in range(4)] for i in range(4)]


def test_a_region_is_a_tier_and_large_tiers_are_arrays():
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-30, 30)))
    known = cb.Knowledge(tiers=[cb.Region(lat=(-30, 0), lon=(-180, 180)), [cb.Region(lat=(0, 30), lon=(-180, 180))]])
    table = known.numbered(data.names, data.nodes).barred_table(216)
    np.testing.assert_array_equal(table, (data.lat[:, None] > 0) & (data.lat[None] < 0))
    dag = cb.learn(data, "hill_climbing", cb.BIC(gamma=5), knowledge=known, progress=False).dag
    assert not table[tuple(dag.numbered_arcs.T)].any()
    assert any(data.lat[a] < 0 < data.lat[b] for a, b in dag.numbered_arcs.tolist())


@pytest.mark.parametrize(
    ("knowledge", "words"),
    [
        ({"tiers": [["a"], ["a", "b"]]}, "each node once; a comes again"),
        ({"tiers": ["ab", "cd"]}, "tiers must be groups of nodes"),
        ({"tiers": [["a"], ["e"]]}, "unknown node 'e'"),
        ({"tiers": [["a"], ["b"]], "required": [("b", "a")]}, "both required and forbidden: b → a"),
        ({"required": [((80, 0), "a")]}, "lies outside the network"),
        ({"required": ["ab", "a"]}, r"required must be \(from, to\) pairs"),
        ({"forbidden": [(None, "a")]}, "nodes are names or places"),
    ],
)
def test_wrong_knowledge_is_said(chain, knowledge, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.learn(chain, knowledge=cb.Knowledge(**knowledge), progress=False)


def test_places_need_data_that_has_them(chain):
    with pytest.raises(ClimateBNError, match="needs nodes with lat and lon"):
        cb.learn(chain.values, knowledge=cb.Knowledge(forbidden=[((0, 0), "X1")]), progress=False)


def test_a_field_is_sent_to_to_nodes():
    field = cb.load_ncep()
    for wrong in (field, field.to_dataset(name="air")):
        with pytest.raises(ClimateBNError, match=r"use cb\.to_nodes"):
            cb.learn(wrong)


def test_a_table_smaller_than_the_nodes_that_knowledge_names_is_refused():
    known = cb.Knowledge(forbidden=[("a", "b")]).numbered(["a", "b"])
    assert known.barred_table(3).nonzero() == ([0], [1])
    with pytest.raises(ClimateBNError, match="size must be a whole number, 2 … 100000; got 1"):
        known.barred_table(1)
