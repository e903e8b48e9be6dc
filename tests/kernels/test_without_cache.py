"""Where compiled code cannot be kept on disk it is compiled all the same, and the user is told once."""

import os
import subprocess
import sys

import pytest

KERNELS = """
from climatebn.kernels.jit import jit

@jit
def one(x):
    return x + 1

@jit
def two(x):
    return x + 2

def work():
    return one(1), two(1)
"""
HERE = """
import subprocess, sys
sys.path.insert(0, sys.argv[1])
import kernels_of_a_test
print(kernels_of_a_test.work(), flush=True)
if len(sys.argv) > 2:
    subprocess.run([sys.executable, *sys.argv[:2]], check=True)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "kernels_of_a_test.py").write_text(KERNELS)
    (tmp_path / "script.py").write_text(HERE)
    return tmp_path


def run(folder, *words, before=(), **environment):
    command = [*before, sys.executable, str(folder / "script.py"), str(folder), *words]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "CLIMATEBN", "XDG"))}
    return subprocess.run(
        command, env=clean | environment, cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )


def told(outcome):
    return outcome.stderr.count("compiled code cannot be kept on disk")


def test_no_place_that_can_be_written(folder):
    """Files stand where numba would make its folders, which stops root too."""
    (folder / "__pycache__").touch()
    outcome = run(folder, "and a process that it starts", HOME="/dev/null", PYTHONDONTWRITEBYTECODE="1")
    assert outcome.stdout == "(2, 3)\n" * 2, outcome.stderr
    assert told(outcome) == 1
    assert "Traceback" not in outcome.stderr


def test_a_disk_that_fills_up_while_compiled_code_is_kept(folder):
    script = folder / "script.py"
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\n"
    script.write_text(full + HERE)
    outcome = run(folder, NUMBA_CACHE_DIR=str(folder / "cache"), PYTHONDONTWRITEBYTECODE="1")
    assert outcome.stdout == "(2, 3)\n", outcome.stderr
    assert told(outcome) == 1


def test_nothing_is_said_where_it_can(folder):
    outcome = run(folder, NUMBA_CACHE_DIR=str(folder / "cache"))
    assert outcome.stdout == "(2, 3)\n"
    assert outcome.stderr == ""
    assert list((folder / "cache").rglob("*.nbc"))
