"""Ctrl-C and SIGTERM wait while something is done that must not be left in its midst.

Python answers a signal between two of its own steps, wherever it is. Where that is a function that the compiler of
kernels calls back, an exception cannot get out: the process crashes, or the signal is lost.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

waits_by_itself: set[Any] = set()  # handlers that never raise in the midst of the compiler
_NUMBERS = (signal.SIGINT, signal.SIGTERM)


def raises_anywhere(handler: Any) -> bool:
    """Whether this handler of a signal may raise in the midst of the compiler: Python's own, and those of users."""
    return callable(handler) and handler not in waits_by_itself


@contextmanager
def held_back(which: Callable[[Any], bool] = lambda handler: True) -> Iterator[None]:
    """Signals wait until the end, and are answered there as they would have been (handlers that are not Python's stay).

    Parameters
    ----------
    which : of a handler, whether its signal waits.
    """
    if threading.current_thread() is not threading.main_thread():  # signals go to the main thread
        yield
        return
    came: list[tuple[int, Any]] = []
    found = {number: signal.getsignal(number) for number in _NUMBERS}
    before = {number: handler for number, handler in found.items() if handler is not None and which(handler)}
    try:
        for number in before:
            signal.signal(number, lambda number, frame: came.append((number, frame)))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for first, frame in came[:1]:
            answer = before[signal.Signals(first)]
            if callable(answer):
                answer(first, frame)
            else:
                signal.raise_signal(first)
