"""All real calls, and cases of them by seed and number."""

import inspect
import os
import resource
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import calls_of_data
import calls_of_figures
import calls_of_learning
import calls_of_networks
import calls_of_questions
import matplotlib as mpl
from judge import Verdict, judged
from made_objects import Made
from real_call import Call

ROOMS = (calls_of_data, calls_of_learning, calls_of_networks, calls_of_questions, calls_of_figures)
MEMORY = 6 << 30  # bytes of address space beyond which a call is refused memory


def all_calls(made: Made) -> list[Call]:
    """Every real call."""
    return [call for room in ROOMS for call in room.calls(made)]


def kin_of(made: Made) -> list[Any]:
    """One object of every kind, each of which is a wrong argument of most calls."""
    kinds = [name for name, part in inspect.getmembers(type(made)) if hasattr(part, "attrname")]
    return [getattr(made, name) for name in kinds if name != "files"]


@contextmanager
def workshop() -> Iterator[Made]:
    """A folder of its own to work in, and little memory."""
    mpl.use("agg")
    before, limits = Path.cwd(), resource.getrlimit(resource.RLIMIT_AS)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        os.chdir(folder)
        try:
            yield Made(Path(folder))
        finally:
            resource.setrlimit(resource.RLIMIT_AS, limits)
            os.chdir(before)


def tried(made: Made, numbers: Iterable[int], seed: int, only: str = "") -> Iterator[Verdict]:
    """The verdicts of some cases."""
    calls, kin = all_calls(made), kin_of(made)
    calls = [call for call in calls if only in call.name]
    used = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if os.path.exists("/proc") else 0
    )
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, hard))
    for number in numbers:
        yield judged(number, seed, calls, made, kin)
