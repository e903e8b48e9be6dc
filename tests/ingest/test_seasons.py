"""Seasons: their months, one mean a year with December beside the January that follows, and the year of each row."""

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from made_fields import made_field

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.ingest import year_blocks
from climatebn.ingest.nodes.season import season_months, season_name


@pytest.mark.parametrize(
    ("given", "months", "said"),
    [
        ("DJF", (12, 1, 2), "DJF"),
        ("djfm", (12, 1, 2, 3), "DJFM"),
        ([2, 12, 1], (12, 1, 2), "DJF"),
        ([6, 7, 8], (6, 7, 8), "JJA"),
        ([1], (1,), "month 1"),
        (range(1, 13), tuple(range(1, 13)), ""),
        ([1, 7], (1, 7), "months 1, 7"),
        ([1, 3, 12], (12, 1, 3), "months 12, 1, 3"),
    ],
)
def test_names_of_seasons(given, months, said):
    assert season_months(given) == months
    assert season_name(months) == said


@pytest.mark.parametrize("wrong", ["J", "DFJ", "", "JFMAMJJASOND", [0], [13], [], 1, ["x"]])
def test_what_is_no_season(wrong):
    with pytest.raises(ClimateBNError, match="months must be"):
        season_months(wrong)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 11), st.integers(2, 8), st.integers(0, 11))
def test_a_season_has_one_year(first, length, start):
    season = [(first + step - 1) % 12 + 1 for step in range(length)]
    time = xr.date_range(f"1980-{start + 1:02d}-01", periods=72, freq="MS")
    chosen = np.asarray(time[np.isin(time.month, season)])
    years = year_blocks(chosen)
    assert (np.diff(years) >= 0).all()
    for year in np.unique(years)[1:-1]:
        rows = chosen[years == year]
        assert [int(month) for month in xr.DataArray(rows).dt.month] == season
        assert np.ptp(rows.astype("datetime64[M]").astype(int)) == length - 1
        assert xr.DataArray(rows).dt.year.max() == year


def test_years_of_whole_years_and_of_other_calendars():
    time = xr.date_range("1980-01-01", periods=48, freq="MS", calendar="360_day", use_cftime=True).values
    assert year_blocks(time).tolist() == np.repeat([1980, 1981, 1982, 1983], 12).tolist()
    winter = time[[0, 1, 11, 12, 13, 23]]
    assert year_blocks(winter).tolist() == [1980, 1980, 1981, 1981, 1981, 1982]
    with pytest.raises(ClimateBNError, match="must hold dates"):
        year_blocks(np.arange(12))


def test_season_mean_keeps_december_with_the_january_that_follows():
    field = made_field(months=40, start="1981-03")
    winters = cb.season_mean(field, "DJF")
    assert [str(date)[:7] for date in winters["time"].values] == ["1982-01", "1983-01", "1984-01"]
    of_1983 = field.sel(time=["1982-12-01", "1983-01-01", "1983-02-01"]).mean("time")
    np.testing.assert_allclose(winters.sel(time="1983-01").squeeze().values, of_1983.values)
    assert cb.season_mean(field, [6, 7, 8]).sizes["time"] == 3
    assert str(cb.season_mean(field, "NDJ")["time"].values[0])[:7] == "1982-01"
    assert "season_mean(months='DJF', seasons=3)" in winters.attrs["history"]
    with pytest.raises(ClimateBNError, match="one whole season"):
        cb.season_mean(field.isel(time=slice(0, 10)), "DJF")
    with pytest.raises(ClimateBNError, match=r"time gaps: 1 month is missing .*1983-01"):
        cb.season_mean(field.sel(time=field["time"] != np.datetime64("1983-01-01")), "DJF")


def test_node_data_knows_its_season():
    anomaly = cb.anomalies(made_field(months=48))
    whole, winter = cb.to_nodes(anomaly), cb.to_nodes(anomaly, months="DJF")
    assert (whole.season, whole.counted) == ("", "48 months")
    assert (winter.season, winter.counted) == ("DJF", "12 months of DJF")
    rows = anomaly.sel(time=anomaly["time"].dt.month.isin([12, 1, 2]))
    np.testing.assert_array_equal(winter.values, cb.to_nodes(rows).values)
    means = cb.to_nodes(cb.season_mean(anomaly, "DJF"))
    assert (means.season, means.counted) == ("DJF", "3 winters (DJF)")
    assert "3 winters (DJF) 1982-01 … 1984-01 × 36 nodes" in repr(means)
    assert cb.to_nodes(cb.season_mean(anomaly, "FMA")).counted == "4 means of FMA"
    with pytest.raises(ClimateBNError, match="the data has none of them, 1981-01 … 1984-11"):
        cb.to_nodes(anomaly.sel(time=anomaly["time"].dt.month < 12), months=[12])


def test_anomalies_of_a_season_alone():
    field = made_field(months=48)
    rows = field.sel(time=field["time"].dt.month.isin([12, 1, 2]))
    alone, all_year = cb.anomalies(rows), cb.anomalies(field)
    np.testing.assert_allclose(alone.values, all_year.sel(time=rows["time"]).values)
    raw_first = cb.anomalies(cb.season_mean(field, "DJF"), detrend="linear")
    np.testing.assert_allclose(raw_first.mean("time"), 0, atol=1e-12)
    based = cb.anomalies(rows, base=("1982", "1983"))
    inside = based.sel(time=slice("1982-01", "1983-12"))
    np.testing.assert_allclose(inside.groupby("time.month").mean(), 0, atol=1e-12)
    with pytest.raises(ClimateBNError, match="time gaps: 1 month is missing"):
        cb.anomalies(rows.isel(time=[0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11]))
    with pytest.raises(ClimateBNError, match="detrend must be 'linear' or None; got True"):
        cb.anomalies(field, detrend=True)


def test_rows_of_unequal_length_are_no_dates():
    with pytest.raises(ClimateBNError, match="data must be NodeData, or dates in a row"):
        year_blocks([[1, 2], [3]])


def test_a_field_without_months_has_no_season():
    with pytest.raises(ClimateBNError, match="no months at all"):
        cb.to_nodes(made_field().isel(time=slice(0)), months="DJF")
