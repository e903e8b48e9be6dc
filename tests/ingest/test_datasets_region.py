"""The embedded files, means over a box, and tables for the learners."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from made_fields import made_field

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest.field.build_embedded import build
from climatebn.ingest.nodes.learning_table import to_table


@pytest.mark.parametrize(("grid", "south", "west"), [("regular", -85, -175), ("paper", -88.542, -178.125)])
def test_embedded_fields(grid, south, west):
    field = cb.load_ncep(grid=grid)
    assert field.dims == ("time", "lat", "lon")
    assert field.shape == (360, 18, 36)
    assert field.dtype == np.float32
    assert not field.isnull().any()
    np.testing.assert_allclose(field["lat"], south + 10 * np.arange(18))
    np.testing.assert_allclose(field["lon"], west + 10 * np.arange(36))
    assert field.attrs["units"] == "degC"
    assert "regrid" in field.attrs["history"]
    assert cb.ingest.data_path(f"ncep_{'10deg' if grid == 'regular' else 'paper'}_1981-2010.nc").stat().st_size < 1e6


def test_embedded_long_record():
    field = cb.load_ncep(period="long")
    assert (field.shape, field.dtype, field.attrs["units"]) == ((912, 18, 36), np.float32, "degC")
    assert str(field["time"].values[-1])[:7] == "2025-12"
    assert not field.isnull().any()
    np.testing.assert_array_equal(field.sel(time=slice("1981", "2010")).values, cb.load_ncep().values)
    nino = cb.region_mean(cb.anomalies(field, base=("1981", "2010")), lat=(-10, 10), lon=(-170, -120))
    assert nino.sel(time="1997-12").item() == pytest.approx(1.44, abs=0.005)
    assert cb.ingest.data_path("ncep_10deg_1950-2025.nc").stat().st_size < 2.5e6


def test_periods_are_checked():
    with pytest.raises(ClimateBNError, match="unknown period 'longer'; did you mean 'long'"):
        cb.load_ncep(period="longer")
    with pytest.raises(ClimateBNError, match="regular grid only; got grid='paper'"):
        cb.load_ncep(grid="paper", period="long")


def test_embedded_global_mean():
    mean = cb.load_ncep().astype(float).mean("time").values
    assert (mean * cb.Grid.regular(10).area).sum() == pytest.approx(14.0488, abs=1e-3)


def test_embedded_sea_surface_temperature():
    field = cb.load_sst()
    assert (field.shape, field.dtype, field.attrs["units"]) == ((492, 18, 36), np.float32, "degC")
    assert int(field.notnull().all("time").sum()) == int(field.notnull().any("time").sum()) == 443
    nino = cb.region_mean(cb.anomalies(field), lat=(-5, 5), lon=(-170, -120))
    assert nino.sel(time="1998-01").item() == pytest.approx(1.72, abs=0.01)
    assert cb.ingest.data_path("oisst_10deg_1982-2022.nc").stat().st_size < 0.5e6


def test_embedded_heights():
    field = cb.load_z500()
    assert (field.shape, field.dtype, field.attrs["units"]) == ((516, 18, 36), np.float32, "m")
    assert not field.isnull().any()
    winter = cb.anomalies(field).sel(time=slice("2010-01", "2010-02"), lon=-25).mean("time")
    assert (winter.sel(lat=65) - winter.sel(lat=35)).item() == pytest.approx(233.6, abs=0.5)
    assert cb.ingest.data_path("z500_10deg_1981-2023.nc").stat().st_size < 0.6e6


def test_unknown_grid_and_file():
    with pytest.raises(ClimateBNError, match="unknown grid 'papr'; did you mean 'paper'"):
        cb.load_ncep(grid="papr")
    with pytest.raises(ClimateBNError, match=r"embedded file 'no\.nc' is not there"):
        cb.ingest.data_path("no.nc")


def test_building_from_another_file_is_refused(tmp_path):
    made_field().to_netcdf(tmp_path / "air.mon.mean.nc")
    with pytest.raises(ClimateBNError, match=r"has SHA-256 .* come from files with .*57ffdc5f"):
        build(tmp_path / "air.mon.mean.nc", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["air.mon.mean.nc"]


def test_region_mean_equals_a_weighted_mean_of_centres():
    field = made_field(lat=np.arange(90, -90.1, -2.5), lon=np.arange(0, 360, 2.5), months=2)
    box = field.sel(lat=slice(5, -5), lon=slice(190, 270))
    expected = box.weighted(np.cos(np.deg2rad(box["lat"]))).mean(("lat", "lon"))
    for lon in ((-170, -90), (190, 270), (190, -90), (-170, 270)):
        mean = cb.region_mean(field, lat=(-5, 5), lon=lon)
        np.testing.assert_allclose(mean.values, expected.values, rtol=1e-12)
        assert mean.attrs["units"] == "degC"


@pytest.mark.parametrize("lon", [(0, 360), (-180, 180)])
def test_region_mean_of_the_whole_sphere(lon):
    field = made_field(lat=np.arange(-90, 91, 30.0), lon=np.arange(0, 360, 60.0), months=1)
    area = cb.Grid(field["lat"].values, field["lon"].values).area
    order = np.argsort((field["lon"].values + 180) % 360)
    expected = (field.values[0][:, order] * area).sum()
    assert cb.region_mean(field, (-90, 90), lon).item() == pytest.approx(expected)


def test_region_mean_across_the_date_line_and_of_maps():
    field = made_field(lon=np.arange(-175.0, 180, 10))[0].drop_vars("time")
    two = field.sel(lon=[175, -175]).sel(lat=slice(-30, 30))
    expected = two.mean("lon").mean("lat")  # 15°S and 15°N weigh the same
    assert cb.region_mean(field, (-30, 30), (170, -170)).item() == pytest.approx(expected.item())
    dataset = xr.Dataset({"a": field, "b": 2 * field, "evidence": ("node", [1.0])}, attrs={"title": "maps"})
    means = cb.region_mean(dataset, (-30, 30), (170, 190))
    assert means["b"].item() == pytest.approx(2 * expected.item())
    assert set(means) == {"a", "b"}
    assert means.attrs["title"] == "maps"


def test_region_mean_leaves_missing_cells_out():
    field = made_field(months=1)
    field[0, 2, 2] = np.nan
    assert cb.region_mean(field, (-20, 20), (-90, -30)).notnull().all()


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ({"lat": (10, -10), "lon": (0, 10)}, "south first"),
        ({"lat": (-100, 0), "lon": (0, 10)}, "within ±90"),
        ({"lat": (1, 2), "lon": (0, 10)}, r"no cell centre lies in lat=\(1, 2\).*Widen the box"),
    ],
)
def test_region_is_checked(box, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.region_mean(made_field(), **box)


def test_tables():
    data = cb.to_nodes(cb.anomalies(made_field()))
    table = to_table(data)
    assert table.names == data.names
    np.testing.assert_array_equal(table.values, data.values)
    discrete = to_table(pd.DataFrame({"a": [True, False, True], "b": ["x", "y", "x"]}))
    assert discrete.levels == (("False", "True"), ("x", "y"))
    with pytest.raises(ClimateBNError, match=r"partly categories, partly numbers \(n"):
        to_table(pd.DataFrame({"a": ["x", "y"], "n": [1, 2]}))
    with pytest.raises(ClimateBNError, match="1 missing or infinite values in 1 nodes"):
        to_table(np.array([[1.0, np.nan], [2.0, 3.0]]))


def test_the_table_needs_no_xarray_netcdf_or_dask():
    heavy = "{'netCDF4', 'dask', 'xarray'}"
    code = f"import sys, climatebn.ingest.nodes.learning_table; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
