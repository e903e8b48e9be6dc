"""A study that is killed at any moment, or stopped by Ctrl-C, goes on from where it was, to the same table."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from toy_study import Toy, study

from climatebn.jobs import run_study
from climatebn.jobs.lock import LOCK, locked

SCRIPT = """
import sys
from climatebn.jobs import open_executor, run_study
from toy_study import Toy, study
if __name__ == "__main__":
    with open_executor(2) as executor:
        run_study(study, sys.argv[1], Toy(size=20, pause=0.05), executor=executor, progress=False)
"""

COMMAND = """
import sys
from climatebn import cli
from climatebn.study import registry
from toy_study import study
if __name__ == "__main__":
    registry.find = lambda name: study
    settings = ["--set", "size=20", "--set", "pause=0.05", "--workers", "2", "--quiet"]
    sys.argv = ["climatebn", "study", "toy", *settings, "--out", sys.argv[1]]
    cli.main()
"""


@pytest.fixture
def start(tmp_path):
    script = tmp_path / "script.py"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    }

    def begin(folder, text=SCRIPT):
        script.write_text(text)
        return subprocess.Popen(
            [sys.executable, script, folder], env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    return begin


def stored(folder):
    return len(list((folder / "cells").glob("[!.]*.cell"))) if folder.exists() else 0


def wait_for(condition, seconds=200):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


def orphans(session):
    """Processes of a session that are still there (zombies apart)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def test_killed_three_times_then_resumed_gives_the_same_table(start, tmp_path):
    folder, random = tmp_path / "killed", np.random.default_rng()
    for _ in range(3):
        before, process = stored(folder), start(folder)
        wait_for(lambda before=before: stored(folder) > before)
        time.sleep(random.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if Path("/proc").exists():
            wait_for(lambda session=process.pid: not orphans(session))
    assert stored(folder) < 40
    assert start(folder).wait(timeout=200) == 0
    run_study(study, tmp_path / "whole", Toy(size=20, pause=0.05), progress=False)
    table, whole = (pd.read_csv(path / "results.csv").drop(columns="threads") for path in (folder, tmp_path / "whole"))
    pd.testing.assert_frame_equal(table, whole, check_exact=True)


def test_ctrl_c_leaves_a_resumable_folder_and_says_so(start, tmp_path):
    folder = tmp_path / "stopped"
    process = start(folder)
    wait_for(lambda: stored(folder) > 2)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to parent and workers
    _, words = process.communicate(timeout=200)
    assert process.returncode != 0
    count = stored(folder)
    assert f"stopped with {count} of 40 cells stored in {folder}; the same command goes on from there" in words
    assert words.count("Traceback") == 1  # none of the workers complains
    assert "leaked" not in words
    assert start(folder).wait(timeout=200) == 0
    assert stored(folder) == 40


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("to_all", [True, False])
def test_the_command_in_two_workers_ends_with_one_sentence(start, tmp_path, number, code, to_all):
    """As from a terminal or a batch system, to all processes; or to the command alone."""
    folder = tmp_path / "stopped"
    process = start(folder, COMMAND)
    wait_for(lambda: stored(folder) > 2)
    (os.killpg if to_all else os.kill)(process.pid, number)
    _, words = process.communicate(timeout=200)
    assert process.returncode == code
    said = f"stopped with {stored(folder)} of 40 cells stored in {folder}; the same command goes on from there"
    assert words.strip().splitlines() == [f"climatebn: {said}"]  # no traceback, no complaint of a library
    assert not (folder / LOCK).exists()


INTERRUPTED = """
import os, signal, sys, threading
import numpy as np
from dataclasses import dataclass
import climatebn as cb
from climatebn.jobs import run_study
from climatebn.jobs.study import Record, Study

@dataclass(frozen=True)
class Config:
    max_seconds: float = 60.0

def cells(config):
    return [(1,), (2,), (3,)]

def run_cell(config, key):
    data = np.random.default_rng(int(key[0])).normal(size=(400, 40)) @ np.random.default_rng(0).normal(size=(40, 40))
    if key == (2,) and len(sys.argv) > 2:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        while True:
            cb.learn(data, "tabu", progress=False).uninterrupted()
    return Record({"arcs": len(cb.learn(data, "tabu", progress=False).uninterrupted().graph.numbered_skeleton)})

study = Study("cut", ("number",), Config(), Config(), cells, run_cell, lambda *_: "done")
run_study(study, sys.argv[1], Config(), progress=False)
"""


def test_an_interrupted_search_is_not_stored_as_if_it_had_ended(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    cut = subprocess.run([sys.executable, script, tmp_path / "a", "cut"], capture_output=True, text=True, check=False)
    assert "KeyboardInterrupt: stopped with 1 of 3 cells stored" in cut.stderr
    assert not (tmp_path / "a" / "results.csv").exists()
    for folder in ("a", "b"):
        subprocess.run([sys.executable, script, tmp_path / folder], check=True)
    assert (tmp_path / "a" / "results.csv").read_bytes() == (tmp_path / "b" / "results.csv").read_bytes()


def test_two_processes_on_one_folder_and_a_lock_left_behind(start, tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir()
    with locked(folder, "a study"):
        _, words = start(folder).communicate(timeout=200)
    assert f"ClimateBNError: a study is running in {folder} (process {os.getpid()} on {socket.gethostname()})" in words
    first = start(folder)
    wait_for(lambda: stored(folder) > 0)
    first.kill()
    first.communicate()
    assert (folder / LOCK).exists()
    assert start(folder).wait(timeout=200) == 0
    assert not (folder / LOCK).exists()
    assert stored(folder) == 40
