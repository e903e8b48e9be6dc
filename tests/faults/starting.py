"""A command in a process of its own that has everything imported already, and the faults that are sent to it."""

import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PATIENCE = 120.0  # seconds after which a process that was told to end counts as hanging
UNDISTURBED = 3600.0  # the same of one that was told nothing: on a full machine, kernels uncompiled


class Ended(NamedTuple):
    """How a process ended: exit code (negative: the signal), its last words, seconds from the fault to the end."""

    code: int | None
    words: str
    seconds: float


def import_all() -> None:
    """What takes most of the time of a short command; no kernel is run, so that forks are safe."""
    import matplotlib as mpl

    mpl.use("agg")
    import climatebn.cli.compare
    import climatebn.cli.explore
    import climatebn.cli.forecast
    import climatebn.cli.learn
    import climatebn.cli.propagate
    import climatebn.cli.run
    import climatebn.cli.study
    import climatebn.comparison.comparing
    import climatebn.pages.explorer.explore
    import climatebn.plot
    import climatebn.study.climate.report
    import climatebn.study.forecasting.forecast_job
    import climatebn.study.models.job
    import climatebn.study.registry
    import climatebn.study.showcase.main_job
    import climatebn.study.simulation.report
    import climatebn.uncertainty.skill  # noqa: F401


class Process:
    """A forked process that runs `climatebn` with ``arguments``; its output goes to one file, or to a pipe."""

    def __init__(self, arguments: list[str], folder: Path, *, pipe: bool = False, most_bytes: int | None = None):
        self.output = None if pipe else tempfile.TemporaryFile()  # noqa: SIM115
        self.reader, writer = os.pipe() if pipe else (None, self.output.fileno())
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            self._become(arguments, folder, writer, most_bytes)
        if pipe:
            os.close(writer)

    def _become(self, arguments: list[str], folder: Path, output: int, most_bytes: int | None) -> None:
        code = 70
        try:
            os.setsid()
            if self.reader is not None:
                os.close(self.reader)
            for stream in (1, 2):
                os.dup2(output, stream)
            os.chdir(folder)
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
            code = run_command(arguments)
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            _leave()
            os._exit(code)

    def wait(self, seconds: float) -> bool:
        """Wait so long at most; whether it has ended."""
        end = time.monotonic() + seconds
        while not hasattr(self, "status"):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
            elif time.monotonic() > end:
                return False
            else:
                if self.reader is not None:
                    _read(self.reader)
                time.sleep(0.005)
        return True

    def send(self, number: int) -> None:
        """Ctrl-C goes to the process and its workers, as from a terminal; any other signal to the process alone."""
        if not hasattr(self, "status"):
            (os.killpg if number == signal.SIGINT else os.kill)(self.pid, number)

    def close_pipe(self) -> None:
        """The reader goes away."""
        os.close(self.reader)
        self.reader = None

    def end(self, patience: float = PATIENCE) -> Ended:
        """Wait for the end; a process that hangs is killed and has no exit code."""
        started = time.monotonic()
        hangs = not self.wait(patience)
        if hangs:
            self.send(signal.SIGKILL)
            os.waitpid(self.pid, 0)
        seconds = time.monotonic() - started
        if self.reader is not None:
            self.close_pipe()
        words = ""
        if self.output is not None:
            self.output.seek(0)
            words = self.output.read().decode(errors="replace")
            self.output.close()
        return Ended(None if hangs else os.waitstatus_to_exitcode(self.status), words, seconds)


def run_command(arguments: list[str]) -> int:
    """What the program does, and its exit code."""
    from climatebn.cli import main

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    sys.argv = ["climatebn", *arguments]
    try:
        main()
    except SystemExit as stop:
        sys.stdout.flush()
        return stop.code or 0
    return 0


def _leave() -> None:
    """What a process does with its semaphores when it ends by itself; the tracker tells of those that are left."""
    from multiprocessing import resource_tracker, util

    util._exit_function()
    resource_tracker._resource_tracker._stop()


def _read(reader: int) -> None:
    """Take what is there."""
    import select

    while select.select([reader], [], [], 0)[0] and os.read(reader, 65536):
        pass
