"""Nearly collinear data, where gains are known only to about τ: a polar row, and linear interpolation between nodes."""

import numpy as np
import pandas as pd
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError


def polar_row(seed, noise, nodes=30, n=80):
    """A tabu_list of nodes that share one signal and differ by small waves along the tabu_list."""
    random = np.random.default_rng(seed)
    angle = 2 * np.pi * np.arange(nodes) / nodes
    waves = np.array([wave(k * angle) / 10.0 ** (k + 1) for k in (1, 2, 3) for wave in (np.sin, np.cos)])
    shared = random.normal(size=(n, 1)) + random.normal(size=(n, 6)) @ waves
    return cb.GaussianStats.of(shared + noise * random.normal(size=(n, nodes)))


def assert_ended_where_the_gains_add_up(stats, algorithm, score):
    """The walk is cut at a length that it has only if it goes round in circles."""
    result = cb.learn(stats, algorithm, score, max_iter=20_000, progress=False)
    assert not any("stopped" in note for note in result.notes)
    reached, empty = (
        sum(score.local(stats, node, parents) for node, parents in enumerate(lists))
        for lists in (result.dag.numbered_parents, [()] * len(stats.names))
    )
    assert reached - empty == pytest.approx(max(np.cumsum([step.gain for step in result.trace])), abs=1e-4)


@pytest.mark.parametrize(("noise", "seed"), [(3e-4, 5), (3e-4, 8), (3e-4, 9), (1e-4, 0), (1e-4, 4), (1e-4, 7)])
def test_rounding_errors_do_not_keep_tabu_going(noise, seed):
    """A best network by the gains alone is found again and again in each of these samples."""
    assert_ended_where_the_gains_add_up(polar_row(seed, noise), "tabu", cb.BIC())


@pytest.mark.parametrize("algorithm", ["hill_climbing", "tabu"])
@pytest.mark.parametrize("given", ["start", "required"])
def test_more_parents_than_the_observations_allow_are_refused(algorithm, given):
    stats = cb.GaussianStats.of(np.random.default_rng(1).normal(size=(10, 12)))
    arcs = [(f"X{i + 1}", "X12") for i in range(8)]
    arguments = {"start": arcs} if given == "start" else {"knowledge": cb.Knowledge(required=arcs)}
    with pytest.raises(ClimateBNError, match="give X12 8 parents; 10 observations allow 7"):
        cb.learn(stats, algorithm, cb.BIC(), progress=False, **arguments)
    kept = cb.learn(stats, algorithm, cb.BIC(), start=arcs[1:], max_iter=0, progress=False)
    assert set(kept.dag.arcs) == set(arcs[1:])


@pytest.fixture(scope="module")
def interpolated():
    field = cb.regrid(cb.load_ncep(), cb.Grid.paper(), method="linear")
    stats = cb.GaussianStats.of(cb.to_nodes(cb.anomalies(field)).values)
    assert np.linalg.matrix_rank(stats.cov) < stats.n < len(stats.names)
    return stats


@pytest.mark.parametrize("gamma", [0, 0.2, 1, 10, 50])
@pytest.mark.parametrize("algorithm", ["hill_climbing", "tabu"])
def test_every_penalty_ends_on_the_points_of_the_authors(interpolated, algorithm, gamma):
    assert_ended_where_the_gains_add_up(interpolated, algorithm, cb.BIC(gamma))


def nearly_collinear(share, n=400):
    """c = a − b up to a small share of its variance, and two nodes that hang on c."""
    random = np.random.default_rng(7)
    a, b, d, e, small = random.normal(size=(5, n))
    c = a - b + np.sqrt(2 * share) * small
    return pd.DataFrame({"a": a, "b": b, "c": c, "d": c + d, "e": c + a + e})


@pytest.mark.parametrize("share", [1e-12, 1e-11, 3e-10, 1e-6])
@pytest.mark.parametrize("score", [cb.BIC(), cb.AIC()], ids=["BIC", "AIC"])
def test_all_searches_see_the_arc_of_nearly_collinear_nodes(share, score):
    data = nearly_collinear(share)
    stats = cb.GaussianStats.of(data.to_numpy(), list(data))
    found = {}
    for algorithm in ("hill_climbing", "tabu", "ges", "annealing"):
        result = cb.learn(stats, algorithm, score, seed=1, progress=False)
        parents = result.dag.numbered_parents
        found[algorithm] = sum(score.local(stats, node, own) for node, own in enumerate(parents))
        told = [note for note in result.notes if "nearly collinear" in note]
        assert bool(told) == (share < 1e-10)
        assert not told or all(name in told[0] for name in "abc")
    without = -len(data) / 2 * np.log(share) / 2  # half of what the arc is worth
    assert max(found.values()) - min(found.values()) < without
