r"""The one shape of every Gaussian test, as numbers and tables that kernels read.

A test of x and y given Z, |Z| = k, sees the residual variances v_x, v_y and the residual covariance r given Z:

    ρ² = r² / (v_x v_y)
    RATIO     −n·log(1 − ρ²) − critical                G²(α), G²_BICγ: χ² on 1 degree of freedom
    FISHER    (n − k − 3)·atanh(ρ)² − critical         Fisher's Z, squared
    STUDENT   critical − log p(t on n − k − 2)         critical = log α
    GAIN      local(x, Z ∪ {y}) − local(x, Z)          any score with a `GaussianForm`

All are evidence: positive means dependent, larger is stronger. The first three grow with ρ² alone, so they decide by
a table of the smallest ρ² that speaks for dependence, one entry for each k.
"""

import math
from typing import NamedTuple

import numpy as np

from climatebn.kernels.jit import inner_jit, jit

RATIO, FISHER, STUDENT, GAIN = range(4)

_ROUNDING = 1e-16


class EvidenceForm(NamedTuple):
    """A Gaussian test on one data set. ``table`` has one row for each testable size k of a conditioning set:

    the smallest ρ² that means dependence, and a[k + 1] − a[k], b[k], b[k + 1], c[k], c[k + 1] of a score (GAIN).
    """

    kind: int
    n: float
    critical: float
    matrix: np.ndarray
    table: np.ndarray


class Size(NamedTuple):
    """The same test for one size of conditioning set, as plain numbers: what inner loops are given."""

    kind: int
    k: int
    n: float
    critical: float
    limit: float  # dependent exactly when the weight is above this
    a: float
    b: float
    next_b: float
    c: float
    next_c: float


@inner_jit
def at_size(form: EvidenceForm, k: int) -> Size:
    """The row of the table for conditioning sets of k nodes."""
    row = form.table[k]
    return Size(form.kind, k, form.n, form.critical, row[0], row[1], row[2], row[3], row[4], row[5])


@inner_jit
def log_chi_square(statistic: float) -> float:
    """log P(χ²₁ > statistic), also where the probability is below the smallest double."""
    if statistic <= 0.0:
        return 0.0
    x = math.sqrt(statistic / 2)
    if x < 25.0:
        return math.log(math.erfc(x))
    tail = 1 / (2 * x * x)
    return -x * x - math.log(x * math.sqrt(math.pi)) + math.log(1 - tail * (1 - 3 * tail * (1 - 5 * tail)))


@inner_jit
def log_student(kept: float, df: float) -> float:
    """log p of a correlation: the two-sided t test, p = I_w(df/2, 1/2) with w = ``kept`` = 1 − ρ²."""
    a = df / 2
    if kept >= 1.0:
        return 0.0
    front = a * math.log(kept) + 0.5 * math.log(1 - kept)
    front += math.lgamma(a + 0.5) - math.lgamma(a) - math.lgamma(0.5)
    if kept < (a + 1) / (a + 2.5):
        return front - math.log(a) + math.log(_fraction(kept, a, 0.5))
    return math.log1p(-min(math.exp(front) / 0.5 * _fraction(1 - kept, 0.5, a), 1 - _ROUNDING))


@inner_jit
def _fraction(w: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta integral (Lentz)."""
    c, d = 1.0, 1 / (1 - (a + b) * w / (a + 1))
    value = d
    for m in range(1, 500):
        even = m * (b - m) * w / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + even * d), 1 + even / c
        value *= d * c
        odd = -(a + m) * (a + b + m) * w / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + odd * d), 1 + odd / c
        value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


@inner_jit
def weigh(size: Size, vx: float, vy: float, r: float, logdet: float) -> float:
    """ρ², or the gain: what is compared with the limit and between tests of the same size, at the least cost."""
    square = r * r / (vx * vy)
    if size.kind != GAIN:
        return square
    gain = size.a + (size.next_b - size.b) * math.log(vx) + size.next_b * math.log(max(1 - square, _ROUNDING))
    return gain + size.next_c * (logdet + math.log(vy)) - size.c * logdet


@inner_jit
def guarded(size: Size, vx: float, vy: float, r: float, logdet: float, floor_x: float, floor_y: float) -> float:
    """`weigh`, where a variance that is rounding error shows no dependence."""
    if vx > floor_x and vy > floor_y:
        return weigh(size, vx, vy, r, logdet)
    return weigh(size, max(vx, floor_x), max(vy, floor_y), 0.0, logdet)


@inner_jit
def strength(size: Size, weight: float) -> float:
    """The evidence that belongs to a weight."""
    if size.kind == GAIN:
        return weight
    kept = max(1 - weight, _ROUNDING)
    if size.kind == RATIO:
        return -size.n * math.log(kept) - size.critical
    if size.kind == FISHER:
        z = math.atanh(math.sqrt(1 - kept))
        return (size.n - size.k - 3) * z * z - size.critical
    return size.critical - log_student(kept, size.n - size.k - 2)


@jit
def square_at(kind: int, n: float, critical: float, k: int, evidence: float) -> float:
    """The ρ² that gives this evidence (not for GAIN, where ρ² is not enough)."""
    if math.isinf(evidence):
        return 1.0
    if kind == RATIO:
        return -math.expm1(-(evidence + critical) / n)
    if kind == FISHER:
        return math.tanh(math.sqrt((evidence + critical) / (n - k - 3))) ** 2
    df, goal = n - k - 2, critical - evidence
    if goal >= 0.0:
        return 0.0
    log_kept = goal / (df / 2)  # p ≈ w^(df/2); Newton steps in log w, where log p is almost straight
    constant = math.lgamma(df / 2 + 0.5) - math.lgamma(df / 2) - math.lgamma(0.5)
    for _ in range(50):
        kept = math.exp(log_kept)
        log_p = log_student(kept, df)
        slope = math.exp(constant + df / 2 * log_kept - 0.5 * math.log(1 - kept) - log_p)
        step = (log_p - goal) / slope
        log_kept = min(log_kept - step, log_kept / 2)  # never to w ≥ 1
        if abs(step) < 1e-14 * abs(log_kept):
            break
    return -math.expm1(log_kept)


@jit
def log_p(kind: int, critical: float, evidences: np.ndarray) -> np.ndarray:
    """log p of evidences; a gain has no null distribution and gives −inf (dependent) or 0."""
    found = np.empty(len(evidences))
    for i, evidence in enumerate(evidences):
        if kind == STUDENT:
            found[i] = critical - evidence
        elif kind == GAIN:
            found[i] = -np.inf if evidence > 0 else 0.0
        else:
            found[i] = log_chi_square(evidence + critical)
    return found
