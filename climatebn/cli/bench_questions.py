"""`climatebn bench questions`: reading BIF files and exact answers of discrete networks beside pyAgrum."""

from pathlib import Path

import click

from climatebn.cli.beside import Table, beside_options, install_peers, table_options


@click.command("questions")
@beside_options("pyAgrum", max_seconds=300)
@click.option("--network", "networks", multiple=True, metavar="NAME", help="Only this network; may be repeated.")
@table_options
def command(
    peers: Path | None, install: bool, max_seconds: int, networks: tuple[str, ...], out: Path | None, quiet: bool
) -> None:
    """CPU seconds of reading a network, and of six questions for the distribution of every node.

    Without --peers only climatebn runs. The largest difference between the probabilities of both is shown.
    """
    from climatebn.bench.questions import NETWORKS, PACKAGES, compare

    install_peers(install, peers, PACKAGES)
    table = Table(out, quiet)
    line = "{:<12}{:<12}{:>12}{:>12}{:>14}".format
    table.show(line("data", "program", "reading s", "answers s", "difference"))
    for row in compare(networks or NETWORKS, peers, max_seconds):
        difference = "–" if row.difference is None else f"{row.difference:.1e}"
        table.show(line(row.data, row.program, f"{row.reading:.3f}", f"{row.answers:.3f}", difference), row._asdict())
    table.write()
