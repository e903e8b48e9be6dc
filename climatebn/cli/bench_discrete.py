"""`climatebn bench discrete`: arcs and CPU seconds on discrete data beside pyAgrum and pgmpy."""

from pathlib import Path

import click


@click.command("discrete")
@click.option("--peers", type=click.Path(path_type=Path), metavar="DIR", help="Environment with the other packages.")
@click.option("--install", is_flag=True, help="Make that environment first, from the package index.")
@click.option("--network", "networks", multiple=True, metavar="NAME", help="Only this network; may be repeated.")
@click.option("--max-seconds", default=300, show_default=True, help="CPU time of each run of the others.")
@click.option("--quiet", is_flag=True, help="No table, only errors.")
def command(peers: Path | None, install: bool, networks: tuple[str, ...], max_seconds: int, quiet: bool) -> None:
    """Arcs and CPU seconds on 5000 observations of ALARM, HAILFINDER, WIN95PTS, ANDES and PIGS.

    Without --peers only climatebn runs. pyAgrum searches with a tabu list, pgmpy climbs hills, both by BIC.
    """
    from climatebn.bench.discrete import NETWORKS, PACKAGES, compare
    from climatebn.bench.peers import make_environment

    if install:
        if peers is None:
            raise click.UsageError("--install needs --peers DIR, the place of the environment")
        make_environment(peers, PACKAGES)
    line = "{:<12}{:<26}{:>10}{:>10}".format
    if not quiet:
        click.echo(line("data", "program", "edges", "CPU s"))
    for row in compare(networks or NETWORKS, peers, max_seconds):
        if not quiet:
            edges = "not ended" if row.edges is None else row.edges
            click.echo(line(row.data, row.program, edges, f"{row.seconds:.2f}"))
