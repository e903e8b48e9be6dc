"""`climatebn study`: the climate or the simulation study, on this machine or on a Dask cluster, resumable."""

import logging
import os
from pathlib import Path

import click

from climatebn.errors import ClimateBNError


@click.command()
@click.argument("name", metavar="climate|simulation")
@click.option("--config", type=click.Path(path_type=Path), help="TOML file; keys left out keep their defaults.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="One setting, e.g. max_seconds=300.")
@click.option("--quick", is_flag=True, help="Start from the study's small configuration instead of the paper's.")
@click.option("--out", type=click.Path(path_type=Path), help="Study folder.  [default: NAME-study]")
@click.option("--workers", type=click.IntRange(min=1), help="Local processes; 1: this one.  [default: all cores]")
@click.option("--scheduler", metavar="ADDRESS", help="Dask scheduler, e.g. tcp://10.0.0.5:8786.")
@click.option(
    "--from-table",
    "table",
    type=click.Path(path_type=Path),
    help="Run nothing: claims and figures again from a kept results.csv (also .gz, .xz), into --out.",
)
@click.option("--retry", is_flag=True, help="Also run cells again that ran out of time.")
@click.option("--quiet", is_flag=True, help="No progress, no summary.")
def command(
    name: str,
    config: Path | None,
    settings: tuple[str, ...],
    quick: bool,
    out: Path | None,
    workers: int | None,
    scheduler: str | None,
    table: Path | None,
    retry: bool,
    quiet: bool,
) -> None:
    """Run a whole study. Stopped at any moment, the same command goes on from there."""
    if workers and scheduler:
        raise click.UsageError("--workers and --scheduler exclude each other")
    if table and (config or settings or quick or workers or scheduler):
        raise click.UsageError("--from-table runs nothing: it goes with --out and --quiet alone")
    from climatebn.jobs.executors import ONE_THREAD, open_executor

    os.environ.update(ONE_THREAD, MPLBACKEND="agg")  # before numpy and matplotlib are loaded
    from climatebn.jobs.config import read_config, with_settings
    from climatebn.jobs.runner import run_study
    from climatebn.study.registry import find

    logging.basicConfig(format="%(message)s")
    logging.getLogger("climatebn").setLevel(logging.WARNING if quiet else logging.INFO)
    study = find(name)
    if table:
        if study.from_table is None:
            raise ClimateBNError(f"the {name} study cannot be reported from a table alone: run it again on its folder")
        folder = out or Path(f"{name}-study-from-table")
        folder.mkdir(parents=True, exist_ok=True)
        summary = study.from_table(table, folder)
        if not quiet:
            click.echo(summary)
        return
    chosen = study.quick if quick else study.default
    chosen = with_settings(read_config(chosen, config) if config else chosen, settings)
    folder = out or Path(f"{name}-study{'-quick' if quick else ''}")
    with open_executor(workers or os.cpu_count() or 1, scheduler) as executor:
        summary = run_study(study, folder, chosen, executor=executor, retry=retry, progress=not quiet)
    if not quiet:
        click.echo(summary)
