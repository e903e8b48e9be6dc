"""The clock of a fuzz case: a slow call is stopped, and compiling is not slowness."""

import signal
import time
from contextlib import suppress

import numba
import numpy as np
import pytest
from clock import Slow, in_time
from numba.core.event import trigger_event


def busy(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_slow_call_is_stopped():
    with pytest.raises(Slow), in_time(0.1):
        busy(5)


def test_a_call_that_swallows_the_stop_is_slow_all_the_same():
    with pytest.raises(Slow), in_time(0.1), suppress(Slow):
        busy(0.3)


def test_a_stop_counts_though_the_timer_of_the_system_is_a_little_early():
    with pytest.raises(Slow), in_time(5), suppress(Slow):
        signal.raise_signal(signal.SIGPROF)


def compile_for(seconds):
    with trigger_event("numba:compile"), trigger_event("numba:compile"):  # a kernel that another one calls
        busy(seconds)


def compile_then_work(seconds):
    compile_for(0.2)
    busy(seconds)


def test_compiling_does_not_count_and_what_comes_after_does():
    with in_time(0.5) as clock:
        compile_for(1)
        busy(0.1)
    assert 0.1 <= clock.seconds < 0.5
    with pytest.raises(Slow), in_time(0.5):
        compile_then_work(5)


def test_numba_tells_when_it_compiles():
    kernel = numba.njit(lambda values: np.sort(values)[::-1].cumsum())
    started = time.process_time()
    with in_time(60) as clock:
        kernel(np.ones(3))
    assert clock.seconds < 0.5 * (time.process_time() - started)
