"""`climatebn bench trust`: what the numbers are worth, measured again on this machine."""

import os
from pathlib import Path

import click

from climatebn.files import write_csv

NAMES = ("serial", "truth", "null", "reach", "skill", "sets", "gamma", "coverage", "speed")


@click.command("trust")
@click.argument("tables", nargs=-1, type=click.Choice(NAMES))
@click.option("--effort", default=1, show_default=True, type=click.IntRange(1), help="Times the draws and members.")
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, help="Processes.")
@click.option("--places", type=click.Choice(["108", "648"]), default="108", show_default=True, help="Of coverage: N.")
@click.option(
    "--network",
    type=click.Choice(["108", "648"]),
    multiple=True,
    help="Of coverage: places of the network that is the truth, as many as are seen or more; each when not given.",
)
@click.option("--truth", type=float, multiple=True, default=(1.0, 0.25), show_default=True, help="Of coverage: its γ.")
@click.option(
    "--months",
    type=click.Choice(["iid", "ar"]),
    multiple=True,
    default=("iid", "ar"),
    show_default=True,
    help="Of coverage: independent, or as persistent as the field.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the tables as CSV.")
@click.option("--quiet", is_flag=True, help="No table, only errors.")
def command(
    tables: tuple[str, ...],
    effort: int,
    workers: int,
    places: str,
    network: tuple[str, ...],
    truth: tuple[float, ...],
    months: tuple[str, ...],
    out: Path | None,
    quiet: bool,
) -> None:
    """Measure false arcs, nulls, intervals, skill and the choice of γ on the embedded field; all TABLES when none.

    With the default effort each takes from half a minute to five minutes on two cores.
    """
    from climatebn.bench.trust.tables import TABLES
    from climatebn.jobs import open_executor

    networks = [int(number) for number in network] or None
    of_coverage = {"size": int(places), "networks": networks, "truths": truth, "months": months}
    with open_executor(workers) as executor:
        for name in tables or NAMES:
            table = TABLES[name](effort, executor, **(of_coverage if name == "coverage" else {}))
            if out is not None:
                out.mkdir(parents=True, exist_ok=True)
                write_csv(out / f"{name}.csv", table)
            if not quiet:
                words = (TABLES[name].__doc__ or name).splitlines()[0]
                click.echo(f"\n{name}: {words}\n{table.round(4).to_string(index=False)}")
