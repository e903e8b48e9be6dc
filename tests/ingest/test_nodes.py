"""NodeData: the paper's order, the way back to maps, distances, and what cannot be a node."""

import math

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from made_fields import made_field
from references import frame

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest import Nodes


@pytest.fixture(scope="module")
def ncep():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()))


def test_a_place_constant_in_one_season_has_a_way_out():
    field = made_field(months=48, start="1981-01")
    field[np.isin(field["time"].dt.month, (12, 1, 2)), 0, 0] = 271.0  # ice
    anomaly = cb.anomalies(field)
    with pytest.raises(
        ClimateBNError, match=r"carry no information: X\d+\. Leave them out.*degenerate='drop'.*months="
    ):
        cb.learn(cb.to_nodes(anomaly).sel(months="DJF"), progress=False)
    assert cb.learn(cb.to_nodes(anomaly, degenerate="drop", months="DJF"), progress=False).valid


def test_embedded_field_equals_the_reference(ncep):
    np.testing.assert_allclose(ncep.values, frame("ncep648").to_numpy(), atol=1e-4)
    numbers = np.arange(648)
    np.testing.assert_array_equal(ncep.lat, -85 + 10 * (numbers % 18))
    np.testing.assert_array_equal(ncep.lon, -175 + 10 * (numbers // 18))
    assert ncep.names[80] == "X81"
    assert (ncep.lat[80], ncep.lon[80]) == (-5, -135)
    january = ncep.time == np.datetime64("1998-01-01")
    assert ncep.values[january, 80].item() == pytest.approx(1.91, abs=0.01)
    assert ncep.units == "K"


def test_native_grid_has_one_node_for_each_pole(caplog):
    lat, lon = np.arange(90, -90.1, -2.5), np.arange(0, 360, 2.5)
    field = made_field(lat, lon, months=24)
    field[:, [0, -1], :] = field[:, [0, -1], :1].values
    with caplog.at_level("INFO", logger="climatebn"):
        data = cb.to_nodes(cb.anomalies(field))
    assert len(data.names) == 71 * 144 + 2 == 10226
    assert "144 equal columns at latitude 90 are one node, the pole" in caplog.text
    np.testing.assert_array_equal(data.lat[[0, 1, 72, 73]], [-90, -87.5, 90, -87.5])
    np.testing.assert_array_equal(data.lon[[0, 72, 73, -1]], [-180, -180, -177.5, 177.5])
    maps = data.to_xarray()
    original = cb.anomalies(field).assign_coords(lon=(field["lon"] + 180) % 360 - 180).sortby(["lat", "lon"])
    np.testing.assert_array_equal(maps.values, original.values)


def test_a_pole_row_of_different_values_stays(caplog):
    data = cb.to_nodes(made_field(lat=[-90, 0, 90], lon=[0, 120, 240]))
    assert len(data.names) == 9


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.booleans(), st.permutations(["time", "lat", "lon"]))
def test_order_does_not_depend_on_the_file(seed, round_lon, falling, dims):
    field = made_field(lon=np.arange(-150.0, 180, 60), months=6, seed=seed)
    other = field.assign_coords(lon=field["lon"] % 360).sortby("lon") if round_lon else field
    other = (other.isel(lat=slice(None, None, -1)) if falling else other).transpose(*dims)
    data, same = cb.to_nodes(field), cb.to_nodes(other)
    np.testing.assert_array_equal(data.values, same.values)
    np.testing.assert_array_equal((data.lat, data.lon), (same.lat, same.lon))
    np.testing.assert_array_equal(data.to_xarray().values, field.values)


def test_way_back(ncep):
    deviation = ncep.to_xarray(ncep.values.std(axis=0))
    assert deviation.dims == ("lat", "lon")
    assert deviation.sel(lat=-5, lon=-135).item() == ncep.values[:, 80].std()
    assert deviation["lat"].attrs["units"] == "degrees_north"
    maps = ncep.to_xarray()
    xr.testing.assert_allclose(maps.drop_attrs(), cb.anomalies(cb.load_ncep()).drop_attrs().rename(None))
    assert maps.attrs["units"] == "K"
    for wrong in (np.zeros(647), np.zeros((3, 648)), np.zeros((360, 3)), 1.0):
        with pytest.raises(ClimateBNError, match="values"):
            ncep.to_xarray(wrong)


def test_missing_values_are_named_or_dropped(caplog):
    field = made_field()
    field[3, 1, 2] = np.nan
    field[4:6, 2, 5] = np.nan
    with pytest.raises(ClimateBNError) as error:
        cb.to_nodes(field)
    words = "3 missing values: 2 of 36 cells in 3 of 36 months (first: lat -45 lon -30 in 1981-04; lat -15 lon 150 in"
    assert words in str(error.value)
    assert "missing='drop_nodes'" in str(error.value)
    with caplog.at_level("INFO", logger="climatebn"):
        data = cb.to_nodes(field, missing="drop_nodes")
    assert "2 of 36 places with missing values left out" in caplog.text
    assert data.names == tuple(f"X{i}" for i in range(1, 35))
    back = data.to_xarray()
    assert back.isnull().all("time").sum() == 2
    np.testing.assert_array_equal(back.values[0][~np.isnan(back.values[0])], field.values[0][~np.isnan(back.values[0])])
    with pytest.raises(ClimateBNError, match="leaves no node"):
        cb.to_nodes(field * np.nan, missing="drop_nodes")
    with pytest.raises(ClimateBNError, match="unknown missing 'drop_node'; did you mean 'drop_nodes'"):
        cb.to_nodes(field, missing="drop_node")


def test_constant_nodes_are_named_or_dropped():
    field = made_field()
    field[:, 0, 0] = 271.35
    standard = cb.anomalies(field, standardize=True)
    with pytest.raises(ClimateBNError, match=r"1 constant nodes carry no information: X1 \(lat -75 lon -150\)"):
        cb.to_nodes(standard)
    with pytest.raises(ClimateBNError, match="36 constant nodes"):
        cb.to_nodes(field * 0)
    dropped = cb.to_nodes(standard, degenerate="drop")
    assert dropped.names == tuple(f"X{i}" for i in range(1, 36))
    assert dropped.lat[0] == -45
    assert "dropped=1 constant nodes carry no information: X1 (lat -75 lon -150)" in dropped.attrs["history"]
    with pytest.raises(ClimateBNError, match="leaves no node"):
        cb.to_nodes(field * 0, degenerate="drop")
    with pytest.raises(ClimateBNError, match="unknown degenerate 'dropp'; did you mean 'drop'"):
        cb.to_nodes(field, degenerate="dropp")


def test_repeated_nodes_are_named_or_dropped():
    field = made_field()
    field[:, 2, 3] = field[:, 1, 0]
    field[:, 3, 3] = -2 * field[:, 1, 0] + 7
    anomaly = cb.anomalies(field)
    with pytest.raises(
        ClimateBNError,
        match=r"2 nodes repeat another one exactly, or are a multiple of it: X2 \(lat -45 .* = X21 .*degenerate='drop'",
    ):
        cb.to_nodes(anomaly)
    data = cb.to_nodes(anomaly, degenerate="drop")
    assert len(data.names) == 34
    assert (data.lat[1], data.lon[1]) == (-45, -150)
    assert np.isnan(data.to_xarray()[0, 2, 3])
    assert "2 nodes repeat another one" in data.attrs["history"]


def test_collinear_nodes_are_named():
    field = made_field(months=60)
    field[:, 0, 3] = 2 * field[:, 1, 0] - field[:, 2, 0]
    with pytest.raises(ClimateBNError) as error:
        cb.to_nodes(cb.anomalies(field))
    assert "1 nodes are exact linear combinations" in str(error.value)
    assert {"X2 ", "X3 ", "X19 "} <= {name for name in ("X2 ", "X3 ", "X19 ", "X5 ") if name in str(error.value)}
    assert "X5 " not in str(error.value)


def test_seasons_are_allowed():
    field = cb.anomalies(made_field())
    winter = cb.to_nodes(field.sel(time=field["time"].dt.month.isin([12, 1, 2])))
    assert len(winter) == 9


def test_distances(ncep):
    km = ncep.distances()
    a, b = 80, 500
    angle = math.acos(
        math.sin(math.radians(ncep.lat[a])) * math.sin(math.radians(ncep.lat[b]))
        + math.cos(math.radians(ncep.lat[a]))
        * math.cos(math.radians(ncep.lat[b]))
        * math.cos(math.radians(ncep.lon[a] - ncep.lon[b]))
    )
    assert km[a, b] == pytest.approx(6371 * angle, rel=1e-9)
    np.testing.assert_array_equal(km, km.T)
    assert (np.diag(km) == 0).all()
    west, east = ncep.nearest(5, -175), ncep.nearest(5, 175)
    assert km[ncep.names.index(west), ncep.names.index(east)] < 1110  # neighbours across the date line


def test_nearest_and_select(ncep):
    assert ncep.nearest(-5, -135) == ncep.nearest(-4, 226) == "X81"
    assert ncep.nearest(89, 180) in ("X18", "X648")
    some = ncep.select(["X81", "X3"])
    assert some.names == ("X81", "X3")
    np.testing.assert_array_equal(some.values, ncep.values[:, [80, 2]])
    assert some.to_xarray([1.0, 2.0]).notnull().sum() == 2
    assert ncep.select("X81").names == ("X81",)
    with pytest.raises(ClimateBNError, match="unknown node 'X649'; there are 648 nodes, X1 … X648"):
        ncep.select(["X1", "X649"])
    with pytest.raises(ClimateBNError, match="lat within ±90"):
        ncep.nearest(100, 0)


def test_node_data_cannot_be_edited(ncep):
    for array in (ncep.values, ncep.lat, ncep.lon, ncep.time):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[0]
    with pytest.raises(AttributeError):
        ncep.units = "degF"


def test_nodes_stand_without_data(ncep):
    nodes = ncep.nodes
    again = Nodes(list(nodes.names), nodes.lat.tolist(), nodes.lon.tolist(), nodes.grid_lat, nodes.grid_lon)
    xr.testing.assert_identical(again.to_xarray(np.arange(648)), nodes.to_xarray(np.arange(648)))
    assert repr(again) == "Nodes(648 on a 18 × 36 grid: X1 … X648, lat -85 … 85, lon -175 … 175)"
    for bad in (
        {"names": ["X1"]},
        {"names": ["X1", "X1"]},
        {"lat": [0.0, 1.0]},
    ):
        with pytest.raises(ClimateBNError):
            Nodes(**{"names": ["a", "b"], "lat": [0, 10], "lon": [0, 0], "grid_lat": [0, 10], "grid_lon": [0], **bad})


def test_repr(ncep):
    assert "360 months 1981-01 … 2010-12 × 648 nodes, K" in repr(ncep)


def test_maps_are_right_whatever_the_order_of_the_grid():
    nodes = Nodes(("a", "b", "c"), [10, -10, 30], [50, 20, 20], [30, -10, 10], [50, 20])
    cells = nodes.to_xarray([1.0, 2.0, 3.0])
    assert float(cells.sel(lat=10, lon=50)) == 1
    assert float(cells.sel(lat=-10, lon=20)) == 2
    assert float(cells.sel(lat=30, lon=20)) == 3
    assert int(cells.notnull().sum()) == 3
    with pytest.raises(ClimateBNError, match="grid_lat holds a value twice"):
        Nodes(("a",), [10], [50], [10, 10], [50])
