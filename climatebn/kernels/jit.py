"""How every kernel is compiled: cached on disk, releases the interpreter lock, plain IEEE arithmetic."""

import numba

jit = numba.njit(cache=True, nogil=True)
parallel_jit = numba.njit(cache=True, nogil=True, parallel=True)
