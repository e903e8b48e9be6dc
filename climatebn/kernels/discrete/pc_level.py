"""PC-Stable, one level, on discrete data: subsets of the neighbours of a node, each tried on all its pairs at once.

A pair is visited from its first node, then, if no set separates it, from its second: each is one pass over the nodes,
in which nodes do not depend on each other, so that any thread may do any of them. For each pair the subsets come in
lexicographic order, as if it were alone.

The test of x and y given Z compares L(Z ∪ y) with L(Z), L(T) the (marginal) log-likelihood of x given T. So each set T
of one more than the level's size serves as many tests as it has members: each given the others. To add y to both of
two sets does not change which comes first, so going through T in lexicographic order keeps the order of every pair.
"""

import numpy as np

from climatebn.kernels.discrete.evidence import DECISION, Form, evidence, exceeds
from climatebn.kernels.discrete.grouping import COST, Sample, Work
from climatebn.kernels.discrete.hpc import UNKNOWN, told
from climatebn.kernels.discrete.pairs import Pairs, have_planes, list_cells, told_of_pair
from climatebn.kernels.discrete.subset_search import CHOSEN, SIZE, next_subset
from climatebn.kernels.discrete.values import Values
from climatebn.kernels.jit import inner_jit, jit, without_owner


@jit
def visit(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    critical: np.ndarray,
    node: int,
    partners: np.ndarray,
    pool: np.ndarray,
    adjacent: np.ndarray,
    apart: np.ndarray,
    chosen: np.ndarray,
    tests: np.ndarray,
    progress: np.ndarray,
    limit: int,
) -> bool:
    """Try subsets of ``pool``, the neighbours of ``node``, on its partners; whether all is done (else call again).

    ``apart`` is set, with ``chosen``, for a pair that a set separates; ``tests`` counts. Where ``adjacent`` is not
    empty, a set of one that is a neighbour of the partner too is left out. ``progress`` starts as `first_subset`.
    """
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    size = progress[SIZE]
    given = np.empty(size, np.int64)
    left = 0
    for i in range(len(partners)):
        left += not apart[i]
    w.state[COST] = 0
    while left > 0:
        for i in range(size):
            given[i] = pool[progress[CHOSEN + i]]
        for i, other in enumerate(partners):
            inside = apart[i]
            for z in given:
                inside |= z == other
            if inside or (len(adjacent) > 0 and adjacent[other, given[0]]):
                continue
            tests[i] += 1
            if evidence(s, v, w, f, critical, node, other, given, size, DECISION) <= 0:
                apart[i] = True
                chosen[i] = given
                left -= 1
        if not next_subset(progress, len(pool)):
            return True
        if w.state[COST] > limit:
            return False
    return True


@jit
def visit_together(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    critical: np.ndarray,
    node: int,
    partners: np.ndarray,
    pool: np.ndarray,
    adjacent: np.ndarray,
    apart: np.ndarray,
    chosen: np.ndarray,
    tests: np.ndarray,
    progress: np.ndarray,
    limit: int,
    second: Work,
    known: np.ndarray,
    pairs: Pairs,
    more_pairs: Pairs,
) -> bool:
    """`visit` by sets of one more, for tests that L decides: not for Pearson's, nor for adjusted degrees of freedom.

    ``progress`` starts with such a set; ``known`` remembers L of each set of the level's size, UNKNOWN at first;
    ``second`` is memory to count those, so that the groups of the sets at hand stay. ``pairs`` and ``more_pairs`` have
    taken the pool: memory to count the last two of a set beside the others.
    """
    s, v, w, second = without_owner(s), without_owner(v), without_owner(w), without_owner(second)
    pairs, more_pairs = without_owner(pairs), without_owner(more_pairs)
    size, left = progress[SIZE] - 1, 0
    pair = np.full(len(pool), -1)  # of a place in the pool: the partner there, while not apart
    for i, other in enumerate(partners):
        if not apart[i]:
            pair[np.searchsorted(pool, other)] = i
            left += 1
    subsets = _binomials(len(pool), size)
    places, given, rest = progress[CHOSEN : CHOSEN + size + 1], np.empty(size + 1, np.int64), np.empty(size, np.int64)
    w.state[COST] = second.state[COST] = 0
    while left > 0:
        asked = 0
        for j in range(size + 1):
            asked += pair[places[j]] >= 0
        if asked > 0:
            _test_each(
                *(s, v, w, f, critical, node, pool, adjacent, apart, chosen, tests),
                *(second, known, pair, subsets, places, given, rest, pairs, more_pairs),
            )
            for j in range(size + 1):
                left -= pair[places[j]] >= 0 and apart[pair[places[j]]]
                if pair[places[j]] >= 0 and apart[pair[places[j]]]:
                    pair[places[j]] = -1
        else:  # on to the next last member that is asked about
            while places[size] < len(pool) - 1 and pair[places[size] + 1] < 0:
                places[size] += 1
        if not next_subset(progress, len(pool)):
            return True
        if w.state[COST] + second.state[COST] > limit:
            return False
    return True


@inner_jit
def _test_each(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    critical: np.ndarray,
    node: int,
    pool: np.ndarray,
    adjacent: np.ndarray,
    apart: np.ndarray,
    chosen: np.ndarray,
    tests: np.ndarray,
    second: Work,
    known: np.ndarray,
    pair: np.ndarray,
    subsets: np.ndarray,
    places: np.ndarray,
    given: np.ndarray,
    rest: np.ndarray,
    pairs: Pairs,
    more_pairs: Pairs,
) -> None:
    """Each member that is asked about, given the other members of one set."""
    size, whole, others = len(rest), UNKNOWN, np.empty(len(rest), np.int64)
    for j in range(size, -1, -1):
        i, y, q, at = pair[places[j]], pool[places[j]], 1.0, 0
        if i < 0:
            continue
        for m in range(size):
            place = places[m if m < j else m + 1]
            rest[m] = pool[place]
            q *= s.levels[rest[m]]
            at += subsets[place, m + 1]
        if len(adjacent) > 0 and adjacent[y, rest[0]]:
            continue
        if whole == UNKNOWN:
            for m in range(size + 1):
                given[m] = pool[places[m]]
            whole = _told(s, v, w, f, node, given, size + 1, places, pool, pairs)
        if known[at] == UNKNOWN:
            for m in range(size):
                others[m] = places[m if m < j else m + 1]
            if have_planes(more_pairs, others, size):
                _tell_alike(s, v, second, f, node, rest, others, pool, more_pairs, subsets, known)
            if known[at] == UNKNOWN:
                known[at] = told(s, v, second, f, node, rest, size - 1, rest[size - 1])
        tests[i] += 1
        df = float(s.levels[node] - 1) * float(s.levels[y] - 1) * q
        if not exceeds(f, critical, (whole - known[at]) / f.scale, df):
            apart[i] = True
            chosen[i] = rest


@inner_jit
def _told(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    x: int,
    given: np.ndarray,
    size: int,
    places: np.ndarray,
    pool: np.ndarray,
    pairs: Pairs,
) -> int:
    """L of x given a set: its last two beside the others where ``pairs`` has their planes, else its last one."""
    if have_planes(pairs, places, size) and list_cells(s, v, w, f, pairs, x, given, size - 2):
        q = _configurations(s, given, size - 2)
        return told_of_pair(s, v, w, f, pairs, x, q, places[size - 2], places[size - 1], pool)
    return told(s, v, w, f, x, given, size - 1, given[size - 1])


@inner_jit
def _tell_alike(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    x: int,
    given: np.ndarray,
    places: np.ndarray,
    pool: np.ndarray,
    pairs: Pairs,
    subsets: np.ndarray,
    known: np.ndarray,
) -> None:
    """``known`` of all sets that differ from a given one in the last two members only: most will be asked for."""
    size, at = len(given), 0
    if not list_cells(s, v, w, f, pairs, x, given, size - 2):
        return
    q = _configurations(s, given, size - 2)
    for m in range(size - 2):
        at += subsets[places[m], m + 1]
    for first in range(places[size - 3] + 1 if size > 2 else 0, len(pool)):
        for last in range(first + 1, len(pool)):
            if pairs.first[first] >= 0 and pairs.first[last] >= 0:
                place = at + subsets[first, size - 1] + subsets[last, size]
                known[place] = told_of_pair(s, v, w, f, pairs, x, q, first, last, pool)


@inner_jit
def _configurations(s: Sample, given: np.ndarray, size: int) -> float:
    """How many configurations the first ``size`` of a set have."""
    q = 1.0
    for m in range(size):
        q *= s.levels[given[m]]
    return q


@inner_jit
def _binomials(n: int, most: int) -> np.ndarray:
    """[m, k]: m over k, for m below n and k up to ``most``; a set of places c_1 < c_2 … is number Σ (c_k over k)."""
    table = np.zeros((n, most + 1), np.int64)
    for m in range(n):
        table[m, 0] = 1
        for k in range(1, most + 1):
            table[m, k] = table[m - 1, k - 1] + table[m - 1, k] if m > 0 else 0
    return table
