"""`climatebn run`: the main job, from a field to networks, maps, tables and one report."""

import time
from pathlib import Path
from typing import Any

import click

from climatebn.cli.evidence import parse_evidence


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("results"), show_default=True, help="Folder.")
@click.option("--field", "source", metavar="FILE", help="NetCDF or Zarr field instead of the embedded NCEP field.")
@click.option("--variable", help="Name of the variable in FILE, when it has several.")
@click.option("--units", help="Units of FILE, when it does not say them.")
@click.option("--grid", type=float, default=10.0, show_default=True, help="Cells of FILE in degrees; 0 keeps its own.")
@click.option("--base", nargs=2, metavar="FIRST LAST", help="Years of the climatology.  [default: all whole years]")
@click.option("--drop-missing", is_flag=True, help="Leave out places with missing values.")
@click.option("--set", "settings", multiple=True, metavar="NODE=VALUE", help="Evidence in sd.  [default: -5,-135=2]")
@click.option("--quiet", is_flag=True, help="No progress, no summary.")
def command(
    out: Path,
    source: str | None,
    variable: str | None,
    units: str | None,
    grid: float,
    base: tuple[str, str] | None,
    drop_missing: bool,
    settings: tuple[str, ...],
    quiet: bool,
) -> None:
    """Learn two networks, find their teleconnections, ask them about El Niño, and write it all to a folder.

    Without --field it works on monthly surface temperature 1981-2010 that comes with the package; no network is needed.
    """
    if source is None and (variable or units):
        raise click.UsageError("--variable and --units belong to --field FILE")
    evidence = parse_evidence(settings)
    from climatebn.study.showcase.main_job import run_main_job

    started = time.perf_counter()

    def say(line: str) -> None:
        if not quiet:
            click.echo(f"[{time.perf_counter() - started:5.1f} s] {line}")

    result = run_main_job(
        _field(source, variable, units, grid, say),
        out,
        base=base,
        evidence=evidence or None,
        missing="drop_nodes" if drop_missing else "raise",
        progress=not quiet,
        say=say,
    )
    if not quiet:
        click.echo(_summary(result))
        click.echo(f"\n{out / 'report.html'} shows it all ({time.perf_counter() - started:.0f} s)")


def _field(source: str | None, variable: str | None, units: str | None, grid: float, say: Any) -> Any:
    import climatebn as cb

    if source is None:
        return cb.load_ncep()
    say(f"opening {source}")
    field = cb.open_field(source, variable, units=units)
    if not grid:
        return field
    say(f"means over cells of {grid:g}°")
    return cb.regrid(field, cb.Grid.regular(grid)).compute()


def _summary(result: Any) -> str:
    labels = [item.label for item in result.answers]
    width = max(map(len, labels))
    lines = [f"\nNote: {note}" for note in result.notes]
    for found in result.findings:
        lines.append(f"\n{click.style(found.name, bold=True)}")
        lines += [f"  {label:<{width}}  {value}" for label, value in zip(labels, found.values, strict=True)]
        lines.append(click.wrap_text(f"→ {found.meaning}", width=100, initial_indent="  ", subsequent_indent="    "))
    return "\n".join(lines)
