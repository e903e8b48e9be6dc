"""Anomalies equal a plain loop over months; base periods, gaps and daily data are said in words."""

import numpy as np
import pytest
import xarray as xr
from made_fields import made_field

import climatebn as cb
from climatebn.errors import ClimateBNError


def loop_anomalies(values, months, years, base):
    result = np.empty_like(values)
    for month in range(1, 13):
        total, count = 0.0, 0
        for t in range(len(values)):
            if months[t] == month and base[0] <= years[t] <= base[1]:
                total, count = total + values[t], count + 1
        for t in range(len(values)):
            if months[t] == month:
                result[t] = values[t] - total / count
    return result


@pytest.mark.parametrize("base", [(1981, 1983), ("1982", "1982"), ("1982-01", "1983-12")])
def test_equals_a_plain_loop(base):
    field = made_field(months=40)
    months, years = field["time"].dt.month.values, field["time"].dt.year.values
    span = tuple(int(str(year)[:4]) for year in base)
    expected = loop_anomalies(field.values, months, years, span)
    result = cb.anomalies(field, base=base)
    np.testing.assert_allclose(result.values, expected, atol=1e-12)
    assert result.dims == field.dims


def test_default_base_is_all_complete_years():
    field = made_field(months=40, start="1981-11")  # complete: 1982, 1983, 1984
    result = cb.anomalies(field)
    xr.testing.assert_allclose(result.drop_attrs(), cb.anomalies(field, base=("1982", "1984")).drop_attrs())
    assert result.attrs["base_period"] == "1982-01 … 1984-12"


def test_standardize_divides_by_the_deviation_of_the_base():
    field = made_field(months=48)
    result = cb.anomalies(field, base=("1981", "1983"), standardize=True)
    np.testing.assert_allclose(result.values[:36].std(axis=0, ddof=1), 1)
    plain = cb.anomalies(field, base=("1981", "1983"))
    np.testing.assert_allclose(result.values, plain.values / plain.values[:36].std(axis=0, ddof=1))
    assert result.attrs["units"] == "1"


def test_detrend_is_least_squares_with_an_intercept_for_each_month():
    field = made_field(months=60)
    clock = np.arange(60.0)
    field = field + 0.05 * xr.DataArray(clock, dims="time")
    result = cb.anomalies(field, base=("1982", "1984"), detrend="linear")
    design = np.column_stack([np.eye(12)[np.arange(60) % 12], clock])
    slope = np.linalg.lstsq(design, field.values.reshape(60, -1))[0][-1].reshape(field.shape[1:])
    expected = cb.anomalies(field - slope * clock[:, None, None], base=("1982", "1984"))
    np.testing.assert_allclose(result.values, expected.values, atol=1e-10)


def test_moving_base_equals_a_plain_loop():
    field = made_field(months=76, start="1981-05")
    result = cb.anomalies(field, base="previous 3 years")
    for t in range(76):
        past = [t - 12 * k for k in (1, 2, 3)] if t >= 36 else [t % 12 + 12 * k for k in range(3)]
        expected = field.values[t] - field.values[past].mean(axis=0)
        np.testing.assert_allclose(result.values[t], expected, atol=1e-12)
    assert result.attrs["base_period"] == "previous 3 years"
    lazy = cb.anomalies(field.chunk(time=7), base="previous 3 years")
    assert lazy.chunks is not None
    np.testing.assert_allclose(lazy.values, result.values, atol=1e-12)


def test_moving_base_knows_no_future():
    field = made_field(months=72)
    later = field.copy(data=np.where(np.arange(72)[:, None, None] >= 50, -999.0, field.values))
    before, after = (cb.anomalies(one, base="previous 2 years").values for one in (field, later))
    np.testing.assert_array_equal(before[:50], after[:50])


def test_moving_base_of_a_season_alone():
    field = made_field(months=72)
    winter = field.isel(time=np.isin(field["time"].dt.month, (12, 1, 2)))
    whole = cb.anomalies(field, base="previous 2 years").sel(time=winter["time"])
    np.testing.assert_allclose(cb.anomalies(winter, base="previous 2 years").values, whole.values, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"base": "previous 30 years"}, "needs 30 years or more; the field has 3"),
        ({"base": "last 30 years"}, "words such as \"previous 30 years\"; got 'last 30 years'"),
        ({"base": "previous 0 years"}, "previous 30 years"),
        ({"base": "previous 2 years", "detrend": "linear"}, "follows the trend itself"),
    ],
)
def test_moving_base_is_checked(options, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.anomalies(made_field(), **options)


def test_units_names_and_history():
    result = cb.anomalies(made_field().assign_attrs(standard_name="air_temperature", history="made"))
    assert result.attrs["units"] == "K"  # a difference of degC
    assert result.attrs["long_name"] == "air temperature anomaly"
    assert "standard_name" not in result.attrs
    first, last = result.attrs["history"].splitlines()
    assert first == "made"
    assert "anomalies(base=None" in last
    assert "input=" in last


def test_own_names_of_dimensions_and_lazy_fields():
    field = made_field().rename(time="valid_time", lat="latitude", lon="longitude")
    result = cb.anomalies(field.chunk(valid_time=5))
    assert result.chunks is not None
    np.testing.assert_allclose(result.values, cb.anomalies(made_field()).values, atol=1e-12)


@pytest.mark.parametrize(
    ("base", "words"),
    [
        (("1981", "1985"), r"needs 60 months; the field has 36 of them \(missing 1984-01 … 1985-12"),
        (("1980-12", "1983"), r"needs 37 months; the field has 36 of them \(missing 1980-12"),
        (("1983", "1981"), "first before last"),
        (("1981-01", "1981-06"), "span a year"),
        ("1981", r"base must be \(first, last\)"),
        (("1981-13", "1983"), r"base must be \(first, last\)"),
        ((None, None), r"base must be \(first, last\)"),
    ],
)
def test_base_is_checked(base, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.anomalies(made_field(), base=base)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (np.r_[:10, 12:36], r"2 months are missing between 1981-01 and 1983-12 \(1981-11, 1981-12\)"),
        (np.r_[:5, 4:36], "repeated: 1981-05"),
        (np.r_[1, 0, 2:36], "1981-01 follows 1981-02.*sortby"),
        (np.r_[:0], "no time steps"),
        (np.r_[:11], "one complete year or more; the field has 1981-01 … 1981-11"),
    ],
)
def test_time_is_checked(order, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.anomalies(made_field().isel(time=order))


def test_field_without_time():
    with pytest.raises(ClimateBNError, match="no time dimension found; the field has lat, lon"):
        cb.anomalies(made_field()[0].drop_vars("time"))
