"""The question the package is for: two standard deviations of warmth at X81 (5°S, 135°W), on the embedded field."""

import pytest

import climatebn as cb
from climatebn import analysis

EVIDENCE = {"X81": 2.0}
INDIAN_OCEAN = {"lat": (-25, 20), "lon": (45, 100)}


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()))


@pytest.fixture(scope="module")
def bn(data):
    result = cb.learn(data, "tabu", cb.BIC(gamma=0.5), progress=False)
    return cb.fit(result.dag, data, scale="sd")


def test_warmth_spreads_along_the_equator_and_to_the_indian_ocean(bn):
    rise = cb.propagate(bn, EVIDENCE, threshold=1.0).difference
    assert (rise.sel(lat=-5, lon=[-165, -155, -145, -125, -115, -105]) > 0.7).all()
    assert cb.region_mean(rise, **INDIAN_OCEAN) > 0.05


def test_the_correlation_network_does_not_reach_the_indian_ocean(bn, data):
    network = analysis.correlation_network(data, arcs=len(bn.dag.arcs))
    rise = cb.propagate(network, EVIDENCE, threshold=1.0).difference
    assert (rise.sel(lat=-5, lon=[-145, -125]) > 0.7).all()
    assert cb.region_mean(rise, **INDIAN_OCEAN) == 0


def test_a_teleconnection_joins_the_tropical_pacific_with_another_basin(bn):
    table = cb.teleconnections(bn, min_km=5000)
    tropics = table[(table["source_lat"].abs() < 30) & (table["target_lat"].abs() < 30)]
    assert len(tropics) > 10
    assert (table["strength"] > 0).mean() > 0.95
