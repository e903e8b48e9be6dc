"""`climatebn bench discrete`: arcs and CPU seconds on discrete data beside pyAgrum and pgmpy."""

from pathlib import Path

import click

from climatebn.cli.beside import Table, beside_options, install_peers, table_options


@click.command("discrete")
@beside_options(max_seconds=300)
@click.option("--network", "networks", multiple=True, metavar="NAME", help="Only this network; may be repeated.")
@table_options
def command(
    peers: Path | None, install: bool, max_seconds: int, networks: tuple[str, ...], out: Path | None, quiet: bool
) -> None:
    """Arcs and CPU seconds on 5000 observations of ALARM, HAILFINDER, WIN95PTS, ANDES and PIGS.

    Without --peers only climatebn runs. pyAgrum searches with a tabu list, pgmpy climbs hills, both by BIC.
    """
    from climatebn.bench.discrete import NETWORKS, PACKAGES, compare

    install_peers(install, peers, PACKAGES)
    table = Table(out, quiet)
    line = "{:<12}{:<26}{:>10}{:>10}".format
    table.show(line("data", "program", "edges", "CPU s"))
    for row in compare(networks or NETWORKS, peers, max_seconds):
        edges = "not ended" if row.edges is None else row.edges
        table.show(line(row.data, row.program, edges, f"{row.seconds:.2f}"), row._asdict())
    table.write()
