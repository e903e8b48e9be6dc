"""Networks in time: parameters, forecasts and the months after evidence, against dense algebra and simulation."""

import numpy as np
import pandas as pd
import pytest
from dynamic_networks import equations, paths, random_network, record, unrolled

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.network import DynamicBN

LAGS = [((1,), False), ((1, 2), True), ((1, 3), True)]


def conditioned(mean, cov, at, values):
    """Mean and variance of all given X[at] = values, by dense algebra."""
    gain = cov[:, at] @ np.linalg.inv(cov[np.ix_(at, at)])
    return mean + gain @ (values - mean[at]), np.diag(cov - gain @ cov[at])


@pytest.mark.parametrize(("lags", "same_month"), LAGS)
def test_propagation_equals_conditioning_of_the_unrolled_joint(lags, same_month):
    bn = random_network(12, lags, seed=3, same_month=same_month)
    months, p = 8, bn.order
    mean, cov = unrolled(bn, months)
    present = p  # months p + 1 … before it are past, the rest lies ahead
    spread = np.sqrt(np.diag(cov)[:12])
    told = {"X3": mean[0, 2] + 1.5 * spread[2], "X7": mean[0, 6] - spread[6], "X5@-1": mean[0, 4] + 0.7 * spread[4]}
    at = [present * 12 + 2, present * 12 + 6, (present - 1) * 12 + 4]
    expected, variance = conditioned(mean.ravel(), cov, at, np.array(list(told.values())))
    wide = DynamicBN(bn.dag, bn.coefficients, bn.intercepts, bn.residual_variances, mean[0], spread)
    post = cb.propagate(wide, told, horizon=months - 1 - present)
    found = slice(present * 12, None)
    np.testing.assert_allclose(post["mean"].values.ravel(), expected[found], atol=1e-10)
    np.testing.assert_allclose(post["sd"].values.ravel() ** 2, np.maximum(variance[found], 0), atol=1e-10)
    assert post["lead"].values.tolist() == list(range(months - present))
    assert post["difference"].dims == ("lead", "node")
    np.testing.assert_allclose(post["prior_sd"].values, spread, atol=1e-10)


def test_evidence_before_the_present_alone_and_an_interval():
    bn = random_network(6, (1, 2), seed=8, same_month=True)
    mean, cov = unrolled(bn, 4)
    wide = DynamicBN(bn.dag, bn.coefficients, bn.intercepts, bn.residual_variances, mean[0], np.sqrt(np.diag(cov)[:6]))
    expected, _ = conditioned(mean.ravel(), cov, [3], np.array([2.0]))  # months −2, −1, 0, 1
    np.testing.assert_allclose(cb.propagate(wide, {"X4@-2": 2.0}, horizon=1)["mean"].values.ravel(), expected[12:])
    low = float(mean[0, 3])
    post = cb.propagate(wide, {"X4@-1": (low, None)}, horizon=1)
    half = np.sqrt(2 / np.pi) * cov[:, 9] / np.sqrt(cov[9, 9])  # E[X | Y ≥ its mean]
    np.testing.assert_allclose(post["mean"].values.ravel(), (mean.ravel() + half)[12:], atol=1e-8)


def test_propagation_and_forecast_agree_with_simulated_paths():
    bn = random_network(4, (1, 2), seed=5, same_month=True)
    drawn = paths(bn, 1_000_000, 4, seed=1, burn_in=16)
    middle, spread = drawn[0].mean(axis=0), drawn[0].std(axis=0)
    wide = DynamicBN(bn.dag, bn.coefficients, bn.intercepts, bn.residual_variances, middle, spread)
    value = float(middle[0] + spread[0])
    post = cb.propagate(wide, {"X1": value}, horizon=2)
    near = np.abs(drawn[1][:, 0] - value) < 0.05
    for lead in range(1, 3):
        seen = drawn[1 + lead][near]
        error = seen.std(axis=0) / np.sqrt(near.sum())
        assert (np.abs(seen.mean(axis=0) - post["mean"].sel(lead=lead).values) < 4.5 * error).all()
        np.testing.assert_allclose(seen.std(axis=0), post["sd"].sel(lead=lead).values, rtol=0.02)


def test_a_forecast_is_the_recursion_and_its_error_that_of_simulation():
    bn = random_network(5, (1, 3), seed=2, same_month=True)
    now, past = equations(bn)
    solved = np.linalg.inv(np.eye(5) - now)
    state = np.random.default_rng(1).normal(size=(3, 5))
    months = list(state)
    for _ in range(4):
        months.append(solved @ (bn.intercepts + sum(past[k] @ months[-1 - k] for k in range(3))))
    out = bn.forecast(state, leads=4)
    np.testing.assert_allclose(out["mean"].values, months[3:], atol=1e-12)
    first = solved @ np.diag(bn.residual_variances) @ solved.T
    np.testing.assert_allclose(out["sd"].values[0] ** 2, np.diag(first), atol=1e-12)
    np.testing.assert_allclose(bn.forecast(state, leads=(1, 4))["mean"].values, np.array(months)[[3, 6]], atol=1e-12)
    time = np.arange("2000-01", "2000-04", dtype="M8[M]").astype("M8[ns]")
    post = cb.propagate(bn, cb.NodeData(state, _nowhere(bn), time), horizon=4)
    np.testing.assert_allclose(post["mean"].values[1:], months[3:], atol=1e-12)
    np.testing.assert_allclose(post["mean"].values[0], state[-1], atol=1e-12)
    assert (post["sd"].values[0] == 0).all()


def _nowhere(bn):
    from climatebn.ingest import Nodes

    empty = np.full(len(bn.names), np.nan)
    return Nodes(bn.names, empty, empty, [], [])


def test_scales_say_the_same():
    truth = random_network(6, (1, 2), seed=4, same_month=True)
    data = record(truth, 400, seed=2)
    plain, scaled = (cb.fit(truth.dag, data, scale=scale) for scale in ("none", "sd"))
    assert isinstance(plain, DynamicBN)
    state = data.iloc[-2:]
    for name in ("mean", "sd", "upper", "lower"):
        np.testing.assert_allclose(plain.forecast(state)[name], scaled.forecast(state)[name], atol=1e-10)
    value = float(plain.centre[0] + 2 * plain.spread[0])
    a, b = cb.propagate(plain, {"X1": value}, 1.0, units="data"), cb.propagate(scaled, {"X1": 2.0})
    np.testing.assert_allclose(a["mean"], b["mean"] * plain.spread + plain.centre, atol=1e-9)


def test_fit_is_least_squares_on_present_and_past():
    truth = random_network(5, (1, 2), seed=6, same_month=True)
    data = record(truth, 300, seed=3)
    bn = cb.fit(truth.dag, data, scale="none")
    table = cb.lagged(data, (0, 1, 2))
    for child in bn.names:
        parents = list(bn.dag.parents(child))
        design = np.column_stack([np.ones(len(table)), table[parents]])
        solution, rss = np.linalg.lstsq(design, table[child], rcond=None)[:2]
        i = bn.names.index(child)
        assert bn.intercepts[i] == pytest.approx(solution[0])
        assert bn.residual_variances[i] == pytest.approx(rss[0] / len(table))
        for parent, weight in zip(parents, solution[1:], strict=True):
            assert bn.arc_coefficients[bn.dag.arcs.index((parent, child))] == pytest.approx(weight)
    again = cb.fit(truth.dag, table, scale="none")
    np.testing.assert_allclose(again.coefficients.toarray(), bn.coefficients.toarray())


def test_a_file_brings_the_network_back(tmp_path):
    bn = random_network(5, (1, 2), seed=6, same_month=True)
    bn.save(tmp_path / "n.nc")
    back = cb.load_network(tmp_path / "n.nc")
    assert isinstance(back, DynamicBN)
    assert back.dag == bn.dag
    np.testing.assert_array_equal(back.coefficients.toarray(), bn.coefficients.toarray())
    state = np.ones((2, 5))
    np.testing.assert_array_equal(back.forecast(state)["mean"], bn.forecast(state)["mean"])


def test_what_is_refused():
    bn = random_network(4, (1, 2), seed=1, same_month=False)
    with pytest.raises(ClimateBNError, match="does not reach back to 5 months"):
        cb.propagate(bn, {"X1@-5": 1.0})
    with pytest.raises(ClimateBNError, match="evidence is about the present and past"):
        cb.propagate(bn, {"X1@+1": 1.0})
    with pytest.raises(ClimateBNError, match="last 2 months"):
        bn.forecast(np.ones((1, 4)))
    with pytest.raises(ClimateBNError, match="leads"):
        bn.forecast(np.ones((2, 4)), leads=0)
    small = cb.GaussianBN.from_parameters(("a",), {}, {"a": 0.0}, {"a": 1.0})
    with pytest.raises(ClimateBNError, match="horizon= is for networks in time"):
        cb.propagate(small, {"a": 1.0}, horizon=3)
    grows = DynamicBN(bn.dag, bn.coefficients * 3, bn.intercepts, bn.residual_variances, bn.centre, bn.spread)
    with pytest.raises(ClimateBNError, match="not stable: departures grow by a factor of"):
        cb.propagate(grows, {"X1": 1.0})
    assert np.isfinite(grows.forecast(np.ones((2, 4)))["mean"]).all()
    with pytest.raises(ClimateBNError, match="into the present"):
        DynamicBN(cb.Dag.from_arcs(["a", "a@-1"], [("a", "a@-1")]), bn.coefficients[:2, :1], *[np.ones(1)] * 4)
    with pytest.raises(ClimateBNError, match="months themselves"):
        cb.fit(bn.dag, cb.GaussianStats(10, np.eye(12), bn.dag.names))
    with pytest.raises(ClimateBNError, match="no column for"):
        cb.fit(bn.dag, pd.DataFrame(np.random.default_rng(1).normal(size=(50, 2)), columns=["X1", "X2"]))
