"""Ctrl-C while a kernel is compiled or loaded waits for its end: in the compiler's midst it crashes or is lost."""

import signal
import threading

import numpy as np
import pytest

from climatebn.interrupts import held_back, waits_by_itself
from climatebn.kernels.jit import COMPILED, jit

ONES = np.ones(3)
pytestmark = pytest.mark.skipif(not COMPILED, reason="numba is told not to compile")


@pytest.fixture(params=["compiled", "loaded"])
def kernel(request, monkeypatch):
    """A kernel that is stopped as soon as numba looks for it on the disk; it is there from the second time on."""

    @jit
    def added(values):
        return values.sum() + 1

    load = added._cache.load_overload

    def disturbed(*given):
        if disturbed.number:
            signal.raise_signal(disturbed.number)
        return None if request.param == "compiled" else load(*given)

    disturbed.number = signal.SIGINT
    monkeypatch.setattr(added._cache, "load_overload", disturbed)
    return added


def test_keyboard_interrupt_comes_when_the_kernel_is_there(kernel):
    before = signal.getsignal(signal.SIGINT)
    assert before is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        kernel(ONES)
    assert len(kernel.signatures) == 1
    assert signal.getsignal(signal.SIGINT) is before
    assert kernel(ONES) == 4


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_handlers_of_users_are_called_once_and_after_it(kernel, number):
    compiled = []
    mine = signal.signal(number, lambda number, frame: compiled.append((number, len(kernel.signatures))))
    kernel._cache.load_overload.number = number
    try:
        assert kernel(ONES) == 4
        assert compiled == [(number, 1)]
    finally:
        signal.signal(number, mine)


@pytest.mark.parametrize("handler", ["ignored", "waits by itself"])
def test_signals_that_nothing_is_raised_for_are_left_alone(kernel, handler):
    compiled = []

    def note(number, frame):
        compiled.append(len(kernel.signatures))

    waits_by_itself.add(note)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if handler == "ignored" else note)
    try:
        assert kernel(ONES) == 4
        assert compiled == ([] if handler == "ignored" else [0])
    finally:
        signal.signal(signal.SIGINT, before)
        waits_by_itself.discard(note)


def test_kernels_are_compiled_in_other_threads_too(kernel):
    """Python sets handlers in the main thread alone, and answers there."""
    found = []
    kernel._cache.load_overload.number = 0
    thread = threading.Thread(target=lambda: found.append(kernel(ONES)))
    thread.start()
    thread.join()
    assert found == [4]


def test_an_error_is_not_lost_behind_a_signal():
    def full():
        with held_back():
            signal.raise_signal(signal.SIGINT)
            raise OSError("full")

    with pytest.raises(KeyboardInterrupt) as stopped:
        full()
    assert isinstance(stopped.value.__context__, OSError)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
