"""Data with known properties for the tests of this room."""

import numpy as np
import pandas as pd

import climatebn as cb
from climatebn.ingest import Nodes


def node_data(values, first="1981-01"):
    """Months at places on a 10° grid: up to 36 round the equator, more in rows of 36."""
    size = values.shape[1]
    lon = np.tile(np.linspace(-175, 175, 36), 9)[:size]
    rows = -(-size // 36)
    lat = np.zeros(size) if rows == 1 else np.repeat(np.linspace(-60, 60, rows), 36)[:size]
    nodes = Nodes(tuple(f"X{i + 1}" for i in range(size)), lat, lon, np.unique(lat), np.unique(lon))
    return cb.NodeData(values, nodes, pd.date_range(first, periods=len(values), freq="MS", unit="s").values, "K")


def chain(months, nodes, seed):
    """X1 → X2 → …, correlation about 0.7 between neighbours."""
    noise = np.random.default_rng(seed).normal(size=(months, nodes))
    for i in range(1, nodes):
        noise[:, i] += noise[:, i - 1]
        noise[:, i] /= noise[:, i].std()
    return noise
