"""A wrong argument of a public call is answered in our words: "gamma must be a number; got '1'".

Public functions and classes are marked `errors.public`. Nothing is looked at while a call goes well. When one fails
with an error that is not ours, its arguments are held to their annotations, and the first that does not fit is named.
Where all fit the error stays as it is: then it is not the caller's.
"""

import inspect
import math
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from numbers import Integral, Real
from os import PathLike
from typing import Annotated, Any, ForwardRef, Literal, TypeVar, Union, get_args, get_origin

import numpy as np

from climatebn.errors import ClimateBNError, OutOfTime, short

LARGEST = 2**63 - 1  # of the whole numbers that arrays hold
WORDS: dict[Any, str] = {
    float: "a number",
    int: "a whole number",
    str: "text",
    bool: "True or False",
    type(None): "None",
    np.ndarray: "an array of numbers",
    PathLike: "a path",
    Mapping: "a mapping, e.g. a dict",
    dict: "a dict",
    Callable: "a function",
    type: "a class",
}


class WrongArgument(ClimateBNError):
    """An argument that is not what its annotation says."""


def in_our_words(error: Exception, function: Any, given: Any, named: Any) -> ClimateBNError | None:
    """The error to raise instead; None where the error is ours or no argument is to blame."""
    if isinstance(error, OutOfTime) or (isinstance(error, ClimateBNError) and not isinstance(error, WrongArgument)):
        return None
    signature = inspect.signature(function)
    try:
        arguments = signature.bind(*given, **named).arguments
    except TypeError:
        return None  # Python's own words: a missing or an unexpected argument
    hints = {name: _hint(function, signature.parameters[name]) for name in arguments}
    for name, value in arguments.items():
        if not fits(value, hints[name]):
            return WrongArgument(f"{name} must be {said(hints[name])}; got {short(value)}")
    for name, value in arguments.items():
        if (wrong := _immeasurable(value, hints[name])) is not None:
            return WrongArgument(f"{name} must hold finite numbers of usual size; got {short(wrong)}")
    if isinstance(error, MemoryError):
        return ClimateBNError(f"there is not enough memory for this: {str(error) or 'ask for less at a time'}")
    return None


def _hint(function: Any, parameter: inspect.Parameter) -> Any:
    """What an argument must be; Any where that is known to type checkers only."""
    hint = parameter.annotation
    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or hint is parameter.empty:
        return Any
    if isinstance(hint, str):
        try:
            return eval(hint, function.__globals__)
        except (NameError, TypeError):
            return Any
    return hint


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation says; what cannot be told fits.

    >>> fits("1", float), fits(1, float | None), fits([1, "a"], Sequence[int]), fits("ab", Sequence[str])
    (False, True, False, True)
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return fits(value, parts[0])
    if origin in (Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if isinstance(hint, TypeVar):
        return not hint.__constraints__ or any(fits(value, part) for part in hint.__constraints__)
    if origin is Literal:
        return any(type(value) is type(part) and value == part for part in parts)
    if hint is float or hint is int:
        return isinstance(value, Real if hint is float else Integral) and not isinstance(value, bool)
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    if hint is np.ndarray:
        return _is_numbers(value)
    if hint is None:
        return value is None
    if origin is tuple or origin in (Sequence, list, Collection, Iterable, set, frozenset):
        return _all_fit(value, origin, parts)
    if origin in (Mapping, dict):
        known = isinstance(value, Mapping)
        return known and all(fits(k, parts[0]) and fits(v, parts[1]) for k, v in value.items())
    if hint is Callable or origin in (Callable, type):
        return callable(value)
    kind = origin or hint
    if not isinstance(kind, type) or isinstance(hint, ForwardRef):
        return True
    try:
        return isinstance(value, kind)
    except TypeError:
        return True  # a protocol that cannot be asked


def _all_fit(value: Any, origin: Any, parts: tuple[Any, ...]) -> bool:
    if not isinstance(value, Iterable) or isinstance(value, bytes) or getattr(value, "ndim", None) == 0:
        return False
    if isinstance(value, str):
        return parts[0] is str and origin is not tuple
    if not isinstance(value, Sequence | np.ndarray):
        unordered = isinstance(value, Mapping | set | frozenset) or not isinstance(value, Collection)
        unordered = unordered or getattr(value, "ndim", 1) != 1
        if origin in (Sequence, list, tuple) and unordered:
            return False
        return not isinstance(value, Collection) or all(fits(item, parts[0]) for item in value)
    if origin is tuple and parts[-1] is not Ellipsis:
        return len(value) == len(parts) and all(map(fits, value, parts))
    return all(fits(item, parts[0]) for item in value)


def _is_numbers(value: Any) -> bool:
    """Whether an array can be made of it that holds numbers or truth values."""
    if isinstance(value, str | bytes | Mapping | set) or value is None:
        return False
    try:
        array = np.asarray(value)
        return array.ndim > 0 and array.dtype.kind in "biuf"
    except Exception:  # whatever an object of the caller's does when it is asked
        return False


def _immeasurable(value: Any, hint: Any) -> Any:
    """A number among the values of an argument that is not finite, or too large for an array; else None."""
    if isinstance(value, Integral):
        return value if abs(int(value)) > LARGEST and hint is not Any else None
    if isinstance(value, Real):
        return None if math.isfinite(value) else value
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return next((found for item in value if (found := _immeasurable(item, None)) is not None), None)
    return None


def said(hint: Any) -> str:
    """An annotation in words; ``Annotated[kind, words]`` brings its own.

    >>> said(float | None), said(Literal["a", "b"]), said(tuple[float, float])
    ('a number or None', "'a' or 'b'", '(a number, a number)')
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return str(parts[1])
    if origin in (Union, types.UnionType):
        return _either(dict.fromkeys(map(said, parts)))
    if isinstance(hint, TypeVar):
        return _either(map(said, hint.__constraints__))
    if origin is Literal:
        return _either(map(repr, parts))
    if origin is tuple and parts[-1] is not Ellipsis:
        return f"({', '.join(map(said, parts))})"
    if origin in (tuple, Sequence, list, Collection, Iterable, set, frozenset):
        return "a list" if parts[0] is Any else f"a list, each {said(parts[0])}"
    kind = origin or hint
    if kind in WORDS or hint in WORDS:
        return WORDS[hint if hint in WORDS else kind]
    name = getattr(kind, "__name__", str(kind))
    home = getattr(kind, "__module__", "").partition(".")[0]
    words = f"{home} {name}" if home in ("xarray", "pandas", "matplotlib", "cartopy") else name
    return f"{'an' if words[0] in 'AEIOUaeiou' else 'a'} {words}"


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
