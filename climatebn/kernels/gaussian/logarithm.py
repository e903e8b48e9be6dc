r"""Natural logarithms of a whole array in plain arithmetic, so that the processor takes several at once.

x = 2^e·m with √½ ≤ m < √2, and log m = 2·artanh(s), s = (m − 1)/(m + 1): as |s| < 0.172, eleven terms of the series
Σ 2 s^(2t+1)/(2t + 1) reach double precision.
"""

import numpy as np

from climatebn.kernels.jit import jit

CENTRE = int(np.sqrt(0.5).view(np.int64))  # the bits of √½
LOG2 = float(np.log(2.0))


@jit
def logarithms(values: np.ndarray, mantissas: np.ndarray, out: np.ndarray) -> None:
    """log of positive ``values`` to ``out``; ``mantissas`` is room to work in. The three must not overlap."""
    bits, mantissa_bits = values.view(np.int64), mantissas.view(np.int64)
    for j in range(len(values)):
        exponent = (bits[j] - CENTRE) >> 52
        mantissa_bits[j] = bits[j] - (exponent << 52)
        out[j] = exponent
    for j in range(len(values)):
        s = (mantissas[j] - 1) / (mantissas[j] + 1)
        z = s * s
        series = 1 / 21
        series = series * z + 1 / 19
        series = series * z + 1 / 17
        series = series * z + 1 / 15
        series = series * z + 1 / 13
        series = series * z + 1 / 11
        series = series * z + 1 / 9
        series = series * z + 1 / 7
        series = series * z + 1 / 5
        series = series * z + 1 / 3
        out[j] = out[j] * LOG2 + 2 * (s + s * z * series)
