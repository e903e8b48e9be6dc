"""Lagged tables, several variables as nodes, and maps on which no node overwrites another."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from made_fields import made_field

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest import Nodes
from climatebn.ingest.nodes.lags import in_time
from climatebn.ingest.nodes.node_maps import from_maps


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(made_field(months=36))


def test_each_row_holds_its_months(data):
    table = cb.lagged(data, (0, 1, 3))
    size = len(data.names)
    assert len(table) == 33
    assert table.names[size] == f"{data.names[0]}@-1"
    assert table.nodes.lag.tolist() == [0] * size + [1] * size + [3] * size
    for row, month in enumerate(range(3, 36)):
        np.testing.assert_array_equal(table.values[row].reshape(3, size), data.values[[month, month - 1, month - 3]])
    np.testing.assert_array_equal(table.time, data.time[3:])
    np.testing.assert_array_equal(cb.lagged(data, (2,)).values[:, :size], data.values[2:])


def test_a_season_is_never_joined_with_another_years(data):
    winters = cb.to_nodes(made_field(months=60), months="DJF")
    table = cb.lagged(winters, (1,))
    months = pd.DatetimeIndex(table.time)
    assert set(months.month) == {1, 2}
    size = len(data.names)
    for row, month in enumerate(months):
        before = np.flatnonzero(pd.DatetimeIndex(winters.time) == month - pd.DateOffset(months=1))
        np.testing.assert_array_equal(table.values[row, size:], winters.values[before[0]])
    assert set(pd.DatetimeIndex(cb.lagged(winters, (2,)).time).month) == {2}
    with pytest.raises(ClimateBNError, match="3 months before them"):
        cb.lagged(winters, (3,))


def test_rows_without_dates_follow_each_other():
    frame = pd.DataFrame({"a": np.arange(6.0), "b": np.arange(6.0) ** 2})
    table = cb.lagged(frame, (0, 2))
    assert list(table.columns) == ["a", "b", "a@-2", "b@-2"]
    np.testing.assert_array_equal(table["b@-2"], frame["b"][:4])
    np.testing.assert_array_equal(cb.lagged(frame.to_numpy(), (2,))["X1@-2"], frame["a"][:4])
    assert in_time(table, None)[1] == (0, 2)
    assert in_time(cb.lagged(frame, (2,)), None)[1] == (2,)
    assert in_time(frame, (0,)) == (frame, ())


@pytest.mark.parametrize("lags", [(), (-1,), (1, 1), (1.5,), ("1",), (True,), None, 500])
def test_wrong_lags(data, lags):
    with pytest.raises(ClimateBNError, match="lags must be"):
        cb.lagged(data, lags)


def test_records_that_cannot_be_lagged(data):
    with pytest.raises(ClimateBNError, match="40 months before them, 3 or more; the record of 36 months has 0"):
        cb.lagged(data, (40,))
    gap = cb.NodeData(np.delete(data.values, 20, axis=0), data.nodes, np.delete(data.time, 20))
    with pytest.raises(ClimateBNError, match="time gaps: 1 month is missing"):
        cb.lagged(gap, (1,))
    with pytest.raises(ClimateBNError, match="already"):
        cb.lagged(cb.lagged(data, (1,)), (1,))
    with pytest.raises(ClimateBNError, match="has none"):
        cb.learn(cb.GaussianStats(10, np.eye(3)), lags=(1,))
    with pytest.raises(ClimateBNError, match="not those of the table"):
        cb.learn(cb.lagged(data, (1,)), lags=(1, 2))


def fields():
    a = made_field(months=36, seed=1).assign_attrs(units="K")
    b = made_field(lat=[-40, 0, 40], lon=[-120, 0, 120], months=40, seed=2).assign_attrs(units="hPa")
    series = pd.Series(np.random.default_rng(3).normal(size=48), pd.date_range(a.time.values[0], periods=48, freq="MS"))
    return a, b, series


def test_several_variables_are_one_table():
    a, b, series = fields()
    data = cb.to_nodes({"tas": a, "slp": b, "index": series})
    one, two = cb.to_nodes(a), cb.to_nodes(b)
    assert data.names == (*(f"tas:{x}" for x in one.names), *(f"slp:{x}" for x in two.names), "index")
    np.testing.assert_array_equal(data.select([f"slp:{x}" for x in two.names]).values, two.values[:36])
    np.testing.assert_array_equal(data["index"].values, series[:36])
    assert data["slp:X1"].attrs["units"] == "hPa"
    assert data["tas:X1"].attrs["units"] == "K"
    assert data.units == ""
    other = made_field(months=36, seed=4)
    same = cb.to_nodes(xr.Dataset({"tas": a, "slp": other}))
    np.testing.assert_array_equal(same.values, np.hstack([one.values, cb.to_nodes(other).values]))
    beside = cb.to_nodes({"tas": a, "index": series})
    assert beside.names == (*one.names, "index")
    assert beside.units == "K"


def test_no_node_overwrites_another_on_the_map():
    a, b, series = fields()
    data = cb.to_nodes({"tas": a, "slp": b, "index": series})
    table = cb.lagged(data, (0, 1))
    values = np.arange(float(len(table.names)))
    maps = table.nodes.to_xarray(values)
    assert maps.dims == ("variable", "lag", "lat", "lon")
    for i, name in enumerate(table.names):
        nodes = table.nodes
        if nodes.on_grid[i]:
            where = {"variable": nodes.variable[i], "lag": nodes.lag[i], "lat": nodes.lat[i], "lon": nodes.lon[i]}
            assert maps.sel(where).item() == i, name
    assert int(maps.notnull().sum()) == int(table.nodes.on_grid.sum())
    back = from_maps(table.nodes, maps)
    np.testing.assert_array_equal(back[table.nodes.on_grid], values[table.nodes.on_grid])
    assert data.to_xarray().dims == ("time", "variable", "lat", "lon")
    own = data.nodes.layer("slp").to_xarray(np.arange(9.0))
    np.testing.assert_array_equal(own["lat"], [-40, 0, 40])
    with pytest.raises(ClimateBNError, match="one cell of the map"):
        Nodes(("a", "b"), np.zeros(2), np.zeros(2), np.zeros(1), np.zeros(1))


def test_places_and_regions_of_several_fields():
    a, b, _ = fields()
    data = cb.to_nodes({"tas": a, "slp": b})
    bn = cb.fit(cb.Dag.from_arcs(data.names, []), data, scale="sd")
    lat, lon = float(data.lat[0]), float(data.lon[0])
    assert bn.condition({(lat, lon): 1.0}).evidence == {data.names[0]: 1.0}
    assert bn.condition({("slp", 40, 120): 1.0}).evidence == {"slp:X9": 1.0}
    weights = bn.condition({cb.Region((-90, 90), (-180, 180)): 0.1}).about[0]
    assert set(weights["nodes"]) == set(data.names[: data.names.index("slp:X1")])
    with pytest.raises(ClimateBNError, match="unknown field"):
        bn.condition({("z500", 40, 120): 1.0})
    with pytest.raises(ClimateBNError, match="several fields have it; give 'tas:X2' or 'slp:X2'"):
        bn.condition({"X2": 1.0})


def test_variables_that_do_not_fit_together():
    a, b, series = fields()
    with pytest.raises(ClimateBNError, match="slp lacks 6 of the 36 months of tas"):
        cb.to_nodes({"tas": a, "slp": b.isel(time=slice(30))})
    with pytest.raises(ClimateBNError, match="lacks 6 months"):
        cb.to_nodes({"tas": a, "index": series[:30]})
    with pytest.raises(ClimateBNError, match="X1 comes more than once"):
        cb.to_nodes({"tas": a, "X1": series})
    with pytest.raises(ClimateBNError, match="without ':'"):
        cb.to_nodes({"t:as": a})
    with pytest.raises(ClimateBNError, match="one field at least"):
        cb.to_nodes({"index": series})
    with pytest.raises(ClimateBNError, match=r"index must be numbers, one for each month; got 'nino34\.nc'"):
        cb.to_nodes({"tas": a, "index": "nino34.nc"})
    with pytest.raises(ClimateBNError, match=r"the index of nino must hold dates .* it holds '0 months'"):
        cb.to_nodes({"tas": a, "nino": series.set_axis([f"{i} months" for i in range(48)])})
    with pytest.raises(ClimateBNError, match="time_bnds: no lat dimension"):
        cb.to_nodes(xr.Dataset({"tas": a, "time_bnds": (("time", "bnds"), np.zeros((36, 2)))}))
    with pytest.raises(ClimateBNError, match="empty"):
        cb.to_nodes({})
