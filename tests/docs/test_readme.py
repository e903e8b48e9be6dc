"""The Python examples of README.md and of the first pages run as they stand, with fewer networks and smaller fields."""

import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import climatebn as cb

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", *(f"docs/{page}.md" for page in ("index", "start", "algorithms")))
HOW_TO = tuple(f"docs/howto/{page}.md" for page in ("own_field", "daily", "variables", "add"))
SMALLER = {
    "resamples=50": "resamples=3",
    "whiten=True)": "whiten=True, draws=2)",
    "Grid.regular(5)": "Grid.regular(20)",
    "Grid.regular(10)": "Grid.regular(30)",
}


def examples(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the user's files that the examples open: a monthly field in two of them."""
    field = cb.load_ncep(period="long").sel(time=slice("1991", "2020"))
    for years in (slice("1991", "2005"), slice("2006", "2020")):
        field.sel(time=years).rename("tas").to_netcdf(tmp_path / f"tas_{years.start}.nc")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add_a_daily_file(folder):
    """What a climate model gives, on a coarse grid."""
    days = pd.date_range("1981-01-01", "2010-12-31")
    lat, lon = np.arange(-75.0, 90, 30), np.arange(15.0, 360, 30)
    values = np.random.default_rng(1).normal(280, 5, (len(days), len(lat), len(lon))).astype(np.float32)
    daily = xr.DataArray(values, coords={"time": days, "lat": lat, "lon": lon}, name="tas", attrs={"units": "K"})
    daily.to_netcdf(folder / "tas_day_MODEL_historical_r1i1p1f1_gn_1981-2010.nc")


@pytest.fixture(scope="module")
def known():
    """What pages take for granted: the package, and fields of the user's own."""
    temperature = cb.load_ncep().sel(lat=[-5, 5])
    series = temperature.isel(lat=0, lon=0, drop=True).to_series()
    return {
        "cb": cb,
        "data": cb.to_nodes(cb.anomalies(cb.load_ncep())),
        "precipitation": temperature - temperature.min() + 1,
        "temperature": cb.anomalies(temperature),
        "height": cb.anomalies(cb.load_z500().sel(lat=[-5, 5], time=slice("1981", "2010"))),
        "series": series - series.mean(),
    }


@pytest.mark.parametrize("page", [*PAGES, *HOW_TO])
def test_examples_run(page, folder, known):
    names = dict(known)
    assert examples(page), f"{page} has no Python"
    if "daily" in page:
        add_a_daily_file(folder)
    for example in examples(page):
        for wanted, smaller in SMALLER.items():
            example = example.replace(wanted, smaller)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cb.errors.ClimateBNWarning)
            exec(compile(example, page, "exec"), names)
    assert page != "README.md" or (folder / "explorer.html").exists()
    assert "result" not in names or names["result"].valid


def test_what_is_made_smaller_is_there():
    text = "".join(example for page in (*PAGES, *HOW_TO) for example in examples(page))
    assert all(wanted in text for wanted in SMALLER)
