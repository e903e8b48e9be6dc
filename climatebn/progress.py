"""One progress display for all long work: terminal or notebook, silent when asked, never a false percentage."""

import importlib.util
import os
import sys
import time
from collections.abc import Callable
from functools import cache
from types import TracebackType
from typing import Any

from tqdm import tqdm

BYTES = "B"  # the unit of downloads


@cache
def _bar_class() -> type:
    """The widget bar only where its widgets are installed (asking for it elsewhere warns); else the text bar."""
    if not importlib.util.find_spec("ipywidgets"):
        return tqdm
    from tqdm.autonotebook import tqdm as notebook_tqdm

    return notebook_tqdm


class _Open:
    """A stream that remembers that nobody reads it: an error raised inside tqdm would leave its lock held for ever."""

    def __init__(self, stream: Any) -> None:
        self._stream, self.closed_by_reader = stream, False

    def write(self, text: str) -> None:
        self._guarded(lambda: self._stream.write(text))

    def flush(self) -> None:
        self._guarded(self._stream.flush)

    def _guarded(self, action: Callable[[], Any]) -> None:
        try:
            if not self.closed_by_reader:
                action()
        except BrokenPipeError:
            self.closed_by_reader = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Progress:
    """A counter with a few named numbers beside it. ``total=None`` (not known) shows no percentage.

    ``time_left=False`` leaves out the time left, where steps are so unlike each other that counting them would mislead.

    >>> with Progress("learning", enabled=False) as progress:
    ...     progress.update(3, arcs=3, gain=12.5)
    >>> progress.done
    3
    """

    def __init__(
        self,
        description: str,
        total: int | None = None,
        unit: str = "step",
        *,
        enabled: bool = True,
        time_left: bool = True,
    ) -> None:
        self.done = 0
        bar = _bar_class()
        self._stream = _Open(sys.stderr)
        self._bar: Any = bar(
            desc=description,
            total=total,
            unit=unit if unit == BYTES else f" {unit}s",
            unit_scale=unit == BYTES,  # 29.6M, not 29583703
            bar_format=None if time_left else "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}{postfix}]",
            delay=0.5,  # short work shows nothing
            miniters=0,  # the clock goes on while a long step runs
            disable=not enabled or bool(os.environ.get("CLIMATEBN_QUIET")),
            leave=False,
            **({"file": self._stream} if bar is tqdm else {}),
        )

    def update(self, steps: int = 1, **numbers: Any) -> None:
        """Count ``steps`` more and show ``numbers`` beside the counter."""
        self.done += steps
        if numbers and not self._bar.disable:
            self._bar.set_postfix(numbers, refresh=False)
        self._bar.update(steps)
        if self._stream.closed_by_reader:
            raise BrokenPipeError("nobody reads the progress any more")

    def describe(self, description: str, total: int | None = None) -> None:
        """Begin the next phase: a new description and counter."""
        self._bar.set_description(description, refresh=False)
        self._bar.total, self._bar.n, self._bar.last_print_n = total, 0, 0
        if not self._bar.disable:
            if self._bar.last_print_t >= self._bar.start_t + self._bar.delay:
                self._bar.delay = 0  # it is on the screen already, and tqdm clears only what was shown after its delay
            self._bar.start_t = self._bar.last_print_t = time.time()  # not `reset`: it would show even short work

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()
