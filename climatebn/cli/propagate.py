"""`climatebn propagate`: evidence on a saved network, as numbers on the terminal, as a file or as a map."""

import json
import math
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
        click.echo("\n".join([*_given(post, bn), *_listing(post, bn, tail, top)]))


def _given(post: Any, bn: Any) -> list[str]:
    """The evidence in words: which nodes it is on, and where they are."""
    from climatebn.ingest.grid.place_names import place_name

    lines = [f"given {post.attrs['given']}"]
    for name in json.loads(post.attrs["evidence"]):
        i = bn.names.index(name) if bn.nodes is not None and name in bn.names else None
        if i is not None and math.isfinite(bn.nodes.lat[i]):
            lines.append(f"  {name} is the node at {place_name(bn.nodes.lat[i], bn.nodes.lon[i])}")
    for fact in json.loads(post.attrs.get("evidence_about", "[]")):
        nodes = ", ".join(fact["nodes"][:6]) + (", …" if len(fact["nodes"]) > 6 else "")
        spread = f"{fact['sd']:.3g} {fact['units']}".rstrip()
        lines.append(f"  {fact['name']} is made of {len(fact['nodes'])} nodes ({nodes}); 1 sd = {spread}")
    return lines


def _listing(post: Any, bn: Any, tail: str, top: int) -> list[str]:
    """The nodes where the probability of an extreme rises most, a line each."""
    lines = []
    for side in ("upper", "lower") if tail == "both" else (tail,):
        change = post[f"difference_{side}" if tail == "both" else "difference"].where(~post["evidence"])
        rises = {i: rise for i, rise in _by_node(change, bn).items() if rise[0] > 0}
        highest = sorted(rises, key=lambda i: -rises[i][0])[:top]
        lines.append(change.attrs["long_name"])
        lines += [f"  {_named(bn, i):<24} {rises[i][0]:+.3f}{rises[i][1]}" for i in highest]
        if not highest:
            lines.append("  rises nowhere" if top else f"  rises at {len(rises)} places")
    return lines


def _by_node(change: Any, bn: Any) -> dict[int, tuple[float, str]]:
    """The change at each node that has one; of several months the largest, and in words when it comes."""
    import numpy as np

    from climatebn.network.labels import on_map

    places = getattr(bn, "present", bn.nodes)  # of a network in time those of the present month
    number = on_map(bn.names, places, np.arange(len(bn.names), dtype=float), "node")
    ahead = "lead" in change.dims
    values = change.transpose(*(["lead"] if ahead else []), *number.dims).values.reshape(-1, number.size)
    values = np.where(np.isnan(values), -np.inf, values)
    month = values.argmax(axis=0)
    return {
        int(node): (float(values[lead, cell]), f"  in month {change['lead'].values[lead]}" if ahead else "")
        for cell, (node, lead) in enumerate(zip(number.values.ravel(), month, strict=True))
        if np.isfinite(node) and np.isfinite(values[lead, cell])
    }


def _named(bn: Any, i: int) -> str:
    """The name of a node with its place, where it has one."""
    from climatebn.ingest.grid.place_names import place_name

    if bn.nodes is None or not math.isfinite(bn.nodes.lat[i]):
        return str(bn.names[i])
    return f"{bn.names[i]} ({place_name(bn.nodes.lat[i], bn.nodes.lon[i])})"
