"""Hindcasts: no forecast knows its future, scores are those of the forecasts, a known wave is foretold."""

import numpy as np
import pytest
from made_climate import made_climate

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.forecast import correlation, crps, rmse

NINO = {"lat": (-10, 10), "lon": (-170, -80)}
OPTIONS = {
    "train": ("1950", "1989"), "test": ("1990", "1998"), "leads": (1, 3, 6), "lags": (1, 2), "members": 3,
    "base": "previous 10 years", "seed": 1, "progress": False,
}  # fmt: skip


@pytest.fixture(scope="module")
def tried():
    return cb.hindcast(made_climate(), **OPTIONS)


def test_skill_has_a_row_a_model_and_lead(tried):
    table = tried.skill(**NINO)
    assert table.columns.tolist() == ["model", "lead", "correlation", "rmse", "crps"]
    models = ["network", "persistence", "damped_persistence", "damped_by_month", "climatology", "lim"]
    assert table["model"].unique().tolist() == models
    assert table.groupby("model")["lead"].apply(list).map(lambda leads: leads == [1, 3, 6]).all()
    assert table.loc[table["model"] == "climatology", "correlation"].isna().all()
    assert table.loc[table["model"] != "climatology"].notna().all(axis=None)


def test_a_wave_is_foretold(tried):
    """The made-up wave turns by 52° in six months: a network sees it come, persistence does not."""
    table = tried.skill(**NINO).set_index(["model", "lead"])
    assert table.loc[("network", 6), "correlation"] > table.loc[("damped_by_month", 6), "correlation"] + 0.1
    assert table.loc[("network", 6), "rmse"] < table.loc[("damped_by_month", 6), "rmse"]
    assert table.loc[("network", 6), "crps"] < table.loc[("damped_by_month", 6), "crps"]
    ahead = tried.differences("persistence", **NINO, draws=300).set_index(["lead", "measure"])
    assert ahead.loc[(6, "squared_error_gain"), "low"] > 0


def test_skill_is_that_of_the_series(tried):
    series, table = tried.series(**NINO), tried.skill(**NINO).set_index(["model", "lead"])
    for key, part in series.groupby(["model", "lead"]):
        f, sd, y = (part[name].to_numpy() for name in ("forecast", "sd", "observed"))
        assert float(rmse(f, y)) == pytest.approx(table.loc[key, "rmse"])
        assert float(crps(f, sd, y).mean()) == pytest.approx(table.loc[key, "crps"])
        months = 12 * 9 - 6 if key[1] == 6 else None
        assert months is None or len(part) >= months
    assert (series["issued"] >= "1989-12").all()
    assert series["time"].min().year == 1990
    assert series["time"].max().year == 1998
    observed = cb.region_mean(cb.anomalies(made_climate(), base="previous 10 years"), **NINO)
    first = series.iloc[0]
    assert first["observed"] == pytest.approx(observed.sel(time=first["time"]).item())


def test_maps_are_the_scores_of_places(tried):
    maps = tried.skill_map()
    assert maps["correlation"].dims == ("lead", "lat", "lon")
    found = tried.forecasts("network", lead=3)
    place = {"lat": 5, "lon": -35}
    f, y = found["mean"].sel(place).values, found["observed"].sel(place).values
    assert maps["correlation"].sel(lead=3, **place).item() == pytest.approx(float(correlation(f, y)))
    assert maps["rmse"].sel(lead=3, **place).item() == pytest.approx(float(rmse(f, y)))
    assert (found["time"].values.astype("M8[M]") - found["issued"].values.astype("M8[M]") == 3).all()
    assert maps["rmse"].attrs["units"] == "K"


def test_spread_is_that_of_the_errors(tried):
    """Observed minus forecast over its standard deviation is about 1: out-of-bag errors give an honest spread."""
    series = tried.series(**NINO)
    network = series[series["model"] == "network"]
    z = (network["observed"] - network["forecast"]) / network["sd"]
    assert (z.groupby(network["lead"]).std().between(0.75, 1.35)).all()
    table = tried.reliability(threshold=0.5, lead=3)
    assert table["count"].sum() == 16 * len(tried.forecasts(lead=3)["issued"])
    some = table[table["count"] > 60]
    assert (some["observed"] - some["forecast"]).abs().max() < 0.2
    below = tried.reliability(threshold=-0.5, lead=3, **NINO, bins=5)
    assert below["count"].sum() == len(tried.forecasts(lead=3)["issued"])


@pytest.mark.parametrize("relearn", [None, 3])
def test_no_forecast_knows_its_future(relearn):
    """Change every month from 1994-06 on: forecasts issued before it stay the same to the bit, later ones do not."""
    options = {**OPTIONS, "members": 2, "lags": (1,), "relearn": relearn}
    field = made_climate()
    changed = field.copy()
    late = field["time"] >= np.datetime64("1994-06")
    changed[late.values] = field[late.values][::-1].values * 1.7 - 4.0
    before, after = (cb.hindcast(one, **options) for one in (field, changed))
    first, second = (one.series(**NINO) for one in (before, after))
    early = (first["issued"] < "1994-06").to_numpy()
    for column in ("forecast", "sd"):
        np.testing.assert_array_equal(first[column][early], second[column][early])
    moving = (~early) & (first["model"] != "climatology").to_numpy()
    assert (first["forecast"][moving] != second["forecast"][moving]).mean() > 0.95
    for lead in (1, 6):
        maps = [one.forecasts("network", lead) for one in (before, after)]
        known = maps[0]["issued"] < np.datetime64("1994-06")
        np.testing.assert_array_equal(maps[0]["mean"].values[known], maps[1]["mean"].values[known])


def test_learning_again_uses_what_is_past_by_then():
    again = cb.hindcast(made_climate(), **{**OPTIONS, "members": 1, "relearn": 3})
    assert [stage.first for stage in again.stages] == [479, 479 + 36, 479 + 72]
    assert [stage.models["network"].record.trained for stage in again.stages] == [480, 516, 552]
    assert len(again.series(**NINO).query("model == 'network' and lead == 1")) == 108


def test_the_same_seed_gives_the_same_bits(tried):
    again = cb.hindcast(made_climate(), **OPTIONS)
    np.testing.assert_array_equal(tried.series(**NINO)["forecast"], again.series(**NINO)["forecast"])
    other = cb.hindcast(made_climate(), **{**OPTIONS, "seed": 2})
    assert (tried.series(**NINO)["forecast"] != other.series(**NINO)["forecast"]).any()


def test_outlook_is_the_forecast_of_the_last_month():
    field = made_climate()
    box = cb.Region(lat=(-10, 10), lon=(-170, -80))
    ahead = cb.outlook(field, leads=3, lags=(1, 2), members=2, base="previous 10 years", regions=[box], progress=False)
    assert ahead["mean"].dims == ("lead", "lat", "lon")
    assert ahead["time"].values.astype("M8[M]").astype(str).tolist() == ["2000-01", "2000-02", "2000-03"]
    np.testing.assert_allclose(ahead["high"] - ahead["low"], 2 * 1.645 * ahead["sd"])
    assert ((ahead["p_high"] + ahead["p_low"]) <= 1).all()
    mean = cb.region_mean(ahead["mean"], box.lat, box.lon)
    np.testing.assert_allclose(ahead["regional_mean"].values[0], mean.values)
    assert (np.diff(ahead["regional_sd"].values[0]) > 0).all()


def test_lags_and_gamma_are_chosen_inside_the_training_years():
    """Months after the training change nothing; a price at which no arc is left is not chosen."""
    asked = {"train": ("1950", "1989"), "lags": [(1,), (1, 2)], "gammas": [0.5, 400.0], "leads": (3,), **NINO}
    more = {"members": 2, "base": "previous 10 years", "progress": False}
    field = made_climate()
    changed = field.where(field["time"] < np.datetime64("1990"), 0.0)
    table, again = (cb.choose_forecast(one, **asked, **more) for one in (field, changed))
    assert table.equals(again)
    assert table["gamma"].tolist()[:2] == [0.5, 0.5]
    assert table["rmse"].is_monotonic_increasing
    assert table["lags"].map(type).eq(tuple).all()
    with pytest.raises(ClimateBNError, match="unknown measure 'mse'"):
        cb.choose_forecast(field, **asked, measure="mse")
    with pytest.raises(ClimateBNError, match="one or more to try"):
        cb.choose_forecast(field, lags=[])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"test": ("1985", "1995")}, "must begin after the training years, which end in 1989-12"),
        ({"test": ("1990", "2010")}, "must lie within the field, which has 1950-01 … 1999-12"),
        ({"leads": (0, 3)}, "leads must be a whole number, 1 … 12; got 0"),
        ({"leads": 18}, "leads must be a whole number, 1 … 12; got 18"),
        ({"leads": (3, 3)}, "leads must be different months"),
        ({"lags": (0,)}, "no past to forecast from"),
        ({"members": 0}, "members must be a whole number, 1 … 100000; got 0"),
        ({"relearn": 0}, "relearn must be a whole number, 1 or more"),
        ({"base": ("1950", "1995")}, "base=.* must lie within the field, which has 1950-01 … 1989-12"),
    ],
)
def test_wrong_input_is_said(options, words):
    with pytest.raises(ClimateBNError, match=words):
        cb.hindcast(made_climate(), **{**OPTIONS, **options})


def test_a_trend_of_all_years_is_refused():
    with pytest.raises(ClimateBNError, match="absolute values; from this one the trend of all years was taken out"):
        cb.hindcast(cb.anomalies(made_climate(), detrend="linear"), **OPTIONS)


def test_wrong_questions_are_said(tried):
    with pytest.raises(ClimateBNError, match="unknown model 'lime'; did you mean 'lim'"):
        tried.skill_map("lime")
    with pytest.raises(ClimateBNError, match=r"lead must be one of \(1, 3, 6\); got 2"):
        tried.forecasts(lead=2)
    with pytest.raises(ClimateBNError, match="belong together"):
        tried.reliability(lead=3, lat=(-10, 10))
    with pytest.raises(ClimateBNError, match="no node lies in"):
        tried.skill(lat=(60, 70), lon=(0, 10))


def test_it_says_what_it_is(tried):
    assert repr(tried).startswith("Hindcast(trained on 1950-01 … 1989-12; tested on 1990-01 … 1998-12; leads 1, 3, 6")
    assert "lim" in tried._repr_html_()
