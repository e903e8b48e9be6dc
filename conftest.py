"""What every test and every example finds, a Ctrl-C that is answered, and what it leaves behind: no open figure."""

import signal
import sys

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in what a script starts in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def no_open_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
