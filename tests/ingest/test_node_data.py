"""NodeData as people expect it: rows, columns, tables, arrays, and an index as one more node."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

import climatebn as cb
from climatebn.errors import ClimateBNError


@pytest.fixture(scope="module")
def data():
    return cb.to_nodes(cb.anomalies(cb.load_ncep()))


@pytest.fixture(scope="module")
def nino(data):
    box = [data.nearest(lat, lon) for lat in (-5, 5) for lon in (-165, -155, -145, -135, -125)]
    return data.select(box).to_dataframe().mean(axis=1)


def test_rows_by_time_and_months(data):
    assert data.sel(time="1998").counted == "12 months"
    assert data.sel(time=slice("1981", "1990"), months="DJF").counted == "30 months of DJF"
    one = data.sel(time="1998-01")
    assert one.values[0, 80] == pytest.approx(1.91, abs=0.01)
    assert one.units == data.units
    for wrong in ("1950", "x", slice("1950", "1960")):
        with pytest.raises(ClimateBNError, match=r"selects no row; there are 360 months 1981-01 … 2010-12"):
            data.sel(time=wrong)


def test_one_node_a_table_an_array(data):
    column = data["X81"]
    assert column.dims == ("time",)
    assert (float(column["lat"]), float(column["lon"]), column.attrs["units"]) == (-5, -135, "K")
    np.testing.assert_array_equal(column, data.values[:, 80])
    table = data.to_dataframe()
    assert table.loc["1998-01-01", "X81"] == data.values[204, 80]
    assert tuple(table.columns) == data.names
    table.iloc[204, 80] += 1  # a copy: pandas before 3 would hand out the read-only values themselves
    assert table.iloc[204, 80] == data.values[204, 80] + 1
    np.testing.assert_array_equal(np.asarray(data), data.values)
    assert np.asarray(data, dtype=np.float32).dtype == np.float32
    with pytest.raises(ClimateBNError, match="unknown node 'X649'"):
        data["X649"]
    for wrong in (["X1", "X2"], (-5, -135)):
        with pytest.raises(ClimateBNError, match=r"Several: data.select.*data\[data.nearest\(lat, lon\)\]"):
            data[wrong]
    assert data.sel(time=1998).counted == "12 months"


def test_an_index_is_one_more_node_without_a_place(data, nino):
    more = data.with_index(nino34=nino)
    assert more.names == (*data.names, "nino34")
    np.testing.assert_allclose(more["nino34"], nino)
    assert repr(more).endswith("X1 … X648, lat -85 … 85, lon -175 … 175; and nino34, not on the map)")
    assert np.isnan(more.distances()[-1]).all()
    xr.testing.assert_equal(more.to_xarray(), data.to_xarray())
    assert all(more.nearest(lat, lon) != "nino34" for lat, lon in ((0, -145), (0, 0)))
    assert "with_index(indices=('nino34',)" in more.attrs["history"]
    placed = data.with_index(nino34=nino, places={"nino34": (0, 215)})
    assert (placed.lat[-1], placed.lon[-1]) == (0, -145)
    assert placed.nearest(0, -145) != "nino34"
    assert np.nanmin(placed.distances()[-1, :-1]) < 800


def test_an_index_is_found_by_its_dates(data, nino):
    expected = data.with_index(i=nino).values[:, -1]
    shuffled = nino.sample(frac=1, random_state=1)
    late = pd.Series(nino.to_numpy(), index=nino.index + pd.Timedelta(days=14))
    longer = pd.concat([pd.Series([9.0], index=[pd.Timestamp("1980-12-31")]), nino])
    array = xr.DataArray(nino.to_numpy(), coords={"time": nino.index.to_numpy()}, dims="time")
    periods = pd.Series(nino.to_numpy(), index=nino.index.to_period("M"))
    for series in (shuffled, late, longer, array, periods, nino.to_frame(), nino.to_numpy(), nino.tolist()):
        np.testing.assert_array_equal(data.with_index(i=series).values[:, -1], expected)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: {"i": s.iloc[3:]}, "index i lacks 3 months of the data: 1981-01, 1981-02, 1981-03"),
        (lambda s: {"i": s.to_numpy()[3:]}, "index i has 357 values and no dates"),
        (lambda s: {"i": s * 0}, "not all equal"),
        (lambda s: {"i": s.where(s < 1)}, "must have finite values"),
        (lambda s: {"i": np.ones((360, 2))}, "one series in time"),
        (lambda s: {"i": pd.concat([s, s])}, "more than one value a month"),
        (lambda s: {"X81": s}, "names of nodes must differ"),
        (lambda s: {}, "needs an index"),
        (lambda s: {"i": s, "places": {"j": (0, 0)}}, r"got none for \['j'\]"),
    ],
)
def test_indices_that_cannot_be_added(data, nino, change, words):
    with pytest.raises(ClimateBNError, match=words):
        data.with_index(**change(nino))


def test_a_network_with_an_index_answers_everything(data, nino, tmp_path):
    few = data.select([f"X{i}" for i in range(1, 649, 9)]).with_index(nino34=nino)
    result = cb.learn(few, "hill_climbing", cb.BIC(gamma=0.5), progress=False)
    bn = cb.fit(result.dag, few, scale="sd")
    bn.save(tmp_path / "n.nc")
    bn = cb.load_network(tmp_path / "n.nc")
    np.testing.assert_array_equal(bn.nodes.on_grid, few.nodes.on_grid)
    post = cb.propagate(bn, {"nino34": 2.0})
    assert int(post["difference"].notnull().sum()) == 72
    assert float(post["difference"].max()) > 0.3
    assert bn.condition({few.names[10]: 1.0})["nino34"].sd < 1.01
    arcs = cb.teleconnections(bn, min_km=0)
    assert "nino34" in {arc[0] for arc in result.dag.arcs} | {arc[1] for arc in result.dag.arcs}
    assert arcs["km"].notna().all()
    assert cb.analysis.arc_lengths(bn)["km"].isna().any()
    assert 0 <= cb.analysis.long_share(bn) <= 1
    spread = cb.analysis.length_distribution(bn)
    assert spread["arcs"].sum() == len(arcs)
    central = cb.analysis.centrality(bn)
    assert np.isfinite(central["area_weighted_connectivity"].values[central["degree"].notnull().values]).all()
    cb.analysis.communities(bn)
    cb.plot.network(bn)
    cb.plot.propagation(post)
    bn.to_networkx()
    cb.analysis.correlation_network(few, 100).condition({"nino34": 2.0})


@settings(max_examples=200, deadline=None)
@given(st.integers(-18, 18), st.integers(-36, 72), st.integers(-2, 2))
def test_a_place_is_one_node_whatever_the_longitude_habit(data, row, column, turns):
    lat, lon = 5.0 * row, 5.0 * column
    name = data.nearest(lat, lon)
    assert name == data.nearest(lat, lon + 360 * turns)
    at = data.names.index(name)
    east = (data.lon[at] - lon + 180) % 360 - 180
    assert abs(data.lat[at] - lat) <= 5
    assert abs(east) <= 5 + 1e-9
    if abs(lat) < 90:
        assert east != -5  # on an edge, the cell to the east
        assert east != 0 or data.lat[at] - lat != -5  # on an edge to north and south alone, the northern one


def test_edges_of_cells_by_the_documented_rule(data):
    assert data.nearest(0, -140) == data.nearest(0, 220) == "X82"
    assert data.nearest(0, 180) == data.nearest(0, -180) == "X10"
    few = data.select(["X81", "X82", "X99"])
    bn = cb.fit(cb.Dag.from_arcs(few.names, []), few, scale="sd")
    with pytest.raises(ClimateBNError, match="X82 more than one value"):
        bn.condition({(0, -140): 1.0, (0, 220): 1.0})
