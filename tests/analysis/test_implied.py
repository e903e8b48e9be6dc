"""Implied against sample correlations: dense algebra, the data, and a full network that implies the sample."""

import numpy as np
import pytest

import climatebn as cb
from climatebn.analysis import implied_correlation
from climatebn.errors import ClimateBNError


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-20, 20)))


@pytest.fixture(scope="module", params=["sd", "none"])
def bn(data, request):
    arcs = [(a, b) for a, b in zip(data.names[:-5], data.names[5:], strict=True)]
    return cb.fit(cb.Dag.from_arcs(data.names, arcs), data, scale=request.param)


def test_map_for_one_place_and_for_a_region(bn, data):
    covariance = bn.covariance()
    sd = np.sqrt(np.diag(covariance))
    found = implied_correlation(bn, data, "X9")
    np.testing.assert_allclose(found.network, data.to_xarray(covariance[8] / sd / sd[8]), atol=1e-10)
    np.testing.assert_allclose(found["sample"], data.to_xarray(np.corrcoef(data.values.T)[8]), atol=1e-10)
    np.testing.assert_allclose(found.difference, found.network - found["sample"])
    assert found.network.attrs["long_name"] == "correlation with X9, implied by the network"
    region = cb.regions["nino34"]
    series = cb.region_mean(data.to_xarray(), region.lat, region.lon).values
    expected = [np.corrcoef(series, column)[0, 1] for column in data.values.T]
    np.testing.assert_allclose(implied_correlation(bn, data, region)["sample"], data.to_xarray(expected), atol=1e-10)


def test_pair_of_regions(bn, data):
    pair = implied_correlation(bn, data, "nino34", "indian_ocean")
    series = [
        cb.region_mean(data.to_xarray(), r.lat, r.lon) for r in (cb.regions["nino34"], cb.regions["indian_ocean"])
    ]
    assert pair["sample"].item() == pytest.approx(np.corrcoef(*series)[0, 1], abs=1e-10)
    one_map = implied_correlation(bn, data, "nino34")
    place = implied_correlation(bn, data, "nino34", (-5, 75))
    assert place.network.item() == pytest.approx(one_map.network.sel(lat=-5, lon=75).item(), abs=1e-10)
    assert place["sample"].item() == pytest.approx(one_map["sample"].sel(lat=-5, lon=75).item(), abs=1e-10)
    assert pair.attrs["of"] == "nino34, indian_ocean"


def test_without_a_place_it_is_the_root_mean_square(bn, data):
    found = implied_correlation(bn, data)
    matrix = np.corrcoef(data.values.T)
    np.fill_diagonal(matrix, np.nan)
    np.testing.assert_allclose(found["sample"], data.to_xarray(np.sqrt(np.nanmean(matrix**2, axis=0))), atol=1e-10)
    assert float(found.network.max()) <= 1


def test_a_full_network_implies_the_sample():
    values = np.random.default_rng(1).normal(size=(50, 6)) @ np.random.default_rng(2).normal(size=(6, 6))
    names = tuple(f"X{i + 1}" for i in range(6))
    full = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    found = implied_correlation(cb.fit(cb.Dag.from_arcs(names, full), values), values, "X2")
    np.testing.assert_allclose(found.difference, 0, atol=1e-10)
    assert found.network.dims == ("node",)


def test_wrong_input_is_said(bn, data):
    with pytest.raises(ClimateBNError, match="give a, too"):
        implied_correlation(bn, data, b="X1")
    with pytest.raises(ClimateBNError, match="unknown correlation node 'X999'"):
        implied_correlation(bn, data, "X999")
    with pytest.raises(ClimateBNError, match="Gaussian networks; got Dag"):
        implied_correlation(bn.dag, data)
