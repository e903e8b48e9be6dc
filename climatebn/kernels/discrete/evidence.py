r"""What S (see `counting`) says about the dependence of x and y: evidence above 0 means dependent.

    PRICE   2S − df·price                     G² against the price of the parameters, as in BIC
    LEVEL   log α − log P(χ²_df > 2S)         G² at a level (PEARSON: X² in the place of 2S)
    GAIN    S + arc                           the log Bayes factor and the prior of an arc

df = (r_x − 1)(r_y − 1) q_Z, whether all those configurations were seen or not; or adjusted (see `seen_degrees`).
"""

import math
from typing import NamedTuple

import numpy as np

from climatebn.kernels.chi_square_tail import log_chi_square_tail
from climatebn.kernels.discrete.counting import added, prepare
from climatebn.kernels.discrete.grouping import BASE, DEPTH, TARGET, WANTED, Sample, Work, condition
from climatebn.kernels.discrete.seen_degrees import seen_degrees
from climatebn.kernels.discrete.values import Values
from climatebn.kernels.jit import inline_jit, inner_jit

PRICE, LEVEL, PEARSON, GAIN = range(4)
EXACT, POSITIVE, DECISION = range(3)
SLACK = 1e-6  # rounding errors of a bound must not decide


class Form(NamedTuple):
    """A test or a score on discrete data: ``iss`` 0 is the likelihood; ``price`` a degree of freedom of G².

    ``adjusted``: degrees of freedom of what was seen, not of what could be.
    """

    kind: int
    iss: float
    scale: float
    price: float
    log_alpha: float
    arc: float
    adjusted: bool


@inline_jit
def degrees(s: Sample, w: Work, f: Form, x: int, y: int) -> float:
    """Degrees of freedom of a test of the prepared x given the groups."""
    if f.adjusted:
        return seen_degrees(s, w, y)
    return float(s.levels[x] - 1) * float(s.levels[y] - 1) * w.configurations[w.state[DEPTH]]


@inner_jit
def strength(f: Form, total: int, df: float) -> float:
    """The evidence."""
    value = total / f.scale
    if f.kind == GAIN:
        return value + f.arc
    if f.kind == PRICE:
        return 2 * value - df * f.price
    return f.log_alpha - log_chi_square_tail(value if f.kind == PEARSON else 2 * value, df)


@inline_jit
def exceeds(f: Form, critical: np.ndarray, value: float, df: float) -> bool:
    """Whether a value of S / scale makes x and y dependent; ``critical`` has the first quantiles of χ² by df."""
    if f.kind == GAIN:
        return value + f.arc > 0.0
    if f.kind == PRICE:
        return 2 * value - df * f.price > 0.0
    statistic = value if f.kind == PEARSON else 2 * value
    if df < len(critical):
        return statistic > critical[int(df)]
    return statistic > df and f.log_alpha > log_chi_square_tail(statistic, df)


@inline_jit
def group(s: Sample, v: Values, w: Work, f: Form, x: int, y: int, given: np.ndarray, size: int) -> None:
    """Make ready for a test of x and y given the others of the set: x or y in it do nothing."""
    count = 0
    for place in range(size):
        if given[place] != x and given[place] != y:
            w.plan[WANTED, count] = given[place]
            count += 1
    condition(s, w, count)
    if w.state[TARGET] != x:
        prepare(s, v, w, f.iss, f.scale, x)


@inline_jit
def evidence(
    s: Sample,
    v: Values,
    w: Work,
    f: Form,
    critical: np.ndarray,
    x: int,
    y: int,
    given: np.ndarray,
    size: int,
    wanted: int,
) -> float:
    """Evidence of one test. A node depends on itself.

    ``wanted``: EXACT; POSITIVE, where −1 stands for any evidence not above 0; DECISION, where also 1 stands for any
    other. Then y is not counted where x itself, given the set, has too little left to tell.
    """
    if x == y:
        return np.inf
    group(s, v, w, f, x, y, given, size)
    df, pearson = degrees(s, w, f, x, y), f.kind == PEARSON
    if wanted != EXACT and not pearson and not exceeds(f, critical, w.state[BASE] / f.scale + SLACK, df):
        return -1.0
    total = added(s, v, w, f.iss, f.scale, pearson, y)
    if wanted != EXACT and not exceeds(f, critical, total / f.scale, df):
        return -1.0
    return 1.0 if wanted == DECISION else strength(f, total, df)


def critical_values(alpha: float, count: int = 1024) -> np.ndarray:
    """t with P(χ²_df > t) = α for df = 0 … count − 1."""
    from scipy.special import chdtri

    return np.concatenate([[math.inf], chdtri(np.arange(1, count), alpha)])
