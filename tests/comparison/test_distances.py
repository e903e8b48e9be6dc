"""Distances of Gaussian networks beside the dense formulas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn.comparison import node_divergence
from climatebn.errors import ClimateBNError

SYMMETRIC = ["bhattacharyya", "hellinger", "jeffreys", "shd", "arcs"]


def network(seed, size=6, names=None):
    rng = np.random.default_rng(seed)
    names = names or [f"X{i + 1}" for i in range(size)]
    order = rng.permutation(size)
    arcs = {
        (names[order[i]], names[order[j]]): rng.normal() for j in range(size) for i in range(j) if rng.random() < 0.5
    }
    numbers = (
        dict(zip(names, rng.normal(size=size), strict=True)),
        dict(zip(names, rng.uniform(0.3, 2, size), strict=True)),
    )
    return cb.GaussianBN.from_parameters(tuple(names), arcs, *numbers)


def dense(a, b, measure):
    at = [b.names.index(name) for name in a.names]
    s, t, m, v = a.covariance(), b.covariance()[np.ix_(at, at)], a.mean, b.mean[at]
    if measure == "kl":
        logs = np.linalg.slogdet(t)[1] - np.linalg.slogdet(s)[1]
        return 0.5 * (np.trace(np.linalg.solve(t, s)) - len(m) + (m - v) @ np.linalg.solve(t, m - v) + logs)
    middle = (s + t) / 2
    logs = np.linalg.slogdet(middle)[1] - (np.linalg.slogdet(s)[1] + np.linalg.slogdet(t)[1]) / 2
    return (m - v) @ np.linalg.solve(middle, m - v) / 8 + logs / 2


@given(first=st.integers(0, 2**31), second=st.integers(0, 2**31))
@settings(max_examples=30, deadline=None)
def test_distances_equal_the_dense_formulas(first, second):
    a, b = network(first), network(second)
    assert cb.distance(a, b, "kl") == pytest.approx(dense(a, b, "kl"), rel=1e-10, abs=1e-10)
    apart = dense(a, b, "bhattacharyya")
    assert cb.distance(a, b) == pytest.approx(apart, rel=1e-10, abs=1e-10)
    assert cb.distance(a, b, "hellinger") == pytest.approx(np.sqrt(1 - np.exp(-apart)), abs=1e-7)
    assert cb.distance(a, b, "loglik") == pytest.approx(cb.distance(a, b, "kl") / 6)
    assert node_divergence(a, b).sum().item() == pytest.approx(cb.distance(a, b, "kl"), abs=1e-10)
    for measure in SYMMETRIC:
        assert cb.distance(a, b, measure) == pytest.approx(cb.distance(b, a, measure), abs=1e-12)


@pytest.mark.parametrize("measure", [*SYMMETRIC, "kl", "loglik"])
def test_equal_networks_are_at_distance_0(measure):
    assert cb.distance(network(1), network(1), measure) == 0


def test_the_order_of_nodes_does_not_matter():
    a, b = network(1), network(2)
    names = list(b.names)[::-1]
    arcs = {arc: float(value) for arc, value in zip(b.dag.arcs, b.arc_coefficients, strict=True)}
    numbers = (dict(zip(b.names, values.tolist(), strict=True)) for values in (b.intercepts, b.residual_variances))
    turned = cb.GaussianBN.from_parameters(tuple(names), arcs, *numbers)
    for measure in ("bhattacharyya", "kl", "jeffreys", "shd", "arcs"):
        assert cb.distance(a, turned, measure) == pytest.approx(cb.distance(a, b, measure), abs=1e-10)


def test_correlations_only_do_not_see_means_and_scales():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4))
    dag = cb.learn(values, "tabu", progress=False).dag
    plain, scaled = cb.fit(dag, values), cb.fit(dag, 5 + values * [1, 2, 3, 4], scale="sd")
    assert cb.distance(plain, scaled, correlations=True) == pytest.approx(0, abs=1e-10)
    assert cb.distance(plain, scaled, "kl", correlations=True) == pytest.approx(0, abs=1e-10)
    assert cb.distance(plain, scaled) > 1
    assert cb.distance(cb.fit(dag, values, scale="sd"), plain) == pytest.approx(0, abs=1e-10)


def test_bad_input_is_named():
    with pytest.raises(ClimateBNError, match="2 are in one of them only: X6, Z"):
        cb.distance(network(1), network(1, names=["X1", "X2", "X3", "X4", "X5", "Z"]))
    with pytest.raises(ClimateBNError, match="unknown measure 'helinger'; did you mean 'hellinger'"):
        cb.distance(network(1), network(2), "helinger")
    with pytest.raises(ClimateBNError, match="fitted Gaussian networks"):
        cb.distance(network(1).dag, network(2))
