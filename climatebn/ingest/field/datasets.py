"""The embedded fields: air and sea surface temperature, 500 hPa height (data/README.md says how they are made)."""

from importlib.resources import files
from pathlib import Path

import xarray as xr

from climatebn.errors import ClimateBNError, public, unknown

NCEP_FILES = {
    "regular": "ncep_10deg_1981-2010.nc",
    "paper": "ncep_paper_1981-2010.nc",
    "paper_linear": "ncep_paper_linear_1981-2010.nc",
}
LONG_FILE = "ncep_10deg_1950-2025.nc"
PERIODS = ("1981-2010", "long")
SST_FILE, Z500_FILE = "oisst_10deg_1982-2022.nc", "z500_10deg_1981-2023.nc"


@public
def data_path(name: str) -> Path:
    """Where an embedded data file lies: inside an installed package, or beside it in a working copy.

    Parameters
    ----------
    name : of a file in the folder of data.

    Returns
    -------
    Path.

    Raises
    ------
    ClimateBNError where it is not there.

    Examples
    --------
    >>> data_path("README.md").name
    'README.md'
    """
    package = Path(str(files("climatebn")))
    for folder in (package / "data", package.parent / "data"):
        if (folder / name).exists():
            return folder / name
    raise ClimateBNError(
        f"embedded file {name!r} is not there; reinstall climatebn, or see data/README.md to rebuild it"
    )


@public
def load_ncep(grid: str = "regular", period: str = "1981-2010") -> xr.DataArray:
    """Monthly air temperature (degC) of NCEP/NCAR Reanalysis 1, embedded in the package.

    Parameters
    ----------
    grid : "regular", area-weighted means of 10° cells (18 × 36); "paper", the nearest values at the points of Scutari
        et al. (2019), `Grid.paper()`; or "paper_linear", the same points by linear interpolation.
    period : "1981-2010", the paper's; or "long", 1950–2025, on the regular grid only.

    Returns
    -------
    DataArray (time, lat, lon), degC.

    Notes
    -----
    Kalnay et al. (1996, Bull. Amer. Meteor. Soc. 77, 437–470); NCEP-NCAR Reanalysis 1 data provided by the NOAA PSL,
    Boulder, Colorado, USA, from https://psl.noaa.gov.

    Examples
    --------
    >>> load_ncep().sizes
    Frozen({'time': 360, 'lat': 18, 'lon': 36})
    >>> load_ncep(period="long").sizes
    Frozen({'time': 912, 'lat': 18, 'lon': 36})
    """
    if grid not in NCEP_FILES:
        raise unknown("grid", grid, NCEP_FILES)
    if period not in PERIODS:
        raise unknown("period", period, PERIODS)
    if period == PERIODS[0]:
        return _load(NCEP_FILES[grid], "air")
    if grid != "regular":
        raise ClimateBNError(f'period="long" is embedded on the regular grid only; got grid={grid!r}')
    return _load(LONG_FILE, "air")


@public
def load_sst() -> xr.DataArray:
    """Monthly sea surface temperature (degC) 1982–2022, NOAA OI SST V2 on 10° cells; land is missing.

    Cells are area-weighted means where half of the cell or more is sea. Constant ones under the Antarctic ice are left
    out by ``to_nodes(…, missing="drop_nodes", degenerate="drop")``.

    Returns
    -------
    DataArray (time, lat, lon), degC.

    Notes
    -----
    Reynolds et al. (2002, J. Climate 15, 1609–1625); NOAA OI SST V2 data provided by the NOAA PSL, Boulder, Colorado,
    USA, from https://psl.noaa.gov.

    Examples
    --------
    >>> load_sst().sizes
    Frozen({'time': 492, 'lat': 18, 'lon': 36})
    """
    return _load(SST_FILE, "sst")


@public
def load_z500() -> xr.DataArray:
    """Monthly geopotential height (m) at 500 hPa 1981–2023, NCEP/NCAR Reanalysis 1 on 10° cells.

    Returns
    -------
    DataArray (time, lat, lon), m.

    Notes
    -----
    Kalnay et al. (1996, Bull. Amer. Meteor. Soc. 77, 437–470); NCEP-NCAR Reanalysis 1 data provided by the NOAA PSL,
    Boulder, Colorado, USA, from https://psl.noaa.gov.

    Examples
    --------
    >>> round(load_z500().sel(time="2010-02", lat=65, lon=-25).item())
    5348
    """
    return _load(Z500_FILE, "hgt")


def _load(file: str, variable: str) -> xr.DataArray:
    with xr.open_dataset(data_path(file), engine="netcdf4") as dataset:
        return dataset[variable].load()
