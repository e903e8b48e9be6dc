"""What docs/reproduction keeps: tables of the paper's numbers and of both studies, and where each came from."""

import json
import lzma
import math
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pandas as pd

from climatebn import __version__
from climatebn.errors import ClimateBNError, unknown
from climatebn.files import write_csv, write_whole
from climatebn.jobs.config import read_config, require, to_toml
from climatebn.jobs.run_record import read_runs
from climatebn.jobs.table import read_results
from climatebn.provenance import commit

COMMANDS = ("numbers", "climate", "simulation", "more", "page")
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
        if len(rest) not in (1, 2):
            raise ClimateBNError(f"{command} needs the folder of a finished study (and its commit, if it names none)")
        keep_study(command, Path(rest[0]), folder, *rest[1:])
    elif command == "more":
        if len(rest) not in (1, 2):
            raise ClimateBNError("more needs the folder of a simulation study, of cells that had not ended")
        keep_more(Path(rest[0]), folder, *rest[1:])
    from climatebn.study.reproduction.page import rewrite

    rewrite(docs)


def keep_numbers(folder: Path) -> None:
    """Learn the paper's networks again, and networks of equal size."""
    from climatebn.study.reproduction.equal_arcs import equal_arcs
    from climatebn.study.reproduction.numbers import paper_numbers, readings

    made_by = commit()  # before the files that are kept change the working copy
    for name, make in (("numbers", paper_numbers), ("readings", readings), ("equal_arcs", equal_arcs)):
        begun = datetime.now(UTC)
        write_csv(folder / f"{name}.csv", make())
        took = (datetime.now(UTC) - begun).total_seconds()
        note(folder, Origin(name, "python -m climatebn.study.reproduction numbers", made_by, __version__, begun, took))


def keep_study(name: str, source: Path, folder: Path, made_by: str = "") -> None:
    """Take over the table (compressed), claims and figures of a finished study.

    Parameters
    ----------
    name : "climate" or "simulation".
    source : the folder of the study.
    folder : where to keep them.
    made_by : the commit that ran the study, for a folder whose record does not tell.
    """
    _must_have(source, "results.csv", "claims.csv", "claims.md", "seconds.csv")
    origin = origin_of(name, source, made_by)
    write_whole(folder / f"{name}_results.csv.xz", lzma.compress((source / "results.csv").read_bytes()))
    _take_over(name, source, folder, ("claims.csv", "claims.md", "config.toml"))
    note(folder, origin)


def keep_more(source: Path, folder: Path, made_by: str = "") -> None:
    """Cells of the kept simulation study that did not end then, and did in ``source``, take their place.

    The study in ``source`` has some of the kept cells, with the same settings but for its budget. Its other cells must
    be as they are kept. Claims and figures are made anew from the whole table.
    """
    from climatebn.study.simulation.study import from_table, study

    _must_have(source, "results.csv", "config.toml", "seconds.csv")
    settings = [
        read_config(study.default, path) for path in (folder / "simulation_config.toml", source / "config.toml")
    ]
    for name in ("seed", "variance", "paper_pairs"):
        kept, ours = (getattr(one, name) for one in settings)
        require(kept == ours, f"{name} of {source}", f"{kept!r}, as in the kept study", ours)
    origin = origin_of("simulation", source, made_by)
    path, axes = folder / "simulation_results.csv.xz", list(study.axes)
    kept, ours = (read_results(one).set_index(axes) for one in (path, source / "results.csv"))
    if len(foreign := ours.index.difference(kept.index)):
        raise ClimateBNError(f"{source} has cells that are not kept: {', '.join(map(str, foreign[:3]))}")
    ended = ours[ours["ended"]]
    before = kept.loc[ended.index]
    same = (before == ended) | (before.isna() & ended.isna())
    other = before["ended"] & ~same.all(axis=1)
    if other.any():
        raise ClimateBNError(
            f"{source} has other results than those kept: {', '.join(map(str, ended.index[other][:3]))}"
        )
    table = pd.concat([kept.drop(ended.index), ended]).loc[kept.index].convert_dtypes()
    with TemporaryDirectory() as made:
        write_csv(Path(made) / "results.csv", table.reset_index())
        write_whole(path, lzma.compress((Path(made) / "results.csv").read_bytes()))
        from_table(path, Path(made))
        _take_over("simulation", Path(made), folder, ("claims.csv", "claims.md"))
    usual = to_toml(study.default).splitlines()
    asked = (f"--set '{line}'" for line in to_toml(settings[1]).splitlines() if line not in usual)
    command = " ".join(["climatebn study simulation", *asked])
    note(folder, origin._replace(name=f"simulation, more: {source.name}", command=command))


def _must_have(source: Path, *files: str) -> None:
    for file in files:
        if not (source / file).exists():
            raise ClimateBNError(f"{source} is not the folder of a finished study: it has no {file}")


def _take_over(name: str, source: Path, folder: Path, files: Sequence[str]) -> None:
    """Files and figures of a study, under its name."""
    for file in files:
        shutil.copy(source / file, folder / f"{name}_{file}")
    for figure in SIMULATION_FIGURES if name == "simulation" else CLIMATE_FIGURES:
        if (source / "figures" / f"{figure}.png").exists():
            shutil.copy(source / "figures" / f"{figure}.png", folder / f"{name}_{figure}.png")


class Origin(NamedTuple):
    """Where a table came from: a row of `runs.csv`.

    ``seconds`` is the time from start to end, all runs together; ``cell_seconds`` that of all cells one after the
    other, on one core each; ``cpu_seconds`` the processor time of the cells.
    """

    name: str
    command: str
    commit: str
    climatebn: str
    started: datetime
    seconds: float
    cell_seconds: float = math.nan
    cpu_seconds: float = math.nan


def origin_of(name: str, source: Path, made_by: str = "") -> Origin:
    """What the folder of a study tells about its making; by its files' times where it has no record of its runs."""
    command = f"climatebn study {name} --config docs/reproduction/{name}_config.toml"
    times = pd.read_csv(source / "seconds.csv")
    cells, cpu = (float(times[c].sum(skipna=False)) if c in times else math.nan for c in ("seconds", "cpu_seconds"))
    runs = read_runs(source)
    commits = ", ".join(dict.fromkeys(str(run["commit"]) for run in runs if run.get("commit"))) or made_by
    if not commits:
        raise ClimateBNError(
            f"{source} does not say which commit it was made by (it ran from a copy without a repository): "
            f"give it, as in: python -m climatebn.study.reproduction {name} {source} COMMIT"
        )
    begun = datetime.fromtimestamp((source / "study.json").stat().st_mtime, UTC)
    took = (source / "results.csv").stat().st_mtime - begun.timestamp()
    version = json.loads((source / "study.json").read_text(encoding="utf-8"))["climatebn"]
    if runs:
        begun, took = datetime.fromisoformat(runs[0]["started"]), sum(float(run["seconds"]) for run in runs)
    return Origin(name, command, commits, version, begun, took, cells, cpu)


def note(folder: Path, origin: Origin) -> None:
    """Write down where a table came from, in the place of what `runs.csv` said before."""
    path = folder / "runs.csv"
    rows = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=list(Origin._fields))
    times = {name: round(getattr(origin, name), 0) for name in ("seconds", "cell_seconds", "cpu_seconds")}
    row = pd.DataFrame([{**origin._asdict(), "started": f"{origin.started:%Y-%m-%dT%H:%M:%SZ}", **times}])
    rows = pd.concat([rows[rows["name"] != origin.name], row] if len(rows) else [row], ignore_index=True)
    write_csv(path, rows[list(Origin._fields)].sort_values("name"))
