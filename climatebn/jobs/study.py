"""What a study is: independent cells, each a pure function of the configuration and its own key.

A study is one value of `Study`, made of plain functions at module level (workers find them by import). The machinery
around it (`runner`, `folder`, `executors`, `config`) knows nothing about climate or simulation.

To add a study: write a frozen dataclass with its settings and these functions, and one line in `study.registry`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from climatebn.html import box

if TYPE_CHECKING:
    import pandas as pd

Key = tuple[str | int | float, ...]
Value = str | int | float | bool | None


class Record(NamedTuple):
    """What a cell found.

    Attributes
    ----------
    measures : one row of the table.
    arrays : what is kept beside it, e.g. arcs.
    ended : False when the cell stopped at its time budget; it is then listed as such, never dropped, and its measures
        are left empty: they would depend on the speed of the machine.
    seconds, cpu_seconds, budget : set by the runner; seconds of wall clock and of processor, and the time allowed.

    Examples
    --------
    >>> Record({"arcs": 12}).ended
    True
    """

    measures: Mapping[str, Value]
    arrays: Mapping[str, np.ndarray] = {}
    ended: bool = True
    seconds: float = float("nan")
    budget: float | None = None
    cpu_seconds: float = float("nan")


Records = Mapping[Key, Record]


def _equal_cost(config: Any, key: Key) -> float:
    return 1.0


def _no_inputs(config: Any) -> dict[str, str]:
    return {}


@dataclass(frozen=True, repr=False)
class Study:
    """A set of cells and what becomes of their records.

    Attributes
    ----------
    axes : names of the parts of a key, e.g. ("algorithm", "gamma", "order"): the first columns of the table.
    default, quick : the full configuration and a small one, of one frozen dataclass (see `config`), which has a
        field ``max_seconds``, the time budget of a cell.
    cells : configuration → all keys, in the order of the table.
    run_cell : configuration, key → record. Pure: the same record in any process, in any order, on one thread.
    finish : configuration, table, records, folder → summary for the terminal; writes figures and reports there.
    cost : configuration, key → expected relative time: the longest start first, and the time left is estimated from it.
    inputs : configuration → hashes of the data that is read, part of what identifies a study folder.
    from_table : a table of results, folder → summary: the report again from a kept table alone, where that is enough.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.study.find("climate").axes
    ('field', 'scheme', 'algorithm', 'gamma', 'order', 'months')
    """

    name: str
    axes: tuple[str, ...]
    default: Any
    quick: Any
    cells: Callable[[Any], Sequence[Key]]
    run_cell: Callable[[Any, Key], Record]
    finish: Callable[[Any, "pd.DataFrame", Records, Path], str]
    cost: Callable[[Any, Key], float] = field(default=_equal_cost)
    inputs: Callable[[Any], Mapping[str, str]] = field(default=_no_inputs)
    from_table: Callable[[Path, Path], str] | None = None

    def __repr__(self) -> str:
        cells = len(self.cells(self.default)), len(self.cells(self.quick))
        return f"Study({self.name}: {' × '.join(self.axes)}, {cells[0]} cells, {cells[1]} in its quick form)"

    def _repr_html_(self) -> str:
        facts = {"axes": " × ".join(self.axes), "cells": len(self.cells(self.default))}
        configurations = {"Settings": asdict(self.default), "Quick settings": asdict(self.quick)}
        return box("Study", self.name, facts, configurations)
