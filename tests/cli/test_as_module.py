"""The command line without its script: ``python -m climatebn``."""

import subprocess
import sys

import pytest

import climatebn as cb


@pytest.mark.parametrize("module", ["climatebn", "climatebn.cli"])
def test_python_m_is_the_command(module):
    def said(*arguments):
        return subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)

    assert said("--version").stdout == f"climatebn, version {cb.__version__}\n"
    wrong = said("lern")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert f"Usage: python -m {module} [OPTIONS] COMMAND" in wrong.stderr
