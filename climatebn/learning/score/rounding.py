r"""Below which difference two scores are equal: √ε = 1.49e-8, or more where the scores themselves round off more.

A score of size s is known to about ε·s. Where 4 ε·s exceeds √ε (Gaussian data: from about a million observations on) a
search works in units of 2^k, so that its tolerance is √ε of those units. Else the unit is 1: bnlearn's tolerance.
"""

import math
from typing import Any

import numpy as np

from climatebn.criterion.stats import Stats
from climatebn.kernels.constants import COLLINEAR, TAU
from climatebn.kernels.gaussian.form import GaussianForm

EPSILON = float(np.finfo(np.float64).eps)


def unit_of(size: float) -> float:
    """The smallest power of 2, 1 or more, whose √ε part is above the rounding errors of scores of ``size``.

    >>> unit_of(1e5), unit_of(1e10)
    (1.0, 1024.0)
    """
    ratio = 4 * EPSILON * size / TAU
    return 1.0 if not 1 < ratio < math.inf else 2.0 ** math.ceil(math.log2(ratio))


def size_of_form(form: GaussianForm) -> float:
    """The largest local score that a form can give, in size."""
    logs = np.abs(np.log(np.diag(form.matrix))).max(initial=0.0) - math.log(COLLINEAR)
    parents = np.arange(len(form.a))
    return float((np.abs(form.a) + (np.abs(form.b) + parents * np.abs(form.c)) * logs).max(initial=0.0))


def size_of_score(score: Any, stats: Stats) -> float:
    """The largest local score of a node without parents, in size: what they can explain is no more."""
    found = np.abs([score.local(stats, node, []) for node in range(len(stats.names))])
    return float(np.max(found, initial=0.0, where=np.isfinite(found)))
