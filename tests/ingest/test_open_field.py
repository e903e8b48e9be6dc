"""open_field: what climate people have becomes one (time, lat, lon) field."""

import cftime
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from made_fields import made_field

import climatebn as cb
from climatebn.errors import ClimateBNError


@pytest.mark.parametrize("kind", ["NETCDF3_CLASSIC", "NETCDF4", "zarr"])
def test_formats_and_one_variable_is_found(tmp_path, kind):
    field = made_field()
    dataset = field.to_dataset().assign(time_bounds=("time", np.arange(36.0)))
    path = tmp_path / ("f.zarr" if kind == "zarr" else "f.nc")
    dataset.to_zarr(path) if kind == "zarr" else dataset.to_netcdf(path, format=kind)
    opened = cb.open_field(path)
    xr.testing.assert_allclose(opened, field)
    assert opened.chunks is None
    assert opened.attrs["units"] == "degC"
    assert "open_field" in opened.attrs["history"]


def test_pattern_joins_files_in_time(tmp_path):
    field = made_field()
    for name, part in (("b", slice(0, 12)), ("a", slice(12, 36))):  # names do not follow time
        field.isel(time=part).to_netcdf(tmp_path / f"{name}.nc")
    xr.testing.assert_allclose(cb.open_field(str(tmp_path / "*.nc")), field)
    assert cb.open_field((tmp_path / "a.nc").as_uri()).sizes["time"] == 24
    xr.testing.assert_allclose(cb.open_field([tmp_path / "a.nc", tmp_path / "b.nc"]), field)


def test_files_on_different_grids_are_refused(tmp_path):
    made_field().to_netcdf(tmp_path / "a.nc")
    made_field(lon=[0, 120, 240], start="1990-01").to_netcdf(tmp_path / "b.nc")
    with pytest.raises(ClimateBNError, match=r"share one grid; lon of .*b\.nc"):
        cb.open_field(str(tmp_path / "*.nc"))


def test_names_order_and_singletons_of_other_archives(tmp_path):
    """As ERA5 comes: valid_time, latitude from the north, packed integers, a single level, text along time."""
    field = made_field(lat=[60.0, 0, -60], lon=[0, 120, 240]) + 273.15
    era = field.rename(time="valid_time", lat="latitude", lon="longitude").rename("t2m").assign_attrs(units="kelvin")
    era = era.expand_dims(pressure_level=[1000.0]).assign_coords(expver=("valid_time", ["0001"] * 36))
    packing = {"dtype": "int16", "scale_factor": 0.01, "add_offset": 280.0, "_FillValue": -32767}
    era.to_netcdf(tmp_path / "era.nc", encoding={"t2m": packing})
    opened = cb.open_field(tmp_path / "era.nc")
    assert opened.dims == ("time", "lat", "lon")
    assert opened.attrs["units"] == "K"
    np.testing.assert_allclose(opened.values, field.values, atol=0.006)


def test_a_scalar_of_the_same_name_gives_way(tmp_path):
    field = made_field().rename(time="valid_time").assign_coords(time=np.datetime64("2000-01-01", "ns"))
    np.testing.assert_array_equal(cb.open_field(field)["time"], made_field()["time"])


def test_cf_attributes_come_before_names():
    field = made_field().rename(lat="x", lon="y")  # misleading names, right attributes
    opened = cb.open_field(field)
    np.testing.assert_array_equal(opened["lat"], made_field()["lat"])


@pytest.mark.parametrize("calendar", ["noleap", "360_day", "standard"])
def test_calendars(tmp_path, calendar):
    field = made_field()
    dates = [cftime.datetime(1981 + m // 12, m % 12 + 1, 16, calendar=calendar) for m in range(36)]
    field.assign_coords(time=dates).to_netcdf(tmp_path / "f.nc")
    anomalies = cb.anomalies(cb.open_field(tmp_path / "f.nc"))
    np.testing.assert_allclose(anomalies.values, cb.anomalies(field).values, atol=1e-12)
    assert len(cb.to_nodes(anomalies)) == 36


@pytest.mark.parametrize("calendar", ["standard", "360"])
def test_months_since(tmp_path, calendar):
    field = made_field().assign_coords(
        time=("time", np.arange(36) + 0.5, {"units": "months since 1981-01-01", "calendar": calendar})
    )
    field.to_netcdf(tmp_path / "f.nc")
    opened = cb.open_field(tmp_path / "f.nc")
    assert opened["time"].dt.year.values[-1] == 1983
    assert opened["time"].dt.month.values.tolist()[:13] == [*range(1, 13), 1]


@pytest.mark.parametrize(
    ("attrs", "words"),
    [
        ({"units": "days since 1981-01-01", "calendar": "martian"}, "martian"),
        ({"units": "sols since 1981-01-01"}, "sols since"),
    ],
)
def test_unknown_calendar_is_named(tmp_path, attrs, words):
    made_field().assign_coords(time=("time", np.arange(36.0), attrs)).to_netcdf(tmp_path / "f.nc")
    with pytest.raises(ClimateBNError, match=words):
        cb.open_field(tmp_path / "f.nc")


def test_times_that_are_no_dates(tmp_path):
    with pytest.raises(ClimateBNError, match="time must hold dates"):
        cb.open_field(made_field().assign_coords(time=np.arange(36)))


def test_missing_dates_are_counted():
    field = made_field(months=24)
    times = field.time.values.copy()
    times[[0, 5]] = np.datetime64("NaT")
    with pytest.raises(ClimateBNError, match=r"2 of 24 are missing \(NaT\), the first at step 0"):
        cb.to_nodes(field.assign_coords(time=times))


def test_several_variables_must_be_chosen():
    dataset = made_field().to_dataset().assign(sst=made_field(seed=1, name="sst"))
    with pytest.raises(ClimateBNError, match=r"variable must be given, one of: air \(degC\); sst \(degC\)"):
        cb.open_field(dataset)
    with pytest.raises(ClimateBNError, match="did you mean 'sst'"):
        cb.open_field(dataset, variable="ssst")
    xr.testing.assert_allclose(cb.open_field(dataset, variable="sst"), dataset["sst"])


def test_nothing_to_open(tmp_path):
    (tmp_path / "text.nc").write_text("not a NetCDF file")
    with pytest.raises(ClimateBNError, match=r"cannot read .*text\.nc"):
        cb.open_field(tmp_path / "text.nc")
    with pytest.raises(ClimateBNError, match=r"no such file: .*none\.nc"):
        cb.open_field(tmp_path / "none.nc")
    with pytest.raises(ClimateBNError, match="no file matches"):
        cb.open_field(str(tmp_path / "*.grib"))
    with pytest.raises(ClimateBNError, match="no variable has time, latitude and longitude"):
        cb.open_field(xr.Dataset({"a": ("time", [1.0])}))
    with pytest.raises(ClimateBNError, match=r"cannot read 'http://127\.0\.0\.1:9/f\.nc'.*OPeNDAP"):
        cb.open_field("http://127.0.0.1:9/f.nc")
    with pytest.raises(ClimateBNError, match="source must be a path"):
        cb.open_field(3)


def test_a_missing_dimension_says_how_to_name_it():
    with pytest.raises(ClimateBNError, match=r"no lat dimension found; the field has time, row, lon.*rename"):
        cb.open_field(made_field().drop_vars("lat").rename(lat="row"))


def test_curvilinear_grids_are_refused_with_the_way_out():
    two = np.zeros((2, 3))
    dataset = xr.Dataset(
        {"tas": (("time", "y", "x"), np.zeros((1, 2, 3)))},
        {"time": pd.date_range("1981-01", periods=1), "lat": (("y", "x"), two), "lon": (("y", "x"), two)},
    )
    with pytest.raises(ClimateBNError, match=r"curvilinear.*remapcon"):
        cb.open_field(dataset)


def test_levels_are_chosen():
    field = xr.concat([made_field(), made_field(seed=1)], dim=pd.Index([1000.0, 850.0], name="level"))
    with pytest.raises(ClimateBNError, match=r"'level' of 2 values \(1000, 850\).*select=\{'level': 1000"):
        cb.open_field(field)
    xr.testing.assert_allclose(cb.open_field(field, select={"level": 850}).drop_vars("level"), made_field(seed=1))
    with pytest.raises(ClimateBNError, match=r"select=\{'level': 500\} is not there; level has \[1000"):
        cb.open_field(field, select={"level": 500})
    with pytest.raises(ClimateBNError, match="unknown dimension in select 'levl'; did you mean 'level'"):
        cb.open_field(field, select={"levl": 500})


@pytest.mark.parametrize("spelt", ["K", "Kelvin", "degK", "degC", "Celsius", "degrees Celsius", "°C", "deg_C", "C"])
def test_units_are_recognised_and_values_kept(spelt):
    field = made_field().assign_attrs(units=spelt)
    opened = cb.open_field(field)
    assert opened.attrs["units"] == ("K" if "k" in spelt.lower() else "degC")
    np.testing.assert_array_equal(opened.values, field.values)


@pytest.mark.parametrize("units", ["Pa", "m**2 s**-2", "gpm", "1"])
def test_what_a_file_states_is_taken(units):
    field = made_field().assign_attrs(units=units)
    assert cb.open_field(field).attrs["units"] == units
    assert cb.anomalies(cb.open_field(field)).attrs["units"] == units
    assert cb.open_field(field, units="hPa").attrs["units"] == "hPa"
    del field.attrs["units"]
    assert "units" not in cb.open_field(field).attrs
    assert cb.open_field(field, units="Kelvin").attrs["units"] == "K"


def daily(start, days):
    time = pd.date_range(start, periods=days, freq="D")
    field = made_field(months=days)
    return field.assign_coords(time=time)


def test_daily_data_is_averaged_only_when_asked():
    field = daily("1981-01-01", 59)
    with pytest.raises(ClimateBNError, match=r"1981-01 holds 31 time steps.*monthly=True"):
        cb.anomalies(cb.open_field(field))
    with pytest.raises(ClimateBNError, match="monthly=True"):
        cb.to_nodes(field)
    means = cb.open_field(field, monthly=True)
    np.testing.assert_allclose(means.values, [field[:31].mean("time"), field[31:].mean("time")])
    assert means.attrs["units"] == "degC"


def test_incomplete_months(caplog):
    with caplog.at_level("INFO", logger="climatebn"):
        means = cb.open_field(daily("1981-01-20", 80), monthly=True)  # 20 January … 9 April
    assert means["time"].dt.month.values.tolist() == [2, 3]
    assert "1981-01, 1981-04" in caplog.text
    whole = daily("1981-01-01", 90)
    with pytest.raises(ClimateBNError, match=r"1 months are incomplete \(1981-02; 1981-02 has 27 of 28 time steps"):
        cb.open_field(whole.isel(time=np.delete(np.arange(90), 40)), monthly=True)
    with pytest.raises(ClimateBNError, match=r"gaps: 1 month is missing .*1981-02"):
        cb.open_field(whole.isel(time=np.r_[:31, 59:90]), monthly=True)


def test_monthly_leaves_monthly_data_alone():
    xr.testing.assert_identical(cb.open_field(made_field(), monthly=True).drop_attrs(), made_field().drop_attrs())


def test_lazy_when_asked_or_large(tmp_path, monkeypatch):
    field = made_field(months=48).rename(lat="latitude")
    path = tmp_path / "f.nc"
    field.to_netcdf(path, encoding={"air": {"chunksizes": (5, 6, 3)}})
    assert cb.open_field(path, chunks={"time": 12}).chunks[0] == (12, 12, 12, 12)
    assert cb.open_field(path, chunks={}).chunks is not None
    assert cb.open_field(path, chunks="auto").chunks == ((48,), (6,), (6,))
    monkeypatch.setattr("climatebn.ingest.field.chunking._IN_MEMORY", 1000)
    monkeypatch.setattr("climatebn.ingest.field.chunking._CHUNK", 3000)
    lazy = cb.open_field(path)
    assert lazy.chunks == ((10,) * 4 + (8,), (6,), (6,))  # whole multiples of the 5 months in the file
    np.testing.assert_array_equal(lazy.values, field.values)


def test_chunks_are_checked(tmp_path, monkeypatch):
    with pytest.raises(ClimateBNError, match="unknown dimension in chunks 'tim'; did you mean 'time'"):
        cb.open_field(made_field(), chunks={"tim": 3})
    with pytest.raises(ClimateBNError, match="chunks must be 'auto'"):
        cb.open_field(made_field(), chunks="big")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ClimateBNError, match=r"needs dask: pip install 'climatebn\[dask\]'"):
        cb.open_field(made_field(), chunks="auto")


def test_the_callers_field_is_not_edited():
    field = made_field().assign_attrs(units="Celsius")
    before = field.copy(deep=True)
    cb.to_nodes(cb.anomalies(cb.regrid(cb.open_field(field), cb.Grid.regular(45)), standardize=True, detrend="linear"))
    xr.testing.assert_identical(field, before)
    assert field.encoding == before.encoding


@pytest.mark.parametrize("calendar", ["standard", "noleap", "360_day"])
def test_monthly_means_of_a_file_are_taken_a_month_at_a_time(tmp_path, monkeypatch, calendar):
    time = xr.date_range("1981-01-01", "1983-12-30", freq="D", calendar=calendar, use_cftime=calendar != "standard")
    values = np.random.default_rng(1).normal(size=(len(time), 3, 4)).astype(np.float32)
    coords = {"time": time, "lat": [-30.0, 0, 30], "lon": [0.0, 90, 180, 270]}
    field = xr.DataArray(values, coords=coords, dims=("time", "lat", "lon"), name="t", attrs={"units": "K"})
    field.to_netcdf(tmp_path / "daily.nc")
    whole = cb.open_field(tmp_path / "daily.nc", monthly=True)
    assert whole.sizes["time"] == (36 if calendar == "360_day" else 35)  # 31 December is missing
    expected = field.resample(time="MS").mean().isel(time=slice(0, whole.sizes["time"]))
    np.testing.assert_allclose(whole.values, expected.values, rtol=1e-5, atol=1e-6)
    assert (whole["time"].values == expected["time"].values).all()
    with pytest.raises(ClimateBNError, match="monthly=True"):
        cb.open_field(tmp_path / "daily.nc")
    field.isel(time=slice(0, 370)).to_netcdf(tmp_path / "part1.nc")  # parts that share a month
    field.isel(time=slice(370, None)).to_netcdf(tmp_path / "part2.nc")
    joined = cb.open_field(str(tmp_path / "part?.nc"), monthly=True)
    np.testing.assert_allclose(joined.values, whole.values, rtol=1e-5, atol=1e-6)


def test_without_dask_what_fits_into_memory_is_loaded(tmp_path, monkeypatch):
    made_field().to_netcdf(tmp_path / "f.nc")
    monkeypatch.setattr("climatebn.ingest.field.chunking._IN_MEMORY", 100)
    monkeypatch.setattr("climatebn.ingest.field.chunking.importlib.util.find_spec", lambda name: None)
    assert cb.open_field(tmp_path / "f.nc").chunks is None
    monkeypatch.setattr("climatebn.ingest.field.chunking._free_memory", lambda: 1000)
    with pytest.raises(ClimateBNError, match="needs dask"):
        cb.open_field(tmp_path / "f.nc")


def test_a_part_of_a_dimension_is_selected():
    field = made_field(months=48, start="1981-01")
    years = cb.open_field(field, select={"time": slice(1982, 1983)})
    xr.testing.assert_equal(years, field.sel(time=slice("1982", "1983")))
    assert cb.open_field(field, select={"time": 1982}).sizes["time"] == 12
    south, north = sorted(field["lat"].values[1:3].tolist())
    for turned in (field, field.isel(lat=slice(None, None, -1))):
        rows = cb.open_field(turned, select={"lat": slice(south, north)})["lat"].values
        assert sorted(rows.tolist()) == [south, north]
    with pytest.raises(ClimateBNError, match=r"time has 1981-01-01 … 1984-12-01 \(48 values\)$"):
        cb.open_field(field, select={"time": "1999"})


def test_five_day_means_are_averaged():
    first = np.array(["1990-01-01", "1991-01-01"], dtype="M8[D]")
    days = (first[:, None] + np.arange(0, 365, 5)).ravel().astype("M8[ns]")
    field = made_field(months=len(days)).assign_coords(time=days)
    means = cb.open_field(field, monthly=True)
    assert means.sizes["time"] == 24
    february = field.sel(time="1990-02")
    assert february.sizes["time"] == 5
    np.testing.assert_allclose(means.sel(time="1990-02").values[0], february.mean("time").values)
