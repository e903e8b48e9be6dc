"""What each `climatebn bench` beside other packages takes, and the table that it prints and writes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from climatebn.files import write_text

Command = TypeVar("Command", bound=Callable[..., None])


def beside_options(packages: str = "the other packages", max_seconds: int = 600) -> Callable[[Command], Command]:
    """--peers, --install and --max-seconds of a command that runs ``packages`` in an environment of their own."""
    options = (
        click.option("--peers", type=click.Path(path_type=Path), metavar="DIR", help=f"Environment with {packages}."),
        click.option("--install", is_flag=True, help="Make that environment first, from the package index."),
        click.option(
            "--max-seconds", default=max_seconds, show_default=True, help="CPU time of each run of the others."
        ),
    )
    return _together(*options)


def table_options(command: Command) -> Command:
    """--out and --quiet of a command whose table is one file."""
    out = click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Also write the rows, as JSON.")
    return _together(out, click.option("--quiet", is_flag=True, help="No table, only errors."))(command)


def install_peers(install: bool, peers: Path | None, packages: tuple[str, ...]) -> None:
    """Make the environment where it was asked for."""
    from climatebn.bench.peers import make_environment

    if install:
        if peers is None:
            raise click.UsageError("--install needs --peers DIR, the place of the environment")
        make_environment(peers, packages)


class Table:
    """Lines that are shown unless quiet, and the rows behind them, written whole when all are there."""

    def __init__(self, out: Path | None, quiet: bool) -> None:
        self._out, self._quiet = out, quiet
        self._rows: list[dict[str, Any]] = []

    def show(self, text: str, row: dict[str, Any] | None = None) -> None:
        """Print a line; keep the row that it says."""
        if not self._quiet:
            click.echo(text)
        if row is not None:
            self._rows.append(row)

    def write(self) -> None:
        """The rows as JSON, one a line, where a file was asked for."""
        if self._out is not None:
            lines = ",\n".join(json.dumps(row) for row in self._rows)
            write_text(self._out, f"[\n{lines}\n]\n")


def _together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated
