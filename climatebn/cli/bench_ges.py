"""`climatebn bench ges`: BIC and CPU seconds of GES beside the packages `ges` and `xges`."""

from pathlib import Path

import click


@click.command("ges")
@click.option("--peers", type=click.Path(path_type=Path), metavar="DIR", help="Environment with the other packages.")
@click.option("--install", is_flag=True, help="Make that environment first, from the package index.")
@click.option("--max-seconds", default=600, show_default=True, help="CPU time of each run of the others.")
@click.option("--seed", default=1, show_default=True, help="Of the samples.")
@click.option("--quiet", is_flag=True, help="No table, only errors.")
def command(peers: Path | None, install: bool, max_seconds: int, seed: int, quiet: bool) -> None:
    """BIC and CPU seconds on samples of four reference networks and on 72 tropical nodes.

    Without --peers only climatebn runs. The others take minutes to their limit of CPU time for each data set.
    """
    from climatebn.bench.ges import PACKAGES, compare
    from climatebn.bench.peers import make_environment

    if install:
        if peers is None:
            raise click.UsageError("--install needs --peers DIR, the place of the environment")
        make_environment(peers, PACKAGES)
    line = "{:<12}{:>6}  {:<32}{:>7}{:>14}{:>10}".format
    if not quiet:
        click.echo(line("data", "nodes", "program", "edges", "BIC", "CPU s"))
    for row in compare(peers, max_seconds, seed):
        if not quiet:
            edges, bic = ("–", "not ended") if row.bic is None else (row.edges, f"{row.bic:.2f}")
            click.echo(line(row.data, row.nodes, row.program, edges, bic, f"{row.seconds:.2f}"))
