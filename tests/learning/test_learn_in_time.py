"""Learning with lags: what may be joined, the same table by every way, recovery of a known network, bad input."""

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.graph import cpdag

SCORES = ["tabu", "hill_climbing", "ges", "annealing", "boss", "best"]


def simulated(size: int, lags: tuple[int, ...], n: int, seed: int, same_month: bool = False):
    """A record of a random stable network: two lagged parents a node, coefficients ±0.2 … 0.4; and its lagged arcs."""
    random = np.random.default_rng(seed)
    while True:
        weights = np.zeros((max(lags) + 1, size, size))
        for child in range(size):
            for pick in random.choice(size * len(lags), 2, replace=False):
                weight = random.uniform(0.2, 0.4) * random.choice([-1, 1])
                weights[lags[pick // size], child, pick % size] = weight
            if same_month and child:
                weights[0, child, random.integers(child)] = random.uniform(0.4, 0.8)
        solved = np.linalg.inv(np.eye(size) - weights[0])
        reduced = solved @ weights[1:]
        companion = np.zeros((max(lags) * size,) * 2)
        companion[:size] = np.concatenate(list(reduced), axis=1)
        companion[size:, :-size] = np.eye((max(lags) - 1) * size)
        if np.abs(np.linalg.eigvals(companion)).max() < 0.95:
            break
    x = np.zeros((n + 100, size))
    for t in range(max(lags), n + 100):
        x[t] = solved @ random.normal(size=size) + sum(reduced[k] @ x[t - 1 - k] for k in range(max(lags)))
    truth = {
        (f"X{source + 1}" + (f"@-{lag}" if lag else ""), f"X{target + 1}")
        for lag, target, source in np.argwhere(weights).tolist()
    }
    return x[100:], truth


@pytest.fixture(scope="module")
def tropics():
    return cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 3))))


def rule_holds(result, same_month):
    graph = result.graph
    assert not [arc for arc in graph.arcs if "@" in arc[1]]
    assert not [line for line in graph.undirected if "@" in line[0] + line[1]]
    present = [edge for edge in [*graph.arcs, *graph.undirected] if "@" not in edge[0]]
    assert bool(present) == same_month
    assert any("@" in arc[0] for arc in graph.arcs)


@pytest.mark.parametrize("algorithm", [*SCORES, "pc_stable", "mmhc"])
@pytest.mark.parametrize("lags", [(0, 1, 2), (1,), (1, 3)])
def test_arcs_run_forward_or_within_the_month(tropics, algorithm, lags):
    options = {"max_condset": 2} if algorithm == "pc_stable" else {}
    result = cb.learn(tropics, algorithm, cb.BIC(gamma=1), lags=lags, seed=1, progress=False, **options)
    rule_holds(result, 0 in lags)
    assert result.lags == lags
    assert len(result.graph.names) == 24 * (1 + len([lag for lag in lags if lag]))
    assert any(f"{360 - max(lags)} months have the months before them" in note for note in result.notes)


@pytest.mark.parametrize("orient", ["majority", "strongest", "maxp"])
def test_pc_stable_directs_lagged_edges_by_time(tropics, orient):
    result = cb.learn(tropics, "pc_stable", cb.BIC(gamma=2), lags=(0, 1), orient=orient, max_condset=2, progress=False)
    rule_holds(result, True)


def test_lag_0_is_todays_network(tropics):
    for algorithm in ("tabu", "pc_stable"):
        plain = cb.learn(tropics, algorithm, cb.BIC(gamma=1), progress=False)
        same = cb.learn(tropics, algorithm, cb.BIC(gamma=1), lags=(0,), progress=False)
        assert plain.graph.arcs == same.graph.arcs
        assert (plain.calls, plain.score, same.lags) == (same.calls, same.score, ())
    assert isinstance(cb.fit(cb.learn(tropics, lags=(0,), progress=False), tropics), cb.GaussianBN)


def test_the_lagged_table_gives_the_same_network(tropics):
    result = cb.learn(tropics, "tabu", cb.BIC(gamma=1), lags=(0, 1), progress=False)
    table = cb.lagged(tropics, (0, 1))
    frame = pd.DataFrame(tropics.values, columns=tropics.names)
    for data, lags in (
        (table, None),
        (table, (0, 1)),
        (frame, (0, 1)),
        (cb.GaussianStats.of(table.values, table.names), (0, 1)),
    ):
        assert cb.learn(data, "tabu", cb.BIC(gamma=1), lags=lags, progress=False).dag == result.dag
    shuffled = cb.learn(tropics, "tabu", cb.BIC(gamma=1), lags=(0, 1), order=3, progress=False)
    rule_holds(shuffled, True)
    without = cb.lagged(tropics, (1,))
    rule_holds(cb.learn(without, "tabu", cb.BIC(gamma=1), progress=False), False)


def test_knowledge_on_top(tropics):
    known = cb.Knowledge(required=[("X3@-1", "X9")], forbidden=[("X1@-1", "X1")], max_parents=3)
    result = cb.learn(tropics, "tabu", cb.BIC(gamma=1), lags=(0, 1), knowledge=known, progress=False)
    assert ("X3@-1", "X9") in result.dag.arcs
    assert ("X1@-1", "X1") not in result.dag.arcs
    assert max(map(len, result.dag.numbered_parents)) <= 3
    wrong = cb.Knowledge(required=[("X9", "X3@-1")])
    with pytest.raises(ClimateBNError, match="forward in time"):
        cb.learn(tropics, lags=(0, 1), knowledge=wrong, progress=False)


def test_no_legal_single_arc_raises_the_score_of_ges():
    x, _ = simulated(8, (1,), 400, seed=5, same_month=True)
    result = cb.learn(x, "ges", cb.BIC(), lags=(0, 1), progress=False)
    rule_holds(result, True)
    stats = cb.GaussianStats.of(cb.lagged(x, (0, 1)).to_numpy(), result.graph.names)
    climbed = cb.learn(x, "ges", cb.BIC(), lags=(0, 1), then="tabu", progress=False)
    assert result.score <= climbed.score + 1e-6
    score = cb.BIC()
    parents = result.dag.numbered_parents
    for child in range(8):
        here = score.local(stats, child, parents[child])
        for past in range(8, 16):
            other = sorted(set(parents[child]) ^ {past})
            assert score.local(stats, child, other) <= here + 1e-6


def test_the_class_of_a_network_in_time_keeps_lagged_arcs_directed():
    dag = cb.Dag.from_arcs(["a", "b", "c", "a@-1"], [("a@-1", "a"), ("a", "b"), ("c", "b")])
    assert cpdag(cb.Dag.from_arcs(["a", "b", "p"], [("p", "a"), ("p", "b"), ("a", "b")]), {2}).arcs == [
        ("p", "a"),
        ("p", "b"),
    ]
    assert cpdag(dag, {3}).undirected == []
    assert cpdag(cb.Dag.from_arcs(["a", "b", "p"], [("p", "a"), ("a", "b")]), {2}).arcs == [("a", "b"), ("p", "a")]


def test_recovery_of_lagged_arcs():
    hits = found = wanted = 0
    for seed in range(3):
        x, truth = simulated(50, (1, 2), 2000, seed)
        arcs = set(cb.learn(x, "tabu", cb.BIC(gamma=0.5), lags=(1, 2), progress=False).dag.arcs)
        hits, found, wanted = hits + len(arcs & truth), found + len(arcs), wanted + len(truth)
    assert hits / found >= 0.95
    assert hits / wanted >= 0.95


def test_a_result_file_keeps_lags_and_places(tropics, tmp_path):
    result = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=1), lags=(0, 2), progress=False)
    result.save(tmp_path / "r.json")
    back = cb.LearnResult.load(tmp_path / "r.json")
    assert back.lags == (0, 2)
    assert back.dag == result.dag
    np.testing.assert_array_equal(back.nodes.lag, result.nodes.lag)
    assert isinstance(cb.fit(back, tropics), cb.DynamicBN)
