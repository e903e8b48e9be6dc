"""Evidence on the map: shape, tails, units, words, and refusals."""

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm

import climatebn as cb
from climatebn.errors import ClimateBNError


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-30, 30)))


@pytest.fixture(scope="module")
def bn(data):
    """Every node depends on its western neighbour."""
    km = data.distances()
    west = [(i, j) for i in range(216) for j in range(216) if data.lat[i] == data.lat[j] and 0 < km[i, j] < 1200]
    arcs = [(data.names[i], data.names[j]) for i, j in west if i < j and data.lon[j] - data.lon[i] < 180]
    return cb.fit(cb.Dag.from_arcs(data.names, arcs), data, scale="sd")


def test_map_equals_dense_conditioning(bn, data):
    evidence = {"X27": 2.0, "X100": -1.0}
    post = cb.propagate(bn, evidence, threshold=1.0, tail="both")
    covariance, known = bn.covariance(), [26, 99]
    gain = covariance[:, known] @ np.linalg.inv(covariance[np.ix_(known, known)])
    mean = gain @ [2.0, -1.0]
    variance = np.diag(covariance - gain @ covariance[known]).copy()
    rest = np.setdiff1d(np.arange(216), known)
    sd = np.sqrt(variance[rest])
    prior = norm.sf(1 / np.sqrt(np.diag(covariance)[rest]))
    for side, sign in (("upper", 1), ("lower", -1)):
        values = np.full(216, np.nan)
        values[rest] = norm.sf((1 - sign * mean[rest]) / sd) - prior
        expected = data.to_xarray(values)
        found = post[f"difference_{side}"].where(~post.evidence)
        np.testing.assert_allclose(found, expected, atol=1e-10)
    assert post.posterior_upper.sel(lat=data.lat[26], lon=data.lon[26]) == 1.0
    assert post.posterior_upper.sel(lat=data.lat[99], lon=data.lon[99]) == 0.0
    assert int(post.evidence.sum()) == 2


def test_place_is_the_nearest_node_in_either_longitude_habit(bn):
    name = bn.nodes.nearest(-5, -135)
    by_name = cb.propagate(bn, {name: 2.0})
    for place in ((-5, -135), (-6.2, 226.5)):
        xr.testing.assert_identical(cb.propagate(bn, {place: 2.0}).drop_attrs(), by_name.drop_attrs())


def test_one_tail_has_plain_names_and_says_what_it_is(bn):
    post = cb.propagate(bn, {"X27": 2.0}, threshold=1.5, tail="lower")
    assert set(post.data_vars) == {
        "prior", "posterior", "difference", "mean", "sd", "evidence", "prior_sd", "prior_sd_ratio",
    }  # fmt: skip
    assert post.difference.dims == ("lat", "lon")
    assert post.difference.attrs == {"long_name": "P(X ≤ −1.5 sd | evidence) − P(X ≤ −1.5 sd)", "units": "1"}
    assert post["mean"].attrs["units"] == "sd"
    assert post.lat.attrs["units"] == "degrees_north"
    assert post.attrs["evidence"] == '{"X27": 2.0}'
    assert "to_nodes(" in post.attrs["history"]
    assert "propagate(evidence={'X27': 2.0}" in post.attrs["history"].splitlines()[-1]
    np.testing.assert_allclose(post.posterior - post.prior, post.difference)


def test_result_can_be_written(bn, tmp_path):
    post = cb.propagate(bn, {"X27": 2.0})
    post.to_netcdf(tmp_path / "post.nc")
    xr.testing.assert_allclose(xr.load_dataset(tmp_path / "post.nc"), post)


def test_units_of_the_data(bn, data):
    kelvin = cb.propagate(bn, {"X27": 2.0 * bn.spread[26]}, threshold=0.8, units="data")
    sd = cb.propagate(bn, {"X27": 2.0})
    np.testing.assert_allclose(kelvin["mean"], sd["mean"] * data.to_xarray(bn.spread), rtol=1e-9, atol=1e-9)
    assert kelvin["mean"].attrs["units"] == "K"
    assert kelvin.posterior.attrs["long_name"] == "P(X ≥ 0.8 K | evidence)"


def test_priors_and_their_ratio_to_the_sample(bn, data):
    implied = np.sqrt(bn.variances())
    post = cb.propagate(bn, {"X27": 2.0})
    np.testing.assert_allclose(post.prior_sd, data.to_xarray(implied), rtol=1e-12)
    np.testing.assert_allclose(post.prior_sd_ratio, data.to_xarray(implied), rtol=1e-12)
    kelvin = cb.propagate(bn, {"X27": 1.0}, units="data")
    np.testing.assert_allclose(kelvin.prior_sd, data.to_xarray(implied * bn.spread), rtol=1e-12)
    np.testing.assert_allclose(kelvin.prior_sd_ratio, data.to_xarray(implied), rtol=1e-12)
    assert (kelvin.prior_sd.attrs["units"], kelvin.prior_sd_ratio.attrs["units"]) == ("K", "1")
    same = cb.propagate(bn, {"X27": 2.0}, marginals="sample")
    np.testing.assert_allclose(same.prior_sd_ratio, 1.0)


def test_places_without_a_node_stay_blank_and_have_no_evidence():
    field = cb.anomalies(cb.load_ncep()).sel(lat=slice(-20, 20))
    data = cb.to_nodes(field.where(field.lon < 100), missing="drop_nodes")
    post = cb.propagate(cb.fit(cb.Dag.from_arcs(data.names), data, scale="sd"), {"X7": 1.0})
    assert post.difference.isnull().sum() == 4 * 8
    assert post.evidence.dtype == bool
    assert post.evidence.sum() == 1


def test_without_places_the_dimension_is_node():
    bn = cb.GaussianBN.from_parameters(("a", "b"), {("a", "b"): 1.0}, {"a": 0, "b": 0}, {"a": 1, "b": 1})
    post = cb.propagate(bn, {"b": 2.0})
    assert post.difference.dims == ("node",)
    assert post["mean"].sel(node="a") == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"evidence": {}}, "evidence is empty"),
        ({"tail": "top"}, "unknown tail 'top'"),
        ({"threshold": -1.0}, "threshold must be a finite number, 0 or more"),
        ({"evidence": {"X270": 1.0}}, "unknown evidence node 'X270'; did you mean"),
        ({"evidence": {(60, 0): 1.0}}, r"\(60, 0\) lies outside the network.*nearest node"),
        ({"evidence": {(95, 0): 1.0}}, "lat within ±90"),
        ({"evidence": {(-5, -135): 1.0, (-6, -134): 1.0}}, "more than one value"),
        ({"bn": cb.Dag.from_arcs("ab")}, "Gaussian and correlation networks; got Dag"),
    ],
)
def test_wrong_input_is_said(bn, arguments, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.propagate(**{"bn": bn, "evidence": {"X27": 2.0}, **arguments})
