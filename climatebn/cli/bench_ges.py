"""`climatebn bench ges`: BIC and CPU seconds of GES beside the packages `ges` and `xges`."""

from pathlib import Path

import click

from climatebn.cli.beside import Table, beside_options, install_peers, table_options


@click.command("ges")
@beside_options()
@click.option("--seed", default=1, show_default=True, help="Of the samples.")
@table_options
def command(peers: Path | None, install: bool, max_seconds: int, seed: int, out: Path | None, quiet: bool) -> None:
    """BIC and CPU seconds on samples of four reference networks and on 72 tropical nodes.

    Without --peers only climatebn runs. The others take minutes to their limit of CPU time for each data set.
    """
    from climatebn.bench.ges import PACKAGES, compare

    install_peers(install, peers, PACKAGES)
    table = Table(out, quiet)
    line = "{:<12}{:>6}  {:<32}{:>7}{:>14}{:>10}".format
    table.show(line("data", "nodes", "program", "edges", "BIC", "CPU s"))
    for row in compare(peers, max_seconds, seed):
        edges, bic = ("–", "not ended") if row.bic is None else (row.edges, f"{row.bic:.2f}")
        table.show(line(row.data, row.nodes, row.program, edges, bic, f"{row.seconds:.2f}"), row._asdict())
    table.write()
