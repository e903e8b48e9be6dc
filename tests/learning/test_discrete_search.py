"""Discrete structure learning: bnlearn's arcs and calls, and every algorithm with every discrete criterion."""

import numpy as np
import pytest
from references import frame, runs

import climatebn as cb
from climatebn.learning.registry import ALGORITHMS

SEARCHES = {
    "hc": ("hill_climbing", cb.BIC()),
    "tabu": ("tabu", cb.BIC()),
    "hc_bde": ("hill_climbing", cb.BDeu()),
    "tabu_bde": ("tabu", cb.BDeu()),
    "hc_bde_vsp": ("hill_climbing", cb.BDeu(prior="vsp")),
}
CHAIN = cb.Dag.from_arcs("abcd", [("a", "c"), ("b", "c"), ("c", "d")])  # one collider, one arc that it directs


def chain_sample():
    """A strong dependence: the network is its own CPDAG and every criterion finds it."""
    coin, either, copy = [0.5, 0.5], [[[0.95, 0.05], [0.1, 0.9]], [[0.3, 0.7], [0.02, 0.98]]], [[0.9, 0.1], [0.1, 0.9]]
    levels = [("no", "yes")] * 4
    return cb.DiscreteBN(CHAIN, levels, [coin, coin, either, copy]).sample_stats(5000, seed=1)


@pytest.mark.parametrize("name", ["alarm_800", "child_600"])
@pytest.mark.parametrize("key", SEARCHES)
def test_arcs_and_calls_equal_bnlearn(name, key):
    algorithm, criterion = SEARCHES[key]
    (run,) = runs(name, key)
    result = cb.learn(frame(name), algorithm, criterion, progress=False)
    assert sorted(result.dag.arcs) == sorted(map(tuple, run["directed"]))
    assert result.calls == result.calls_bnlearn == run["ntests"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("criterion", [cb.BIC(), cb.BIC(gamma=0.5), cb.BDeu(prior="vsp"), cb.AIC()], ids=repr)
def test_every_algorithm_takes_every_discrete_score(algorithm, criterion):
    result = cb.learn(chain_sample(), algorithm, criterion, seed=1, progress=False)
    truth = cb.cpdag(CHAIN)
    if isinstance(criterion, cb.AIC):  # AIC may keep an arc too many
        assert set(truth.skeleton) <= set(result.graph.skeleton)
    elif algorithm in ("mmpc", "hpc", "si_hiton_pc"):
        assert result.graph.skeleton == truth.skeleton
    else:
        assert cb.shd(result.dag, CHAIN) == 0


@pytest.mark.parametrize("algorithm", [name for name, entry in ALGORITHMS.items() if entry.kind == "constraint"])
@pytest.mark.parametrize("criterion", [cb.G2(0.001), cb.ChiSquare(0.001)], ids=repr)
def test_every_constraint_based_algorithm_takes_every_discrete_test(algorithm, criterion):
    result = cb.learn(chain_sample(), algorithm, criterion, progress=False)
    assert result.graph.skeleton == cb.cpdag(CHAIN).skeleton


def test_a_search_ends_where_no_single_move_improves():
    stats = cb.reference_network("child").sample_stats(460, seed=3)
    score = cb.BDeu(prior="vsp")
    dag = cb.learn(stats, "hill_climbing", score, progress=False).dag

    def total(arcs):
        return sum(
            score.local(stats, i, own) for i, own in enumerate(cb.Dag.from_arcs(dag.names, arcs).numbered_parents)
        )

    arcs = [tuple(edge) for edge in dag.numbered_arcs.tolist()]
    best = total(arcs)
    reach = np.linalg.inv(np.eye(20) - 0.01 * np.array([[(i, j) in arcs for j in range(20)] for i in range(20)])) > 0
    for i in range(20):
        for j in range(20):
            if (i, j) in arcs:
                rest = [arc for arc in arcs if arc != (i, j)]
                assert total(rest) <= best + 1e-6
            elif i != j and (j, i) not in arcs and not reach[j, i]:
                assert total([*arcs, (i, j)]) <= best + 1e-6


def test_column_order_and_level_names_do_not_matter_to_what_is_found():
    frame_ = cb.reference_network("child").sample(2000, seed=5)
    straight = cb.learn(frame_, "ges", cb.BDeu(), progress=False)
    shuffled = cb.learn(frame_, "ges", cb.BDeu(), order=7, progress=False)
    assert cb.shd(straight.dag, shuffled.dag) == 0
