"""The embedded fields from the original file: ``python -m climatebn.ingest.field.build_ncep air.mon.mean.nc data/``."""

import hashlib
import sys
from pathlib import Path

import numpy as np
import xarray as xr

from climatebn.errors import ClimateBNError
from climatebn.ingest.field.datasets import NCEP_FILES
from climatebn.ingest.grid.grid import Grid
from climatebn.ingest.grid.regridding import regrid

SHA256 = "57ffdc5f0b57fde8abe28a838b252455307aa0c6de0846b8f3233fb44de57493"
_KEPT = ("units", "level_desc", "dataset", "history")
_VERSIONS = {"regular": (Grid.regular(10), "mean"), "paper": (Grid.paper(), "nearest")}


def build(original: Path, folder: Path) -> list[Path]:
    """Write both embedded files; the original must be the one that they are documented to come from."""
    found = hashlib.sha256(original.read_bytes()).hexdigest()
    if found != SHA256:
        raise ClimateBNError(f"{original} has SHA-256 {found}; the embedded fields come from the file with {SHA256}")
    with xr.open_dataset(original) as dataset:
        field = dataset["air"].sel(time=slice("1981", "2010")).load()
    field.attrs["long_name"] = "monthly mean air temperature at sigma level 0.995"
    written = []
    for version, (grid, method) in _VERSIONS.items():
        result = regrid(field, grid, method).astype(np.float32)
        result.attrs = {name: result.attrs[name] for name in ("long_name", *_KEPT)}
        result.attrs |= {
            "standard_name": "air_temperature",
            "cell_methods": "time: mean" + " area: mean" * (method == "mean"),
        }
        whole = result.to_dataset(name="air").assign_attrs(
            Conventions="CF-1.11",
            title=f"NCEP/NCAR Reanalysis 1 monthly air temperature 1981-2010, {grid!r}, {method}",
            source=f"{original.name} of NOAA PSL, SHA-256 {SHA256}",
            institution="NOAA Physical Sciences Laboratory, Boulder, Colorado, USA, https://psl.noaa.gov",
            references="Kalnay et al. (1996), doi:10.1175/1520-0477(1996)077<0437:TNYRP>2.0.CO;2",
        )
        whole["time"].attrs = {"standard_name": "time", "long_name": "first day of the month", "axis": "T"}
        packing = {"air": {"zlib": True, "complevel": 9, "shuffle": True, "dtype": "float32", "_FillValue": None}}
        days = {"time": {"units": "days since 1981-01-01", "calendar": "standard", "dtype": "int32"}}
        path = folder / NCEP_FILES[version]
        whole.to_netcdf(path, encoding={**packing, **days})
        written.append(path)
    return written


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
