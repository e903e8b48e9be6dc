"""What a study folder tells about its making: `runs.json`, one entry for each time that the study was started on it.

An entry says when, with which version and commit, and how many cells were made in how many seconds. It is brought up
to date about once a minute, so that a run that is killed leaves one too.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from climatebn import __version__
from climatebn.files import write_text
from climatebn.provenance import commit

RUNS = "runs.json"
EVERY = 60.0  # seconds between two updates


class RunRecord:
    """One run of a study on a folder, while it goes on."""

    def __init__(self, folder: Path, cells: int) -> None:
        self._path, self._before = folder / RUNS, read_runs(folder)
        self._begun = self._written = time.perf_counter()
        started = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        self.entry: dict[str, Any] = {"started": started, "climatebn": __version__, "commit": commit(), "cells": cells}
        self.entry |= {"made": 0, "seconds": 0.0}
        self.write()

    def add(self) -> None:
        """One more cell is made."""
        self.entry["made"] += 1
        if time.perf_counter() - self._written > EVERY:
            self.write()

    def write(self) -> None:
        """Bring the file up to date."""
        self._written = time.perf_counter()
        self.entry["seconds"] = round(self._written - self._begun, 1)
        write_text(self._path, json.dumps([*self._before, self.entry], indent=1))


@contextmanager
def recorded(folder: Path, cells: int) -> Iterator[RunRecord]:
    """The record of a run that begins now and ends with the block, however it ends.

    Parameters
    ----------
    folder : of the study.
    cells : how many are still to be made.
    """
    run = RunRecord(folder, cells)
    try:
        yield run
    finally:
        run.write()


def read_runs(folder: Path) -> list[dict[str, Any]]:
    """The runs of a folder, the first one first; none where no record was kept or it is damaged."""
    try:
        found = json.loads((folder / RUNS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []
