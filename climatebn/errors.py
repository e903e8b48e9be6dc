"""Errors and warnings that say which argument, the rule, what came, and what to do."""

import difflib
from collections.abc import Iterable


class ClimateBNError(ValueError):
    """Wrong input or a state that the caller can mend; the message says how."""


class ClimateBNWarning(UserWarning):
    """What would make a result doubtful; the message says why and what to do. Also in ``LearnResult.notes``."""


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
