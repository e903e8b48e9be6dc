"""`climatebn run`, `learn` and `propagate` as they are typed."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner

import climatebn as cb
from climatebn.cli import group
from climatebn.errors import ClimateBNError
from climatebn.ingest.grid.place_names import place_name


@pytest.fixture(scope="module")
def field_file(tmp_path_factory):
    rng = np.random.default_rng(8)
    noise = rng.normal(size=(96, 6, 12))
    values = noise + 0.8 * np.roll(noise, 1, axis=2) + 290
    coords = {
        "time": xr.date_range("1990-01-01", periods=96, freq="MS"),
        "lat": ("lat", np.arange(75.0, -90, -30), {"units": "degrees_north"}),
        "lon": ("lon", np.arange(15.0, 360, 30), {"units": "degrees_east"}),
    }
    path = tmp_path_factory.mktemp("field") / "t2m.nc"
    field = xr.DataArray(values, coords=coords, dims=("time", "lat", "lon"), name="t2m", attrs={"units": "K"})
    xr.Dataset({"t2m": field, "other": field + 1}).to_netcdf(path)
    return path


@pytest.fixture(scope="module")
def network(field_file):
    target = field_file.with_name("network.nc")
    outcome = invoke("learn", field_file, "--variable", "t2m", "--gamma", "0.5", "--scale", "sd", "--out", target)
    assert outcome.exit_code == 0, outcome.output
    return target, outcome.output


def invoke(*arguments):
    return CliRunner().invoke(group, [str(argument) for argument in arguments])


def test_run_on_an_own_field(field_file, tmp_path, monkeypatch):
    monkeypatch.setattr("climatebn.ingest.nodes.doubts.SHARE", 0.0)  # any trend is doubted
    out = tmp_path / "results"
    run = (
        "run",
        "--field",
        field_file,
        "--variable",
        "t2m",
        "--grid",
        "0",
        "--out",
        out,
        "--set",
        "-15,-135=2",
        "--quick",
    )
    outcome = invoke(*run)
    assert outcome.exit_code == 0, outcome.output
    assert "teleconnections (arcs over 5000 km)" in outcome.output
    assert outcome.output.count("→") == 8
    assert "of these, by chance at most" in outcome.output
    assert str(out / "report.html") in outcome.output
    assert invoke(*run, "--quiet").output == ""
    report = (out / "report.html").read_text(encoding="utf-8")
    assert "t2m" in report
    assert "--detrend removes it" in report
    assert "cb.anomalies" not in report
    assert any("--detrend removes it" in note for note in json.loads((out / "run.json").read_text())["notes"])


def test_learn_says_what_it_found_and_saves_it(network):
    path, output = network
    bn = cb.load_network(path)
    assert f"72 nodes, {len(bn.dag.arcs)} arcs" in output
    assert bn.scale == "sd"


def test_learn_with_a_test_that_gives_no_dag_saves_the_graph(field_file, tmp_path):
    rest = ("--variable", "t2m", "--criterion", "G2", "--alpha", "0.2", "--option", "max_condset=1")
    outcome = invoke("learn", field_file, "--algorithm", "pc_stable", *rest, "--out", tmp_path / "g.nc")
    assert outcome.exit_code == 0, outcome.output
    saved = {path.name for path in tmp_path.iterdir()}
    if "not valid" in outcome.output:
        assert saved == {"g.json"}
        assert json.loads((tmp_path / "g.json").read_text())["format"] == "climatebn result"
    else:
        assert saved == {"g.nc"}


def test_propagate_lists_draws_and_saves(network, tmp_path):
    path, _ = network
    outcome = invoke("propagate", path, "--set", "X5=2", "--set", "45,100=-1", "--tail", "upper", "--top", "3",
                     "--png", tmp_path / "map.png", "--out", tmp_path / "post.nc")  # fmt: skip
    assert outcome.exit_code == 0, outcome.output
    bn = cb.load_network(path)
    post = cb.propagate(bn, {"X5": 2.0, (45, 100): -1.0})
    assert post.evidence.sum() == 2
    largest = float(post["difference"].where(~post["evidence"]).max())
    lines = outcome.output.splitlines()
    assert lines[0].startswith("given X5 = 2 sd, X")
    assert lines[1].startswith("  X5 is the node at ")
    cell = post["difference"].where(post["difference"] == largest, drop=True)
    name = bn.nodes.nearest(float(cell["lat"][0]), float(cell["lon"][0]))
    assert lines[4].split() == [name, *f"({place_name(cell['lat'][0], cell['lon'][0])})".split(), f"{largest:+.3f}"]
    assert len(lines) == 7
    assert (tmp_path / "map.png").stat().st_size > 10_000
    with xr.open_dataset(tmp_path / "post.nc") as saved:
        np.testing.assert_allclose(saved["difference"], post["difference"])


def test_propagate_takes_regions_and_intervals(network, tmp_path):
    outcome = invoke(
        "propagate", network[0], "--set", "indian_ocean=1:", "--tail", "both", "--out", tmp_path / "post.nc",
        "--png", tmp_path / "map.png",
    )  # fmt: skip
    assert outcome.exit_code == 0, outcome.output
    assert outcome.output.splitlines()[0] == "given indian_ocean ≥ 1 sd"
    assert "indian_ocean is made of" in outcome.output
    with xr.open_dataset(tmp_path / "post.nc") as saved:
        expected = cb.propagate(cb.load_network(network[0]), {cb.regions["indian_ocean"]: (1, None)}, tail="both")
        np.testing.assert_allclose(saved["difference_lower"], expected["difference_lower"])
    for options, words in (
        (("--set", "indian_ocean=9"), "Values are in sd; climatebn propagate has --units data"),
        (("--set", "indian_ocean=1", "--threshold", "-1"), "--threshold must be"),
        (("--set", "indian_ocean=1:", "--set", "-5,-135=1:"), "Give a value to the others"),
    ):
        assert words in str(invoke("propagate", network[0], *options).exception)
    wrong = invoke("propagate", network[0], "--set", "nino=1")
    assert wrong.exit_code != 0
    assert str(wrong.exception).startswith("--set: unknown evidence node 'nino'")


def test_propagate_names_nodes_of_any_kind(tmp_path):
    """An index has no place, a network in time answers month by month."""
    data = cb.to_nodes(cb.anomalies(cb.load_ncep().sel(lat=[-5, 5]).isel(lon=slice(None, None, 3))))
    series = data.to_dataframe()["X1"] + np.random.default_rng(1).normal(size=len(data))
    with_index = data.with_index(nino34=series)
    for number, (given, options) in enumerate([(with_index, {}), (data, {"lags": (0, 1)})]):
        result = cb.learn(given, "hill_climbing", cb.BIC(gamma=1), progress=False, **options)
        cb.fit(result, given, scale="sd").save(tmp_path / f"{number}.nc")
    outcome = invoke("propagate", tmp_path / "0.nc", "--set", "nino34=2", "--top", "2")
    assert outcome.exit_code == 0, outcome.output
    assert "nan" not in outcome.output
    assert re.search(r"^  X1 \(5°S 175°W\) +\+0\.\d{3}$", outcome.output, re.MULTILINE)
    outcome = invoke("propagate", tmp_path / "1.nc", "--set", "X1=2", "--top", "4")
    assert outcome.exit_code == 0, outcome.output
    assert re.search(r"^  X\d+ \(.*\) +\+0\.\d{3}  in month \d$", outcome.output, re.MULTILINE)


@pytest.mark.parametrize("wrong", ["X5", "X5=warm", "=2", "1,2,3=2", "X5=1:b"])
def test_evidence_that_cannot_be_read_is_a_usage_error(network, wrong):
    outcome = invoke("propagate", network[0], "--set", wrong)
    assert outcome.exit_code == 2
    assert "NODE=VALUE, REGION=VALUE, LAT,LON=VALUE or a box" in outcome.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--variable", "nothing"), "unknown variable"),
        (("--variable", "t2m", "--algorithm", "tabo"), "did you mean 'tabu'"),
        (("--variable", "t2m", "--criterion", "BGe", "--gamma", "1"), "BGe does not take --gamma"),
        (("--variable", "t2m", "--option", "max_itter=3"), "did you mean 'max_iter'"),
        ((), "variable must be given"),
    ],
)
def test_wrong_input_is_said_in_one_line(field_file, tmp_path, arguments, words):
    outcome = invoke("learn", field_file, *arguments, "--out", tmp_path / "n.nc")
    assert isinstance(outcome.exception, ClimateBNError)
    assert words in str(outcome.exception)
    assert "\n" not in str(outcome.exception)
    assert not list(tmp_path.iterdir())


def test_exit_codes_of_the_program(tmp_path):
    def code(*arguments):
        command = [sys.executable, "-c", "from climatebn.cli import main; main()", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    assert code("run", "--help")[0] == 0
    assert code("run", "--variable", "t2m")[0] == 2
    (tmp_path / "mine.txt").write_text("x")
    status, said = code("run", "--out", str(tmp_path))
    assert status == 1
    assert said.startswith("climatebn: ")
    assert len(said.splitlines()) == 1


def test_gamma_auto_is_chosen_by_held_out_years(field_file, tmp_path, monkeypatch):
    monkeypatch.setattr("climatebn.uncertainty.gamma_choice.GAMMAS", (0.5, 2.0))
    out = tmp_path / "auto.nc"
    outcome = invoke("learn", field_file, "--variable", "t2m", "--gamma", "auto", "--out", out)
    assert outcome.exit_code == 0, outcome.output
    assert "makes held-out years most likely" in outcome.output
    assert out.exists()
    assert "neither a number nor auto" in invoke("learn", field_file, "--gamma", "much").output
    assert invoke("learn", field_file, "--gamma", "auto", "--criterion", "AIC").exit_code == 2
