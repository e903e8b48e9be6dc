"""`climatebn bench engine`: hill climbing beside PyBNesian, and the growth of its cost with the number of nodes."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from climatebn.files import write_text

if TYPE_CHECKING:
    from climatebn.bench.engine import Beside, Growth


@click.command("engine")
@click.option("--peers", type=click.Path(path_type=Path), metavar="DIR", help="Environment with PyBNesian.")
@click.option("--install", is_flag=True, help="Make that environment first, from the package index.")
@click.option(
    "--field", type=click.Path(path_type=Path), metavar="FILE", help="The original NCEP file, for finer grids."
)
@click.option("--max-seconds", default=600, show_default=True, help="CPU time of the other package.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Also write the figures, as JSON.")
@click.option("--quiet", is_flag=True, help="No table, only errors.")
def command(
    peers: Path | None, install: bool, field: Path | None, max_seconds: int, out: Path | None, quiet: bool
) -> None:
    """CPU seconds of hill climbing: 150 and 200 nodes beside PyBNesian (--peers), 648 nodes, finer grids (--field)."""
    from climatebn.bench import engine
    from climatebn.bench.peers import make_environment

    if install:
        if peers is None:
            raise click.UsageError("--install needs --peers DIR, the place of the environment")
        make_environment(peers, engine.PEERS)
    rows: list[dict[str, object]] = []

    def show(text: str, row: "Beside | Growth | None" = None) -> None:
        if not quiet:
            click.echo(text)
        if row is not None:
            rows.append(row._asdict())

    line = "{:<8}{:<12}{:>8}{:>16}{:>12}{:>9}".format
    show("BIC, γ = 0\n" + line("nodes", "program", "arcs", "BIC", "CPU s", "ratio"))
    for one in engine.beside(peers, max_seconds):
        arcs, bic = ("–", "not ended") if one.bic is None else (one.arcs, f"{one.bic:.1f}")
        show(line(one.nodes, one.program, arcs, bic, f"{one.seconds:.4f}", f"{one.ratio:.3g}"), one)
    line = "{:<8}{:>6}{:>9}{:>9}{:>10}{:>11}{:>9}".format
    show("\nhill climbing to its end\n" + line("nodes", "γ", "arcs", "steps", "CPU s", "µs a step", "peak GB"))
    for some in (engine.embedded(), engine.growth(field) if field else ()):
        for each in some:
            seconds, step, memory = f"{each.seconds:.2f}", f"{each.per_step:.0f}", f"{each.memory:.2f}"
            show(line(each.nodes, f"{each.gamma:g}", each.arcs, each.steps, seconds, step, memory), each)
    if out is not None:
        write_text(out, json.dumps(rows, indent=1))
