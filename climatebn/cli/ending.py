"""How a command ends when it is told to: Ctrl-C, SIGTERM, a reader that went away; exit codes as shells have them."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from climatebn.interrupts import waits_by_itself

INTERRUPTED = 128 + signal.SIGINT  # 130
UNREAD = 141  # 128 + SIGPIPE, which not every system has
PATIENCE = 10.0  # seconds after which a process that was told to end is ended, whatever it still waits for
_told: list[int] = []


def listen() -> None:
    """Turn Ctrl-C and SIGTERM into exceptions, so that temporary files are removed; what is ignored stays ignored."""
    _told.clear()
    waits_by_itself.add(_stop)
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


def stop_listening() -> None:
    """From now on a signal ends the process at once: nothing is left to clean, and nothing to say."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is _stop:
            signal.signal(number, signal.SIG_DFL)


def told() -> int:
    """The exit code of the first signal that came, 0 when none did.

    An error after a signal may well be what a library made of the exception that the signal raised in its midst.
    """
    return 128 + _told[0] if _told else 0


def leave(code: int) -> NoReturn:
    """End with this exit code. After a signal also where Python, as it closes, waits for workers without end: a second
    Ctrl-C may have come while the pool of them was closed."""
    if told():
        sys.stdout.flush()
        sys.stderr.flush()
        last = threading.Timer(PATIENCE, os._exit, (code,))
        last.daemon = True
        last.start()
    sys.exit(code)


class Unread(Exception):
    """Nobody reads what is printed any more; no OSError, for which click has an exit code of its own."""


@contextmanager
def unread() -> Iterator[None]:
    """Turn a closed pipe into `Unread`."""
    try:
        yield
    except BrokenPipeError as error:
        raise Unread from error


def leave_unread() -> None:
    """Send what is left in the streams nowhere: nobody reads them any more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


def _stop(number: int, frame: FrameType | None) -> None:
    _told.append(number)
    if _swallows(frame):
        again = threading.Timer(0.02, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()
        return
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)  # not taken for Ctrl-C, after which `learn` would save its best


def _swallows(frame: FrameType | None) -> bool:
    """Whether what is raised here would be lost: in a finalizer Python prints it and goes on, in the midst of the
    compiler's own calls back it crashes."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if frame.f_code.co_name == "__del__" or module in ("weakref", "_weakrefset") or module.startswith("llvmlite."):
            return True
        frame = frame.f_back
    return False
