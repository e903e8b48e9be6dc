"""Sets of node numbers as 64-bit words, 64 members a word: one set is a row, ``sets[kind, node]`` one of many rows."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from climatebn.kernels.jit import COMPILED, inline_jit, inner_jit, jit


def bit_rows(rows: int, size: int) -> np.ndarray:
    """Empty sets of numbers below ``size``, one a row."""
    return np.zeros((rows, (size + 63) // 64), dtype=np.int64)


def packed(table: np.ndarray, fill: bool = False) -> np.ndarray:
    """A boolean matrix as one set a row; ``fill`` tells whether the numbers beyond its columns are members."""
    padded = np.pad(table, ((0, 0), (0, -table.shape[1] % 64)), constant_values=fill)
    return np.ascontiguousarray(np.packbits(padded, axis=1, bitorder="little")).view("<i8").astype(np.int64)


def listed(words: np.ndarray) -> list[int]:
    """The members of one set, ascending."""
    bits = np.unpackbits(words.astype("<i8").view(np.uint8), bitorder="little")
    return np.flatnonzero(bits).tolist()


def _word_function(plain: Callable[[int], int], instruction: str, *flags: int) -> Any:
    """A processor instruction on one 64-bit word as a kernel function; ``plain`` where numba is told not to compile."""
    if not COMPILED:
        return plain

    def typed(typing_context: Any, word: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            extra = [context.get_constant(types.boolean, flag) for flag in flags]
            return getattr(builder, instruction)(arguments[0], *extra)

        return types.int64(types.int64), build

    return intrinsic(typed)


# The smallest member of a word that is not empty, and how many members a word has.
lowest = _word_function(lambda word: (int(word) & -int(word)).bit_length() - 1, "cttz", 0)
members_of = _word_function(lambda word: (int(word) & (1 << 64) - 1).bit_count(), "ctpop")


@inner_jit
def in_set(sets: np.ndarray, kind: int, node: int, member: int) -> bool:
    """Whether ``member`` is in the set."""
    return (sets[kind, node, member >> 6] >> (member & 63)) & 1 == 1


@inner_jit
def flip(sets: np.ndarray, kind: int, node: int, member: int) -> None:
    """Put ``member`` into the set, or take it out if it is there."""
    sets[kind, node, member >> 6] ^= np.int64(1) << np.int64(member & 63)


@inner_jit
def meet(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two sets share a member."""
    shared = np.int64(0)
    for word in range(len(first)):
        shared |= first[word] & second[word]
    return shared != 0


@inline_jit
def _append(word: int, index: int, out: np.ndarray, count: int) -> int:
    """Write the members of one word behind the ``count`` that are there."""
    while word != 0:
        out[count] = (index << 6) + lowest(word)
        word &= word - 1
        count += 1
    return count


@inner_jit
def write_members(words: np.ndarray, out: np.ndarray) -> int:
    """Write the members of a set, ascending, to ``out``; return how many there are."""
    count = 0
    for index in range(len(words)):
        count = _append(words[index], index, out, count)
    return count


@inner_jit
def difference(first: np.ndarray, second: np.ndarray, out: np.ndarray) -> int:
    """Write the members of the first set that are not in the second to ``out``; return how many there are."""
    count = 0
    for index in range(len(first)):
        count = _append(first[index] & ~second[index], index, out, count)
    return count


@inner_jit
def size(words: np.ndarray) -> int:
    """How many members a set has."""
    count = 0
    for index in range(len(words)):
        count += members_of(words[index])
    return count


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
