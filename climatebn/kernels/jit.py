"""How every kernel is compiled: releases the interpreter lock, plain IEEE arithmetic.

Division follows IEEE too (x/0 is ±inf or NaN): a test for zero before each division would keep loops from working on
several numbers side by side. `jit` and `parallel_jit` are for kernels that Python calls, cached on disk; `inner_jit` is
for those that only other kernels call: without the code to be called from Python they compile in half the time.
`inline_jit` puts them into their caller: for short work on many arrays, where the call would take longer than the work.
"""

from typing import Any

import numba

jit = numba.njit(cache=True, nogil=True, error_model="numpy")
parallel_jit = numba.njit(cache=True, nogil=True, parallel=True, error_model="numpy")
_UNCALLED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
inner_jit: Any = numba.njit(nogil=True, error_model="numpy", **_UNCALLED)
inline_jit: Any = numba.njit(nogil=True, error_model="numpy", forceinline=True, **_UNCALLED)
