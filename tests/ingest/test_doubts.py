"""Warnings where there should be no silence."""

import warnings

import numpy as np
import pytest
from made_fields import made_field

import climatebn as cb
from climatebn.errors import ClimateBNWarning
from climatebn.ingest.nodes.doubts import doubts


def said(data):
    return doubts(data, len(data), len(data.names))


def warned(data):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = cb.learn(data, "hill_climbing", progress=False)
    texts = [str(one.message) for one in caught if issubclass(one.category, ClimateBNWarning)]
    assert all(text in result.notes for text in texts)
    return texts


def test_raw_values_with_a_seasonal_cycle():
    field = made_field(months=120)
    (text,) = warned(cb.to_nodes(field))
    assert "seasonal cycle" in text
    assert "cb.anomalies" in text
    assert warned(cb.to_nodes(cb.anomalies(field))) == []
    assert any("seasonal" in text for text in said(cb.to_nodes(field, months="DJFMAM")))
    assert said(cb.to_nodes(cb.season_mean(made_field(months=480), "DJF"))) == ()


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_not_taken_for_a_season_or_a_trend(seed):
    field = made_field(months=36, seed=seed)
    noise = field * 0 + np.random.default_rng(seed).normal(size=field.shape)
    assert not any("seasonal" in text for text in said(cb.to_nodes(noise)))


def test_anomalies_taken_twice():
    once = cb.anomalies(made_field(months=120))
    with pytest.warns(ClimateBNWarning, match="a second time"):
        twice = cb.anomalies(once)
    assert any("taken 2 times" in text for text in warned(cb.to_nodes(twice)))
    other = cb.anomalies(made_field(months=120, seed=2))
    assert not any("taken" in text for text in said(cb.to_nodes({"tas": once, "slp": other})))
    assert any("taken 2 times" in text for text in said(cb.to_nodes({"tas": twice, "slp": other})))


def test_the_same_data_is_warned_of_once_and_noted_always():
    data = cb.to_nodes(made_field(months=120))
    assert len(warned(data)) == 1
    assert warned(data) == []
    assert "seasonal cycle" in cb.learn(data, "hill_climbing", progress=False).notes[-1]
    assert len(warned(cb.to_nodes(made_field(months=120)))) == 1


def test_few_observations():
    assert any("24 observations are few for 36 nodes" in text for text in warned(cb.to_nodes(made_field(months=24))))
    wide = np.random.default_rng(1).normal(size=(40, 500))
    assert any("40 observations are few for 500 nodes" in text for text in doubts(wide, 40, 500))
    assert doubts(wide, 50, 500) == ()


def test_trends():
    field = cb.anomalies(made_field(months=240))
    rise = (field + 0.02 * np.arange(240)[:, None, None]).assign_attrs(field.attrs)
    (text,) = warned(cb.to_nodes(rise))
    assert "a linear trend makes up" in text
    assert "detrend='linear'" in text
    with pytest.warns(ClimateBNWarning, match="second time"):
        flat = cb.to_nodes(cb.anomalies(rise, detrend="linear"))
    assert not any("trend" in text for text in said(flat))


def test_the_embedded_field_has_a_trend_and_nothing_else():
    (text,) = said(cb.to_nodes(cb.anomalies(cb.load_ncep())))
    assert "a linear trend makes up 46%" in text
    assert said(cb.to_nodes(cb.anomalies(cb.load_ncep(), detrend="linear"))) == ()
