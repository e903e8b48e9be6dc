"""`climatebn bench lagged`: lagged arcs found again, beside tigramite's PCMCI and PCMCI+."""

from pathlib import Path

import click


@click.command("lagged")
@click.option("--peers", type=click.Path(path_type=Path), metavar="DIR", help="Environment with tigramite.")
@click.option("--install", is_flag=True, help="Make that environment first, from the package index.")
@click.option("--max-seconds", default=600, show_default=True, help="CPU time of each run of the others.")
@click.option("--records", default=3, show_default=True, help="How many random networks.")
@click.option("--quiet", is_flag=True, help="No table, only errors.")
def command(peers: Path | None, install: bool, max_seconds: int, records: int, quiet: bool) -> None:
    """Precision, recall and CPU seconds on records of random networks in time, then on 72 tropical places.

    Without --peers only climatebn runs.
    """
    from climatebn.bench.lagged import PACKAGES, compare
    from climatebn.bench.peers import make_environment

    if install:
        if peers is None:
            raise click.UsageError("--install needs --peers DIR, the place of the environment")
        make_environment(peers, PACKAGES)
    line = "{:<12}{:<26}{:>7}{:>11}{:>9}{:>10}".format
    if not quiet:
        click.echo(line("data", "program", "arcs", "precision", "recall", "CPU s"))
    for row in compare(peers, max_seconds, records):
        shares = ["–" if share is None else f"{share:.3f}" for share in (row.precision, row.recall)]
        arcs = "–" if row.arcs is None else row.arcs
        if not quiet:
            click.echo(line(row.data, row.program, arcs, *shares, f"{row.seconds:.2f}"))
