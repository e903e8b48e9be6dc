"""Held-out skill equals a dense computation; baselines are what they say; regression maps are regressions."""

import numpy as np
import pytest
from made_data import chain, node_data
from scipy.stats import multivariate_normal, norm

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.rng import generator
from climatebn.uncertainty.baselines import eof_covariance, ledoit_wolf
from climatebn.uncertainty.folds import standardised, year_folds
from climatebn.uncertainty.skill import Fitted, conditional_gain, joint_density

QUIET = {"progress": False}


@pytest.fixture(scope="module")
def data():
    season = 1 + 3 * np.sin(2 * np.pi * np.arange(240) / 12)
    return node_data(chain(240, 8, 3) + season[:, None])


def test_held_out_years_are_contiguous_and_the_climatology_is_that_of_the_others(data):
    held_out = year_folds(data, 7)
    assert sorted(np.concatenate(held_out)) == list(range(240))
    assert all((np.diff(rows) == 1).all() and len(rows) % 12 == 0 for rows in held_out)
    seen, fresh = standardised(data, held_out[2])
    months = np.arange(240) % 12
    rest = np.setdiff1d(np.arange(240), held_out[2])
    for month in range(12):
        np.testing.assert_allclose(seen.values[months[rest] == month].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(seen.values.std(axis=0, ddof=1), 1)
    spread = (data.values[rest] - [data.values[rest][months[rest] == m].mean(0) for m in months[rest]]).std(0, ddof=1)
    mean = np.array([data.values[rest][months[rest] == m].mean(0) for m in months[held_out[2]]])
    np.testing.assert_allclose(fresh, (data.values[held_out[2]] - mean) / spread)


def test_scores_equal_a_dense_computation(data):
    covariance = np.cov(chain(500, 8, 5).T)
    fresh = np.random.default_rng(1).normal(size=(6, 8))
    at, others = np.array([2, 5]), np.array([0, 1, 3, 4, 6, 7])
    inverse = np.linalg.inv(covariance[np.ix_(at, at)])
    cross = covariance[np.ix_(others, at)]
    sd = np.sqrt(np.diag(covariance[np.ix_(others, others)] - cross @ inverse @ cross.T))
    mean = fresh[:, at] @ (cross @ inverse).T
    gain = norm.logpdf(fresh[:, others], mean, sd) - norm.logpdf(fresh[:, others])
    assert conditional_gain(Fitted(covariance), fresh, at) == pytest.approx(gain.mean())
    density = multivariate_normal(np.zeros(8), covariance).logpdf(fresh).mean() / 8
    assert joint_density(covariance, fresh) == pytest.approx(density, rel=1e-6)


def test_the_table_is_made_of_these_scores(data):
    recipe = ("hill_climbing", cb.BIC(), 3)
    models = {"regression": "regression", "network": recipe[:2], "ensemble": recipe}
    table = cb.held_out_skill(data, models, places=(1, 3), folds=3, sets=4, seed=1, **QUIET)
    assert list(table["model"].unique()) == list(models)
    gains = []
    for rows in year_folds(data, 3):
        seen, fresh = standardised(data, rows)
        bn = cb.fit(cb.learn(seen.values, "hill_climbing", cb.BIC(), **QUIET).dag, seen.values)
        sets = [generator(1, "places", 3, i).choice(8, 3, replace=False) for i in range(4)]
        gains.append([conditional_gain(Fitted(bn.covariance()), fresh, at) for at in sets])
    row = table.set_index(["model", "places"]).loc[("network", 3)]
    assert row["gain"] == pytest.approx(np.mean(gains))
    assert row["se"] == pytest.approx(np.std(np.mean(gains, axis=1), ddof=1) / np.sqrt(3))
    assert table.loc[table["model"] == "regression", "joint"].isna().all()
    assert (table.loc[table["model"] == "regression", "ahead"] == 0).all()
    ens = cb.ensemble(data, *recipe[:2], resamples=3, **QUIET)
    again = cb.held_out_skill(data, {"ensemble": ens}, places=(3,), folds=3, sets=4, seed=1, **QUIET)
    assert again["gain"].item() == table.set_index(["model", "places"]).loc[("ensemble", 3), "gain"]


def test_the_sample_s_variances_change_the_variances_only(data):
    recipe = ("hill_climbing", cb.BIC(gamma=3))
    models = {"implied": recipe, "sample": (*recipe, "sample")}
    table = cb.held_out_skill(data, models, places=(1,), folds=3, sets=3, **QUIET).set_index("model")
    assert table.loc["implied", "gain"] == pytest.approx(table.loc["sample", "gain"], abs=0.01)


def test_baselines():
    rows = chain(100, 12, 2)
    rows -= rows.mean(axis=0)
    shrunk, s = ledoit_wolf(rows), rows.T @ rows / 100
    off = ~np.eye(12, dtype=bool)
    share = 1 - shrunk[off] / s[off]
    assert np.ptp(share) < 1e-9
    assert 0 < share[0] < 0.3
    assert np.trace(shrunk) == pytest.approx(np.trace(s))
    low = eof_covariance(rows)
    np.testing.assert_allclose(np.diag(low), np.diag(np.cov(rows.T)), rtol=1e-9)
    assert np.linalg.eigvalsh(low)[0] > 0


def test_regression_maps_are_regressions(data):
    answer = cb.regression_map(data, {"X2": 2.0, "X6": -1.0}, threshold=0.5)
    z = (data.values - data.values.mean(0)) / data.values.std(0, ddof=1)
    b = np.linalg.lstsq(z[:, [1, 5]], z, rcond=None)[0]
    mean = np.array([2.0, -1.0]) @ b
    sd = np.sqrt(((z - z[:, [1, 5]] @ b) ** 2).sum(0) / 239)
    rise = norm.sf((0.5 - mean) / np.maximum(sd, 1e-9)) - norm.sf(0.5)
    others = [0, 2, 3, 4, 6, 7]
    np.testing.assert_allclose(answer["difference"].values[0][others], rise[others], atol=1e-9)
    assert {"prior", "posterior", "mean", "sd", "evidence"} <= set(answer)
    with pytest.raises(ClimateBNError, match="X99"):
        cb.regression_map(data, {"X99": 1.0})


def test_implied_and_sample_marginals(data):
    bn = cb.fit(cb.learn(data, "hill_climbing", cb.BIC(gamma=3), **QUIET).dag, data, scale="sd")
    implied, sample = (cb.propagate(bn, {"X1": 1.0}, marginals=how) for how in ("implied", "sample"))
    assert abs(sample["prior"] - norm.sf(1)).max() < 1e-12
    assert abs(implied["prior"] - norm.sf(1)).max() > 1e-6
    cov = bn.covariance()
    r = cov[0] / np.sqrt(cov[0, 0] * np.diag(cov))
    np.testing.assert_allclose(sample["mean"].values[0], r, atol=1e-9)
    with pytest.raises(ClimateBNError, match="unknown marginals"):
        cb.propagate(bn, {"X1": 1.0}, marginals="other")


@pytest.mark.parametrize(
    ("models", "arguments", "message"),
    [
        ({}, {}, "models must map names to models"),
        (["regression"], {}, "models must map names to models"),
        ({"a": "lasso"}, {}, "unknown model 'lasso'"),
        ({"a": ("tabu",)}, {}, "a model is"),
        ({"a": ("tabu", None, 0)}, {}, "a model is"),
        ({"a": "eof"}, {"places": (8,)}, "places must be numbers 1 … 7"),
        ({"a": "eof"}, {"folds": 21}, "folds must be 2 … 20, the number of years"),
        ({"a": "eof"}, {"sets": 1}, "sets must be 2 or more"),
    ],
)
def test_wrong_arguments(data, models, arguments, message):
    with pytest.raises(ClimateBNError, match=message):
        cb.held_out_skill(data, models, **{"places": (1,), **QUIET, **arguments})
