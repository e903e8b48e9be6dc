"""`climatebn explore`: networks as a page to click on, written as one file or served on this machine."""

import webbrowser
from pathlib import Path
from typing import Any

import click

from climatebn.files import same_file

INSIDE = 4000  # nodes up to which a page does the algebra itself


@click.command()
@click.argument("networks", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="NETWORK…")
@click.option("--out", type=click.Path(path_type=Path), help="The page.  [default: explorer.html]")
@click.option("--serve", is_flag=True, help=f"No file: a process on this machine answers (always over {INSIDE} nodes).")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of --serve.  [default: a free one]")
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
def command(networks: tuple[Path, ...], out: Path | None, serve: bool, port: int, show: bool, quiet: bool) -> None:
    """Write a page in which a click on the map sets evidence and the map answers, exactly.

    NETWORK is a file of a network or an ensemble; several with the same nodes are compared. The page needs no server
    and can be sent to others. Over 4000 nodes it is served on this machine only, until Ctrl-C.

    Example: climatebn explore results/network_tabu.nc results/network_h2pc.nc --open
    """
    if serve and out is not None:
        raise click.UsageError("--serve writes no file; leave --out out")
    for path in networks:
        if out is not None and same_file(out, path):
            raise click.UsageError(f"{out} is a network itself; give another name")
    from climatebn.pages.explorer.content import named_models

    models = named_models([_loaded(path) for path in networks], [path.stem for path in networks])
    large = len(next(iter(models.values())).names) > INSIDE
    say = click.echo if not quiet else lambda words: None
    if serve or (large and out is None):
        _serve(models, port, show, say)
    else:
        import climatebn as cb

        page = cb.explore(models, out or Path("explorer.html"))
        say(f"{page} ({page.stat().st_size / 1e6:.1f} MB)")
        if show:
            webbrowser.open(page.resolve().as_uri())


def _serve(models: Any, port: int, show: bool, say: Any) -> None:
    from climatebn.pages.explorer.server import ExplorerServer

    with ExplorerServer(models, port=port) as server:
        say(f"{server.address} on this machine only; Ctrl-C ends it")
        if show:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("ended")


def _loaded(path: Path) -> Any:
    """The network or ensemble of a file."""
    from climatebn.network.store import KINDS, load_network, read_file
    from climatebn.uncertainty.ensemble_file import KIND, load

    return load(path) if read_file(path, (*KINDS, KIND)).attrs["kind"] == KIND else load_network(path)
