"""Two thousand mutated calls of the public API: each works, or is refused in our words; 20 000 are a script."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from cases import all_calls, workshop

import climatebn as cb

SPARED = {  # what asks other machines, or has nothing to mutate
    "load_sst",
    "load_z500",
    "page",
    "linear_inverse",
    "LinearInverse",
}


def public_things():
    """Every function and class that a room of the package shows, by name."""
    rooms = [cb, *(getattr(cb, name) for name in cb.__all__ if inspect.ismodule(getattr(cb, name)))]
    found = {name: getattr(room, name) for room in rooms for name in getattr(room, "__all__", ())}
    return {name: thing for name, thing in found.items() if inspect.isfunction(thing) or inspect.isclass(thing)}


def test_two_thousand_mutated_calls_are_clean():
    command = [sys.executable, Path(__file__).parent, "--cases", "2000", "--seed", "13"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3000)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "\n0 of 2000 cases unclean" in f"\n{run.stdout}"


def test_every_public_function_is_among_the_calls():
    with workshop() as made:
        called = {call.name.rpartition(".")[2] for call in all_calls(made)}
    functions = {name for name, thing in public_things().items() if inspect.isfunction(thing)}
    assert functions - called - SPARED == set()


@pytest.mark.parametrize("name", sorted(public_things()))
def test_public_things_answer_wrong_arguments_in_our_words(name):
    thing = public_things()[name]
    if inspect.isfunction(thing):
        assert hasattr(thing, "__wrapped__"), f"{name} must be marked @public"
    elif "__init__" in vars(thing) and not getattr(thing, "_is_protocol", False):
        own = issubclass(thing, Exception) or name in ("Study",)
        assert own or hasattr(thing.__init__, "__wrapped__"), f"{name} must be marked @public"
