"""A short version of the faults: one moment of each, for the shortest command; all of them are a script."""

import subprocess
import sys
from pathlib import Path

import pytest

SHORT = ("--no-mount", "--only", "propagate")


def script(*arguments):
    """The exit code and the output of the script."""
    command = [sys.executable, Path(__file__).parent, *arguments]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    return outcome.returncode, outcome.stdout + outcome.stderr


def test_faults_at_random_moments_lose_nothing_and_say_what_is_true():
    code, said = script(*SHORT, "--moments", "1")
    assert code == 0, said
    assert said.count("exit codes") == 6
    assert "\n0 faults in " in said


@pytest.mark.parametrize(
    ("plant", "fault", "found"),
    [
        ("written_in_place", "full disk", "is neither the earlier nor the new file"),
        ("always_0", "full disk", "exit code 0, and the result is not whole"),
    ],
)
def test_what_is_broken_on_purpose_is_found(plant, fault, found):
    code, said = script(*SHORT, "--only", fault, "--moments", "2", "--plant", plant)
    assert code == 1, said
    assert found in said
