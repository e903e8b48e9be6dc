"""A short version of the faults: one moment of each fault for a file, a folder and a study; the rest by option."""

import subprocess
import sys
from pathlib import Path


def test_faults_at_random_moments_lose_nothing_and_say_what_is_true():
    short = ["--moments", "1", "--no-mount", "--only", "propagate", "--only", "study simulation"]
    outcome = subprocess.run(
        [sys.executable, Path(__file__).parent, *short], capture_output=True, text=True, check=False, timeout=600
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert outcome.stdout.count("exit codes") == 12
    assert "\n0 faults in " in outcome.stdout
