"""Sets of nodes as rows of 64-bit words: node i is bit i mod 64 of word i // 64.

A graph is an array of such rows, one a node. Only these functions know how a row is laid out.
"""

import numpy as np

from climatebn.kernels.jit import jit


def empty_rows(nodes: int) -> np.ndarray:
    """One empty set for each node."""
    return np.zeros((nodes, words(nodes)), np.uint64)


def pack(matrix: np.ndarray) -> np.ndarray:
    """A boolean matrix as rows: node j is in row i where ``matrix[i, j]``."""
    rows = empty_rows(len(matrix))
    for i, j in np.argwhere(matrix):
        put(rows[i], j)
    return rows


@jit
def words(nodes: int) -> int:
    """How many words a row for ``nodes`` nodes has (at least one)."""
    return max(1, (nodes + 63) // 64)


@jit
def has(row: np.ndarray, node: int) -> bool:
    """Whether the node is in the set."""
    return (row[node >> 6] >> np.uint64(node & 63)) & np.uint64(1) != np.uint64(0)


@jit
def put(row: np.ndarray, node: int) -> None:
    """Add the node to the set."""
    row[node >> 6] |= np.uint64(1) << np.uint64(node & 63)


@jit
def drop(row: np.ndarray, node: int) -> None:
    """Take the node out of the set."""
    row[node >> 6] &= ~(np.uint64(1) << np.uint64(node & 63))


@jit
def within(row: np.ndarray, other: np.ndarray) -> bool:
    """Whether every node of ``row`` is in ``other``."""
    outside = np.uint64(0)
    for w in range(len(row)):
        outside |= row[w] & ~other[w]
    return outside == np.uint64(0)


@jit
def differ(row: np.ndarray, other: np.ndarray) -> bool:
    """Whether some node is in one set only."""
    apart = np.uint64(0)
    for w in range(len(row)):
        apart |= row[w] ^ other[w]
    return apart != np.uint64(0)


@jit
def is_empty(row: np.ndarray) -> bool:
    """Whether the set has no node."""
    any_bit = np.uint64(0)
    for word in row:
        any_bit |= word
    return any_bit == np.uint64(0)


@jit
def _ones(word: np.uint64) -> int:
    """Number of set bits, counted in parallel within the word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit
def size(row: np.ndarray) -> int:
    """Number of nodes in the set."""
    total = 0
    for word in row:
        total += _ones(word)
    return total


@jit
def members(row: np.ndarray) -> np.ndarray:
    """The nodes of the set, ascending."""
    found = np.empty(size(row), np.int64)
    count = 0
    for w in range(len(row)):
        word = row[w]
        while word != np.uint64(0):
            low = word & (~word + np.uint64(1))
            found[count] = 64 * w + _ones(low - np.uint64(1))
            count += 1
            word ^= low
    return found
