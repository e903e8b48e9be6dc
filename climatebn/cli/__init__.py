"""The command line: one file a subcommand, loaded when it is called; what goes wrong is said in one line."""

import sys
import warnings
from importlib import import_module
from typing import Any

import click

from climatebn import __version__
from climatebn.cli import ending
from climatebn.cli.wording import in_options
from climatebn.errors import ClimateBNError, ClimateBNWarning

SUBCOMMANDS = {
    "run": "the main job: learn, teleconnections, El Niño maps, report",
    "learn": "learn one network from a NetCDF/Zarr file",
    "propagate": "evidence on a saved network, as numbers or a map",
    "explore": "networks as a page: click on the map, see the answer",
    "compare": "networks of several models beside a reference",
    "forecast": "months ahead by a network in time, scored on past years",
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

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the command line; this prints its help."""
        with ending.unread():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what the library says of its arguments is said in options of the command line."""
        with warnings.catch_warnings(), ending.unread():
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
    """Exit code 0: done; 1: the input or the run was wrong, said in one line; 2: the command was misspelt.

    130: interrupted by Ctrl-C; 143: ended by SIGTERM; 141: nobody reads what is printed any more.
    """
    ending.listen()
    try:
        code, words = _run()
        ending.stop_listening()
        if words:
            click.echo(words, err=True)
    except (ending.Unread, BrokenPipeError):
        ending.leave_unread()
        code = ending.UNREAD
    except KeyboardInterrupt:  # once more, while the first was answered
        code = ending.INTERRUPTED
    ending.stop_listening()
    ending.leave(code)


def _run() -> tuple[int, str]:
    """Run the command; its exit code and last words."""
    try:
        group.main(standalone_mode=False)
        sys.stdout.flush()
        return 0, ""
    except click.ClickException as error:
        error.show()
        return 2, ""
    except (ending.Unread, BrokenPipeError):
        raise
    except (KeyboardInterrupt, click.Abort) as stop:
        words = stop.__cause__ if isinstance(stop, click.Abort) else stop  # click wraps it
        return ending.INTERRUPTED, f"climatebn: {words if words and str(words) else 'interrupted'}"
    except SystemExit as stop:
        if not ending.told():
            raise
        said = [part for part in stop.args if isinstance(part, str)]
        return ending.told(), f"climatebn: {said[0] if said else 'ended by SIGTERM'}"
    except Exception as error:
        code = ending.told()
        if not code and not isinstance(error, ClimateBNError | OSError | MemoryError):
            raise
        why = str(error) or type(error).__name__
        return (code, f"climatebn: stopped ({why})") if code else (1, f"climatebn: {why}")
