"""Data and numbers of bnlearn 5.2.1 in tests/reference (its README is their certificate)."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent / "reference"


@cache
def numbers(name: str) -> Any:
    """The JSON of reference ``name``, e.g. gauss8, ncep648, graphs."""
    return json.loads((FOLDER / f"{name}.json").read_text())


@cache
def frame(name: str) -> pd.DataFrame:
    """The input data of reference ``name``; columns are named as in its JSON."""
    if name == "ncep648":
        values = np.load(FOLDER / "ncep648.npy").astype(np.float64)
        return pd.DataFrame(values, columns=[f"V{i + 1}" for i in range(648)])
    table = pd.read_csv(FOLDER / f"{name}.csv")
    return table.astype("category") if name in ("alarm_800", "child_600") else table


def runs(name: str, algorithm: str) -> list[dict[str, Any]]:
    """Reference runs of one algorithm on one data set."""
    return [run for run in numbers(name)["runs"] if run["algorithm"] == algorithm]
