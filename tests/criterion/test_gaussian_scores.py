"""Gaussian scores: bnlearn's numbers, textbook formulas as oracle, worked numbers, and settings that are refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import frame, numbers
from scipy.special import multigammaln

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.learning.api import to_stats

SCORES = {
    "loglik": cb.LogLik(variance="unbiased"),
    "bic": cb.BIC(variance="unbiased"),
    "bic_gamma1": cb.BIC(gamma=1, variance="unbiased"),
    "aic": cb.AIC(variance="unbiased"),
    "bge": cb.BGe(),
    "bge_vsp": cb.BGe(prior="vsp"),
}
WITH_SCORES = [name for name in ("gauss8", "gauss25", "gauss60", "ncep72") if "scores" in numbers(name)]
PAIR = cb.GaussianStats(100, [[1.0, 0.5], [0.5, 1.0]])


def sample(seed, n=30, nodes=6):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, nodes)) @ rng.normal(size=(nodes, nodes)) + rng.normal(size=nodes)


def residual_sum_of_squares(values, node, parents):
    """Of the least-squares fit with an intercept, from the observations themselves."""
    design = np.column_stack([np.ones(len(values)), values[:, list(parents)]])
    coefficients = np.linalg.lstsq(design, values[:, node], rcond=None)[0]
    return float(((values[:, node] - design @ coefficients) ** 2).sum())


def marginal_likelihood(values, subset, iss_mu, iss_w):
    """log P(observations of a subset of the nodes) under the normal–Wishart prior, by determinants."""
    (n, nodes), size = values.shape, len(subset)
    if not size:
        return 0.0
    scale = iss_mu * (iss_w - nodes - 1) / (iss_mu + 1)
    columns = values[:, list(subset)]
    posterior = scale * np.eye(size) + (columns - columns.mean(axis=0)).T @ (columns - columns.mean(axis=0))
    freedom = iss_w - nodes + size
    return (
        size / 2 * math.log(iss_mu / (n + iss_mu))
        - size * n / 2 * math.log(math.pi)
        + multigammaln((n + freedom) / 2, size)
        - multigammaln(freedom / 2, size)
        + freedom * size / 2 * math.log(scale)
        - (n + freedom) / 2 * np.linalg.slogdet(posterior)[1]
    )


def total(score, stats, dag):
    return sum(score.local(stats, node, parents) for node, parents in enumerate(dag.numbered_parents))


def test_reference_scores_are_there():
    assert WITH_SCORES == ["gauss8", "gauss25", "ncep72"]
    assert all(len(numbers(name)["scores"]) == 12 for name in WITH_SCORES)


@pytest.mark.parametrize("name", WITH_SCORES)
@pytest.mark.parametrize("key", SCORES)
def test_scores_equal_bnlearn(name, key):
    stats = to_stats(frame(name))
    for network in numbers(name)["scores"]:
        dag = cb.Dag.from_arcs(stats.names, network["arcs"])
        assert total(SCORES[key], stats, dag) == pytest.approx(network[key], rel=1e-9)


@given(st.integers(0, 10**6), st.sets(st.integers(1, 5)), st.sampled_from(["ml", "unbiased"]))
@settings(max_examples=40, deadline=None)
def test_penalised_likelihoods_by_least_squares(seed, parents, variance):
    values = sample(seed)
    stats = cb.GaussianStats.of(values)
    n, k = 30, len(parents)
    divisor = n if variance == "ml" else n - k - 1
    rss = residual_sum_of_squares(values, 0, parents)
    likelihood = -n / 2 * math.log(2 * math.pi * rss / divisor) - divisor / 2
    for score, price in [
        (cb.LogLik(variance), 0),
        (cb.AIC(variance), 1),
        (cb.BIC(0, variance), math.log(n) / 2),
        (cb.BIC(2.5, variance), math.log(n) / 2 + 2.5 * math.log(6)),
        (cb.BIC(2.5, variance, weight=3.0), 3 * (math.log(n) / 2 + 2.5 * math.log(6))),
    ]:
        assert score.local(stats, 0, sorted(parents)) == pytest.approx(likelihood - price * (k + 2), rel=1e-9)


@given(
    st.integers(0, 10**6), st.sets(st.integers(1, 5)), st.sampled_from([0.5, 1, 10]), st.sampled_from([None, 7.5, 20])
)
@settings(max_examples=40, deadline=None)
def test_bge_is_a_ratio_of_marginal_likelihoods(seed, parents, iss_mu, iss_w):
    values = sample(seed)
    stats = cb.GaussianStats.of(values)
    joint, alone = (
        marginal_likelihood(values, subset, iss_mu, iss_w or 6 + 2) for subset in ([0, *parents], list(parents))
    )
    plain = cb.BGe(iss_mu, iss_w)
    assert plain.local(stats, 0, sorted(parents)) == pytest.approx(joint - alone, rel=1e-9)
    beta = 1 / 5
    priced = cb.BGe(iss_mu, iss_w, prior="vsp").local(stats, 0, sorted(parents))
    assert priced == pytest.approx(joint - alone + len(parents) * math.log(beta / (1 - beta)), rel=1e-9)


@pytest.mark.parametrize(
    ("score", "alone", "gain"),
    [
        (cb.LogLik(), -141.391336, 14.384104),  # −50·log(2π·0.99) − 50;  −50·log(0.75)
        (cb.LogLik("unbiased"), -141.393853, 14.376485),  # −50·log 2π − 49.5;  −50·log(0.75·99/98) + 0.5
        (cb.AIC(), -143.391336, 13.384104),  # two parameters at 1
        (cb.BIC(), -145.996506, 12.081519),  # at log(100)/2 = 2.302585
        (cb.BIC(gamma=1), -147.382801, 11.388372),  # at 2.302585 + log 2
        (cb.BGe(), -146.929883, 11.340267),  # t = 1/2, w = 2, R_ii = 99.5
        (cb.BGe(prior="vsp"), -146.929883, 11.340267),  # two nodes: the odds of an arc are kept at 1
    ],
    ids=repr,
)
def test_worked_numbers_of_two_nodes(score, alone, gain):
    """n = 100, unit variances, correlation 0.5."""
    assert score.local(PAIR, 0, []) == pytest.approx(alone, abs=1e-6)
    assert score.local(PAIR, 0, [1]) - score.local(PAIR, 0, []) == pytest.approx(gain, abs=1e-6)


@given(st.integers(0, 10**6), st.floats(1e-3, 1e3))
@settings(max_examples=30, deadline=None)
def test_units_of_a_node_change_no_difference_of_likelihoods(seed, unit):
    values = sample(seed)
    other = values.copy()
    other[:, 2] *= unit
    for score in (cb.LogLik(), cb.AIC("unbiased"), cb.BIC(0.5)):
        here, there = (
            score.local(stats, 0, [1, 2]) - score.local(stats, 0, [1])
            for stats in map(cb.GaussianStats.of, (values, other))
        )
        assert there == pytest.approx(here, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("score", [cb.LogLik(), cb.BIC(variance="unbiased"), cb.AIC()], ids=repr)
def test_a_likelihood_keeps_two_degrees_of_freedom(score):
    stats = cb.GaussianStats.of(sample(1, n=6, nodes=9))
    assert math.isfinite(score.local(stats, 0, [1, 2, 3]))
    assert score.local(stats, 0, [1, 2, 3, 4]) == -math.inf
    assert math.isfinite(cb.BGe().local(stats, 0, range(1, 9)))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: cb.BIC(gamma=-0.1), r"BIC needs a finite gamma ≥ 0; got -0\.1"),
        (lambda: cb.BIC(gamma=math.nan), "BIC needs a finite gamma ≥ 0; got nan"),
        (lambda: cb.BIC(gamma=math.inf), "BIC needs a finite gamma ≥ 0; got inf"),
        (lambda: cb.BIC(gamma="1"), "gamma must be a number; got '1'"),
        (lambda: cb.BIC(weight=0.0), r"BIC needs a finite weight > 0; got 0\.0"),
        (lambda: cb.BIC(weight=math.inf), "BIC needs a finite weight > 0; got inf"),
        (lambda: cb.BIC(weight=True), "weight must be a number; got True"),
        (lambda: cb.BIC(variance="unbiasd"), "unknown variance 'unbiasd'; did you mean 'unbiased'"),
        (lambda: cb.AIC(variance="mle"), "unknown variance 'mle'"),
        (lambda: cb.LogLik(variance="RSS"), "unknown variance 'RSS'.*known: ml, unbiased"),
        (lambda: cb.BGe(iss_mu=0), "iss_mu must be a finite number, above 0; got 0"),
        (lambda: cb.BGe(iss_mu=math.nan), "iss_mu"),
        (lambda: cb.BGe(prior="vps"), "unknown prior 'vps'; did you mean 'vsp'"),
        (lambda: cb.BGe(iss_w=3).local(PAIR, 0, [1]), r"BGe needs iss_w > N \+ 1 = 3; got 3"),
        (lambda: cb.BGe(iss_w=math.nan).local(PAIR, 0, [1]), "iss_w must be"),
    ],
)
def test_wrong_settings_are_refused(wrong, words):
    with pytest.raises(ClimateBNError, match=words):
        wrong()
