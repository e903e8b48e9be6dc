"""The embedded fields from their original files: ``python -m climatebn.ingest.field.build_embedded ORIGINAL data/``.

Which fields a file gives is known by its SHA-256; any other file is refused.
"""

import hashlib
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.files import write_netcdf
from climatebn.ingest.field.datasets import LONG_FILE, NCEP_FILES, SST_FILE, Z500_FILE
from climatebn.ingest.grid.grid import Grid
from climatebn.ingest.grid.regridding import regrid

NOAA = "NOAA Physical Sciences Laboratory, Boulder, Colorado, USA, https://psl.noaa.gov"
KALNAY = "Kalnay et al. (1996), doi:10.1175/1520-0477(1996)077<0437:TNYRP>2.0.CO;2"


@dataclass(frozen=True)
class Embedded:
    """One original file and what is kept of it."""

    sha256: str
    variable: str
    period: tuple[str, str]
    title: str
    references: str
    attrs: dict[str, str]
    versions: dict[str, tuple[Grid, str]]  # target file: grid and method
    kept: tuple[str, ...] = ()
    packing: dict[str, Any] = field(default_factory=dict)


TEN = Grid.regular(10)
NCEP = Embedded(
    sha256="57ffdc5f0b57fde8abe28a838b252455307aa0c6de0846b8f3233fb44de57493",
    variable="air",
    period=("1981", "2010"),
    title="NCEP/NCAR Reanalysis 1 monthly air temperature 1981-2010",
    references=KALNAY,
    attrs={
        "long_name": "monthly mean air temperature at sigma level 0.995",
        "standard_name": "air_temperature",
    },
    versions={
        NCEP_FILES["regular"]: (TEN, "mean"),
        NCEP_FILES["paper"]: (Grid.paper(), "nearest"),
        NCEP_FILES["paper_linear"]: (Grid.paper(), "linear"),
    },
    kept=("units", "level_desc", "dataset", "history"),
    packing={"_FillValue": None},
)
SOURCES = (
    NCEP,
    replace(
        NCEP,
        period=("1950", "2025"),
        title="NCEP/NCAR Reanalysis 1 monthly air temperature 1950-2025",
        versions={LONG_FILE: (TEN, "mean")},
    ),
    Embedded(
        sha256="057ad72db8b95ebad3e52b5132004e7d2e08b10960ae4c1308b7d002a4716e8e",
        variable="sst",
        period=("1982", "2022"),
        title="NOAA Optimum Interpolation SST V2, monthly 1982-2022",
        references="Reynolds et al. (2002), doi:10.1175/1520-0442(2002)015<1609:AIISAS>2.0.CO;2",
        attrs={
            "long_name": "sea surface temperature",
            "standard_name": "sea_surface_temperature",
            "units": "degC",
            "dataset": "NOAA Optimum Interpolation (OI) SST V2",
        },
        versions={SST_FILE: (TEN, "mean")},
        packing={"least_significant_digit": 2},
    ),
    Embedded(
        sha256="e2af8c625be3aa2e335fede4a29ffa6e97988fbbd25a8ea96c46942cec1baee1",
        variable="hgt",
        period=("1981", "2023"),
        title="NCEP/NCAR Reanalysis 1 monthly geopotential height at 500 hPa 1981-2023",
        references=KALNAY,
        attrs={
            "long_name": "geopotential height at 500 hPa",
            "standard_name": "geopotential_height",
            "units": "m",
            "dataset": "NCEP/NCAR Reanalysis 1",
        },
        versions={Z500_FILE: (TEN, "mean")},
        packing={"least_significant_digit": 1},
    ),
)


def build(original: Path, folder: Path) -> list[Path]:
    """Write the embedded files of one original, which must be one that they are documented to come from."""
    found = hashlib.sha256(original.read_bytes()).hexdigest()
    sources = [one for one in SOURCES if one.sha256 == found]
    if not sources:
        known = "; ".join(f"{one.title}: {one.sha256}" for one in SOURCES)
        raise ClimateBNError(f"{original} has SHA-256 {found}; the embedded fields come from files with {known}")
    written = []
    for source in sources:
        with xr.open_dataset(original) as dataset:
            whole = dataset[source.variable].sel(time=slice(*source.period)).load()
        written += [_written(source, whole, original, folder / name, *how) for name, how in source.versions.items()]
    return written


def _written(source: Embedded, whole: xr.DataArray, original: Path, path: Path, grid: Grid, method: str) -> Path:
    result = regrid(whole, grid, method).astype(np.float32)
    kept = {name: result.attrs[name] for name in source.kept}
    methods = {"cell_methods": "time: mean" + " area: mean" * (method == "mean")}
    result.attrs = kept | source.attrs | methods | {"history": result.attrs["history"]}
    file = result.to_dataset(name=source.variable).assign_attrs(
        Conventions="CF-1.11",
        title=f"{source.title}, {grid!r}, {method}",
        source=f"{original.name}, SHA-256 {source.sha256}",
        institution=NOAA,
        references=source.references,
    )
    file["time"].attrs = {"standard_name": "time", "long_name": "first day of the month", "axis": "T"}
    packing = {"zlib": True, "complevel": 9, "shuffle": True, "dtype": "float32", **source.packing}
    days = {"units": f"days since {source.period[0]}-01-01", "calendar": "standard", "dtype": "int32"}
    write_netcdf(path, file, encoding={source.variable: packing, "time": days})
    return path


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
