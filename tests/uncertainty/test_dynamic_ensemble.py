"""Ensembles of networks in time: mean coefficients, members that do not depend on workers, intervals by lead."""

import numpy as np
import pytest

import climatebn as cb
from climatebn.errors import ClimateBNError


@pytest.fixture(scope="module")
def tropics():
    return cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 3))))


@pytest.fixture(scope="module")
def ens(tropics):
    return cb.ensemble(tropics, "hill_climbing", cb.BIC(gamma=0.5), resamples=4, lags=(0, 1, 2), seed=3, progress=False)


def test_coefficients_are_the_mean_of_the_members(tropics, ens):
    spaces = [ens.network(number).state_space for number in range(4)]
    mean = ens.state_space
    np.testing.assert_allclose(mean.transitions, np.mean([space.transitions for space in spaces], axis=0), atol=1e-12)
    np.testing.assert_allclose(mean.intercept, np.mean([space.intercept for space in spaces], axis=0), atol=1e-12)
    z = (tropics.values - ens.centre) / ens.spread
    left = z[2:] - mean.intercept - z[1:-1] @ mean.transitions[0].T - z[:-2] @ mean.transitions[1].T
    ratio = mean.root @ mean.root.T / (left.T @ left / len(left))
    np.testing.assert_allclose(ratio, ratio[0, 0], rtol=1e-6)
    assert 1 < ratio[0, 0] < 1.1
    out = ens.forecast(tropics, leads=3, about=["nino34"])
    one = mean.intercept + mean.transitions[0] @ z[-1] + mean.transitions[1] @ z[-2]
    there = out["mean"].sel(lead=1).values.T.ravel()
    np.testing.assert_allclose(np.sort(there[np.isfinite(there)]), np.sort(one * ens.spread + ens.centre))
    assert out["quantity_mean"].sel(quantity="nino34").shape == (3,)
    assert (out["quantity_sd"].values > 0).all()


def test_the_first_member_is_learned_from_resampled_rows_of_the_lagged_table(tropics, ens):
    single = cb.learn(tropics, "hill_climbing", cb.BIC(gamma=0.5), lags=(0, 1, 2), progress=False)
    assert ens.network().dag == single.dag
    np.testing.assert_allclose(
        ens.network().arc_coefficients, cb.fit(single, tropics, scale="sd").arc_coefficients, atol=1e-8
    )
    again = cb.ensemble(
        tropics, "hill_climbing", cb.BIC(gamma=0.5), resamples=2, lags=(0, 1, 2), seed=3, workers=1, progress=False
    )
    for number in range(2):
        assert again.network(number).dag == ens.network(number).dag
    assert all("@-" not in target for target in ens.arcs()["target"])
    assert set(ens.arcs()["lag"]) == {0, 1, 2}


def test_answers_have_intervals_by_lead(ens):
    post = cb.propagate(ens, {(-5, -145): 2.0}, horizon=3)
    assert post["difference_low"].dims[0] == "lead"
    answers = [cb.propagate(ens.network(i), {(-5, -145): 2.0}, horizon=3)["difference"] for i in range(4)]
    sd = np.std([one.values for one in answers], axis=0, ddof=1)
    np.testing.assert_allclose(post["difference_sd"].values, sd, atol=1e-12)
    table = ens.region_mean({(-5, -145): 2.0}, lat=(-10, 10), lon=(40, 100), horizon=3)
    assert table["lead"].tolist() == [0, 1, 2, 3]
    box = float(cb.region_mean(post["difference"].sel(lead=2), (-10, 10), (40, 100)))
    assert table["mean"][2] == pytest.approx(box)
    still = cb.ensemble(np.random.default_rng(1).normal(size=(50, 3)), resamples=2, block=1, progress=False)
    with pytest.raises(ClimateBNError, match="one month only"):
        cb.propagate(still, {"X1": 1}, horizon=2)
