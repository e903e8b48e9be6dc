"""`climatebn forecast`: learn a network in time, score its forecasts of past years, and look ahead."""

import time
from pathlib import Path
from typing import Any

import click

from climatebn.cli.field_options import FieldOptions, field_options
from climatebn.files import same_file

PAIR: Any = (float, float)


@click.command()
@click.argument("source", metavar="[FIELD]", required=False)
@click.option("--out", type=click.Path(path_type=Path), default=Path("forecast"), show_default=True, help="Folder.")
@click.option("--leads", default=9, show_default=True, help="Months ahead.")
@click.option(
    "--lags",
    default="1,2,3",
    show_default=True,
    metavar="1,2,3",
    help="Past months that arcs may come from.",
)
@click.option("--gamma", default=0.25, show_default=True, help="γ of BIC.")
@click.option("--members", default=6, show_default=True, help="Networks of resampled years, which are averaged.")
@click.option("--train", nargs=2, metavar="FIRST LAST", help="Years to learn from.  [default: the first two thirds]")
@click.option("--test", nargs=2, metavar="FIRST LAST", help="Years to forecast and score.  [default: the rest]")
@click.option("--lat", type=PAIR, default=(-10, 10), show_default=True, help="South and north of the region scored.")
@click.option("--lon", type=PAIR, default=(-170, -120), show_default=True, help="West and east of it.")
@click.option("--seed", default=1, show_default=True, help="Of the resampled years.")
@field_options(grid=10.0, grid_help="Cells of FIELD in degrees; 0 keeps its own.")
@click.option("--quiet", is_flag=True, help="No progress, no summary.")
def command(
    asked: FieldOptions,
    source: str | None,
    out: Path,
    leads: int,
    lags: str,
    gamma: float,
    members: int,
    train: tuple[str, str] | None,
    test: tuple[str, str] | None,
    lat: tuple[float, float],
    lon: tuple[float, float],
    seed: int,
    quiet: bool,
) -> None:
    """Learn from some years of FIELD (absolute values), forecast the others from every month, score it, look ahead.

    Without FIELD it works on monthly surface temperature 1950-2025 that comes with the package. The climatology is that
    of the 30 years before each month, unless --base is given.
    """
    if source is None and (asked.variable or asked.units or asked.select or asked.monthly):
        raise click.UsageError("--variable, --select, --monthly and --units belong to FIELD")
    if asked.detrend or asked.season:
        raise click.UsageError("forecast works on all months and a climatology of the past: no --detrend, no --season")
    if source is not None and same_file(out, source):
        raise click.UsageError(f"--out {out} is the input itself; give another folder")
    try:
        months = tuple(int(lag) for lag in lags.split(","))
    except ValueError:
        raise click.UsageError(f"--lags takes months with commas, e.g. 1,2,3; got {lags!r}") from None
    import climatebn as cb
    from climatebn.study.forecasting.forecast_job import NINO34, run_forecast_job

    started = time.perf_counter()

    def say(line: str) -> None:
        if not quiet:
            click.echo(f"[{time.perf_counter() - started:5.1f} s] {line}")

    field = asked.masked(cb.load_ncep(period="long")) if source is None else asked.opened(source, say)
    region = cb.Region(lat, lon)
    options = {name: value for name, value in asked.nodes.items() if name != "months"}
    result = run_forecast_job(
        field,
        out,
        leads=leads,
        lags=months,
        gamma=gamma,
        members=members,
        train=train or None,
        test=test or None,
        base=asked.base or "previous 30 years",
        region=NINO34 if region == NINO34 else region,
        source=source,
        seed=seed,
        node_options=options,
        progress=not quiet,
        say=say,
    )
    if not quiet:
        table = result.skill.pivot(index="model", columns="lead", values="correlation").loc[
            list(result.hindcast.models)
        ]
        click.echo(f"\ncorrelation of {result.region} by months ahead:\n{table.round(2).to_string(na_rep='–')}")
        click.echo(f"\n{out / 'forecast.html'} shows it all ({time.perf_counter() - started:.0f} s)")
