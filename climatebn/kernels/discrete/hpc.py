r"""Who of a list does one other of the list separate from x, on discrete data? (HPC: superset and spouses)

The test of y given F ∪ {z} compares what F, z and y tell of x with what F and z tell: S = L(F, z, y) − L(F, z), with
L(T) the (marginal) log-likelihood of x given T. L(F, y, z) serves y given z and z given y. It is counted from the
groups of y, which are made once for all z.
"""

import numpy as np

from climatebn.kernels.discrete.counting import added, prepare
from climatebn.kernels.discrete.evidence import DECISION, PEARSON, POSITIVE, Form, evidence, exceeds, strength
from climatebn.kernels.discrete.grouping import BASE, COST, WANTED, Sample, Work, condition
from climatebn.kernels.discrete.values import Values
from climatebn.kernels.jit import inner_jit, jit, without_owner

UNKNOWN = np.iinfo(np.int64).min


@inner_jit
def told(s: Sample, v: Values, w: Work, f: Form, x: int, given: np.ndarray, size: int, more: int) -> int:
    """L of x given the first ``size`` of a set and one more; the groups are made for the set."""
    for place in range(size):
        w.plan[WANTED, place] = given[place]
    condition(s, w, size)
    prepare(s, v, w, f.iss, f.scale, x)
    return added(s, v, w, f.iss, f.scale, False, more) - w.state[BASE]


@jit
def thin(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    critical: np.ndarray,
    x: int,
    ys: np.ndarray,
    fixed: np.ndarray,
    evidences: np.ndarray,
    order: np.ndarray,
    by_evidence: bool,
    single: np.ndarray,
    pair: np.ndarray,
    separator: np.ndarray,
    progress: np.ndarray,
    limit: int,
) -> bool:
    """The place of the ``separator`` of each y (−1: stays); ``evidences`` is brought up to date. Whether all is done.

    ``fixed`` is one node or none; ``order`` the places of ``ys`` as others are tried, kept by falling evidence if
    ``by_evidence``; ``single`` and ``pair`` remember L, UNKNOWN at first. ``progress``: the next y, the length of
    ``order``, tests made. See `Session.thin`.
    """
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    shared, k = f.kind != PEARSON and not f.adjusted, len(fixed)
    given = np.empty(k + 1, np.int64)
    given[:k] = fixed
    q = 1.0
    for z in fixed:
        q *= s.levels[z]
    w.state[COST] = 0
    while progress[0] < len(ys) and w.state[COST] <= limit:
        i = progress[0]
        progress[0] += 1
        y, least, where = ys[i], np.inf, -1
        for place in range(progress[1]):
            j = order[place]
            if j == i:
                where = place
                continue
            progress[2] += 1
            given[k] = ys[j]
            if shared:
                if single[j] == UNKNOWN:
                    single[j] = told(s, v, w, f, x, given, k, ys[j])
                if pair[i, j] == UNKNOWN:
                    given[k] = y
                    pair[i, j] = pair[j, i] = told(s, v, w, f, x, given, k + 1, ys[j])
                df = float(s.levels[x] - 1) * float(s.levels[y] - 1) * (q * s.levels[ys[j]])
                total, found = pair[i, j] - single[j], -1.0
                if exceeds(f, critical, total / f.scale, df):
                    found = strength(f, total, df) if by_evidence else 1.0
            else:
                wanted = POSITIVE if by_evidence else DECISION
                found = evidence(s, v, w, f, critical, x, y, given, k + 1, wanted)
            least = min(least, found)
            if found <= 0:
                separator[i] = j
                break
        if separator[i] < 0 and not by_evidence:
            continue
        if where < 0:
            where = 0
            while order[where] != i:
                where += 1
        left = progress[1] - 1
        for place in range(where, left):
            order[place] = order[place + 1]
        if separator[i] >= 0:
            progress[1] = left
            continue
        evidences[i] = min(evidences[i], least)
        where = left
        while where > 0 and _after(evidences, order[where - 1], i):
            order[where] = order[where - 1]
            where -= 1
        order[where] = i
    return progress[0] == len(ys)


@inner_jit
def _after(evidences: np.ndarray, j: int, i: int) -> bool:
    """Whether place j is tried after place i."""
    return evidences[j] < evidences[i] or (evidences[j] == evidences[i] and j > i)
