r"""The best network of all, by dynamic programming over sets of nodes (Silander, Myllymäki 2006).

best(i, C) = max(score(i, C), max over j in C of best(i, C \ j)): the best parents of i within C. A set W of nodes has
its best last node (sink): total(W) = max over i in W of total(W \ i) + best(i, W \ i). Sets are words of bits; those of
parents of i leave out the bit of i.
"""

import numpy as np

from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.local_score import local_value
from climatebn.kernels.jit import inner_jit, jit


@inner_jit
def without(word: int, bit: int) -> int:
    """The word with one bit left out and the higher ones moved down."""
    low = word & ((1 << bit) - 1)
    return low | ((word >> (bit + 1)) << bit)


@jit
def family_scores(form: GaussianForm, node: int, most: int, out: np.ndarray, first: int, last: int) -> None:
    """Scores of ``node`` with each set ``first`` … ``last`` − 1 of the others as parents; −inf above ``most``."""
    table = np.empty((3, len(form.a)))
    table[0], table[1], table[2] = form.a, form.b, form.c
    size = len(form.matrix)
    parents = np.empty(size, np.int64)
    for word in range(first, last):
        count = 0
        for other in range(size - 1):
            if word >> other & 1:
                parents[count] = other if other < node else other + 1
                count += 1
        out[word] = local_value(form.matrix, table, node, parents[:count]) if count <= most else -np.inf


@jit
def best_parents(scores: np.ndarray, chosen: np.ndarray) -> None:
    """Turn the scores of sets into the best score within each set, and ``chosen`` into the set that has it."""
    for word in range(len(scores)):
        chosen[word] = word
        bit = 0
        while word >> bit:
            if word >> bit & 1:
                smaller = word & ~(1 << bit)
                if scores[smaller] >= scores[word]:  # of equal scores the smaller set
                    scores[word], chosen[word] = scores[smaller], chosen[smaller]
            bit += 1


@jit
def best_sinks(best: np.ndarray, total: np.ndarray, sink: np.ndarray) -> None:
    """``total`` and the best last node of each set; ``best[i]`` is node i's table of `best_parents`."""
    total[0] = 0.0
    for word in range(1, len(total)):
        total[word] = -np.inf
        for node in range(len(best)):
            if word >> node & 1:
                value = total[word & ~(1 << node)] + best[node, without(word, node)]
                if value > total[word]:
                    total[word], sink[word] = value, node
