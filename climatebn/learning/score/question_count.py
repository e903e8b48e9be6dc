"""A count of distinct questions: each (target, parents, source) once, however often a search comes back to it."""

import numpy as np

from climatebn.kernels.bitset import bit_rows
from climatebn.kernels.equivalence.question_count import move, note
from climatebn.rng import generator


class QuestionCount:
    """A hash table that grows with what is asked (see `kernels.questions`)."""

    def __init__(self, nodes: int) -> None:
        self._salt = generator(0, "questions").integers(-(1 << 62), 1 << 62, size=(2, nodes))
        self._keys, self._asked, self._sets = np.zeros(1024, np.int64), bit_rows(1024, nodes), 0

    def note(
        self, target: np.ndarray, starts: np.ndarray, items: np.ndarray, which: np.ndarray, source: np.ndarray
    ) -> int:
        """Note the questions of `kernels.additions`; return how many of them are new."""
        while 2 * (self._sets + len(target)) > len(self._keys):
            before = self._keys, self._asked
            self._keys = np.zeros(2 * len(self._keys), np.int64)
            self._asked = bit_rows(len(self._keys), self._salt.shape[1])
            move(*before, self._keys, self._asked)
        fresh, sets = note(self._keys, self._asked, self._salt, target, starts, items, which, source)
        self._sets += sets
        return int(fresh)
