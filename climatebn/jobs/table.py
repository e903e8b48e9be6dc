"""Records as one tidy table: a row a cell, key and measures as columns; also as NetCDF over the axes of the study.

`results.csv` holds what is reproducible and nothing else, so that two runs can be compared byte by byte; the time
each cell took, and its CPU time, is in `seconds.csv`, and beside the measures in `results.nc`.
"""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from climatebn import __version__
from climatebn.errors import ClimateBNError, public
from climatebn.files import write_csv, write_netcdf
from climatebn.jobs.study import Records

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

TIMES = ["seconds", "cpu_seconds"]


def to_table(axes: Sequence[str], records: Records) -> "pd.DataFrame":
    """The table of ``records`` in their order: axes, ended (and the budget if not), measures, times."""
    import pandas as pd

    rows = [
        {
            **dict(zip(axes, key, strict=True)),
            "ended": record.ended,
            "budget": record.budget,
            **record.measures,
            "seconds": record.seconds,
            "cpu_seconds": record.cpu_seconds,
        }
        for key, record in records.items()
    ]
    table = pd.DataFrame(rows)
    return table[[*table.columns.drop(TIMES), *TIMES]]


def write_table(table: "pd.DataFrame", axes: Sequence[str], folder: Path) -> None:
    """Write `results.csv`, `seconds.csv` and `results.nc`."""
    write_csv(folder / "results.csv", table.drop(columns=TIMES))
    write_csv(folder / "seconds.csv", table[[*axes, "ended", *TIMES]])
    write_netcdf(folder / "results.nc", to_dataset(table, axes))


@public
def read_table(folder: str | PathLike[str]) -> "pd.DataFrame":
    """The table of a finished study, with the seconds of each cell.

    Parameters
    ----------
    folder : of a study that ended.

    Returns
    -------
    DataFrame, a row a cell: axes, ended, measures, seconds.

    Raises
    ------
    ClimateBNError where the folder holds no finished study.

    Examples
    --------
    >>> read_table("no such folder")
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: no such folder holds no finished study (no results.csv)
    """
    folder = Path(folder)
    if not (folder / "results.csv").exists():
        raise ClimateBNError(f"{folder} holds no finished study (no results.csv)")
    table = _read_csv(folder / "results.csv")
    return table.assign(seconds=_read_csv(folder / "seconds.csv")["seconds"])


def read_results(path: str | PathLike[str]) -> "pd.DataFrame":
    """A table `results.csv`, also compressed (`.gz`, `.xz`), without the seconds.

    >>> read_results("no.csv")
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: there is no table no.csv
    """
    try:
        table = _read_csv(path)
    except FileNotFoundError:
        raise ClimateBNError(f"there is no table {path}") from None
    except (ValueError, OSError, EOFError) as error:
        raise ClimateBNError(f"{path} is not a table of results: {error}") from None
    if "ended" not in table or table.empty:
        raise ClimateBNError(f"{path} is not a table of results of a study: no rows, or no column ended")
    return table


def _read_csv(path: str | PathLike[str]) -> "pd.DataFrame":
    """Every digit of a table, which pandas before 3.1 has to be asked for."""
    import pandas as pd

    if tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1):
        return pd.read_csv(path)
    return pd.read_csv(path, float_precision="round_trip")


def to_dataset(table: "pd.DataFrame", axes: Sequence[str]) -> "xr.Dataset":
    """The table as arrays over its axes; combinations without a cell are missing."""
    indexed = table.set_index(list(axes))
    for name in indexed.columns:
        column = indexed[name]
        if column.dropna().map(lambda value: isinstance(value, bool | np.bool_)).all():
            indexed[name] = column.astype(float)  # 0, 1, missing
        elif column.dtype == object:
            indexed[name] = column.fillna("").astype(str)
    dataset = indexed.to_xarray()
    texts = {name: array.fillna("").astype(str) for name, array in dataset.items() if array.dtype == object}
    return dataset.assign(texts).assign_attrs(climatebn=__version__, source="climatebn study")
