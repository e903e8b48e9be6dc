"""What is said when long work is told to stop, by Ctrl-C or by SIGTERM."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def if_stopped(words: Callable[[], str]) -> Iterator[None]:
    """Let an interrupt or exit in here say what is stored and how to go on; its kind and exit code stay.

    >>> with if_stopped(lambda: "stopped with 2 of 3 cells stored"):
    ...     raise SystemExit(143)
    Traceback (most recent call last):
    SystemExit: stopped with 2 of 3 cells stored
    """
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as stop:
        stop.args = (words(),)
        raise stop.with_traceback(None) from None
