"""How every kernel is compiled: releases the interpreter lock, plain IEEE arithmetic.

Division follows IEEE too (x/0 is ±inf or NaN): a test for zero before each division would keep loops from working on
several numbers side by side. `jit` and `parallel_jit` are for kernels that Python calls, cached on disk; `inner_jit` is
for those that only other kernels call: without the code to be called from Python they compile in half the time.
`inline_jit` puts them into their caller: for short work on many arrays, where the call would take longer than the work.
`part_jit` is for the parts of one long kernel: they are put into it before it is compiled, so they are compiled once.

`without_owner`: every array that one compiled function hands to another is counted, with a locked instruction each way;
in a search of many short steps that took half the time. The entry kernel drops the owner of its arrays instead; Python,
which called it, keeps them alive until it returns.
"""

import os
import warnings
from functools import wraps
from typing import Any

import numba
from numba.extending import intrinsic

from climatebn.interrupts import held_back, raises_anywhere

COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
SAID = "CLIMATEBN_UNCACHED"  # in the environment, when the user has been told


def _cached(**options: Any) -> Any:
    """A decorator whose compiled code is kept on disk; where no folder can be written, it is not, and that is said."""

    def compiled(function: Any) -> Any:
        try:
            dispatcher = numba.njit(cache=True, **options)(function)
        except RuntimeError as error:  # numba found no place for its files
            if "cannot cache" not in str(error):
                raise
            _say_uncached()
            return _compile_undisturbed(numba.njit(**options)(function))
        _keep_if_possible(dispatcher)
        return _compile_undisturbed(dispatcher)

    return compiled


def _keep_if_possible(dispatcher: Any) -> None:
    """A full disk costs the files of numba, not the work that was to be done with them."""
    store = getattr(dispatcher, "_cache", None)
    if store is None:  # numba is told not to compile
        return
    save = store.save_overload

    def save_or_say(signature: Any, data: Any) -> None:
        try:
            save(signature, data)
        except OSError:
            _say_uncached()

    store.save_overload = save_or_say


def _compile_undisturbed(dispatcher: Any) -> Any:
    """Ctrl-C waits until a kernel is compiled or loaded; calls of what is compiled do not come here."""
    compile_ = getattr(dispatcher, "compile", None)
    if compile_ is not None:  # else numba is told not to compile

        @wraps(compile_)
        def held(signature: Any) -> Any:
            with held_back(raises_anywhere):
                return compile_(signature)

        dispatcher.compile = held
    return dispatcher


def _say_uncached() -> None:
    """Once, also where workers are started later."""
    if os.environ.get(SAID) is None:
        os.environ[SAID] = "1"
        warnings.warn(
            "compiled code cannot be kept on disk: neither the folder of climatebn nor that of the user can be "
            "written. Each start compiles again (about a minute); set NUMBA_CACHE_DIR to a folder that can be written",
            stacklevel=2,
        )


jit = _cached(nogil=True, error_model="numpy", no_cfunc_wrapper=True)
parallel_jit = _cached(nogil=True, parallel=True, error_model="numpy")
_UNCALLED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
inner_jit: Any = numba.njit(nogil=True, error_model="numpy", **_UNCALLED)
inline_jit: Any = numba.njit(nogil=True, error_model="numpy", forceinline=True, **_UNCALLED)
part_jit: Any = numba.njit(nogil=True, error_model="numpy", inline="always", **_UNCALLED)


def _without_owner(typing_context: Any, arrays: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        parts = []
        for place, kind in enumerate(arrays.types):
            array = context.make_array(kind)(context, builder, builder.extract_value(arguments[0], place))
            array.meminfo = array.meminfo.type(None)
            parts.append(array._getvalue())
        return context.make_tuple(builder, arrays, parts)

    return arrays(arrays), build


def _same(arrays: Any) -> Any:
    return arrays


# Of a (named) tuple of arrays: the same tuple. Where numba is told not to compile, an intrinsic cannot be called.
without_owner: Any = intrinsic(_without_owner) if COMPILED else _same
