"""`climatebn compare` as it is typed."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from click.testing import CliRunner

from climatebn.cli import group
from climatebn.errors import ClimateBNError


def invoke(*arguments):
    return CliRunner().invoke(group, ["compare", *map(str, arguments)])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    lat, lon = np.arange(-75.0, 90, 30), np.arange(15.0, 360, 30)
    coords = {"time": pd.date_range("1990-01", periods=120, freq="MS"), "lat": lat, "lon": lon}
    for seed, name in enumerate(("obs", "m1", "m2")):
        noise = np.random.default_rng(seed).normal(size=(120, 6, 12))
        values = 290 + noise + 0.8 * np.roll(noise, 1 + seed, axis=2)
        field = xr.DataArray(values, coords=coords, dims=("time", "lat", "lon"), name="tas", attrs={"units": "K"})
        field.to_netcdf(folder / f"{name}.nc")
    return [folder / f"{name}.nc" for name in ("obs", "m1", "m2")]


def test_a_comparison_writes_tables_figures_and_a_page_and_goes_on(files, tmp_path):
    out = tmp_path / "out"
    asked = (
        *files,
        "--reference",
        files[0],
        "--resamples",
        5,
        "--workers",
        1,
        "--gamma",
        1,
        "--set",
        "15,-135=2",
        "--out",
        out,
    )
    first = invoke(*asked)
    assert first.exit_code == 0, first.output
    assert "differ from obs beyond chance" in first.output
    for name in ("distances", "excess", "se", "loglik", "from_reference", "order", "answers"):
        assert (out / f"{name}.csv").exists(), name
    table = pd.read_csv(out / "from_reference.csv", index_col="model")
    assert set(table.index) == {"m1", "m2"}
    assert (table["se"] > 0).all()
    page = (out / "comparison.html").read_text()
    assert page.count("<img") == 5
    assert "Knutti" in page
    cells = {path: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    assert invoke(*asked, "--quiet").exit_code == 0
    assert cells == {path: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}


def test_what_is_wrong_is_said_in_options(files, tmp_path):
    out = ("--out", tmp_path / "out", "--workers", 1, "--resamples", 0)
    with pytest.raises(ClimateBNError, match="unknown model as --reference 'era5'; known: m1, m2, obs"):
        CliRunner().invoke(group, ["compare", *map(str, (*files, "--reference", "era5", *out))], catch_exceptions=False)
    outcome = invoke(*files, "--reference", "obs", "--period", "1980", "1995", *out)
    assert isinstance(outcome.exception, ClimateBNError)
    assert "obs: --period 1980 1995 needs 192 months" in str(outcome.exception)
    assert not (tmp_path / "out").exists()
