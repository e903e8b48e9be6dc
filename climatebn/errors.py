"""Errors and warnings that say which argument, the rule, what came, and what to do."""

import difflib
import math
import numbers
import operator
from collections.abc import Iterable, Sequence
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

__all__ = ["ClimateBNError", "ClimateBNWarning"]
T = TypeVar("T")
MANY = 100_000  # draws, members, classes: a larger number is a slip of the pen


class ClimateBNError(ValueError):
    """Wrong input or a state that the caller can mend; the message says how.

    Examples
    --------
    >>> import climatebn as cb
    >>> cb.Dag.from_arcs("ab", [("a", "a")])
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: arc a → a leads from a node to itself
    """


class ClimateBNWarning(UserWarning):
    """What would make a result doubtful; the message says why and what to do. Also in ``LearnResult.notes``.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("ignore", ClimateBNWarning)
    """


def unknown(what: str, got: object, known: Iterable[str]) -> ClimateBNError:
    """The error for a name that is not there, with its near misses and all that is known."""
    names = sorted(known)
    folded = {name.lower(): name for name in names}  # capitals are no difference to a typing error
    near = [folded[found] for found in difflib.get_close_matches(str(got).lower(), folded, n=3, cutoff=0.6)]
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ";"
    shown = ", ".join(names) if len(names) <= 30 else f"{', '.join(names[:5])} … ({len(names)} in all)"
    return ClimateBNError(f"unknown {what} {got!r}{hint} known: {shown}")


def public(thing: T) -> T:
    """Mark a function, or a class with its constructor and public methods, as one that users call."""
    if not isinstance(thing, type):
        return _answering(thing)
    for name, member in list(vars(thing).items()):
        if name.startswith("_") and name not in ("__init__", "__getitem__"):
            continue
        if isinstance(member, FunctionType):
            setattr(thing, name, _answering(member))
        elif isinstance(member, classmethod | staticmethod):
            setattr(thing, name, type(member)(_answering(member.__func__)))
    return thing


def _answering(function: Any) -> Any:
    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except Exception as error:
            from climatebn.arguments import in_our_words  # only now: calls that go well never need it

            told = in_our_words(error, function, given, named)
            if told is None:
                raise
        raise told

    return call


class OutOfTime(Exception):
    """The time allowed is over in the midst of a search; caught by the algorithm, which hands back what it has."""


def number(
    name: str,
    value: Any,
    *,
    least: float = -math.inf,
    above: float = -math.inf,
    most: float = math.inf,
    below: float = math.inf,
    finite: bool = True,
) -> float:
    """``value`` as a float, or the error that names the argument, its rule and what came.

    >>> number("gamma", "1", least=0)
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: gamma must be a number, 0 or more; got '1'
    """
    bounds = [
        f"{least:g} or more" if least > -math.inf else "",
        f"above {above:g}" if above > -math.inf else "",
        f"at most {most:g}" if most < math.inf else "",
        f"below {below:g}" if below < math.inf else "",
    ]
    rule = " and ".join(filter(None, bounds))
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    try:
        held = float(value) if real else math.nan
    except OverflowError:
        held = math.nan
    fits = least <= held <= most and (above < held or above == -math.inf) and (held < below or below == math.inf)
    if not fits or (finite and math.isinf(held)):
        finitely = "finite " if real and finite else ""
        raise ClimateBNError(f"{name} must be a {finitely}number{', ' if rule else ''}{rule}; got {short(value)}")
    return held


def whole(name: str, value: Any, least: int | None = 0, most: int | None = None) -> int:
    """``value`` as an int, or the error that names the argument, its rule and what came.

    >>> whole("max_iter", 1.5)
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: max_iter must be a whole number, 0 or more; got 1.5
    """
    rule = "" if least is None else f", {least} or more" if most is None else f", {least} … {most}"
    integer = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not integer or (least is not None and value < least) or (most is not None and value > most):
        raise ClimateBNError(f"{name} must be a whole number{rule}; got {short(value)}")
    return int(value)


def whole_options(**options: Any) -> None:
    """Raise an error for an option that is neither left out (None) nor a whole number from 0."""
    for name, value in options.items():
        if value is not None:
            whole(name, value)


def real_array(name: str, values: Any, dimensions: int | None = None) -> np.ndarray:
    """A new float64 array of real numbers, nothing masked; or the error that says what came.

    >>> real_array("lat", ["a"])
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: lat must be an array of real numbers; got ['a']
    """
    if np.ma.is_masked(values):
        raise ClimateBNError(f"{name} holds masked values; drop or fill them first")
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            raise TypeError
        numbers = np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClimateBNError(f"{name} must be an array of real numbers; got {short(values)}") from None
    if dimensions is not None and numbers.ndim != dimensions:
        raise ClimateBNError(f"{name} must have {dimensions} dimensions; its shape is {numbers.shape}")
    return numbers


def as_given(name: str, values: Any) -> np.ndarray:
    """Real numbers as an array of the type that they came in, or the error of `real_array`."""
    real_array(name, values)
    return np.asarray(values)


def alike(**arrays: Any) -> tuple[np.ndarray, ...]:
    """Arrays of real numbers of one shape, or of shapes that stretch to one; else the error that tells the shapes."""
    found = tuple(real_array(name, values) for name, values in arrays.items())
    try:
        np.broadcast_shapes(*(array.shape for array in found))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(arrays, found, strict=True))
        raise ClimateBNError(f"{' and '.join(arrays)} must have one shape; they have {shapes}") from None
    return found


def require_nodes(count: int, nodes: Sequence[int] | np.ndarray, others: Sequence[int] = ()) -> None:
    """Raise an error unless all are column numbers of ``count`` nodes: compiled code does not look.

    >>> require_nodes(3, [0], [7])
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: a node must be a column number 0 … 2; got 7
    """
    try:
        asked = (*nodes, *others)
    except TypeError:
        raise ClimateBNError(f"nodes must be a list of column numbers; got {short(nodes)}") from None
    for node in asked:
        try:
            inside = not isinstance(node, np.ndarray) and 0 <= operator.index(node) < count
        except TypeError:
            inside = False
        if not inside:
            raise ClimateBNError(f"a node must be a column number 0 … {count - 1}; got {short(node)}")


def require_finite(values: np.ndarray, names: Sequence[str]) -> None:
    """Raise an error that names the nodes with missing or infinite values."""
    finite = np.isfinite(values)
    if not finite.all():
        bad = ~finite
        columns = [names[i] for i in np.flatnonzero(bad.any(axis=0)).tolist()]
        raise ClimateBNError(
            f"{int(bad.sum())} missing or infinite values in {len(columns)} nodes ({', '.join(columns[:5])} …); "
            "drop or fill them first"
        )


def short(value: Any, width: int = 60) -> str:
    """What came, in one line that fits into a message."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a repr of the caller's own may fail: the message must not
        text = f"a {type(value).__name__}"
    return text if len(text) <= width else f"{text[: width - 1]}…"
