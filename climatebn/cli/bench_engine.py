"""`climatebn bench engine`: hill climbing beside PyBNesian, and the growth of its cost with the number of nodes."""

from pathlib import Path

import click

from climatebn.cli.beside import Table, beside_options, install_peers, table_options


@click.command("engine")
@beside_options("PyBNesian")
@click.option(
    "--field", type=click.Path(path_type=Path), metavar="FILE", help="The original NCEP file, for finer grids."
)
@table_options
def command(
    peers: Path | None, install: bool, max_seconds: int, field: Path | None, out: Path | None, quiet: bool
) -> None:
    """CPU seconds of hill climbing: 150 and 200 nodes beside PyBNesian (--peers), 648 nodes, finer grids (--field)."""
    from climatebn.bench import engine

    install_peers(install, peers, engine.PEERS)
    table = Table(out, quiet)
    line = "{:<8}{:<12}{:>8}{:>16}{:>12}{:>9}".format
    table.show("BIC, γ = 0\n" + line("nodes", "program", "arcs", "BIC", "CPU s", "ratio"))
    for one in engine.beside(peers, max_seconds):
        arcs, bic = ("–", "not ended") if one.bic is None else (one.arcs, f"{one.bic:.1f}")
        table.show(line(one.nodes, one.program, arcs, bic, f"{one.seconds:.4f}", f"{one.ratio:.3g}"), one._asdict())
    line = "{:<8}{:>6}{:>9}{:>9}{:>10}{:>11}{:>9}".format
    table.show("\nhill climbing to its end\n" + line("nodes", "γ", "arcs", "steps", "CPU s", "µs a step", "peak GB"))
    for some in (engine.embedded(), engine.growth(field) if field else ()):
        for each in some:
            seconds, step, memory = f"{each.seconds:.2f}", f"{each.per_step:.0f}", f"{each.memory:.2f}"
            table.show(
                line(each.nodes, f"{each.gamma:g}", each.arcs, each.steps, seconds, step, memory), each._asdict()
            )
    table.write()
