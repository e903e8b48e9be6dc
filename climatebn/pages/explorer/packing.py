"""Numbers as short text: whole numbers of a few bytes times a scale, or doubles, in base64; arcs as small gaps.

Four bytes hold a coefficient to 5e-10 of the largest; three, a standardised observation to 3e-7 sd; doubles are exact.
"""

import base64
from typing import Any

import numpy as np


def numbers(values: np.ndarray, width: int = 8) -> dict[str, Any]:
    """Values with ``width`` bytes each: 8 for doubles, 1 … 4 for whole numbers times ``scale``.

    >>> numbers(np.array([0.5, -1.0]), 1)
    {'width': 1, 'scale': 0.007874015748031496, 'text': 'QIE='}
    """
    flat = np.ascontiguousarray(values, dtype="<f8").ravel()
    if width == 8:
        return {"width": 8, "scale": 1.0, "text": text(flat.tobytes())}
    most = 2 ** (8 * width - 1) - 1
    scale = float(np.abs(flat).max(initial=0.0)) / most or 1.0
    whole = np.rint(flat / scale).astype("<i4").view(np.uint8).reshape(-1, 4)[:, :width]
    return {"width": width, "scale": scale, "text": text(whole.tobytes())}


def arcs(size: int, parent: np.ndarray, child: np.ndarray) -> str:
    """Parents of each of ``size`` nodes: their number, then the gaps between them; arcs are sorted by child, parent."""
    counts = np.bincount(child, minlength=size)
    first = np.r_[True, child[1:] != child[:-1]] if len(child) else np.zeros(0, dtype=bool)
    gaps = np.where(first, parent, np.diff(parent, prepend=0))
    starts = np.cumsum(counts) - counts
    return text(_small(np.insert(gaps, starts, counts)))


def text(content: bytes) -> str:
    """Bytes in base64."""
    return base64.b64encode(content).decode("ascii")


def _small(values: np.ndarray) -> bytes:
    """Whole numbers from 0, seven bits a byte, the lowest first; the eighth says that more follow."""
    written = bytearray()
    for value in values.tolist():
        while value > 127:
            written.append(value & 127 | 128)
            value >>= 7
        written.append(value)
    return bytes(written)
