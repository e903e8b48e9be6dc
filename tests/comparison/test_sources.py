"""Models from files, folders and a dimension `model`; grids, periods and calendars made one."""

import cftime
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import climatebn as cb
from climatebn.comparison import open_models
from climatebn.comparison.sources import fields
from climatebn.errors import ClimateBNError


def field(seed, step=30.0, start="1981-01", months=120, land=False):
    rng = np.random.default_rng(seed)
    lat, lon = np.arange(-90 + step / 2, 90, step), np.arange(step / 2, 360, step)
    values = 280 + rng.normal(size=(months, lat.size, lon.size)) + rng.normal(size=(months, 1, 1))
    if land:
        values[:, 0, 0] = np.nan
    coords = {"time": pd.date_range(start, periods=months, freq="MS"), "lat": lat, "lon": lon}
    attrs = {"units": "K"}
    return xr.DataArray(values, dims=("time", "lat", "lon"), coords=coords, name="tas", attrs=attrs)


def test_cmip_files_are_named_by_model_and_joined_in_time(tmp_path):
    whole = field(1)
    for part, years in (("198101-198512", slice("1981", "1985")), ("198601-199012", slice("1986", "1990"))):
        whole.sel(time=years).to_netcdf(tmp_path / f"tas_Amon_GFDL-CM4_historical_r1i1p1f1_gr1_{part}.nc")
    field(2).to_netcdf(tmp_path / "obs.nc")
    found = fields(tmp_path)
    assert set(found) == {"GFDL-CM4_r1i1p1f1", "obs"}
    assert found["GFDL-CM4_r1i1p1f1"].sizes["time"] == 120
    assert set(fields(str(tmp_path / "tas_*.nc"))) == {"GFDL-CM4_r1i1p1f1"}
    assert set(fields([tmp_path / "obs.nc"])) == {"obs"}
    with pytest.raises(ClimateBNError, match="no file matches"):
        fields(str(tmp_path / "pr_*.nc"))


def test_a_dimension_model_makes_models(tmp_path):
    both = xr.concat([field(1), field(2)], pd.Index(["m1", "m2"], name="model"))
    both.to_netcdf(tmp_path / "models.nc")
    field(3).to_netcdf(tmp_path / "obs.nc")
    for found in (fields(both), fields([tmp_path / "models.nc"])):
        assert set(found) == {"m1", "m2"}
        assert np.array_equal(found["m2"].values, field(2).values)
    compared = cb.compare({"obs": tmp_path / "obs.nc", "cmip": both}, resamples=0, progress=False)
    assert compared.names == ("obs", "m1", "m2")
    with pytest.raises(ClimateBNError, match="two models have the name 'm1'"):
        fields({"m1": field(1), "all": both})


def test_grids_become_the_coarsest_and_calendars_may_differ():
    fine = field(1, step=15.0)
    dates = [cftime.Datetime360Day(1981 + m // 12, m % 12 + 1, 16) for m in range(120)]
    other = field(2).assign_coords(time=dates)
    found = open_models({"obs": fine, "m": other})
    assert found["obs"].names == found["m"].names
    assert len(found["m"].names) == 72
    by_hand = cb.to_nodes(cb.anomalies(cb.regrid(fine, cb.Grid.of(other))))
    assert np.array_equal(found["obs"].values, by_hand.values)
    assert len(open_models({"obs": fine, "m": other}, grid=45)["m"].names) == 32


def test_periods_are_refused_cut_or_left():
    given = {"obs": field(1), "m": field(2, start="1983-01")}
    with pytest.raises(ClimateBNError, match=r"same months; obs has 1981-01 … 1990-12, m 1983-01 … 1992-12"):
        open_models(given)
    common = open_models(given, periods="common")
    assert [len(one) for one in common.values()] == [96, 96]
    assert len(open_models(given, periods="any")["m"]) == 120
    assert len(open_models(given, period=("1984", "1989"))["m"]) == 72
    with pytest.raises(
        ClimateBNError, match=r"m: period=\(1981, 1985\) needs 60 months; it has .* lacks 1981-01 … 1982-12"
    ):
        open_models(given, period=(1981, 1985))
    with pytest.raises(ClimateBNError, match="unknown periods 'some'"):
        open_models(given, periods="some")
    with pytest.raises(ClimateBNError, match=r"give it as prepare=\{'periods': 'any'\}"):
        cb.compare(given, reference="obs", periods="any")


def test_places_that_one_lacks_are_left_out_in_all():
    given = {"obs": field(1, land=True), "m": field(2)}
    with pytest.raises(ClimateBNError, match=r"^obs: 120 missing values"):
        open_models(given)
    found = open_models(given, missing="drop_nodes")
    assert found["obs"].names == found["m"].names
    assert len(found["m"].names) == 71
    assert np.array_equal(found["obs"].lat, found["m"].lat)


def test_a_missing_month_of_a_field_names_the_model():
    gap = field(2)
    gap = gap.isel(time=[i for i in range(120) if i != 40])
    with pytest.raises(ClimateBNError, match=r"^m: the record has time gaps: .*1984-05"):
        open_models({"obs": field(1), "m": gap})
    with pytest.raises(ClimateBNError, match=r"unknown key of prepare 'perod'; did you mean 'period'"):
        cb.compare({"obs": field(1), "m": field(2)}, prepare={"perod": (1, 2)}, progress=False)
