"""`climatebn bench lagged`: lagged arcs found again, beside tigramite's PCMCI and PCMCI+."""

from pathlib import Path

import click

from climatebn.cli.beside import Table, beside_options, install_peers, table_options


@click.command("lagged")
@beside_options("tigramite")
@click.option("--records", default=3, show_default=True, help="How many random networks.")
@table_options
def command(peers: Path | None, install: bool, max_seconds: int, records: int, out: Path | None, quiet: bool) -> None:
    """Precision, recall and CPU seconds on records of random networks in time, then on 72 tropical places.

    Without --peers only climatebn runs.
    """
    from climatebn.bench.lagged import PACKAGES, compare

    install_peers(install, peers, PACKAGES)
    table = Table(out, quiet)
    line = "{:<12}{:<26}{:>7}{:>11}{:>9}{:>10}".format
    table.show(line("data", "program", "arcs", "precision", "recall", "CPU s"))
    for row in compare(peers, max_seconds, records):
        shares = ["–" if share is None else f"{share:.3f}" for share in (row.precision, row.recall)]
        arcs = "–" if row.arcs is None else row.arcs
        table.show(line(row.data, row.program, arcs, *shares, f"{row.seconds:.2f}"), row._asdict())
    table.write()
