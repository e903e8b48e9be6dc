"""`climatebn propagate`: evidence on a saved network, as numbers on the terminal, as a file or as a map."""

import json
from pathlib import Path
from typing import Any

import click

from climatebn.cli.evidence import parse_evidence
from climatebn.files import figure_format, same_file, write_figure, write_netcdf


@click.command()
@click.argument("network", type=click.Path(path_type=Path))
@click.option(
    "--set",
    "settings",
    multiple=True,
    required=True,
    metavar="NODE=VALUE",
    help="Or LAT,LON=VALUE, or REGION=VALUE (nino34, indian_ocean, …); LOW:HIGH for an interval; repeat.",
)
@click.option("--threshold", type=float, default=1.0, show_default=True, help="An extreme is beyond ± this.")
@click.option("--tail", type=click.Choice(["upper", "lower", "both"]), default="upper", show_default=True)
@click.option("--units", type=click.Choice(["sd", "data"]), help="Of all values.  [default: the network's own]")
@click.option("--png", type=click.Path(path_type=Path), help="Draw a map (PNG, or PDF by its ending).")
@click.option("--out", type=click.Path(path_type=Path), help="Save all fields (NetCDF).")
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, help="Places to list.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
def command(
    network: Path,
    settings: tuple[str, ...],
    threshold: float,
    tail: Any,
    units: Any,
    png: Path | None,
    out: Path | None,
    top: int,
    quiet: bool,
) -> None:
    """Set nodes or regions of NETWORK to values and see what that does to all others, exactly.

    Example: climatebn propagate results/network_tabu.nc --set nino34=2 --png map.png
    """
    evidence = parse_evidence(settings)
    import climatebn as cb

    for written in (out, png):
        if written is not None and same_file(written, network):
            raise click.UsageError(f"{written} is the network itself; give another name")
    bn = cb.load_network(network)
    post = cb.propagate(bn, evidence, threshold=threshold, tail=tail, units=units)
    if out is not None:
        write_netcdf(out, post)
    if png is not None:
        axes = cb.plot.map_axes()
        figure_format(png, axes.figure)  # before it is drawn
        cb.plot.propagation(post, axes)
        write_figure(png, axes.figure)
    if not quiet:
        click.echo("\n".join([*_given(post, bn), *_listing(post, tail, top)]))


def _given(post: Any, bn: Any) -> list[str]:
    """The evidence in words: which nodes it is on, and where they are."""
    from climatebn.ingest.grid.place_names import place_name

    lines = [f"given {post.attrs['given']}"]
    for name in json.loads(post.attrs["evidence"]):
        if bn.nodes is not None and name in bn.names:
            i = bn.names.index(name)
            lines.append(f"  {name} is the node at {place_name(bn.nodes.lat[i], bn.nodes.lon[i])}")
    for fact in json.loads(post.attrs.get("evidence_about", "[]")):
        nodes = ", ".join(fact["nodes"][:6]) + (", …" if len(fact["nodes"]) > 6 else "")
        spread = f"{fact['sd']:.3g} {fact['units']}".rstrip()
        lines.append(f"  {fact['name']} is made of {len(fact['nodes'])} nodes ({nodes}); 1 sd = {spread}")
    return lines


def _listing(post: Any, tail: str, top: int) -> list[str]:
    """The places where the probability of an extreme rises most, a line each."""
    lines = []
    for side in ("upper", "lower") if tail == "both" else (tail,):
        change = post[f"difference_{side}" if tail == "both" else "difference"].where(~post["evidence"])
        flat = change.stack(place=change.dims).dropna("place")
        rising = [position for position in flat.argsort().values[::-1][:top] if flat[position] > 0]
        lines.append(change.attrs["long_name"])
        for position in rising:
            where = flat["place"].values[position]
            spot = f"lat {where[0]:7.2f}  lon {where[1]:7.2f}" if len(change.dims) == 2 else f"{where[0]}"
            lines.append(f"  {spot}  {float(flat[position]):+.3f}")
        if not rising:
            lines.append("  rises nowhere" if top else f"  rises at {int((flat > 0).sum())} places")
    return lines
