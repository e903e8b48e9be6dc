"""``climatebn fetch``: the original data, from where it is published."""

import warnings
from pathlib import Path

import click

from climatebn.errors import ClimateBNWarning


@click.command("fetch")
@click.argument("dataset", type=click.Choice(["ncep"]))
@click.option(
    "--to", "folder", type=click.Path(path_type=Path), default=Path(), help="Folder to save in; default: here."
)
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
def command(dataset: str, folder: Path, quiet: bool) -> None:
    """Download original data and check it.

    ncep: NCEP/NCAR Reanalysis 1 monthly air temperature, air.mon.mean.nc of NOAA PSL (2.5°, 1948 to now).
    An interrupted download goes on when the command is given again; a file that is there already is only checked.
    """
    from climatebn.ingest.field.download import fetch_ncep

    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", ClimateBNWarning)
        path = fetch_ncep(folder, progress=not quiet)
    if not quiet:
        for note in notes:
            click.echo(f"note: {note.message}", err=True)
        click.echo(path)
