r"""L of a node given every subset of a pool of columns (of some sizes), from rows that were counted once.

Rows alike in the node and the pool are one entry: a key (the digits of the columns, the node's last) with a count.
Entries are sorted. A column is in or out, one after the other, depth first. To take it in costs nothing: its digit
stays in the keys. To leave it out removes the digit and merges entries that are alike now, bit by bit, each time two
sorted runs into one. So the further down, the fewer the entries: a set costs as much as it has cells, not rows.

Columns with many levels come first, where few sets have been parted. The sums are of whole numbers (see `values`).
"""

from typing import NamedTuple

import numpy as np

from climatebn.kernels.discrete.values import Values, table_of, worth
from climatebn.kernels.jit import inner_jit, jit, without_owner

UNKNOWN = np.iinfo(np.int64).min
MOST_COLUMNS = 24
MOST_BITS = 62  # of a key
LIKE = 2  # rows an entry, at least
EXACT = 2.0**53  # configurations beyond this are not whole numbers


class Lattice(NamedTuple):
    """A walk over the subsets of a pool. ``told``: L by subset, bit i of its number for place i of the pool."""

    state: np.ndarray  # frames on the stack; position, mask, size and buffer of the walk
    frames: np.ndarray  # [frame, position, mask, size, buffer]: where to leave the column out
    keys: np.ndarray  # [buffer, entry]
    counts: np.ndarray
    lengths: np.ndarray  # of the buffers
    low: np.ndarray  # by position: the lowest bit of its digit; −1 behind the last
    places: np.ndarray  # by position: its place in the pool
    levels: np.ndarray  # by position, and the node's
    margin: np.ndarray  # counts of the node in one group, all 0 between groups
    told: np.ndarray


def lattice(codes: np.ndarray, levels: np.ndarray, node: int, pool: np.ndarray) -> Lattice | None:
    """A walk that is about to begin; None where the pool is too large for it, or most rows are unlike all others."""
    if len(pool) > MOST_COLUMNS or levels[pool].astype(float).prod() * levels[node] > EXACT:
        return None
    places = np.argsort(-levels[pool], kind="stable")
    columns = [*pool[places].tolist(), node]
    seen = [np.flatnonzero(np.bincount(codes[column])) for column in columns]
    bits = np.array([max(len(there) - 1, 1).bit_length() for there in seen])
    if bits.sum() > MOST_BITS:
        return None
    rows = np.zeros(codes.shape[1], np.int64)
    for column, there, width in zip(columns, seen, bits, strict=True):
        digit = np.zeros(levels[column], np.int64)
        digit[there] = np.arange(len(there))
        rows <<= width
        rows |= digit[codes[column]]
    keys, counts = np.unique(rows, return_counts=True)
    if len(keys) > len(rows) // LIKE:
        return None
    buffers = len(pool) + 2  # the last one is for merging
    made = Lattice(
        state=np.zeros(5, np.int64),
        frames=np.zeros((len(columns), 4), np.int64),
        keys=np.zeros((buffers, len(keys)), np.int64),
        counts=np.zeros((buffers, len(keys)), np.int64),
        lengths=np.full(buffers, len(keys)),
        low=np.append(bits[::-1].cumsum()[::-1][1:], 0),
        places=places,
        levels=levels[columns].astype(float),
        margin=np.zeros(1 << int(bits[-1]), np.int64),
        told=np.full(1 << len(pool), UNKNOWN),
    )
    made.keys[0], made.counts[0] = keys, counts
    return made


@jit
def walk(t: Lattice, v: Values, iss: float, scale: float, smallest: int, largest: int, limit: int) -> bool:
    """Fill ``told`` of the subsets of some sizes; False: call again to go on."""
    t, v = without_owner(t), without_owner(v)
    columns, spent = len(t.places), 0
    frames, at, mask, size, buffer = t.state[0], t.state[1], t.state[2], t.state[3], t.state[4]
    while True:
        while size < largest and at < columns and size + columns - at >= smallest:
            here = t.frames[frames]
            here[0], here[1], here[2], here[3] = at, mask, size, buffer
            frames += 1
            mask |= np.int64(1) << t.places[at]
            size += 1
            at += 1
        if size == largest or (at == columns and size >= smallest):
            t.told[mask] = _told(t, v, iss, scale, at, mask, buffer)
            spent += t.lengths[buffer]
        if frames == 0:
            t.state[:] = 0
            return True
        frames -= 1
        here = t.frames[frames]
        at, mask, size, buffer = here[0], here[1], here[2], here[3]
        spent += 4 * t.lengths[buffer]
        _leave_out(t, at, buffer)
        at += 1
        buffer += 1
        if spent > limit:
            t.state[0], t.state[1], t.state[2], t.state[3], t.state[4] = frames, at, mask, size, buffer
            return False


@inner_jit
def _leave_out(t: Lattice, at: int, buffer: int) -> None:
    """The entries of a buffer without the digit of a column, into the next buffer."""
    first, beyond = t.low[at], t.low[at - 1] if at > 0 else t.low[at] + 1
    if at == 0:
        while t.keys[buffer, t.lengths[buffer] - 1] >> beyond != 0:
            beyond += 1
    source, spare = buffer, len(t.keys) - 1
    for bit in range(first, beyond):
        goal = buffer + 1 if (beyond - bit) % 2 == 1 else spare
        t.lengths[goal] = _merge(t.keys[source], t.counts[source], t.lengths[source], bit, t.keys[goal], t.counts[goal])
        source = goal


@inner_jit
def _merge(
    keys: np.ndarray, counts: np.ndarray, length: int, bit: int, new_keys: np.ndarray, new_counts: np.ndarray
) -> int:
    """Entries without one bit, those alike in one; how many there are now. Both are sorted."""
    flag, made, begin = np.int64(1) << np.int64(bit), 0, 0
    above = np.int64(bit + 1)
    while begin < length:
        head, middle = keys[begin] >> above, begin
        while middle < length and keys[middle] >> above == head and keys[middle] & flag == 0:
            middle += 1
        i, j = begin, middle
        while j < length and keys[j] >> above == head:
            other = keys[j] ^ flag
            while i < middle and keys[i] < other:
                new_keys[made], new_counts[made] = keys[i], counts[i]
                made += 1
                i += 1
            new_keys[made], new_counts[made] = other, counts[j]
            if i < middle and keys[i] == other:
                new_counts[made] += counts[i]
                i += 1
            made += 1
            j += 1
        while i < middle:
            new_keys[made], new_counts[made] = keys[i], counts[i]
            made += 1
            i += 1
        begin = j
    return made


@inner_jit
def _told(t: Lattice, v: Values, iss: float, scale: float, at: int, mask: int, buffer: int) -> int:
    """L of the node given the columns that are in, all before ``at``: their digits stand above those of the others."""
    q, columns = 1.0, len(t.places)
    for position in range(at):
        if (mask >> t.places[position]) & 1:
            q *= t.levels[position]
    cells = table_of(v, iss, scale, q * t.levels[columns])
    alpha = v.alphas[cells]
    groups = table_of(v, iss, scale, q)
    if v.alphas[cells] != alpha:  # its place was taken by the other one
        cells = table_of(v, iss, scale, q * t.levels[columns])
    keys, counts, length = t.keys[buffer], t.counts[buffer], t.lengths[buffer]
    above = t.low[at - 1] if at > 0 else np.int64(MOST_BITS)
    digit = (np.int64(1) << t.low[columns - 1]) - np.int64(1) if columns > 0 else np.int64(-1)
    total, begin = np.int64(0), 0
    while begin < length:
        head, end, whole = keys[begin] >> above, begin, np.int64(0)
        while end < length and keys[end] >> above == head:
            t.margin[keys[end] & digit] += counts[end]
            whole += counts[end]
            end += 1
        for i in range(begin, end):
            total += worth(v, scale, cells, t.margin[keys[i] & digit])  # 0 is worth nothing
            t.margin[keys[i] & digit] = 0
        total -= worth(v, scale, groups, whole)
        begin = end
    return int(total)
