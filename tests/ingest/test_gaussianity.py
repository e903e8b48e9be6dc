"""How normal each place is, and normal scores."""

import numpy as np
import pytest
from made_fields import made_field
from scipy import stats

import climatebn as cb
from climatebn.errors import ClimateBNError


def rain():
    """A field that is normal in its northern half and log-normal in its southern one."""
    field = made_field(months=240, seed=3) * 0 + np.random.default_rng(3).normal(size=(240, 6, 6))
    field[:, :3] = np.exp(field[:, :3])
    return cb.to_nodes(field.assign_attrs(units="mm"))


def test_what_is_not_normal_is_found_where_it_is():
    data = rain()
    found = cb.gaussianity(data)
    assert (found["p_value"].sel(lat=slice(-90, 0)) < 1e-6).all()
    assert (found["p_value"].sel(lat=slice(0, 90)) < 0.01).mean() < 0.15
    assert (found["skewness"].sel(lat=slice(-90, 0)) > 1).all()
    assert found.attrs["rejected_share"] == pytest.approx(0.5, abs=0.06)
    assert found["kurtosis"].sel(lat=15, lon=30) == pytest.approx(stats.kurtosis(data[data.nearest(15, 30)]))
    with pytest.raises(ClimateBNError, match="20 rows or more"):
        cb.gaussianity(cb.to_nodes(made_field(months=12)))
    with pytest.raises(ClimateBNError, match="must be NodeData"):
        cb.gaussianity(data.values)


def test_scores_keep_ranks_and_are_normal():
    data = rain()
    scores = cb.normal_scores(data)
    np.testing.assert_array_equal(np.argsort(scores.values, axis=0), np.argsort(data.values, axis=0))
    np.testing.assert_allclose(np.sort(scores.values[:, 0]), stats.norm.ppf(np.arange(1, 241) / 241))
    assert (cb.gaussianity(scores)["p_value"] > 0.8).all()
    again = cb.normal_scores(scores)
    np.testing.assert_allclose(again.values, scores.values)
    assert scores.units == "normal score"
    assert "normal_scores()" in scores.attrs["history"]


def test_networks_learned_from_scores_say_so():
    scores = cb.normal_scores(rain())
    result = cb.learn(scores, "hill_climbing", progress=False)
    assert any("normal scores" in note for note in result.notes)
    bn = cb.fit(result.dag, scores)
    assert bn.units == "normal score"
    assert "normal_scores()" in bn.history
