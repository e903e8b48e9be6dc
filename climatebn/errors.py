"""Errors and warnings that say which argument, the rule, what came, and what to do."""

import difflib
import math
import numbers
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

__all__ = ["ClimateBNError", "ClimateBNWarning"]


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


def require_nodes(count: int, nodes: Sequence[int], others: Sequence[int] = ()) -> None:
    """Raise an error unless all are column numbers of ``count`` nodes: compiled code does not look.

    >>> require_nodes(3, [0], [7])
    Traceback (most recent call last):
    climatebn.errors.ClimateBNError: a node must be a column number 0 … 2; got 7
    """
    for node in (*nodes, *others):
        try:
            inside = 0 <= operator.index(node) < count
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
