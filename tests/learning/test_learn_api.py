"""`learn` itself: what it accepts, what it records, what it refuses, and results that survive a file."""

import json

import numpy as np
import pandas as pd
import pytest
from references import frame

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.learning.api import to_stats


@pytest.fixture(scope="module")
def data():
    return frame("gauss8")


def test_every_kind_of_input_gives_the_same_network(data):
    before = data.copy()
    wanted = cb.learn(data, "hill_climbing", cb.BIC())
    stats = cb.GaussianStats(len(data), data.cov().to_numpy(), list(data.columns))
    assert cb.learn(stats, "hill_climbing", cb.BIC()).dag == wanted.dag
    plain = cb.learn(data.to_numpy(), "hill_climbing", cb.BIC())
    assert plain.dag.numbered_parents == wanted.dag.numbered_parents
    assert plain.dag.names == tuple(f"X{i + 1}" for i in range(8))
    pd.testing.assert_frame_equal(data, before)


def test_the_record_is_complete(data):
    result = cb.learn(data, "hill_climbing", cb.BIC(gamma=0.5), seed=3)
    assert result.valid
    assert result.graph.directed == result.dag.arcs
    assert result.graph.undirected == []
    assert result.graph.skeleton == result.dag.skeleton
    assert (result.algorithm, result.seed, result.order) == ("hill_climbing", 3, tuple(range(8)))
    assert "gamma=0.5" in result.criterion
    assert result.seconds > 0
    assert result.calls > 28
    assert {"climatebn", "numpy", "numba"} <= result.versions.keys()
    assert len(result.trace) >= len(result.dag.arcs)
    total = sum(step.gain for step in result.trace)
    stats = cb.GaussianStats.of(data.to_numpy(), data.columns)
    score = cb.BIC(gamma=0.5)
    full = sum(score.local(stats, i, p) for i, p in enumerate(result.dag.numbered_parents))
    empty = sum(score.local(stats, i, ()) for i in range(8))
    assert total == pytest.approx(full - empty, rel=1e-9)


def test_order_is_that_of_permuted_columns_and_names_stay(data):
    order = [3, 1, 7, 0, 2, 6, 5, 4]
    shuffled = data.iloc[:, order]
    given = cb.learn(data, "hill_climbing", order=order)
    direct = cb.learn(shuffled, "hill_climbing")
    assert set(given.dag.arcs) == set(direct.dag.arcs)
    assert given.trace == direct.trace
    assert given.dag.names == tuple(data.columns)
    assert given.order == tuple(order)
    seeded = cb.learn(data, "hill_climbing", order=5)
    assert seeded.order != tuple(range(8))
    assert cb.learn(data, "hill_climbing", order=seeded.order).dag == seeded.dag


@pytest.mark.parametrize("algorithm", ["hill_climbing", "pc_stable", "mmhc"])
def test_save_and_load(data, tmp_path, algorithm):
    result = cb.learn(data, algorithm, cb.BIC())
    result.save(tmp_path / "result.json")
    again = cb.LearnResult.load(tmp_path / "result.json")
    assert again == result


def test_a_damaged_file_is_named(data, tmp_path):
    path = tmp_path / "result.json"
    cb.learn(data, "hill_climbing").save(path)
    record = json.loads(path.read_text())
    for wrong, message in [
        ("{", "is not a climatebn result"),
        ("[]", "is not a climatebn result"),
        (json.dumps(record | {"schema": 99}), "has schema 99"),
        (json.dumps({k: v for k, v in record.items() if k != "trace"}), "is damaged"),
        (json.dumps(record | {"surprise": 1}), "is damaged"),
        (json.dumps(record | {"directed": [[0, 99]]}), "outside 0"),
        (json.dumps(record | {"valid": False}), "valid is False, but there is a dag"),
        (json.dumps(record | {"dag": None}), "valid is True, but there is no dag"),
        (json.dumps(record | {"dag": record["dag"][1:]}), "does not have the arcs and edges of its graph"),
    ]:
        path.write_text(wrong)
        with pytest.raises(ClimateBNError, match=message):
            cb.LearnResult.load(path)


def test_networkx_keeps_undirected_edges_apart(data):
    result = cb.learn(data, "pc_stable", cb.BIC())
    graph = result.to_networkx()
    marked = {frozenset(edge[:2]) for edge in graph.edges(data="undirected") if edge[2]}
    assert marked == {frozenset(edge) for edge in result.graph.undirected}
    assert list(graph.nodes) == list(data.columns)


def test_what_is_refused(data):
    with pytest.raises(ClimateBNError, match="unknown algorithm 'tabo'; did you mean 'tabu'"):
        cb.learn(data, "tabo")
    with pytest.raises(ClimateBNError, match=r"tabu needs a score; FisherZ.* is a test.*pc_stable"):
        cb.learn(data, "tabu", cb.FisherZ(0.05))
    with pytest.raises(ClimateBNError, match=r"BDeu.* is for discrete data; the data is gaussian"):
        cb.learn(data, "tabu", cb.BDeu())
    with pytest.raises(ClimateBNError, match="unknown criterion 'bic'; did you mean 'BIC'"):
        cb.learn(data, "tabu", "bic")
    with pytest.raises(ClimateBNError, match="test= is for hybrid algorithms"):
        cb.learn(data, "tabu", test=cb.G2(0.05))
    with pytest.raises(ClimateBNError, match="unknown option of tabu 'max_itr'; did you mean 'max_iter'"):
        cb.learn(data, "tabu", max_itr=3)
    with pytest.raises(ClimateBNError, match="order must be a permutation"):
        cb.learn(data, "tabu", order=[0, 0, 1])
    with pytest.raises(ClimateBNError, match="at least 3 observations"):
        cb.learn(data.iloc[:2], "tabu")
    with pytest.raises(ClimateBNError, match=r"constant nodes .*V3"):
        cb.learn(data.assign(V3=1.0), "tabu")
    with pytest.raises(ClimateBNError, match="V3 = V2"):
        cb.learn(data.assign(V3=data["V2"]), "tabu")
    with pytest.raises(ClimateBNError, match=r"1 missing or infinite values in 1 nodes \(V4"):
        cb.learn(data.assign(V4=data["V4"].mask(data.index == 9)), "tabu")
    with pytest.raises(ClimateBNError, match="partly categories"):
        cb.learn(data.assign(V3=pd.Categorical(["a", "b"] * (len(data) // 2))), "tabu")


def test_knowledge_is_checked():
    with pytest.raises(ClimateBNError, match="both required and forbidden: a → b"):
        cb.Knowledge(required=[("a", "b")], forbidden=[("a", "b")]).numbered("abc")
    with pytest.raises(ClimateBNError, match="cycle"):
        cb.Knowledge(required=[("a", "b"), ("b", "a")]).numbered("abc")
    with pytest.raises(ClimateBNError, match="2 parents; max_parents is 1"):
        cb.Knowledge(required=[("a", "c"), ("b", "c")], max_parents=1).numbered("abc")
    with pytest.raises(ClimateBNError, match="unknown node 'd'"):
        cb.Knowledge(required=[("a", "d")]).numbered("abc")


def test_lists_of_what_there_is():
    assert set(cb.algorithms()) == {
        *("pc_stable", "grow_shrink", "inter_iamb", "mmpc", "hpc", "si_hiton_pc"),
        *("hill_climbing", "tabu", "annealing", "boss", "best", "exact", "ges", "mmhc", "rsmax2", "h2pc"),
    }
    assert cb.criteria()["BIC"].startswith("score")
    assert cb.criteria()["FisherZ"].startswith("test")


def test_a_bounded_search_says_so():
    values = np.random.default_rng(1).normal(size=(50, 200)).cumsum(axis=1)
    result = cb.learn(values, "tabu", max_seconds=0.0)
    assert result.valid
    assert result.notes


@pytest.mark.parametrize("algorithm", ["hill_climbing", "ges", "annealing", "mmhc", "pc_stable"])
@pytest.mark.parametrize("score", [cb.BIC(gamma=0.2), cb.BGe()], ids=repr)
def test_the_score_is_that_of_the_dag(data, algorithm, score):
    result = cb.learn(data, algorithm, score, order=5, seed=1, progress=False)
    stats = cb.GaussianStats.of(data.to_numpy(), data.columns)
    if algorithm == "pc_stable":
        assert result.score is None
    else:
        wanted = sum(score.local(stats, i, parents) for i, parents in enumerate(result.dag.numbered_parents))
        assert result.score == pytest.approx(wanted, rel=1e-12)


def test_discrete_score():
    frame = cb.reference_network("child").sample(500, seed=1)
    result = cb.learn(frame, "tabu", cb.BDeu(), progress=False)
    stats = to_stats(frame)
    assert result.score == pytest.approx(
        sum(cb.BDeu().local(stats, i, parents) for i, parents in enumerate(result.dag.numbered_parents))
    )


@pytest.mark.parametrize(
    ("algorithm", "wrong"), [("pc_stable", {"threads": 10**6}), ("annealing", {"sweeps": 20_000_000})]
)
def test_numbers_that_would_take_a_machine_down_are_refused(data, algorithm, wrong):
    with pytest.raises(ClimateBNError, match=f"{next(iter(wrong))} must be a whole number, 1 … "):
        cb.learn(data, algorithm, **wrong)


def test_more_threads_than_nodes_change_nothing(data):
    assert cb.learn(data, "grow_shrink", threads=500).graph == cb.learn(data, "grow_shrink").graph
