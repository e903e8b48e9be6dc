"""A real Dask scheduler and two worker processes on loopback; one is killed in the middle of the study."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from toy_study import Toy, study

from climatebn.errors import ClimateBNError
from climatebn.jobs import open_executor, run_study
from climatebn.jobs.executors import DaskWorkers

pytest.importorskip("distributed")
CONFIG = Toy(size=20, pause=0.05)


@pytest.fixture
def cluster(tmp_path):
    """The address of a scheduler, and the processes of its two workers."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent), "OMP_NUM_THREADS": "1"}
    processes = []

    def start(*arguments):
        command = [sys.executable, "-m", "dask", *arguments]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, cwd=tmp_path)
        processes.append(process)
        return process

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    address = next(found[0] for line in scheduler.stderr if (found := re.search(r"tcp://127\.0\.0\.1:\d+", line)))
    workers = [start("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]
    for process in processes:  # a full pipe would stop them
        threading.Thread(target=process.stderr.read, daemon=True).start()
    yield address, workers
    for process in reversed(processes):
        process.kill()
        process.wait()


def test_a_killed_dask_worker_costs_its_cell_only(cluster, tmp_path):
    address, workers = cluster
    folder = tmp_path / "dask"
    with open_executor(scheduler=address) as executor:
        assert isinstance(executor, DaskWorkers)
        executor._client.wait_for_workers(2, timeout=60)
        assert executor.slots == 4
        killer = threading.Timer(0.5, workers[0].kill)
        killer.start()
        run_study(study, folder, CONFIG, executor=executor, progress=False)
        killer.join()
        assert executor.slots == 2  # the other worker did the rest
    with open_executor(2) as pool:
        run_study(study, tmp_path / "pool", CONFIG, executor=pool, progress=False)
    assert (folder / "results.csv").read_bytes() == (tmp_path / "pool/results.csv").read_bytes()


def test_an_address_where_nobody_answers():
    with pytest.raises(ClimateBNError, match="no Dask scheduler with workers answers at 'tcp://127"):
        DaskWorkers("tcp://127.0.0.1:9", timeout=1)
