r"""log P(χ²_df > t), also where the probability itself is below the smallest double.

Q(a, x) = x^a e^−x / Γ(a) · 1/(x + 1 − a − 1(1 − a)/(x + 3 − a − 2(2 − a)/(x + 5 − a − …))), a = df/2, x = t/2, for
x > a + 1; else 1 − P with P(a, x) = x^a e^−x / Γ(a) · (1/a + x/(a(a + 1)) + …).
"""

import math

from climatebn.kernels.jit import jit


@jit
def log_chi_square_tail(statistic: float, df: float) -> float:
    """Natural log of the upper tail of χ² on ``df`` degrees of freedom; 0 on none."""
    a, x = df / 2, statistic / 2
    if a == 0.0 or x <= 0.0 or not a < math.inf:
        return 0.0
    front = a * math.log(x) - x - math.lgamma(a)
    if x < a + 1:
        term = total = 1 / a
        step = a
        while term > 1e-17 * total:
            step += 1
            term *= x / step
            total += term
        return math.log1p(-min(math.exp(front + math.log(total)), 1 - 1e-16))
    value = ratio = x + 1 - a
    inverse = 0.0
    for k in range(1, 100_000):
        term, step = k * (a - k), x + 2 * k + 1 - a
        inverse = 1 / (step + term * inverse)
        ratio = step + term / ratio
        value *= ratio * inverse
        if abs(ratio * inverse - 1) < 1e-15:
            break
    return front - math.log(value)
