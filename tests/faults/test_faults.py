"""A short version of the faults: one moment of each, for the shortest command; all of them are a script."""

import subprocess
import sys
from pathlib import Path


def test_faults_at_random_moments_lose_nothing_and_say_what_is_true():
    short = ["--moments", "1", "--no-mount", "--only", "propagate"]
    outcome = subprocess.run(
        [sys.executable, Path(__file__).parent, *short], capture_output=True, text=True, check=False, timeout=600
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert outcome.stdout.count("exit codes") == 6
    assert "\n0 faults in " in outcome.stdout
