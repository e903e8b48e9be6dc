"""The Python examples of README.md run as they stand, with fewer networks and a smaller field."""

import re
import warnings
from pathlib import Path

import pytest

import climatebn as cb

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
SMALLER = {
    "resamples=50": "resamples=3",
    "whiten=True)": "whiten=True, draws=2)",
    "Grid.regular(5)": "Grid.regular(20)",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the user's files that the examples open."""
    field = cb.load_ncep(period="long").sel(time=slice("1991", "2020"))
    for years in (slice("1991", "2005"), slice("2006", "2020")):
        field.sel(time=years).rename("tas").to_netcdf(tmp_path / f"tas_{years.start}.nc")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.strip().splitlines()[-1][:40])
def test_example_runs(example, folder):
    for wanted, smaller in SMALLER.items():
        example = example.replace(wanted, smaller)
    names = {"cb": cb}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cb.errors.ClimateBNWarning)
        exec(compile(example, "README.md", "exec"), names)
    assert ("result" in names and names["result"].valid) or (folder / "explorer.html").exists()


def test_what_is_made_smaller_is_there():
    text = "".join(EXAMPLES)
    assert len(EXAMPLES) >= 2
    assert all(wanted in text for wanted in SMALLER)
