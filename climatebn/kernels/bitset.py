"""Sets of node numbers as rows of 64-bit words: ``bits[row]`` is one set, 64 members a word."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from climatebn.kernels.jit import jit


def bit_rows(rows: int, size: int) -> np.ndarray:
    """Empty sets of numbers below ``size``."""
    return np.zeros((rows, (size + 63) // 64), dtype=np.int64)


def packed(table: np.ndarray, fill: bool = False) -> np.ndarray:
    """A boolean matrix as one set a row; ``fill`` tells whether the numbers beyond its columns are members."""
    padded = np.pad(table, ((0, 0), (0, -table.shape[1] % 64)), constant_values=fill)
    return np.ascontiguousarray(np.packbits(padded, axis=1, bitorder="little")).view("<i8").astype(np.int64)


def _word_function(instruction: str, *flags: int) -> Any:
    """A processor instruction on one 64-bit word as a kernel function."""

    def typed(typing_context: Any, word: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            extra = [context.get_constant(types.boolean, flag) for flag in flags]
            return getattr(builder, instruction)(arguments[0], *extra)

        return types.int64(types.int64), build

    return intrinsic(typed)


lowest = _word_function("cttz", 0)  # the smallest member of a word that is not empty
members_of = _word_function("ctpop")  # how many members a word has


@jit
def has(bits: np.ndarray, row: int, member: int) -> bool:
    """Whether ``member`` is in the set."""
    return (bits[row, member >> 6] >> (member & 63)) & 1 == 1


@jit
def insert(bits: np.ndarray, row: int, member: int) -> None:
    """Put ``member`` into the set."""
    bits[row, member >> 6] |= np.int64(1) << np.int64(member & 63)


@jit
def remove(bits: np.ndarray, row: int, member: int) -> None:
    """Take ``member`` out of the set."""
    bits[row, member >> 6] &= ~(np.int64(1) << np.int64(member & 63))


@jit
def meet(first: np.ndarray, i: int, second: np.ndarray, j: int) -> bool:
    """Whether two sets share a member."""
    shared = False
    for word in range(first.shape[1]):
        shared |= first[i, word] & second[j, word] != 0
    return shared


@jit
def members(bits: np.ndarray, row: int, out: np.ndarray) -> int:
    """Write the members, ascending, to ``out``; return how many there are."""
    count = 0
    for index in range(bits.shape[1]):
        word = bits[row, index]
        while word != 0:
            out[count] = (index << 6) + lowest(word)
            word &= word - 1
            count += 1
    return count


@jit
def size(bits: np.ndarray, row: int) -> int:
    """How many members the set has."""
    count = 0
    for index in range(bits.shape[1]):
        count += members_of(bits[row, index])
    return count
