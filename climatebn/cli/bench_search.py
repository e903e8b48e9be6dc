"""`climatebn bench search`: score against time of every search, beside other packages."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from climatebn.files import write_csv, write_figure

if TYPE_CHECKING:
    from climatebn.bench.search import Row


@click.command("search")
@click.argument("data", nargs=-1)
@click.option("--peers", type=click.Path(path_type=Path), metavar="DIR", help="Environment with the other packages.")
@click.option("--install", is_flag=True, help="Make that environment first, from the package index.")
@click.option("--max-seconds", default=600, show_default=True, help="Time of each run: CPU seconds of the others.")
@click.option("--seed", default=1, show_default=True, help="Of the samples.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for search.csv, search.png and unseen.png.")
@click.option("--quiet", is_flag=True, help="No table, only errors.")
def command(
    data: tuple[str, ...], peers: Path | None, install: bool, max_seconds: int, seed: int, out: Path | None, quiet: bool
) -> None:
    """Score, CPU seconds, held-out likelihood, arcs and SHD on DATA; all data when none.

    Without --peers only climatebn runs. The others take minutes to their limit of CPU time for each data set.
    """
    from climatebn.bench.peers import make_environment
    from climatebn.bench.search import PACKAGES, compare
    from climatebn.bench.search_data import NAMES
    from climatebn.errors import unknown

    for name in data:
        if name not in NAMES:
            raise unknown("data", name, NAMES)
    if install:
        if peers is None:
            raise click.UsageError("--install needs --peers DIR, the place of the environment")
        make_environment(peers, PACKAGES)
    line = "{:<12}{:>6}{:>6}  {:<30}{:>14}{:>10}{:>12}{:>7}{:>6}".format
    if not quiet:
        click.echo(line("data", "nodes", "γ", "program", "score", "CPU s", "held-out", "arcs", "SHD"))
    rows = []
    for row in compare(data or NAMES, peers, max_seconds, seed):
        rows.append(row)
        if not quiet:
            score = "not ended" if row.score is None else f"{row.score:.2f}"
            unseen = "–" if row.held_out is None else f"{row.held_out:.3f}"
            arcs, far = ("–" if value is None else value for value in (row.arcs, row.shd))
            gamma = f"{row.gamma:g}"
            click.echo(line(row.data, row.nodes, gamma, row.program, score, f"{row.seconds:.2f}", unseen, arcs, far))
    if out is not None:
        _write(rows, out)


def _write(rows: "list[Row]", out: Path) -> None:
    import matplotlib as mpl
    import pandas as pd

    mpl.use("agg")
    from climatebn.bench.search_figure import figure, unseen_figure

    out.mkdir(parents=True, exist_ok=True)
    write_csv(out / "search.csv", pd.DataFrame(rows))
    write_figure(out / "search.png", figure(rows), 120)
    write_figure(out / "unseen.png", unseen_figure(rows), 120)
