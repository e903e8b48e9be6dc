"""The commands that faults are sent to, each small, with what a whole result of it is."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

ATTRIBUTES = {"units": "K", "long_name": r"temperature $\frac{$ <b>"}  # what files may hold


class Command(NamedTuple):
    """One command.

    Attributes
    ----------
    arguments : folder with inputs, target, variant → words after `climatebn`; variant 0 makes the earlier result that
        must not be lost, variant 1 the new one.
    target : name of what it writes.
    whole : target, target of an undisturbed run → whether the new result is there, complete and the same.
    resumable : whether it goes on from what a stopped one left.
    """

    name: str
    arguments: Callable[[Path, Path, int], list[str]]
    target: str
    whole: Callable[[Path, Path], bool]
    resumable: bool = False


def make_inputs(folder: Path) -> None:
    """Fields of 72 places, and a network."""
    lat = ("lat", np.arange(75.0, -90, -30), {"units": "degrees_north"})
    lon = ("lon", np.arange(15.0, 360, 30), {"units": "degrees_east"})
    for seed, name in enumerate(("field", "other")):
        noise = np.random.default_rng(seed).normal(size=(240, 6, 12))
        values = noise + 0.8 * np.roll(noise, 1 + seed, axis=2) + 0.5 * np.roll(noise, 1, axis=1) + 290
        coords = {"time": pd.date_range("1980-01-01", periods=240, freq="MS"), "lat": lat, "lon": lon}
        field = xr.DataArray(values, coords, ("time", "lat", "lon"), name="t2m", attrs=ATTRIBUTES)
        field.to_netcdf(folder / f"{name}.nc")


def learn(inputs: Path, target: Path, variant: int) -> list[str]:
    words = ["learn", f"{inputs}/field.nc", "--algorithm", "annealing", "--scale", "sd", "--out", str(target)]
    return [*words, "--seed", "1", "--option", f"restarts={3 * variant}"]


def propagate(inputs: Path, target: Path, variant: int) -> list[str]:
    words = ["propagate", f"{inputs}/network.nc", "--set", f"-15,-135={1 + variant}", "--out", str(target)]
    return [*words, "--png", str(target.with_suffix(".png"))]


def explore(inputs: Path, target: Path, variant: int) -> list[str]:
    return ["explore", *[f"{inputs}/network.nc"] * (1 + variant), "--out", str(target)]


def run(inputs: Path, target: Path, variant: int) -> list[str]:
    words = ["run", "--field", f"{inputs}/field.nc", "--grid", "0", "--set", "-15,-135=2", "--quick", "--members", "2"]
    return [*words, "--gamma", f"{2 - variant}", "--out", str(target)]


def forecast(inputs: Path, target: Path, variant: int) -> list[str]:
    words = ["forecast", f"{inputs}/field.nc", "--grid", "0", "--leads", "2", "--lags", "1", "--members", "2"]
    region = ["--lat", "-20", "20", "--lon", "-170", "-80", "--base", "1980", "1992"]
    return [*words, *region, "--gamma", f"{2 - variant}", "--out", str(target)]


def compare(inputs: Path, target: Path, variant: int) -> list[str]:
    words = ["compare", f"{inputs}/field.nc", f"{inputs}/other.nc", "--reference", "field", "--workers", "1"]
    return [*words, "--resamples", "25", "--gamma", "1", "--set", "15,-135=2", "--out", str(target)]


def climate(inputs: Path, target: Path, variant: int) -> list[str]:
    settings = [f'fields=["{inputs}/field.nc"]', 'criteria=["matched"]', 'algorithms=["tabu", "pc_stable", "h2pc"]']
    settings += ["gammas=[4, 1, 0.2]", "orders=[1, 2]", "members=2", "held_out_years=4"]
    return ["study", "climate", *_settings(settings), "--workers", "1", "--out", str(target)]


def simulation(inputs: Path, target: Path, variant: int) -> list[str]:
    settings = ['networks=["alarm", "ecoli70"]', 'algorithms=["tabu", "pc_stable", "mmhc"]', "ratios=[0.5, 2]"]
    return ["study", "simulation", *_settings([*settings, "samples=2"]), "--workers", "1", "--out", str(target)]


def in_workers(inputs: Path, target: Path, variant: int) -> list[str]:
    """The simulation study in two worker processes."""
    words = simulation(inputs, target, variant)
    words[words.index("--workers") + 1] = "2"
    return words


def _settings(settings: list[str]) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


def same_network(target: Path, reference: Path) -> bool:
    from climatebn import load_network

    found, wanted = load_network(target), load_network(reference)
    return found.dag.arcs == wanted.dag.arcs and np.array_equal(found.arc_coefficients, wanted.arc_coefficients)


def same_answer(target: Path, reference: Path) -> bool:
    with xr.open_dataset(target) as found, xr.open_dataset(reference) as wanted:
        return found.equals(wanted) and same_page(target.with_suffix(".png"), reference.with_suffix(".png"))


def same_page(target: Path, reference: Path) -> bool:
    return target.read_bytes() == reference.read_bytes()


def same_run(target: Path, reference: Path) -> bool:
    """Every file is listed, as it was made, and tables are the same."""
    listed = json.loads((target / "run.json").read_text(encoding="utf-8"))["files"]
    there = {path.name for path in target.iterdir()} - {"run.json"}
    true = all(hashlib.sha256((target / name).read_bytes()).hexdigest() == listed[name] for name in there)
    return true and there == set(listed) and same_tables(target, reference)


def same_tables(target: Path, reference: Path) -> bool:
    """Every table of the reference is there, to the byte; but for the seconds that cells took."""
    tables = [path.relative_to(reference) for path in reference.rglob("*.csv") if path.name != "seconds.csv"]
    return all((target / path).read_bytes() == (reference / path).read_bytes() for path in tables)


COMMANDS = (
    Command("run", run, "results", same_run),
    Command("learn", learn, "learned.nc", same_network),
    Command("propagate", propagate, "answer.nc", same_answer),
    Command("study climate", climate, "climate", same_tables, resumable=True),
    Command("study simulation", simulation, "simulation", same_tables, resumable=True),
    Command("study simulation, two workers", in_workers, "simulation", same_tables, resumable=True),
    Command("compare", compare, "comparison", same_tables, resumable=True),
    Command("forecast", forecast, "forecast", same_run),
    Command("explore", explore, "explorer.html", same_page),
)
