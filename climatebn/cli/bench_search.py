"""`climatebn bench search`: score against time of every search, beside other packages."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from climatebn.cli.beside import beside_options, install_peers
from climatebn.files import write_figure

if TYPE_CHECKING:
    from climatebn.bench.search import Row


@click.command("search")
@click.argument("data", nargs=-1)
@beside_options()
@click.option("--program", "programs", multiple=True, metavar="NAME", help="Only this one; may be given several times.")
@click.option("--seed", default=1, show_default=True, help="Of the samples.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder: search.json, search.png, unseen.png (of ours).")
@click.option("--quiet", is_flag=True, help="No table, only errors.")
def command(
    data: tuple[str, ...],
    peers: Path | None,
    install: bool,
    max_seconds: int,
    programs: tuple[str, ...],
    seed: int,
    out: Path | None,
    quiet: bool,
) -> None:
    """Score, CPU seconds, held-out likelihood, arcs and SHD on DATA; all data when none.

    Without --peers only climatebn runs. The others take minutes to their limit of CPU time for each data set.
    Rows of other data and programs that search.json in the folder holds already stay, and are drawn with the new ones.
    """
    from climatebn.bench.search import PACKAGES, compare, program_names
    from climatebn.bench.search_data import NAMES
    from climatebn.errors import unknown

    for name in data:
        if name not in NAMES:
            raise unknown("data", name, NAMES)
    for name in programs:
        if name not in program_names():
            raise unknown("program", name, program_names())
    install_peers(install, peers, PACKAGES)
    line = "{:<12}{:>6}{:>6}  {:<30}{:>14}{:>10}{:>12}{:>7}{:>6}".format
    if not quiet:
        click.echo(line("data", "nodes", "γ", "program", "score", "CPU s", "held-out", "arcs", "SHD"))
    rows: list[Row] = []
    for row in compare(data or NAMES, peers, max_seconds, seed, programs):
        rows.append(row)
        if out is not None:
            _keep(row, out)
        if not quiet:
            score = f"> {row.seconds:.0f} s" if row.score is None else f"{row.score:.2f}"
            unseen = "–" if row.held_out is None else f"{row.held_out:.3f}"
            arcs, far = ("–" if value is None else value for value in (row.arcs, row.shd))
            gamma = f"{row.gamma:g}"
            click.echo(line(row.data, row.nodes, gamma, row.program, score, f"{row.seconds:.2f}", unseen, arcs, far))
    if not quiet:
        _judge(rows)
    if out is not None:
        _draw(out)


def _judge(rows: "list[Row]") -> None:
    """One line for each data set on which another package ended."""
    from climatebn.bench.search_table import NEAR, verdicts

    for said in verdicts(rows):
        where = (
            f"{said.data}, γ = {said.gamma:g}: highest of the others {said.highest.program} {said.highest.score:.2f}"
        )
        if said.own is None:
            click.echo(f"{where}; none of ours is as high")
            continue
        ours = f"{said.own.program} {said.own.score:.2f} in {said.own.seconds:.2f} s"
        if said.nearest is None or said.quickest is None:
            click.echo(f"{where}; {ours}; no other within {NEAR:.1%}")
            continue
        near = f"{said.nearest.program} takes {said.nearest.seconds:.2f} s, {said.ratio:.1f} times as long"
        quick = f"{said.alike:.0f} times as long as {said.quickest.program}, {said.quickest.seconds:.3f} s"
        click.echo(f"{where}; {ours}; within {NEAR:.1%} {near}, and {quick}")


def _keep(row: "Row", out: Path) -> None:
    """A row is in the file as soon as it is known."""
    from climatebn.bench.search_table import merged, read, write

    out.mkdir(parents=True, exist_ok=True)
    write(out / "search.json", merged(read(out / "search.json"), [row]))


def _draw(out: Path) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    from climatebn.bench.search_figure import figure, unseen_figure
    from climatebn.bench.search_table import read

    everything = read(out / "search.json")
    write_figure(out / "search.png", figure(everything), 120)
    if any(row.held_out is not None for row in everything):
        write_figure(out / "unseen.png", unseen_figure(everything), 120)
