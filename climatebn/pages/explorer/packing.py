"""Numbers as short text: whole numbers of a few bytes times a scale, or doubles; arcs as small gaps; all deflated.

First bytes stand together, then second bytes and so on: the upper ones are much alike and take little room.
What is only drawn has the bytes it needs; what answers depend on has a step: 2⁻²⁷ for standardised observations,
2⁻²² residual sd for coefficients of members; single networks have doubles, which are exact.
"""

import zlib
from typing import Any

import numpy as np

LETTERS = np.array([code for code in range(33, 127) if chr(code) not in '"<\\'], dtype=np.uint8)


def numbers(values: np.ndarray, width: int = 8, step: float | None = None) -> dict[str, Any]:
    """Values with ``width`` bytes each: 8 for doubles, 1 … 6 for whole numbers times ``scale``.

    With a ``step`` that is the scale, and there are as many bytes as the largest value needs.

    >>> numbers(np.array([0.5, -1.0]), 1)
    {'width': 1, 'scale': 0.007874015748031496, 'text': 'KX!2!!'}
    """
    flat = np.ascontiguousarray(values, dtype="<f8").ravel()
    largest = float(np.abs(flat).max(initial=0.0))
    if step is not None:
        width, scale = round(largest / step).bit_length() // 8 + 1, step
    elif width == 8:
        return {"width": 8, "scale": 1.0, "text": text(_planes(flat, 8))}
    else:
        scale = largest / (2 ** (8 * width - 1) - 1) or 1.0
    return {"width": width, "scale": scale, "text": text(_planes(np.rint(flat / scale).astype("<i8"), width))}


def arcs(size: int, parent: np.ndarray, child: np.ndarray) -> str:
    """Parents of each of ``size`` nodes: their number, then the gaps between them; arcs are sorted by child, parent."""
    counts = np.bincount(child, minlength=size)
    first = np.r_[True, child[1:] != child[:-1]] if len(child) else np.zeros(0, dtype=bool)
    gaps = np.where(first, parent, np.diff(parent, prepend=0))
    starts = np.cumsum(counts) - counts
    return text(_small(np.insert(gaps, starts, counts)))


def text(content: bytes) -> str:
    """Bytes, deflated, as letters: two of 91 for 13 bits, a twelfth shorter than base64.

    The letters are those of ASCII without the quotation mark, the backslash and `<`: as they are in JSON and HTML.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)  # without a header
    bits = np.unpackbits(np.frombuffer(packer.compress(content) + packer.flush(), dtype=np.uint8))
    groups = np.r_[bits, np.zeros(-len(bits) % 13, dtype=np.uint8)].reshape(-1, 13) @ (1 << np.arange(12, -1, -1))
    return LETTERS[np.column_stack([groups // 91, groups % 91])].tobytes().decode("ascii")


def _planes(values: np.ndarray, width: int) -> bytes:
    """The lowest bytes of all values, then the next, ``width`` in all."""
    return values.view(np.uint8).reshape(len(values), -1)[:, :width].T.tobytes()


def _small(values: np.ndarray) -> bytes:
    """Whole numbers from 0, seven bits a byte, the lowest first; the eighth says that more follow."""
    written = bytearray()
    for value in values.tolist():
        while value > 127:
            written.append(value & 127 | 128)
            value >>= 7
        written.append(value)
    return bytes(written)
