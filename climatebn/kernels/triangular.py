r"""Solves with I − Bᵀ of a DAG whose nodes stand in topological order: one pass over the arcs, for a block of columns.

Node i has the parents parent[start[i]:start[i + 1]] (smaller numbers) with the coefficients weight[…].
"""

import numpy as np

from climatebn.kernels.jit import jit


@jit
def forward(start: np.ndarray, parent: np.ndarray, weight: np.ndarray, block: np.ndarray, first: int) -> None:
    """block ← (I − Bᵀ)⁻¹ block, in place; rows before ``first`` hold zeros and are passed over."""
    for i in range(first, block.shape[0]):
        for arc in range(start[i], start[i + 1]):
            p = parent[arc]
            if p >= first:
                for column in range(block.shape[1]):
                    block[i, column] += weight[arc] * block[p, column]


@jit
def backward(start: np.ndarray, parent: np.ndarray, weight: np.ndarray, block: np.ndarray) -> None:
    """block ← (I − B)⁻¹ block, in place."""
    for i in range(block.shape[0] - 1, -1, -1):
        for arc in range(start[i], start[i + 1]):
            for column in range(block.shape[1]):
                block[parent[arc], column] += weight[arc] * block[i, column]
