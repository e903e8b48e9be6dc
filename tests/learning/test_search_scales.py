"""Searches end, and find the same, whatever the number of observations and the units of the data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn.errors import ClimateBNError


def covariance(seed, nodes=9):
    """Of a random sparse network, exactly: the likelihoods of equivalent networks differ by rounding errors only."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.uniform(0.2, 1.0, (nodes, nodes)) * (rng.random((nodes, nodes)) < 0.35), 1)
    mixing = np.linalg.inv(np.eye(nodes) - weights)
    return mixing.T @ mixing


def score(stats, dag):
    return sum(cb.BIC().local(stats, node, parents) for node, parents in enumerate(dag.numbered_parents))


def learned(stats, algorithm):
    options = {} if algorithm == "ges" else {"max_iter": 5000}  # a walk that long goes round in circles
    result = cb.learn(stats, algorithm, cb.BIC(), progress=False, **options)
    assert not any("stopped" in note for note in result.notes)
    return score(stats, result.dag) - score(stats, cb.Dag.from_arcs(stats.names))


@given(
    seed=st.integers(0, 10**6),
    n=st.floats(1.0, 12.0).map(lambda power: int(10**power)),
    power=st.integers(-150, 150),
    algorithm=st.sampled_from(["hill_climbing", "tabu", "ges"]),
)
@settings(deadline=None, max_examples=60)
def test_a_search_ends_at_any_size_and_in_any_units(seed, n, power, algorithm):
    cov = covariance(seed)
    plain = learned(cb.GaussianStats(n, cov), algorithm)
    scaled = learned(cb.GaussianStats(n, cov * 10.0**power * 10.0**power), algorithm)
    assert np.isfinite(plain)
    assert plain >= 0
    assert scaled == pytest.approx(plain, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("seed", [19, 42, 52, 54, 62])  # where a tolerance of 1.49e-8 goes round for ever
def test_tabu_ends_on_a_population_covariance_of_a_thousand_million_observations(seed):
    assert learned(cb.GaussianStats(10**9, covariance(seed)), "tabu") > 0


def test_columns_in_units_far_apart_keep_their_arcs():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 3)) @ [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
    want = cb.learn(x, "tabu", progress=False).graph.skeleton
    for algorithm in ("tabu", "ges", "annealing", "pc_stable"):
        assert cb.learn(x * [1e-140, 1.0, 1e140], algorithm, progress=False).graph.skeleton == want


@pytest.mark.parametrize("factor", [1e-160, 1e160])
def test_variances_beyond_double_precision_are_refused_in_words(factor):
    x = np.random.default_rng(1).normal(size=(50, 2)) * [1.0, factor]
    with pytest.raises(ClimateBNError, match="variance of X2 is outside"):
        cb.learn(x, "tabu", progress=False)


def test_bge_refuses_units_that_its_prior_cannot_meet():
    x = np.random.default_rng(1).normal(size=(50, 2)) * 1e100
    with pytest.raises(ClimateBNError, match="compares variances with those of its prior"):
        cb.learn(x, "tabu", cb.BGe(), progress=False)
