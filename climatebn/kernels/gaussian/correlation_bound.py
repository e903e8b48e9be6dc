r"""How small can a partial correlation become, whatever further nodes are conditioned on?

With P in the conditioning set and R still to choose from, the residual covariance C of (x, y) satisfies for S ⊆ R

    C_{P ∪ R}  ⪯  C_{P ∪ S}  ⪯  C_P          (Loewner order)

Every matrix C between the two, hence every one of the 2^|R| sets, has |ρ| > τ if for some λ > 0

    ⟨W, C_P + C_PR⟩ > √( ⟨W, C_P − C_PR⟩² + (1 − τ²)·det(C_P − C_PR) ),     W = ½ [[−τλ, s], [s, −τ/λ]], s = sign r

Half the difference of the two sides is the minimum of ⟨W, C⟩ over the interval, and ⟨W, C⟩ ≤ |r| − τ√(v_x v_y).
"""

import math

import numpy as np

from climatebn.kernels.jit import inner_jit

_MARGIN = 1 + 1e-6  # rounding errors must not decide


@inner_jit
def bounded(p11: float, p12: float, p22: float, q11: float, q12: float, q22: float, square: float) -> bool:
    """Whether ρ² > square for every matrix between Q and P (P = C_P, Q = C_PR)."""
    tau = math.sqrt(square)
    ratio = math.sqrt((p22 + q22) / (p11 + q11))
    sign = 1.0 if p12 + q12 > 0 else -1.0
    middle = sign * (p12 + q12) - tau / 2 * (ratio * (p11 + q11) + (p22 + q22) / ratio)
    if not middle > 0.0:
        return False
    g11, g12, g22 = p11 - q11, p12 - q12, p22 - q22
    spread = sign * g12 - tau / 2 * (ratio * g11 + g22 / ratio)
    return middle * middle > (spread * spread + (1 - square) * max(g11 * g22 - g12 * g12, 0.0)) * _MARGIN


@inner_jit
def square_of_gain(table: np.ndarray, low: int, high: int, vx: float, vy: float, evidence: float) -> float:
    """The ρ² that gives at least this gain for every k in low … high and all variances up to vx, vy.

    Holds for tables that fall with the variances, as BGe's do; 1 (never reached) for any other.
    """
    square = 0.0
    for k in range(low, high + 1):
        _, a, b, next_b, c, next_c = table[k]
        if next_b >= 0.0 or next_b > b or next_c != c or c > 0.0:
            return 1.0
        gain = a + (next_b - b) * math.log(vx) + c * math.log(vy) - evidence
        if gain < 0.0:
            square = max(square, -math.expm1(-gain / next_b))
    return square
