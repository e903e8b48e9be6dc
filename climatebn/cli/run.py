"""`climatebn run`: the main job, from a field to networks, maps, tables and one report."""

import os
import time
from pathlib import Path
from typing import Any

import click

from climatebn.cli.evidence import parse_evidence
from climatebn.cli.field_options import FieldOptions, announced, field_options
from climatebn.cli.gamma_option import GammaOption, chosen_gamma
from climatebn.cli.wording import in_options
from climatebn.files import same_file


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("results"), show_default=True, help="Folder.")
@click.option("--field", "source", metavar="FILE", help="NetCDF or Zarr field instead of the embedded NCEP field.")
@field_options(grid=10.0, grid_help="Cells of FILE in degrees; 0 keeps its own.")
@click.option("--algorithm", default="tabu", show_default=True, help="Of the first network; the second is H2PC's.")
@click.option(
    "--gamma", type=GammaOption(), default=0.5, show_default=True, help="γ of the first network's BIC, or auto."
)
@click.option("--set", "settings", multiple=True, metavar="NODE=VALUE", help="Evidence in sd.  [default: -5,-135=2]")
@click.option("--members", default=100, show_default=True, help="Networks in the first ensemble; H2PC gets a fifth.")
@click.option("--quick", is_flag=True, help="Ten members and few draws: a first look.")
@click.option("--quiet", is_flag=True, help="No progress, no summary.")
def command(
    asked: FieldOptions,
    out: Path,
    source: str | None,
    algorithm: str,
    gamma: Any,
    settings: tuple[str, ...],
    members: int,
    quick: bool,
    quiet: bool,
) -> None:
    """Learn two networks, find their teleconnections, ask them about --set (El Niño if left out), and write it down.

    Ensembles of each say how sure the answers are; a null says how many of the long arcs are chance.

    Without --field it works on monthly surface temperature 1981-2010 that comes with the package; no network is needed.
    """
    if source is None and (asked.variable or asked.units or asked.select or asked.monthly):
        raise click.UsageError("--variable, --select, --monthly and --units belong to --field FILE")
    evidence = parse_evidence(settings)
    from climatebn.study.showcase.main_job import run_main_job

    started = time.perf_counter()

    def say(line: str) -> None:
        if not quiet:
            click.echo(f"[{time.perf_counter() - started:5.1f} s] {line}")

    if source is not None and same_file(out, source):
        raise click.UsageError(f"--out {out} is the input itself; give another folder")
    import climatebn as cb

    field = asked.masked(cb.load_ncep()) if source is None else asked.opened(source, say)
    announced(int(field.isel(time=0).notnull().sum()), say)
    if gamma == "auto":
        data = cb.to_nodes(cb.anomalies(field, **asked.anomalies), **asked.nodes)
        gamma = chosen_gamma(gamma, data, algorithm, not quiet, say)
    result = run_main_job(
        field,
        out,
        source=source,
        field_options=asked.reading,
        anomaly_options=asked.anomalies,
        node_options=asked.nodes,
        algorithm=algorithm,
        gamma=gamma,
        evidence=evidence or None,
        members=members,
        quick=quick,
        workers=1 if quick else os.cpu_count() or 1,
        progress=not quiet,
        say=say,
        worded=in_options,
    )
    if not quiet:
        click.echo(_summary(result))
        click.echo(f"\n{out / 'report.html'} shows it all ({time.perf_counter() - started:.0f} s)")


def _summary(result: Any) -> str:
    from climatebn.study.showcase.certainty_page import in_short

    labels = [item.label for item in result.answers]
    width = max(map(len, labels))
    lines = [f"\nNote: {note}" for note in result.notes]
    for found in result.findings:
        lines.append(f"\n{click.style(found.name, bold=True)}")
        lines += [f"  {label:<{width}}  {value}" for label, value in zip(labels, found.values, strict=True)]
        lines.append(click.wrap_text(f"→ {found.meaning}", width=100, initial_indent="  ", subsequent_indent="    "))
    if result.certainty is not None:
        lines.append(f"\n{click.style('how sure', bold=True)}")
        lines += [f"  {line}" for line in in_short(result.certainty, result.subject)]
    return "\n".join(lines)
