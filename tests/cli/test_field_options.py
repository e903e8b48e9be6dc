"""The field options of `learn` and `run`, and errors that name them."""

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner
from tqdm import tqdm

import climatebn as cb
import climatebn.progress
from climatebn.cli import group
from climatebn.cli.field_options import announced
from climatebn.errors import ClimateBNError


def invoke(*arguments):
    return CliRunner().invoke(group, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def levels(tmp_path_factory):
    """Daily heights (m**2 s**-2) of two levels for four years, with a trend, missing in one corner."""
    rng = np.random.default_rng(8)
    time = xr.date_range("1990-01-01", "1995-12-31", freq="D")
    noise = rng.normal(size=(len(time), 2, 6, 12)).astype(np.float32)
    values = noise + np.roll(noise, 1, axis=3) + np.arange(len(time), dtype=np.float32)[:, None, None, None] / 400
    values[:, :, 0, 0] = np.nan
    coords = {"time": time, "level": [500.0, 850.0], "lat": np.arange(75.0, -90, -30), "lon": np.arange(15.0, 360, 30)}
    path = tmp_path_factory.mktemp("levels") / "z.nc"
    units = {"units": "m**2 s**-2"}
    xr.DataArray(values, coords=coords, dims=("time", "level", "lat", "lon"), name="z", attrs=units).to_netcdf(path)
    return path


def test_everything_at_once(levels, tmp_path):
    out = tmp_path / "n.nc"
    options = "--select level=500 --monthly --detrend --season NDJFM --mask ocean --min-cover 0.9 --grid 30"
    more = "--drop-missing --gamma 0.5 --algorithm hill_climbing"
    outcome = invoke("learn", levels, *options.split(), *more.split(), "--out", out)
    assert outcome.exit_code == 0, outcome.output
    bn = cb.load_network(out)
    field = cb.open_field(levels, select={"level": 500}, monthly=True)
    field = cb.mask(cb.regrid(field, cb.Grid.regular(30), min_cover=0.9), "ocean")
    data = cb.to_nodes(
        cb.anomalies(field, detrend="linear"), missing="drop_nodes", degenerate="drop", months=[11, 12, 1, 2, 3]
    )
    assert bn.names == data.names
    assert (bn.n, bn.units) == (30, "m**2 s**-2")
    np.testing.assert_allclose(bn.spread, data.values.std(axis=0, ddof=1))
    assert "hill_climbing, BIC(gamma=0.5" in outcome.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--select level=500"),
        (("--select", "level=300"), "--select level=300 is not there"),
        (("--select", "time=1960"), "--select time=1960 is not there; time has 1990-01-01 … 1995-12-31 (2191 values)"),
        (("--select", "level=500", "--monthly", "--max-seconds", "-1", "--drop-missing"), "--max-seconds must"),
        (("--select", "height=300"), "unknown dimension in --select"),
        (("--select", "level=500"), "--monthly"),
        (("--select", "level=500", "--monthly"), "--drop-missing"),
        (("--select", "level=500", "--monthly", "--base", "1980", "1990"), "--base 1980 1990 needs"),
        (("--select", "level=500", "--monthly", "--grid", "7"), "--grid must divide 180"),
        (("--select", "level=500", "--monthly", "--grid", "30", "--min-cover", "2"), "--min-cover must be a share"),
        (("--select", "level=500", "--monthly", "--drop-missing", "--season", "DFJ"), "--season must be initials"),
        (("--select", "level=500", "--monthly", "--drop-missing", "--algorithm", "tabo"), "--algorithm: unknown"),
        (("--select", "level=500", "--variable", "t"), "--variable: unknown variable"),
    ],
)
def test_errors_name_options(levels, tmp_path, arguments, words):
    outcome = invoke("learn", levels, *arguments, "--out", tmp_path / "n.nc")
    assert isinstance(outcome.exception, ClimateBNError), outcome.output
    assert words in str(outcome.exception)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [("learn", "nothing.nc"), ("run",)])
@pytest.mark.parametrize("gamma", ["-1", "nan", "inf", "much"])
def test_a_gamma_that_is_none_is_refused_before_anything_is_read(command, gamma):
    outcome = invoke(*command, "--gamma", gamma)
    assert outcome.exit_code == 2
    assert "Invalid value for '--gamma'" in outcome.output


@pytest.mark.parametrize("wrong", [("--season", "SDJ"), ("--grid", "7")])
def test_a_wrong_season_or_grid_is_refused_before_the_file_is_read(wrong):
    outcome = invoke("learn", "there_is_no_such_file.nc", *wrong)
    assert str(outcome.exception).startswith(f"{wrong[0]} must")
    assert "[12, 1, 2]" not in str(outcome.exception)


def test_a_mask_needs_no_further_option(tmp_path):
    cb.regrid(cb.load_ncep(), cb.Grid.regular(30)).to_netcdf(tmp_path / "air.nc")
    outcome = invoke("learn", tmp_path / "air.nc", "--gamma", "1", "--mask", "ocean", "--out", tmp_path / "n.nc")
    assert outcome.exit_code == 0, outcome.output
    assert 20 < len(cb.load_network(tmp_path / "n.nc").names) < 60


def test_quiet_is_silent_also_while_monthly_means_are_taken(levels, tmp_path, monkeypatch):
    bars = []
    monkeypatch.setattr("climatebn.progress.tqdm", lambda **how: bars.append(how["disable"]) or tqdm(**how))
    monkeypatch.setattr("climatebn.progress._bar_class", lambda: climatebn.progress.tqdm)
    given = ("--select", "level=500", "--monthly", "--drop-missing", "--gamma", "1", "--out", tmp_path / "n.nc")
    assert invoke("learn", levels, *given, "--quiet").exit_code == 0
    assert len(bars) >= 2
    assert all(bars)


@pytest.mark.parametrize("wrong", [("--select", "level"), ("--season", "1;2"), ("--mask", "sea")])
def test_misspelt_options(levels, wrong):
    level = () if "--select" in wrong else ("--select", "level=500")
    assert invoke("learn", levels, *wrong, "--monthly", *level).exit_code == 2


def test_notes_are_said_in_options(levels, tmp_path):
    rest = ("--select", "level=500", "--monthly", "--drop-missing", "--out", tmp_path / "n.nc")
    outcome = invoke("learn", levels, *rest)
    assert outcome.exit_code == 0, outcome.output
    assert "a linear trend makes up" in outcome.output
    assert "--detrend removes it" in outcome.output
    assert "trend" not in invoke("learn", levels, *rest, "--detrend").output


def test_run_takes_them_too(levels, tmp_path, monkeypatch):
    monkeypatch.setattr("climatebn.study.showcase.main_job.write", lambda folder, *rest: (folder / "x").touch())
    options = "--select level=850 --monthly --detrend --season DJF --grid 0 --drop-missing"
    more = "--algorithm hill_climbing --gamma 0.2 --set 15,-135=2 --quick"
    outcome = invoke("run", "--field", levels, *options.split(), *more.split(), "--out", tmp_path / "r")
    assert outcome.exit_code == 0, outcome.output
    assert "hill_climbing (γ = 0.2)" in outcome.output
    assert "18 observations are few" in outcome.output
    belongs = invoke("run", "--monthly", "--out", tmp_path / "other")
    assert belongs.exit_code == 2
    assert "--field FILE" in belongs.output


def test_large_grids_are_announced():
    said = []
    announced(648, said.append)
    announced(2592, said.append)
    assert said == []
    announced(10_226, said.append)
    announced(64_800, said.append)
    assert said[0].startswith("10226 nodes need about 4 GB and 29 s or more")
    assert said[1].startswith("64800 nodes need about 173 GB and 28 minutes or more")
    assert "--grid 5" in said[1]
