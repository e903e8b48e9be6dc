"""Innovations: known autoregressions come back, nothing is lost on the way, and what is white stays white."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import lfilter

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest import Nodes


def node_data(values):
    lat = np.linspace(-60, 60, values.shape[1])
    nodes = Nodes(tuple(f"X{i + 1}" for i in range(len(lat))), lat, np.zeros(len(lat)), lat, [0.0])
    return cb.NodeData(values, nodes, pd.date_range("1901-01", periods=len(values), freq="MS", unit="s").values, "K")


def autoregressive(coefficients, months, nodes, seed):
    noise = np.random.default_rng(seed).normal(size=(months + 200, nodes))
    return lfilter([1.0], [1.0, *(-np.array(coefficients))], noise, axis=0)[200:]


def test_a_known_ar2_comes_back():
    data = node_data(autoregressive([0.5, -0.3], 6000, 20, 1))
    found = cb.whiten(data).whitening
    assert (found.orders == 2).mean() > 0.9
    assert np.abs(found.coefficients[:, :2] - [0.5, -0.3]).max() < 4 / np.sqrt(6000)
    fixed = cb.whiten(data, order=2, monthly_sd=False)
    assert len(fixed) == 5998
    assert (fixed.whitening.orders == 2).all()
    assert fixed.units == "K"


@settings(max_examples=20, deadline=None)
@given(st.integers(60, 200), st.integers(1, 5), st.integers(0, 6), st.booleans(), st.integers(0, 99))
def test_whitening_is_invertible(months, nodes, highest, monthly, seed):
    data = node_data(autoregressive([0.6], months, nodes, seed) * np.arange(1, nodes + 1) + 3)
    white = cb.whiten(data, max_order=highest, monthly_sd=monthly)
    back = white.whitening.restore(white)
    np.testing.assert_allclose(back.values, data.values, atol=1e-9)
    assert (back.time == data.time).all()
    assert (back.units, back.whitening) == ("K", None)


def test_each_node_is_fitted_by_least_squares():
    x = autoregressive([0.7, 0.2], 300, 1, 5)[:, 0]
    z = x - x.mean()
    lags = np.column_stack([z[1:-1], z[:-2]])
    expected = np.linalg.lstsq(lags, z[2:], rcond=None)[0]
    white = cb.whiten(node_data(x[:, None]), order=2, monthly_sd=False)
    np.testing.assert_allclose(white.whitening.coefficients[0], expected, rtol=1e-9)
    np.testing.assert_allclose(white.values[:, 0], z[2:] - lags @ expected, atol=1e-10)


def test_white_data_is_worth_all_its_months_and_stays_as_it_is():
    data = node_data(np.random.default_rng(2).normal(size=(360, 60)))
    assert cb.effective_n(data) == pytest.approx(360, rel=0.05)
    white = cb.whiten(data, monthly_sd=False)
    assert (white.whitening.orders == 0).mean() > 0.9


def test_a_red_record_is_worth_what_the_formula_says():
    data = node_data(autoregressive([0.6], 20_000, 4, 3))
    assert cb.effective_n(data) == pytest.approx(20_000 * (1 - 0.36) / (1 + 0.36), rel=0.05)
    assert cb.effective_n(data.values[:, :1]) == pytest.approx(20_000 * (1 - 0.36) / (1 + 0.36), rel=0.1)


def test_innovations_have_no_seasonal_cycle_of_variance():
    season = 1 + 0.8 * np.cos(2 * np.pi * np.arange(1200) / 12)
    data = node_data(np.random.default_rng(4).normal(size=(1200, 3)) * season[:, None])
    white = cb.whiten(data)
    spread = [white.values[month::12].std(axis=0) for month in range(12)]
    assert np.ptp(spread) < 0.4
    assert white.whitening.monthly_sd.max() / white.whitening.monthly_sd.min() > 4


def test_the_whitening_goes_with_its_nodes():
    white = cb.whiten(node_data(autoregressive([0.6], 240, 4, 6)))
    part = white.select(["X3", "X1"])
    assert (part.whitening.coefficients == white.whitening.coefficients[[2, 0]]).all()
    assert (part.whitening.restore(part).values == white.whitening.restore(white).values[:, [2, 0]]).all()
    assert "innovations" in repr(part)
    assert "order 1" in repr(part.whitening)


def test_to_nodes_whitens_when_asked():
    field = cb.anomalies(cb.load_ncep().isel(lat=slice(8, 10), lon=slice(0, 4)))
    assert (cb.to_nodes(field, whiten=True).values == cb.whiten(cb.to_nodes(field)).values).all()


def test_learn_notes_strong_autocorrelation_unless_something_was_done():
    data = node_data(autoregressive([0.8], 360, 5, 7))
    [note] = cb.learn(data, "hill_climbing", progress=False).notes
    assert "worth about" in note
    assert cb.learn(cb.whiten(data), "hill_climbing", progress=False).notes == ()
    assert cb.learn(node_data(np.random.default_rng(1).normal(size=(360, 5))), "hill_climbing").notes == ()
    assert cb.learn(data.values, "hill_climbing", progress=False).notes == ()  # rows of an array are what they are


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"order": "aic"}, "order must be 'bic' or a whole number"),
        ({"order": -1}, "order must be 'bic' or a whole number"),
        ({"max_order": 1.5}, "max_order must be a whole number"),
        ({"max_order": 30}, "needs 120 months or more for order 30; got 60"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ClimateBNError, match=message):
        cb.whiten(node_data(np.random.default_rng(1).normal(size=(60, 2))), **arguments)


def test_what_cannot_be_whitened():
    data = node_data(np.random.default_rng(1).normal(size=(60, 2)))
    with pytest.raises(ClimateBNError, match="innovations already"):
        cb.whiten(cb.whiten(data))
    with pytest.raises(ClimateBNError, match="data must be NodeData"):
        cb.whiten(data.values)
    winters = np.arange(60) % 12 < 3
    with pytest.raises(ClimateBNError, match="1902-01 follows 1901-03"):
        cb.whiten(cb.NodeData(data.values[winters], data.nodes, data.time[winters]), 0)


def test_columns_of_a_whitening_may_be_a_tuple():
    whitening = cb.whiten(cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5])))).whitening
    np.testing.assert_array_equal(whitening.select((1, 2, 3)).orders, whitening.orders[1:4])
