"""The embedded field: NCEP/NCAR Reanalysis 1 monthly air temperature 1981–2010 (data/README.md says how it is made)."""

from importlib.resources import files
from pathlib import Path

import xarray as xr

from climatebn.errors import ClimateBNError, unknown

NCEP_FILES = {"regular": "ncep_10deg_1981-2010.nc", "paper": "ncep_paper_1981-2010.nc"}


def data_path(name: str) -> Path:
    """Where an embedded data file lies: inside an installed package, or beside it in a working copy."""
    package = Path(str(files("climatebn")))
    for folder in (package / "data", package.parent / "data"):
        if (folder / name).exists():
            return folder / name
    raise ClimateBNError(
        f"embedded file {name!r} is not there; reinstall climatebn, or see data/README.md to rebuild it"
    )


def load_ncep(grid: str = "regular") -> xr.DataArray:
    """Monthly air temperature (degC) 1981–2010 of NCEP/NCAR Reanalysis 1, embedded in the package.

    Parameters
    ----------
    grid : "regular", area-weighted means of 10° cells (18 × 36); or "paper", the nearest values at the points of
        Scutari et al. (2019), `Grid.paper()`.

    Examples
    --------
    >>> load_ncep().sizes
    Frozen({'time': 360, 'lat': 18, 'lon': 36})
    """
    if grid not in NCEP_FILES:
        raise unknown("grid", grid, NCEP_FILES)
    with xr.open_dataset(data_path(NCEP_FILES[grid]), engine="netcdf4") as dataset:
        return dataset["air"].load()
