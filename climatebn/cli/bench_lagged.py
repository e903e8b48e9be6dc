"""`climatebn bench lagged`: lagged arcs found again, beside tigramite's PCMCI and PCMCI+."""

from pathlib import Path

import click

from climatebn.cli.beside import Table, beside_options, install_peers, table_options


@click.command("lagged")
@beside_options("tigramite")
@click.option("--records", default=3, show_default=True, help="How many random networks.")
@click.option("--field", type=click.Path(path_type=Path), metavar="FILE", help="The original NCEP file, for 5° cells.")
@table_options
def command(
    peers: Path | None, install: bool, max_seconds: int, records: int, field: Path | None, out: Path | None, quiet: bool
) -> None:
    """Precision, recall and CPU seconds on random networks in time and 72 tropical places; searches on whole fields.

    Without --peers only climatebn runs.
    """
    from climatebn.bench.lagged import PACKAGES, compare
    from climatebn.bench.lagged_search import searches

    install_peers(install, peers, PACKAGES)
    table = Table(out, quiet)
    line = "{:<12}{:<26}{:>7}{:>11}{:>9}{:>10}".format
    table.show(line("data", "program", "arcs", "precision", "recall", "CPU s"))
    for row in compare(peers, max_seconds, records):
        shares = ["–" if share is None else f"{share:.3f}" for share in (row.precision, row.recall)]
        arcs = "–" if row.arcs is None else row.arcs
        table.show(line(row.data, row.program, arcs, *shares, f"{row.seconds:.2f}"), row._asdict())
    line = "{:<10}{:>7}  {:<10}{:>7}{:>8}{:>8}{:>10}{:>9}".format
    table.show("\n" + line("search", "places", "lags", "months", "arcs", "lagged", "CPU s", "peak GB"))
    for one in searches(field):
        cells = (one.places, ", ".join(map(str, one.lags)), one.months, one.arcs, one.lagged, one.seconds, one.memory)
        table.show(line(one.algorithm, *cells), one._asdict())
    table.write()
