"""A CF file's own bounds are the edges of its cells; without them edges lie midway between centres."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import climatebn as cb
from climatebn.errors import ClimateBNWarning
from climatebn.ingest.grid.cell_bounds import cell_edges

LAT = np.array([-60.0, 0.0, 60.0])
LAT_EDGES = np.array([[-90.0, -10.0], [-10.0, 10.0], [10.0, 90.0]])  # a narrow row at the equator
LON = np.array([0.0, 90.0, 180.0, 270.0])


def dataset(lat_edges=LAT_EDGES, lon_edges=None, flip=False):
    random = np.random.default_rng(1)
    values = random.normal(size=(24, 3, 4))
    made = xr.Dataset(
        {"air": (("time", "latitude", "longitude"), values), "lat_bnds": (("latitude", "bnds"), lat_edges)},
        coords={"time": pd.date_range("1981-01", periods=24, freq="MS"), "latitude": LAT, "longitude": LON},
    )
    made["latitude"].attrs.update(standard_name="latitude", bounds="lat_bnds")
    made["longitude"].attrs.update(standard_name="longitude")
    if lon_edges is not None:
        made["lon_bnds"] = (("longitude", "bnds"), lon_edges)
        made["longitude"].attrs["bounds"] = "lon_bnds"
    return made.isel(latitude=slice(None, None, -1)) if flip else made


@pytest.mark.parametrize("flip", [False, True])
def test_region_means_use_the_bounds_of_the_file(tmp_path, flip):
    path = tmp_path / "bounds.nc"
    dataset(flip=flip).to_netcdf(path)
    field = cb.open_field(path, variable="air")
    values = dataset()["air"].values
    heights = np.diff(np.sin(np.deg2rad(LAT_EDGES)))[:, 0]
    expected = (values.mean(axis=2) * heights).sum(axis=1) / heights.sum()
    np.testing.assert_allclose(cb.region_mean(field, (-90, 90), (-180, 180)).values, expected)
    midway = cb.region_mean(cb.open_field(dataset().drop_vars("lat_bnds"), "air"), (-90, 90), (-180, 180))
    assert np.abs(midway.values - expected).max() > 0.1


def test_regrid_uses_the_bounds_of_the_file():
    field = cb.open_field(dataset(), "air")
    target = cb.Grid([-45.0, 45.0], [-135.0, -45.0, 45.0, 135.0])
    coarse = cb.regrid(field, target)
    # The northern half of the sphere: 10° of the equatorial row, the rest of the northern one.
    weights = np.diff(np.sin(np.deg2rad([[0.0, 10.0], [10.0, 90.0]])))[:, 0]
    values = dataset()["air"].values
    rows = (values[:, 1:] * weights[:, None]).sum(axis=1) / weights.sum()  # time × lon of the source
    expected = (rows[:, 0] + rows[:, 1]) / 2  # 0 … 90°E holds half of the columns of 0° and of 90°E
    np.testing.assert_allclose(coarse.sel(lat=45, lon=45).values, expected)
    assert "lat_south" not in coarse.coords


def test_edges_travel_with_the_cells():
    field = cb.open_field(dataset(), "air")
    anomaly = cb.anomalies(field).sel(lat=[60.0, -60.0])
    np.testing.assert_array_equal(cell_edges(anomaly, "lat"), LAT_EDGES[[2, 0]])
    assert cb.to_nodes(cb.anomalies(field)).values.shape == (24, 12)


def test_longitudes_round_the_circle():
    edges = np.array([[330.0, 60.0], [60.0, 120.0], [120.0, 210.0], [210.0, 330.0]])
    field = cb.open_field(dataset(lon_edges=edges), "air")
    expected = [[-30, 60], [60, 120], [120, 210], [210, 330]]
    np.testing.assert_allclose(cell_edges(field, "lon"), expected)
    values, heights = dataset()["air"].values, np.diff(np.sin(np.deg2rad(LAT_EDGES)))[:, 0]
    weights = np.outer(heights, [90, 60, 90, 120])
    mean = (values * weights).sum(axis=(1, 2)) / weights.sum()
    np.testing.assert_allclose(cb.region_mean(field, (-90, 90), (-180, 180)).values, mean)


def test_bounds_that_do_not_hold_their_centres_are_left_out():
    wrong = LAT_EDGES[[1, 2, 0]]
    with pytest.warns(ClimateBNWarning, match="'lat_bnds' do not hold the lat values"):
        field = cb.open_field(dataset(lat_edges=wrong), "air")
    assert "lat_south" not in field.coords
    np.testing.assert_allclose(cell_edges(field, "lat"), [[-90, -30], [-30, 30], [30, 90]])
