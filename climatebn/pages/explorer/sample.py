"""The sample's correlations in a page: rows z (k × N) whose columns have length 1, so that r_ij = Σ_k z_ki z_kj."""

from typing import Any

import numpy as np

from climatebn.errors import ClimateBNError
from climatebn.network.columns import aligned
from climatebn.network.fitting import standardise


def unit_rows(names: tuple[str, ...], data: Any) -> np.ndarray:
    """The rows of data that networks with these nodes were learned from."""
    table = aligned(names, data)
    if table.levels is not None:
        raise ClimateBNError("data must be numeric, the data that the networks were learned from; this is discrete")
    return unit_root(standardise(table.values, names).rows)


def unit_root(rows: np.ndarray) -> np.ndarray:
    """Standardised rows as z; of more observations than nodes, as many rows as nodes with the same correlations."""
    scaled = rows / np.sqrt(len(rows) - 1)
    if len(rows) <= rows.shape[1]:
        return scaled
    eigenvalues, vectors = np.linalg.eigh(scaled.T @ scaled)
    root: np.ndarray = np.sqrt(np.maximum(eigenvalues, 0.0))[:, None] * vectors.T
    return root
