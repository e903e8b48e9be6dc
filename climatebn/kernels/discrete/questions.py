"""Several tests of one node at a time, each in the words of `criterion.bound_test.Session`."""

import numpy as np

from climatebn.kernels.discrete.counting import added, prepare
from climatebn.kernels.discrete.evidence import DECISION, EXACT, POSITIVE, Form, evidence
from climatebn.kernels.discrete.grouping import BASE, COST, WANTED, Sample, Work, condition
from climatebn.kernels.discrete.seen_degrees import seen_degrees
from climatebn.kernels.discrete.values import Values
from climatebn.kernels.jit import jit, without_owner


@jit
def row(
    s: Sample, v: Values, w: Work, f: Form, critical: np.ndarray, x: int, ys: np.ndarray, given: np.ndarray, exact: bool
) -> np.ndarray:
    """Evidence of x with each y given one set; those outside the set first, for they share its groups.

    Unless ``exact``, −1 stands for any evidence not above 0.
    """
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    found, wanted = np.empty(len(ys)), EXACT if exact else POSITIVE
    for inside in (False, True):
        for i, y in enumerate(ys):
            among = False
            for z in given:
                among |= z == y
            if among == inside:
                found[i] = evidence(s, v, w, f, critical, x, y, given, len(given), wanted)
    return found


@jit
def first_dependent(
    s: Sample, v: Values, w: Work, f: Form, critical: np.ndarray, x: int, ys: np.ndarray, given: np.ndarray
) -> int:
    """Place of the first of ``ys`` that depends on x; −1 when none does."""
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    for i, y in enumerate(ys):
        if evidence(s, v, w, f, critical, x, y, given, len(given), DECISION) > 0:
            return i
    return -1


@jit
def first_independent(
    s: Sample, v: Values, w: Work, f: Form, critical: np.ndarray, x: int, members: np.ndarray, start: int, stop: int
) -> int:
    """Place, in start … stop − 1, of the first member independent of x given the others; −1 when none is."""
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    for place in range(start, stop):
        if evidence(s, v, w, f, critical, x, members[place], members, len(members), DECISION) <= 0:
            return place
    return -1


@jit
def beside(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    critical: np.ndarray,
    x: int,
    ys: np.ndarray,
    separators: np.ndarray,
    child: int,
) -> np.ndarray:
    """Evidence of x with each y given ``child`` and the separator of y (−1: given ``child`` alone).

    −1 stands for any evidence not above 0.
    """
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    found = np.empty(len(ys))
    given = np.array([child, child])
    for size in (1, 2):
        for i, y in enumerate(ys):
            if (separators[i] < 0) == (size == 1):
                given[1] = separators[i]
                found[i] = evidence(s, v, w, f, critical, x, y, given, size, POSITIVE)
    return found


@jit
def family(s: Sample, v: Values, w: Work, f: Form, node: int, parents: np.ndarray) -> float:
    """The log-likelihood, or marginal likelihood, of a node given its parents."""
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    w.plan[WANTED, : len(parents)] = parents
    condition(s, w, len(parents))
    prepare(s, v, w, f.iss, f.scale, node)
    return -w.state[BASE] / f.scale


@jit
def additions(
    s: Sample, v: Values, w: Work, f: Form, pearson: bool, node: int, parents: np.ndarray, candidates: np.ndarray
) -> np.ndarray:
    """S / scale of each candidate beside the parents of a node."""
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    w.plan[WANTED, : len(parents)] = parents
    condition(s, w, len(parents))
    prepare(s, v, w, f.iss, f.scale, node)
    found = np.empty(len(candidates))
    for i, y in enumerate(candidates):
        found[i] = added(s, v, w, f.iss, f.scale, pearson, y) / f.scale
    return found


@jit
def gains(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    penalty: float,
    arc: float,
    target: np.ndarray,
    starts: np.ndarray,
    items: np.ndarray,
    which: np.ndarray,
    source: np.ndarray,
    found: np.ndarray,
    begin: int,
    limit: int,
) -> int:
    """What ``source[i]`` beside the parents of set which[i] does to the score, from ``begin`` on; where it stopped.

    Parents of ``target[s]`` are ``items[starts[s]:starts[s + 1]]``. Sets that begin alike share their groups.
    """
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    i = begin
    w.state[COST] = 0
    while i < len(which) and w.state[COST] <= limit:
        at = which[i]
        size, node = starts[at + 1] - starts[at], target[at]
        for place in range(size):  # ascending
            item, where = items[starts[at] + place], place
            while where > 0 and w.plan[WANTED, where - 1] > item:
                w.plan[WANTED, where] = w.plan[WANTED, where - 1]
                where -= 1
            w.plan[WANTED, where] = item
        condition(s, w, size)
        prepare(s, v, w, f.iss, f.scale, node)
        q, own = w.configurations[size], float(s.levels[node] - 1)
        while i < len(which) and which[i] == at:
            y = source[i]
            fitted = added(s, v, w, f.iss, f.scale, False, y) / f.scale
            found[i] = fitted - penalty * (own * (s.levels[y] - 1.0) * q) + arc
            i += 1
    return i


@jit
def differences(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    penalty: float,
    arc: float,
    node: int,
    parents: np.ndarray,
    candidates: np.ndarray,
    found: np.ndarray,
) -> None:
    """What one more parent, or one less, does to the score of a node: ``found`` by column."""
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    k, own = len(parents), float(s.levels[node] - 1)
    w.plan[WANTED, :k] = parents
    condition(s, w, k)
    prepare(s, v, w, f.iss, f.scale, node)
    q = w.configurations[k]
    here = -w.state[BASE] / f.scale - penalty * own * q + arc * k
    for y in candidates:
        found[y] = added(s, v, w, f.iss, f.scale, False, y) / f.scale - penalty * (own * (s.levels[y] - 1.0) * q) + arc
    for i in range(k - 1, -1, -1):
        for j in range(k - 1):
            w.plan[WANTED, j] = parents[j if j < i else j + 1]
        condition(s, w, k - 1)
        prepare(s, v, w, f.iss, f.scale, node)
        fitted = -w.state[BASE] / f.scale
        found[parents[i]] = fitted - penalty * own * w.configurations[k - 1] + arc * (k - 1) - here


@jit
def adjusted_degrees(s: Sample, v: Values, w: Work, f: Form, x: int, ys: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Adjusted degrees of freedom of x with each y given one set."""
    s, v, w = without_owner(s), without_owner(v), without_owner(w)
    w.plan[WANTED, : len(given)] = given
    condition(s, w, len(given))
    prepare(s, v, w, f.iss, f.scale, x)
    found = np.empty(len(ys))
    for i, y in enumerate(ys):
        found[i] = seen_degrees(s, w, y)
    return found
