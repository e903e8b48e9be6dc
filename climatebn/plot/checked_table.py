"""Tables as figures take them: each column is there once and holds text, numbers or dates, whatever came in."""

from collections.abc import Collection
from contextlib import suppress
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from climatebn.errors import ClimateBNError, short


def checked_table(
    table: Any,
    name: str,
    source: str = "",
    *,
    texts: Collection[str] = (),
    numbers: Collection[str] = (),
    present: Collection[str] = (),
    dates: Collection[str] = (),
    lists: Collection[str] = (),
    optional: Collection[str] = (),
    rows: bool = True,
) -> pd.DataFrame:
    """A new table of these columns alone, rows numbered from 0; or the error that tells what is wrong.

    Parameters
    ----------
    table : what came.
    name : of the argument.
    source : what gives such a table, for the error.
    texts : columns of text.
    numbers : columns of numbers, NaN where there is none: they become float64.
    present : columns of numbers of which none may be missing.
    dates : columns of dates without a time zone.
    lists : columns of lists of names.
    optional : columns of numbers that are taken where they are there.
    rows : whether there must be one or more.

    Returns
    -------
    the table, with the ``attrs`` of the one given.

    >>> checked_table(pd.DataFrame({"km": ["far"]}), "table", numbers=["km"])
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: the column km of table must hold real numbers; got 'far'
    """
    if not isinstance(table, pd.DataFrame):
        raise ClimateBNError(f"{name} must be a pandas DataFrame; got {short(table)}")
    needed = dict.fromkeys([*texts, *numbers, *present, *dates, *lists])
    if lost := [column for column in needed if column not in table.columns]:
        must = f"{name} must be what {source} gives; it" if source else name
        raise ClimateBNError(f"{must} has no column {', '.join(lost)}; it has {', '.join(map(str, table.columns))}")
    if rows and not len(table):
        raise ClimateBNError(f"{name} has no rows to draw")
    found: dict[str, Any] = {}
    for column in dict.fromkeys([*needed, *(column for column in optional if column in table.columns)]):
        values, where = table[column], f"the column {column} of {name}"
        if isinstance(values, pd.DataFrame):
            raise ClimateBNError(f"{name} has the column {column} more than once")
        if column in texts:
            found[column] = _texts(values, where)
        elif column in lists:
            found[column] = [_texts(each, where) for each in values.tolist()]
        elif column in dates:
            found[column] = column_of_dates(values, where)
        else:
            found[column] = column_of_numbers(values, where, missing=column not in present)
    clean = pd.DataFrame(found, index=range(len(table)))
    clean.attrs = dict(table.attrs)
    return clean


def column_of_numbers(values: pd.Series, where: str, *, missing: bool = True) -> np.ndarray:
    """The numbers of a column as float64; ``missing`` tells whether some may not be there, or not be finite."""
    found = np.full(len(values), np.nan)
    for place, value in enumerate(values.tolist()):
        if isinstance(value, Real | np.bool_):
            with suppress(OverflowError):  # a whole number beyond all floats
                found[place] = float(value)
        elif value is not None and value is not pd.NA:
            raise ClimateBNError(f"{where} must hold real numbers; got {short(value)}")
    found[np.isinf(found)] = np.nan
    if not missing and np.isnan(found).any():
        raise ClimateBNError(f"{where} has no finite number in {np.isnan(found).sum()} of {len(found)} rows; drop them")
    return found


def column_of_dates(values: Any, where: str) -> np.ndarray:
    """The dates of a column or an index, none of them missing, none with a time zone."""
    if not pd.api.types.is_datetime64_dtype(values):
        raise ClimateBNError(f"{where} must hold dates without a time zone; it holds {values.dtype}")
    found = values.to_numpy().astype("datetime64[ns]")
    if np.isnat(found).any():
        raise ClimateBNError(f"{where} lacks {np.isnat(found).sum()} of {len(found)} dates; drop those rows")
    return found


def _texts(values: Any, where: str) -> list[str]:
    found = values.tolist() if isinstance(values, pd.Series) else values
    if not isinstance(found, list | tuple):
        raise ClimateBNError(f"{where} must hold lists of names; got {short(values)}")
    for value in found:
        if not isinstance(value, str):
            raise ClimateBNError(f"{where} must hold text; got {short(value)}")
    return [str(value) for value in found]
