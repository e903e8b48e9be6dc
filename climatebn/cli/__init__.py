"""The command line: one file a subcommand, loaded when it is called; what goes wrong is said in one line."""

import sys
import warnings
from importlib import import_module
from typing import Any

import click

from climatebn import __version__
from climatebn.cli.wording import in_options
from climatebn.errors import ClimateBNError, ClimateBNWarning

SUBCOMMANDS = {
    "run": "the main job: learn, teleconnections, El Niño maps, report",
    "learn": "learn one network from a NetCDF/Zarr file",
    "propagate": "evidence on a saved network, as numbers or a map",
    "study": "the climate or the simulation study, resumable",
    "fetch": "download the original data",
    "bench": "speed beside other packages, in one run",
}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in SUBCOMMANDS:
            return None
        command: click.Command = import_module(f"climatebn.cli.{name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what the library says of its arguments is said in options of the command line."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ClimateBNWarning)  # they are among the notes that commands print
            try:
                return super().invoke(ctx)
            except ClimateBNError as error:
                raise ClimateBNError(in_options(str(error))) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="climatebn")
def group() -> None:
    """Bayesian networks for gridded climate data."""


def main() -> None:
    """Exit code 0: done; 1: the input or the run was wrong, said in one line; 2: the command was misspelt."""
    try:
        group.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (ClimateBNError, OSError) as error:
        click.echo(f"climatebn: {error}", err=True)
        sys.exit(1)
    except (KeyboardInterrupt, click.Abort):
        click.echo("climatebn: interrupted", err=True)
        sys.exit(1)
