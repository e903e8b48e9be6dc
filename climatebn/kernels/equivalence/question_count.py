"""Which differences have been asked before: a hash table from (target, set of parents) to the sources asked.

A set of parents is known by the sum of its members' random 64-bit numbers (Zobrist 1970), whatever their order.
"""

import numpy as np

from climatebn.kernels.bitset import has, put
from climatebn.kernels.jit import jit


@jit
def note(
    keys: np.ndarray,
    asked: np.ndarray,
    salt: np.ndarray,
    target: np.ndarray,
    starts: np.ndarray,
    items: np.ndarray,
    which: np.ndarray,
    source: np.ndarray,
) -> tuple[int, int]:
    """Note the questions of `additions`; return how many were asked for the first time, and how many sets are new.

    ``keys`` (0: free) and ``asked`` (node sets) are the table, with room for all sets; ``salt`` is (2, nodes).
    """
    fresh, sets = 0, 0
    i = 0
    while i < len(which):
        s = which[i]
        key = salt[1, target[s]]
        for node in items[starts[s] : starts[s + 1]]:
            key += salt[0, node]
        if key == 0:
            key = 1
        place = _place(keys, key)
        if keys[place] == 0:
            keys[place] = key
            sets += 1
        while i < len(which) and which[i] == s:
            if not has(asked[place], source[i]):
                put(asked[place], source[i])
                fresh += 1
            i += 1
    return fresh, sets


@jit
def _place(keys: np.ndarray, key: int) -> int:
    """Where the key is, or where it goes; the length of ``keys`` is a power of two."""
    place = key & (len(keys) - 1)
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & (len(keys) - 1)
    return place


@jit
def move(keys: np.ndarray, asked: np.ndarray, new_keys: np.ndarray, new_asked: np.ndarray) -> None:
    """Copy a table into a larger, empty one."""
    for old in range(len(keys)):
        if keys[old] != 0:
            place = _place(new_keys, keys[old])
            new_keys[place] = keys[old]
            new_asked[place] = asked[old]
