"""One set of nodes as a row of `bitset`, and what whole sets say to each other."""

import numpy as np

from climatebn.kernels.bitset import lowest, members_of
from climatebn.kernels.jit import jit


@jit
def has(row: np.ndarray, node: int) -> bool:
    """Whether the node is in the set."""
    return (row[node >> 6] >> (node & 63)) & 1 == 1


@jit
def put(row: np.ndarray, node: int) -> None:
    """Add the node to the set."""
    row[node >> 6] |= np.int64(1) << np.int64(node & 63)


@jit
def drop(row: np.ndarray, node: int) -> None:
    """Take the node out of the set."""
    row[node >> 6] &= ~(np.int64(1) << np.int64(node & 63))


@jit
def within(row: np.ndarray, other: np.ndarray) -> bool:
    """Whether every node of ``row`` is in ``other``."""
    outside = 0
    for w in range(len(row)):
        outside |= row[w] & ~other[w]
    return outside == 0


@jit
def differ(row: np.ndarray, other: np.ndarray) -> bool:
    """Whether some node is in one set only."""
    apart = 0
    for w in range(len(row)):
        apart |= row[w] ^ other[w]
    return apart != 0


@jit
def is_empty(row: np.ndarray) -> bool:
    """Whether the set has no node."""
    joined = 0
    for word in row:
        joined |= word
    return joined == 0


@jit
def members(row: np.ndarray) -> np.ndarray:
    """The nodes of the set, ascending."""
    total = 0
    for word in row:
        total += members_of(word)
    found = np.empty(total, np.int64)
    count = 0
    for w in range(len(row)):
        word = row[w]
        while word != 0:
            found[count] = 64 * w + lowest(word)
            count += 1
            word &= word - 1
    return found
