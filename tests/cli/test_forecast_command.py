"""`climatebn forecast` as it is typed: a page, figures and tables; what does not fit is said."""

import json
import re

import pandas as pd
import pytest
import xarray as xr
from click.testing import CliRunner
from made_climate import made_climate

from climatebn.cli import group
from climatebn.errors import ClimateBNError

SMALL = ("--grid", "0", "--leads", "3", "--lags", "1", "--members", "2", "--lat", "-10", "10", "--lon", "-170", "-80")


@pytest.fixture(scope="module")
def field_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("field") / "made.nc"
    made_climate(years=60).to_netcdf(path)
    return path


def invoke(*arguments):
    return CliRunner().invoke(group, ["forecast", *map(str, arguments)])


def test_everything_is_written(field_file, tmp_path):
    out = tmp_path / "forecast"
    outcome = invoke(field_file, "--out", out, *SMALL)
    assert outcome.exit_code == 0, outcome.output
    assert "learning on 1950 … 1989, forecasting 1990 … 2009" in outcome.output
    assert "forecast.html shows it all" in outcome.output
    skill = pd.read_csv(out / "skill.csv")
    assert skill["model"].nunique() == 6
    assert set(pd.read_csv(out / "ahead_of_lim.csv")["lead"]) == {1, 2, 3}
    ahead = pd.read_csv(out / "region_forecast.csv")
    assert (ahead["low"] < ahead["mean"]).all()
    assert (ahead["mean"] < ahead["high"]).all()
    assert ahead["time"].tolist() == ["2010-01-01", "2010-02-01", "2010-03-01"]
    with xr.open_dataset(out / "forecast.nc") as file:
        assert file["p_high"].dims == ("lead", "lat", "lon")
    with xr.open_dataset(out / "skill_maps.nc") as file:
        assert {"correlation", "rmse", "crps"} <= set(file)
    page = (out / "forecast.html").read_text(encoding="utf-8")
    assert page.count("<img") == 5
    assert "What comes after 2009-12" in page
    assert "of the squared error" in page
    assert re.search(
        r"such intervals held \d+ % of the months 1 month ahead, \d+ % of the months 3 months ahead\.", page
    )
    assert re.search(r"Beyond chance it is|At no lead is the difference beyond chance", page)
    assert page.count("by months ahead:") == 3
    assert "Root mean squared error [K], by months ahead:" in page
    assert "3 months ahead, all places and months of the test" in page
    assert len(re.findall(r"<td>[+−]?\d\.\d{3} \[[+−]?\d\.\d{3}, [+−]?\d\.\d{3}\]</td>", page)) == 2 * 3 * 3
    manifest = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert manifest["settings"]["train"] == ["1950", "1989"]
    assert {"plume.png", "skill.pdf", "forecast.html"} <= set(manifest["files"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--season", "DJF"), "no --detrend, no --season"),
        (("--lags", "1;2"), "--lags takes months with commas"),
    ],
)
def test_what_does_not_fit_is_said(field_file, tmp_path, options, words):
    outcome = invoke(field_file, "--out", tmp_path / "none", *options)
    assert outcome.exit_code == 2
    assert words in outcome.output


def test_wrong_years_leave_nothing_behind(field_file, tmp_path):
    outcome = invoke(
        field_file, "--out", tmp_path / "none", *SMALL, "--train", "1950", "2005", "--test", "2000", "2009"
    )
    assert isinstance(outcome.exception, ClimateBNError)
    assert "must begin after the training years" in str(outcome.exception)
    assert not (tmp_path / "none").exists()


def test_variable_needs_a_field():
    outcome = invoke("--variable", "air")
    assert outcome.exit_code == 2
    assert "belong to FIELD" in outcome.output
