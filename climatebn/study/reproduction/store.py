"""What docs/reproduction keeps: tables of the paper's numbers and of both studies, and where each came from."""

import lzma
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from climatebn import __version__
from climatebn.errors import ClimateBNError, unknown
from climatebn.files import write_whole

COMMANDS = ("numbers", "climate", "simulation", "page")
SIMULATION_FIGURES = ("discrete_bic", "discrete_posterior", "gaussian_bic", "gaussian_posterior", "ranks")
CLIMATE_FIGURES = ("paper_figure3_panels", "paper_colliders")


def run(arguments: Sequence[str], docs: Path) -> None:
    """One command; each writes the page anew."""
    if not arguments or arguments[0] not in COMMANDS:
        raise unknown("command", arguments[0] if arguments else "", COMMANDS)
    if not (docs / "reproduction.md").exists():
        raise ClimateBNError(f"there is no {docs / 'reproduction.md'}; run this in the root of a working copy")
    command, *rest = arguments
    folder = docs / "reproduction"
    folder.mkdir(exist_ok=True)
    if command == "numbers":
        keep_numbers(folder)
    elif command in ("climate", "simulation"):
        if len(rest) != 1:
            raise ClimateBNError(f"{command} needs the folder of a finished study")
        keep_study(command, Path(rest[0]), folder)
    from climatebn.study.reproduction.page import rewrite

    rewrite(docs)


def keep_numbers(folder: Path) -> None:
    """Learn the paper's networks again, and networks of equal size."""
    from climatebn.study.reproduction.equal_arcs import equal_arcs
    from climatebn.study.reproduction.numbers import paper_numbers, readings

    for name, make in (("numbers", paper_numbers), ("readings", readings), ("equal_arcs", equal_arcs)):
        started = time.perf_counter()
        write_whole(folder / f"{name}.csv", make().to_csv(index=False).encode())
        note(folder, name, "python -m climatebn.study.reproduction numbers", time.perf_counter() - started)


def keep_study(name: str, source: Path, folder: Path) -> None:
    """Take over the table (compressed), claims and figures of a finished study."""
    for file in ("results.csv", "claims.csv", "claims.md", "seconds.csv"):
        if not (source / file).exists():
            raise ClimateBNError(f"{source} is no folder of a finished study: it has no {file}")
    write_whole(folder / f"{name}_results.csv.xz", lzma.compress((source / "results.csv").read_bytes()))
    for file in ("claims.csv", "claims.md", "config.toml"):
        shutil.copy(source / file, folder / f"{name}_{file}")
    for figure in SIMULATION_FIGURES if name == "simulation" else CLIMATE_FIGURES:
        if (source / "figures" / f"{figure}.png").exists():
            shutil.copy(source / "figures" / f"{figure}.png", folder / f"{name}_{figure}.png")
    seconds = float(pd.read_csv(source / "seconds.csv")["seconds"].sum())
    note(folder, name, f"climatebn study {name} --config docs/reproduction/{name}_config.toml", seconds)


def note(folder: Path, name: str, command: str, seconds: float) -> None:
    """Where a table came from: `runs.csv` has name, command, commit, version, seconds of computing."""
    path = folder / "runs.csv"
    columns = ["name", "command", "commit", "climatebn", "seconds"]
    rows = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=columns)
    row = pd.DataFrame([(name, command, _commit(), __version__, round(seconds))], columns=columns)
    rows = pd.concat([rows[rows["name"] != name], row] if len(rows) else [row], ignore_index=True)
    write_whole(path, rows.sort_values("name").to_csv(index=False).encode())


def _commit() -> str:
    """The commit of the working copy."""
    try:
        shown = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return shown.stdout.strip()
