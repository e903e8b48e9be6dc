"""Randomness is passed, never global: one seed, named child streams, the same in any worker order."""

import zlib

import numpy as np

from climatebn.errors import whole


def generator(seed: int | np.random.Generator | None, *stream: str | int) -> np.random.Generator:
    """A generator for ``seed`` and a named child stream.

    The same seed and names give the same numbers, whatever else has been drawn before.

    >>> bool(generator(1, "restart", 3).random() == generator(1, "restart", 3).random())
    True
    """
    if isinstance(seed, np.random.Generator):
        return seed
    seed = None if seed is None else whole("seed", seed)
    key = [part if isinstance(part, int) else zlib.crc32(part.encode()) for part in stream]
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
