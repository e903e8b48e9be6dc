"""Evidence on regions, combinations and fields against dense algebra; what it says of itself; refusals."""

import warnings

import numpy as np
import pytest
import xarray as xr
from networks import dense_in_data_units, placed_network

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest.nodes.node_weights import region_weights

BOX = cb.Region(lat=(0, 60), lon=(120, -120))
TROPICS = cb.Region(lat=(-30, 30), lon=(-180, 180))


@pytest.fixture(scope="module", params=["sd", "none"])
def bn(request):
    return placed_network(3, request.param)


def weights_of(bn, region):
    """Area-weighted mean as a row, by the cosines of its cells (30° rows)."""
    inside = region.rows(bn.nodes.lat) & region.columns(bn.nodes.lon)
    edge = np.deg2rad(np.stack([bn.nodes.lat - 15, bn.nodes.lat + 15]))
    area = inside * np.diff(np.sin(np.minimum(edge, np.pi / 2)), axis=0)[0]
    return area / area.sum()


def conditioned(bn, rows, values):
    """Mean and variance in data units given rows @ x = values, by dense algebra."""
    mean, covariance = dense_in_data_units(bn)
    gain = covariance @ rows.T @ np.linalg.inv(rows @ covariance @ rows.T)
    return mean + gain @ (values - rows @ mean), np.diag(covariance - gain @ rows @ covariance)


def test_region_in_data_units_equals_dense_algebra(bn):
    rows = np.stack([weights_of(bn, BOX), np.eye(24)[4]])
    mean, _ = dense_in_data_units(bn)
    values = rows @ mean + [1.5, -0.7]
    post = bn.condition({BOX: values[0], "X5": values[1]}, units="data")
    expected, variance = conditioned(bn, rows, values)
    np.testing.assert_allclose(post.mean, expected, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(post.sd**2, variance, rtol=1e-8, atol=1e-10)
    assert weights_of(bn, BOX) @ post.mean == pytest.approx(values[0], abs=1e-10)


def test_region_in_sd_counts_from_its_mean_in_its_own_standard_deviations(bn):
    row = weights_of(bn, BOX)
    mean, covariance = dense_in_data_units(bn)
    sd = np.sqrt(row @ covariance @ row)
    expected, _ = conditioned(bn, row[None], np.array([row @ mean + 2 * sd]))
    post = bn.condition({BOX: 2.0}, units="sd")
    np.testing.assert_allclose(post.mean * bn.spread + bn.centre, expected, rtol=1e-10, atol=1e-10)
    (fact,) = post.about
    assert fact["sd"] == pytest.approx(sd, rel=1e-10)
    assert fact["mean"] == pytest.approx(row @ mean, rel=1e-10)
    assert fact["units"] == "K"
    assert post.given.sum() == len(fact["nodes"]) == np.count_nonzero(row)


def test_combination_equals_dense_algebra(bn):
    index = cb.Combination({BOX: 1, TROPICS: -0.5, "X2": 2, (60, 60): 1}, name="index")
    row = weights_of(bn, BOX) - 0.5 * weights_of(bn, TROPICS)
    row[1] += 2
    row[bn.names.index(bn.nodes.nearest(60, 60))] += 1
    mean, _ = dense_in_data_units(bn)
    expected, variance = conditioned(bn, row[None], np.array([row @ mean + 3.0]))
    post = bn.condition({index: row @ mean + 3.0}, units="data")
    np.testing.assert_allclose(post.mean, expected, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(post.sd**2, variance, rtol=1e-8, atol=1e-10)
    assert list(post.evidence) == ["index"]


def test_weights_are_those_of_region_mean_also_at_a_pole():
    field = cb.anomalies(cb.load_ncep())
    values = np.random.default_rng(1).normal(size=648)
    data = cb.to_nodes(field)
    for region in (*cb.regions.values(), cb.Region(lat=(40, 90), lon=(100, 20))):
        if not region.point:
            weights = region_weights(region, data.nodes)
            mean = sum(weight * values[data.names.index(name)] for name, weight in weights.items())
            assert mean == pytest.approx(
                float(cb.region_mean(data.to_xarray(values), region.lat, region.lon)), rel=1e-10
            )
    lat, lon = np.array([70.0, 80, 90]), np.arange(-180.0, 180, 90)
    nodes = cb.ingest.Nodes(("a", "b", "pole"), [70, 80, 90], [0, 90, -180], lat, lon)
    mean = cb.region_mean(nodes.to_xarray([1.0, 2.0, 4.0]).fillna(0.0), (85, 90), (-10, 100))
    assert float(mean) == 4.0
    weights = region_weights(cb.Region((75, 90), (-10, 100)), nodes)
    assert set(weights) == {"b", "pole"}
    assert weights["pole"] / weights["b"] == pytest.approx(
        2 * (1 - np.sin(np.deg2rad(85))) / (np.sin(np.deg2rad(85)) - np.sin(np.deg2rad(75)))
    )


def test_a_box_with_one_node_and_a_named_point_are_that_node(bn):
    by_name = bn.condition({"X1": 1.0}, units="sd")
    for key in (cb.Region(lat=(-40, -20), lon=(170, -170)), cb.Region(lat=(-28, -28), lon=(-170, -170))):
        post = bn.condition({key: 1.0}, units="sd")
        assert post.evidence == {"X1": 1.0}
        np.testing.assert_array_equal(post.mean, by_name.mean)
    assert bn.condition({"nao_iceland": 1.0}, units="sd").evidence == {bn.nodes.nearest(65, -23): 1.0}


def test_named_regions_and_a_node_of_the_same_name():
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=slice(-30, 30)))
    bn = cb.fit(cb.Dag.from_arcs(data.names), data, scale="sd")
    post = cb.propagate(bn, {"nino34": 2.0})
    xr.testing.assert_identical(
        post.drop_attrs(), cb.propagate(bn, {cb.Region(lat=(-5, 5), lon=(190, 240)): 2}).drop_attrs()
    )
    assert post.attrs["evidence"] == '{"nino34": 2.0}'
    assert post.attrs["given"] == "nino34 = 2 sd"
    assert '"sd"' in post.attrs["evidence_about"]
    assert int(post.evidence.sum()) == 10
    names = ("nino34", "b")
    small = cb.GaussianBN.from_parameters(names, {}, dict.fromkeys(names, 0.0), dict.fromkeys(names, 1.0))
    assert small.condition({"nino34": 2.0})["nino34"] == (2.0, 0.0)


def test_a_field_is_evidence_where_it_has_values(bn):
    rng = np.random.default_rng(5)
    values = np.full(24, np.nan)
    values[[2, 9, 17]] = bn.centre[[2, 9, 17]] + 0.3 * rng.normal(size=3)
    field = bn.nodes.to_xarray(values)
    post = bn.condition(field.assign_coords(lon=field.lon % 360).sortby("lon").isel(lat=slice(None, None, -1)), "data")
    by_name = bn.condition({"X3": values[2], "X10": values[9], "X18": values[17]}, units="data")
    np.testing.assert_allclose(post.mean, by_name.mean, rtol=1e-12)
    names = xr.DataArray(values, dims="node", coords={"node": list(bn.names)})
    np.testing.assert_allclose(bn.condition(names, "data").mean, by_name.mean, rtol=1e-12)
    with pytest.raises(ClimateBNError, match="6 of 24 nodes have none"):
        bn.condition(field.isel(lat=slice(1, None)), "data")
    with pytest.raises(ClimateBNError, match="without a value at any node"):
        bn.condition(field * np.nan, "data")


def test_a_field_in_units_of_the_data_is_not_silently_taken_as_deviations():
    data = cb.to_nodes(cb.anomalies(cb.load_ncep()).sel(lat=[-5, 5]))
    network = cb.fit(cb.Dag.from_arcs(data.names), data, scale="sd")
    field = data.to_xarray().isel(time=204)
    assert field.attrs["units"] == network.units
    with pytest.warns(cb.errors.ClimateBNWarning, match="taken as standard deviations; units='data' takes it in"):
        network.condition(field.where(field.lon == -135))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        network.condition(field.where(field.lon == -135), units="data")
        network.condition(field.where(field.lon == -135), units="sd")
        network.condition(field.where(field.lon == -135).drop_attrs())


def test_whole_box_of_nodes_and_its_mean_may_agree_but_not_contradict(bn):
    box = cb.Region(lat=(0, 60), lon=(175, -175))
    row = weights_of(bn, box)
    value = row @ (bn.centre + bn.spread * np.r_[0, 0.2, 0.3, 0.4, np.zeros(20)])
    post = bn.condition({"X2": bn.centre[1] + 0.2 * bn.spread[1], box: value}, "data")
    assert row @ post.mean == pytest.approx(value)
    with pytest.raises(ClimateBNError, match="jointly impossible"):
        bn.condition({**{f"X{i}": float(bn.centre[i - 1]) for i in (2, 3, 4)}, box: value + 1.0}, "data")


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({cb.Region(lat=(-80, -70), lon=(0, 10)): 1.0}, "no node lies in .*Widen the box"),
        ({"nino35": 1.0}, "unknown evidence node 'nino35'; did you mean 'nino3"),
        ({BOX: 9.0}, r"\+9.0 standard deviations"),
        ({BOX: 1.0, cb.Region(lat=(0, 60), lon=(119, 241)): 1.0}, "more than one value"),
        ({cb.Combination({"X1": 1, (-30, -180): -1}): 1.0}, "cancel"),
        ({BOX: "warm"}, "must be numbers or intervals"),
    ],
)
def test_wrong_evidence_is_said(bn, evidence, words):
    with pytest.raises(ClimateBNError, match=words):
        bn.condition(evidence, units="sd")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: cb.Region(lat=slice(-5, 5), lon=(0, 10)), r"lat must be two numbers \(south, north\).*slice\(-5, 5"),
        (lambda: cb.Region(lat=(5, -5), lon=(0, 10)), "south first"),
        (lambda: cb.Region(lat=(-5, 5), lon="0-10"), "lon must be two numbers"),
        (lambda: cb.Combination({}), "parts must map"),
        (lambda: cb.Combination({"X1": "a"}), "weights of a combination must be numbers"),
    ],
)
def test_wrong_regions_are_said(make, words):
    with pytest.raises(ClimateBNError, match=words):
        make()


def test_networks_without_places_say_so():
    names = ("a", "b")
    small = cb.GaussianBN.from_parameters(names, {}, dict.fromkeys(names, 0.0), dict.fromkeys(names, 1.0))
    with pytest.raises(ClimateBNError, match="needs nodes with lat and lon"):
        small.condition({BOX: 1.0})


def test_regions_are_equal_by_their_edges_and_go_round():
    assert cb.Region(lat=(-5, 5), lon=(190, 240)) == cb.regions["nino34"]
    assert len({cb.Region(lat=(0, 1), lon=(0, 360)), cb.Region(lat=(0, 1), lon=(-180, 180))}) == 1
    assert cb.Region(lat=(0, 1), lon=(-180, 180)).columns(np.arange(-180, 180)).all()
    assert cb.Region(lat=(0, 1), lon=(170, -170)).columns(np.array([175.0, 185, 165, -175])).tolist() == [1, 1, 0, 1]
    assert set(cb.regions) == set(cb.ingest.region_sources)
