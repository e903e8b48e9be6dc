r"""The one shape of every Gaussian score, as tables that kernels read.

    local(i, Π) = a[k] + b[k]·log v + c[k]·log|M_ΠΠ|,     k = |Π|,  v = M_ii − M_iΠ M_ΠΠ⁻¹ M_Πi

BIC_γ, AIC, log-likelihood: M is the covariance and c = 0. BGe: M is its posterior matrix and c = −1/2.
"""

from typing import NamedTuple

import numpy as np


class GaussianForm(NamedTuple):
    """Tables of a Gaussian score. ``a``, ``b``, ``c`` have one entry for each admissible number of parents 0 … K."""

    matrix: np.ndarray
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
