"""Scores and EOFs equal those of xskillscore and xeofs (tests/reference), and brute force."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.forecast import correlation, crps, differences, eofs, exceedance, reliability, rmse
from climatebn.forecast.paired_differences import block_rows
from climatebn.ingest.grid.region import row_areas

PEERS = json.loads((Path(__file__).parents[1] / "reference" / "forecast_scores.json").read_text(encoding="utf-8"))
FORECAST, OBSERVED, SD = (np.array(PEERS[name]) for name in ("forecast", "observed", "sd"))


def test_scores_equal_xskillscore():
    assert float(correlation(FORECAST, OBSERVED)) == pytest.approx(PEERS["pearson_r"], rel=1e-9)
    assert float(rmse(FORECAST, OBSERVED)) == pytest.approx(PEERS["rmse"], rel=1e-9)
    np.testing.assert_allclose(crps(FORECAST, SD, OBSERVED), PEERS["crps_each"], rtol=1e-9)
    assert float(crps(FORECAST, SD, OBSERVED).mean()) == pytest.approx(PEERS["crps_gaussian"], rel=1e-9)


def test_reliability_equals_xskillscore():
    table = reliability(np.array(PEERS["probability"]), np.array(PEERS["happened"]), bins=5)
    np.testing.assert_allclose(table["observed"], PEERS["reliability"], rtol=1e-9)
    np.testing.assert_array_equal(table["count"], PEERS["samples"])
    assert table.attrs["brier"] == pytest.approx(PEERS["brier_score"], rel=1e-9)


def test_eofs_equal_xeofs():
    field = cb.anomalies(cb.load_ncep()).sel(lat=slice(-30, 30))
    data = cb.to_nodes(field)
    rising = row_areas(cb.load_ncep()["lat"].values)[6:12]
    found = eofs(data.values, rising[np.searchsorted(field["lat"].values, data.lat)], 5)
    np.testing.assert_allclose(found.share, PEERS["eof_share"], rtol=1e-9)
    at = data.names.index(data.nearest(-5, -135))
    np.testing.assert_allclose(np.abs(found.patterns[at]), np.abs(PEERS["eof_at_equatorial_pacific"]), rtol=1e-8)
    row = data.to_xarray(found.patterns[:, 0]).sel(lat=5).values
    theirs = np.array(PEERS["eof_pattern_1_lat_5"])
    np.testing.assert_allclose(row * np.sign(row[0] * theirs[0]), theirs, rtol=1e-8)
    scale = np.sqrt(rising / np.cos(np.deg2rad(field["lat"].values)))  # a constant: xeofs weights by √cos
    assert np.ptp(scale) < 1e-12
    last = np.abs(found.components(data.values)[-1] / scale[0])
    np.testing.assert_allclose(last, np.abs(PEERS["eof_scores_last_month"]), rtol=1e-7)


def test_crps_is_the_integral_of_squared_differences():
    x = np.linspace(-12, 12, 400_001)
    brute = np.trapezoid((norm.cdf(x, 0.3, 1.7) - (x >= -0.9)) ** 2, x)
    assert float(crps(np.array(0.3), np.array(1.7), np.array(-0.9))) == pytest.approx(brute, abs=1e-4)
    assert float(crps(np.array(0.3), np.array(0.0), np.array(-0.9))) == pytest.approx(1.2)


def test_a_constant_forecast_has_no_correlation():
    assert np.isnan(correlation(np.full(20, 0.1), np.arange(20.0)))
    assert correlation(np.c_[np.arange(20.0), np.zeros(20)], np.c_[np.arange(20.0), np.arange(20.0)])[0] == 1


def test_exceedance_is_the_normal_tail():
    np.testing.assert_allclose(exceedance(np.array([0.5]), np.array([2.0]), 1.0), norm.sf(1.0, 0.5, 2.0))


def test_reliability_is_checked():
    with pytest.raises(ClimateBNError, match="need the same shape; got 2 and 3 values"):
        reliability(np.ones(2), np.ones(3))


def test_blocks_keep_neighbours_together():
    rows = block_rows(100, 10, 50, seed=1)
    assert rows.shape == (50, 100)
    steps = np.diff(rows.reshape(50, 10, 10), axis=2) % 100
    assert (steps == 1).all()
    assert len(np.unique(rows)) == 100


def table(forecast, observed):
    import pandas as pd

    return pd.DataFrame({"forecast": forecast, "sd": np.ones(len(forecast)), "observed": observed})


def test_differences_of_equal_models_are_none_and_of_unequal_ones_found():
    random = np.random.default_rng(3)
    y = random.normal(size=600)
    good, bad = y + 0.5 * random.normal(size=600), y + 2.0 * random.normal(size=600)
    same = differences(table(good, y), table(good, y), draws=200)
    assert (same[["value", "low", "high"]] == 0).all(axis=None)
    found = differences(table(good, y), table(bad, y), draws=500).set_index("measure")
    assert (found["low"] > 0).all()
    assert (found["low"] < found["value"]).all()
    assert (found["value"] < found["high"]).all()
    gain = 1 - np.mean((good - y) ** 2) / np.mean((bad - y) ** 2)
    assert found.loc["squared_error_gain", "value"] == pytest.approx(gain)
    with pytest.raises(ClimateBNError, match="same months"):
        differences(table(good, y), table(bad[1:], y[1:]))


def test_interval_of_a_difference_covers_the_truth():
    """Two equally good models with errors that last for months: the 90 % interval holds 0 in most samples."""
    random = np.random.default_rng(5)
    held = 0
    for _ in range(60):
        noise = random.normal(size=(2, 400 + 40))
        red = np.array([np.convolve(one, 0.85 ** np.arange(40), "valid")[:400] for one in noise])
        y = random.normal(size=400)
        row = differences(table(y + red[0], y), table(y + red[1], y), draws=200).iloc[1]
        held += row["low"] <= 0 <= row["high"]
    assert held >= 0.75 * 60
