"""The time that a call may take: of the processor, but for the compiling of kernels, which a machine does once."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.event import Event, Listener, install_listener

PATIENCE = 10  # seconds of processor time that a call may take
ASLEEP = 120  # seconds after which a call that does nothing hangs


class Slow(BaseException):
    """A call that takes longer than it may."""


class Clock(Listener):
    """Stops a call that takes too long; it stands still while numba compiles."""

    def __init__(self, patience: float) -> None:
        self._left = {signal.ITIMER_PROF: patience, signal.ITIMER_REAL: ASLEEP}
        self._compiling = 0
        self._since, self._used = 0.0, 0.0
        self.stopped = False

    def go(self) -> None:
        self._since = time.process_time()
        for timer, seconds in self._left.items():
            signal.setitimer(timer, seconds)

    def stand(self) -> None:
        for timer in self._left:
            self._left[timer] = max(signal.setitimer(timer, 0)[0], 0.001)  # 0 would mean never
        self._used += time.process_time() - self._since

    def on_start(self, event: Event) -> None:
        """A kernel is compiled, maybe as part of another one."""
        self._compiling += 1
        if self._compiling == 1:
            self.stand()

    def on_end(self, event: Event) -> None:
        self._compiling -= 1
        if self._compiling == 0:
            self.go()

    @property
    def seconds(self) -> float:
        """Processor time of the call, once it has ended."""
        return self._used


@contextmanager
def in_time(patience: float = PATIENCE) -> Iterator[Clock]:
    """Stop what takes too long; compiled code is stopped when it comes back."""

    def stop(*_: Any) -> None:
        clock.stopped = True
        raise Slow

    earlier = {number: signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)}
    clock = Clock(patience)
    try:
        with install_listener("numba:compile", clock):
            clock.go()
            try:
                yield clock
            finally:
                clock.stand()
                if clock.stopped or clock.seconds > patience:  # also where the call swallowed it
                    raise Slow
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
