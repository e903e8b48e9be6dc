"""`climatebn compare`: networks of several models beside a reference, with intervals and a page."""

import os
from pathlib import Path
from typing import Any

import click

from climatebn.cli.evidence import parse_evidence
from climatebn.cli.field_options import FieldOptions, field_options


@click.command()
@click.argument("sources", metavar="FILE...", nargs=-1, required=True)
@click.option("--reference", required=True, metavar="FILE|NAME", help="The one that the others are compared with.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("comparison"), show_default=True, help="Folder.")
@field_options(grid=None, grid_help="Cells of all in degrees.  [default: the coarsest grid, if they differ]")
@click.option("--period", nargs=2, metavar="FIRST LAST", help="Years or months to take from each.")
@click.option(
    "--periods",
    type=click.Choice(["same", "common", "any"]),
    default="same",
    show_default=True,
    help="Whether models may cover different months: refuse, take those that all have, or let them differ.",
)
@click.option("--leave-out", multiple=True, metavar="NAME", help="A region to leave out, e.g. world.")
@click.option("--polygons", type=click.Path(path_type=Path), help="GeoJSON or CSV with the outlines of regions.")
@click.option("--algorithm", default="tabu", show_default=True, help="One of climatebn.algorithms().")
@click.option("--gamma", type=float, default=0.5, show_default=True, help="γ of BIC.")
@click.option("--resamples", type=click.IntRange(min=0), default=20, show_default=True, help="For standard errors.")
@click.option(
    "--scale",
    type=click.Choice(["sd", "none"]),
    default="sd",
    show_default=True,
    help="Compare in standard deviations of each node, or in units.",
)
@click.option("--paired", is_flag=True, help="Records of the same weather, e.g. two reanalyses.")
@click.option("--set", "settings", multiple=True, metavar="NODE=VALUE", help="Evidence in sd.  [default: nino34=2]")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the resamples.")
@click.option("--workers", type=click.IntRange(min=1), help="Local processes; 1: this one.  [default: all cores]")
@click.option("--scheduler", metavar="ADDRESS", help="Dask scheduler, e.g. tcp://10.0.0.5:8786.")
@click.option("--quiet", is_flag=True, help="No progress, no summary.")
def command(
    asked: FieldOptions,
    sources: tuple[str, ...],
    reference: str,
    out: Path,
    period: tuple[str, str] | None,
    periods: str,
    leave_out: tuple[str, ...],
    polygons: Path | None,
    algorithm: str,
    gamma: float,
    resamples: int,
    scale: str,
    paired: bool,
    settings: tuple[str, ...],
    seed: int,
    workers: int | None,
    scheduler: str | None,
    quiet: bool,
) -> None:
    """Learn the network of each model, and say how far it lies from the reference beyond chance.

    A FILE holds one model, or several on a dimension `model`; a folder or a pattern means all its files. Stopped at any
    moment, the same command goes on from there.
    """
    if workers and scheduler:
        raise click.UsageError("--workers and --scheduler exclude each other")
    evidence = parse_evidence(settings)
    from climatebn.jobs.executors import ONE_THREAD, open_executor

    os.environ.update(ONE_THREAD, MPLBACKEND="agg")  # before numpy and matplotlib are loaded
    import climatebn as cb
    from climatebn.comparison.sources import fields
    from climatebn.study.models.job import run_comparison

    say: Any = (lambda line: None) if quiet else click.echo
    say(f"opening {len(sources)} files")
    opened = fields(list(sources), asked.variable, **asked.opening)
    prepare = {
        "grid": asked.grid,
        "min_cover": asked.min_cover,
        "period": period,
        "periods": periods,
        "mask": asked.mask,
        "leave_out": leave_out,
        "polygons": polygons,
        "months": asked.nodes["months"],
        "missing": asked.nodes["missing"],
        **asked.anomalies,
    }
    with open_executor(workers or os.cpu_count() or 1, scheduler) as executor:
        found = run_comparison(
            opened,
            out,
            reference=_name(reference, sources, opened),
            prepare=prepare,
            evidence=evidence or None,
            executor=executor,
            say=say,
            algorithm=algorithm,
            criterion=cb.BIC(gamma=gamma),
            resamples=resamples,
            seed=seed,
            scale=scale,
            paired=paired,
            progress=not quiet,
        )
    if not quiet:
        for note in found.notes:
            click.echo(f"note: {note}")
        columns = ["distance", "excess", "se", "rank_low", "rank_high", "distinguishable"]
        click.echo(found.from_reference[columns].round(3).to_string())
        click.echo("\n".join(found.summary))
        click.echo(f"\n{out / 'comparison.html'} shows it all")


def _name(reference: str, sources: tuple[str, ...], opened: Any) -> str:
    """The name of the reference, which may be given as its file."""
    from climatebn.comparison.sources import model_name
    from climatebn.errors import unknown

    if reference in opened:
        return reference
    name = model_name(reference)
    if name in opened and (reference in sources or Path(reference).name in {Path(path).name for path in sources}):
        return name
    raise unknown("model as --reference", reference, opened)
