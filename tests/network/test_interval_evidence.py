"""One interval as evidence: against numerical integration, the bivariate normal, and a million samples."""

from itertools import pairwise
from math import erfc, exp, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import dense, networks, placed_network, random_network
from scipy.integrate import quad
from scipy.stats import norm, truncnorm

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.network.interval import Truncated


def by_integration(bn, known, low, high, threshold, extra=None):
    """Mean, sd and P(X ≥ threshold) of each node given low ≤ X_known ≤ high, by scipy's truncnorm and quad."""
    mean, covariance = dense(bn)
    if extra is not None:
        i, value = extra
        gain = covariance[:, i] / covariance[i, i]
        mean, covariance = mean + gain * (value - mean[i]), covariance - np.outer(gain, covariance[i])
    sd = np.sqrt(covariance[known, known])
    y = truncnorm((low - mean[known]) / sd, (high - mean[known]) / sd)
    slope = covariance[:, known] / sd
    rest = np.sqrt(np.maximum(np.diag(covariance) - slope**2, 0))
    share = norm.cdf((high - mean[known]) / sd) - norm.cdf((low - mean[known]) / sd)
    start, end = max(y.support()[0], -12), min(y.support()[1], 12)
    tails = []
    for m, k, s in zip(mean, slope, rest, strict=True):
        if s < 1e-9 or abs(k) < 1e-12:
            tails.append(np.nan)
            continue

        def both(v, m=m, k=k, s=s):
            return erfc((threshold - m - k * v) / s / sqrt(2)) / 2 * exp(-v * v / 2) / sqrt(2 * pi) / share

        step = np.clip((threshold - m) / k + np.array([-8, 0, 8]) * s / abs(k), start, end)
        tails.append(sum(quad(both, a, b, epsabs=1e-13)[0] for a, b in pairwise([start, *step, end]) if b > a))
    return mean + slope * y.mean(), np.sqrt(rest**2 + slope**2 * y.var()), np.array(tails)


@given(networks, st.floats(-2, 2), st.floats(0.1, 3), st.sampled_from(["two", "low", "high"]))
@settings(deadline=None, max_examples=25)
def test_interval_equals_numerical_integration(bn, start, width, kind):
    mean, covariance = dense(bn)
    sd = np.sqrt(covariance[1, 1])
    low = -np.inf if kind == "high" else mean[1] + start * sd
    high = np.inf if kind == "low" else mean[1] + (start + width) * sd
    stated = tuple(end if np.isfinite(end) else None for end in (low, high))
    post = bn.condition({"X2": stated})
    expected = by_integration(bn, 1, low, high, 0.7)
    np.testing.assert_allclose(post.mean, expected[0], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(post.sd, expected[1], rtol=1e-7, atol=1e-7)
    there = np.isfinite(expected[2])
    np.testing.assert_allclose(post.probability(0.7)[there], expected[2][there], atol=1e-8)
    np.testing.assert_allclose(post.probability(-0.7, "lower"), 1 - post.probability(0.7), atol=1e-12)
    assert post.probability(np.nextafter(high, -np.inf) if np.isfinite(high) else 1e9)[1] <= 1e-9


def test_interval_beside_a_value():
    bn = random_network(11, 7, density=0.6)
    mean, _ = dense(bn)
    post = bn.condition({"X4": mean[3] + 0.5, "X2": (mean[1] + 0.2, None)})
    expected = by_integration(bn, 1, mean[1] + 0.2, np.inf, 0.7, extra=(3, mean[3] + 0.5))
    np.testing.assert_allclose(post.mean, expected[0], rtol=1e-9, atol=1e-9)
    there = np.isfinite(expected[2])
    np.testing.assert_allclose(post.probability(0.7)[there], expected[2][there], atol=1e-9)
    assert post["X4"] == (mean[3] + 0.5, 0.0)


def test_interval_agrees_with_a_million_samples():
    bn = random_network(5, 6, density=0.7)
    draws = bn.sample(1_000_000, seed=1).to_numpy()
    centre, sd = bn.mean[2], np.sqrt(bn.variances()[2])
    kept = draws[(draws[:, 2] >= centre + sd) & (draws[:, 2] <= centre + 2.5 * sd)]
    post = bn.condition({"X3": (centre + sd, centre + 2.5 * sd)})
    np.testing.assert_array_less(np.abs(kept.mean(axis=0) - post.mean), 5 * post.sd / np.sqrt(len(kept)))
    np.testing.assert_allclose(kept.std(axis=0), post.sd, rtol=5 / np.sqrt(len(kept)))
    np.testing.assert_allclose((kept >= 0.5).mean(axis=0), post.probability(0.5), atol=5 / np.sqrt(4 * len(kept)))


def test_region_interval_and_its_words():
    bn = placed_network(3)
    box = cb.Region(lat=(0, 60), lon=(120, -120), name="box")
    post = cb.propagate(bn, {box: (1, None)})
    assert post.attrs["given"] == "box ≥ 1 sd"
    assert post.attrs["evidence"] == '{"box": [1.0, null]}'
    sure = cb.propagate(bn, {box: truncnorm(1, np.inf).mean()})
    np.testing.assert_allclose(post["mean"], sure["mean"], atol=1e-10)
    assert (post["sd"] >= sure["sd"] - 1e-12).all()


@pytest.mark.parametrize("slope", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("low", [-np.inf, 0.0, 7.5, 25.0])
def test_steps_of_any_width_and_far_tails(slope, low):
    """Where X = Y + a little noise, P(X ≥ t | Y ≥ low) is that of Y; where X hardly depends on Y, that of the noise."""
    above = Truncated(low, np.inf, np.zeros(1), np.array([slope]), np.ones(1)).above(1e9 if slope == 1e9 else 0.5)
    if slope == 1e-9:
        assert above[0] == pytest.approx(norm.sf(0.5), abs=1e-8)
    if slope == 1e9:
        assert above[0] == pytest.approx(min(1.0, norm.sf(1.0) / norm.sf(low)), abs=1e-8)


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({"X1": (1, None), "X2": (0, None)}, r"2 intervals \(X1, X2\); the answer is exact for one"),
        ({"X1": (2, 1)}, "low < high"),
        ({"X1": (None, None)}, "one end at least"),
        ({"X1": (1, 2, 3)}, "numbers or intervals"),
        ({"X1": (float("nan"), 1)}, "must be finite"),
        ({"X1": (9, None)}, "begins 9.0 standard deviations"),
        ({cb.Combination({"X1": 1, "X2": 1}): (0, None), "X1": 0.1, "X2": 0.1}, "fixes .* drop its interval"),
    ],
)
def test_wrong_intervals_are_said(evidence, words):
    with pytest.raises(ClimateBNError, match=words):
        placed_network(3).condition(evidence, units="sd")
