"""Who computes the members does not matter, and what is finished is not lost."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from made_data import chain, node_data

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.jobs.executors import InProcess, Processes

CLIMB = ("hill_climbing", cb.BIC())
ASKED = {"resamples": 6, "seed": 1, "progress": False}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@pytest.fixture(scope="module")
def data():
    return node_data(chain(240, 6, 3))


@pytest.fixture(scope="module")
def ens(data):
    return cb.ensemble(data, *CLIMB, **ASKED)


def same(a, b):
    """Whether two ensembles are equal to the last bit."""
    pairs = zip((*a.members, a.single), (*b.members, b.single), strict=True)
    parts = ("edges", "weights", "order", "residual_variances")
    return all(np.array_equal(getattr(x, part), getattr(y, part)) for x, y in pairs for part in parts)


def test_threads_and_seeds(data, ens):
    with ThreadPoolExecutor(2) as threads:
        assert same(ens, cb.ensemble(data, *CLIMB, workers=threads, **ASKED))
    assert not same(ens, cb.ensemble(data, *CLIMB, **{**ASKED, "seed": 2}))


def test_processes_also_when_one_is_killed(data, ens):
    class Killing(Processes):
        """Ends a worker process once."""

        count = 0

        def submit(self, function, /, *args, **kwargs):
            self.count += 1
            future = super().submit(function, *args, **kwargs)
            if self.count == 3:
                next(p for pool in self._busy.copy() for p in (pool._processes or {}).values()).kill()
            return future

    executor = Killing(2)
    try:
        assert same(ens, cb.ensemble(data, *CLIMB, workers=executor, **ASKED))
    finally:
        executor.shutdown(wait=False)


def test_dask(data, ens):
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        assert same(ens, cb.ensemble(data, *CLIMB, workers=client.get_executor(), **ASKED))


class Interrupted(InProcess):
    """Ctrl-C after some members."""

    def __init__(self, after):
        self.left = after

    def submit(self, function, /, *args, **kwargs):
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return super().submit(function, *args, **kwargs)


def test_an_interrupt_keeps_the_finished_members(data, ens, tmp_path):
    arguments = {**ASKED, "folder": tmp_path / "members"}
    with pytest.raises(KeyboardInterrupt):
        cb.ensemble(data, *CLIMB, workers=Interrupted(5), **arguments)
    rest = Interrupted(2)  # 7 cells in all, 5 are there
    assert same(ens, cb.ensemble(data, *CLIMB, workers=rest, **arguments))
    assert rest.left == 0
    assert len(cb.ensemble(data, *CLIMB, workers=Interrupted(3), **{**arguments, "resamples": 9})) == 9
    with pytest.raises(ClimateBNError, match="made with another configuration"):
        cb.ensemble(data, *CLIMB, **{**arguments, "seed": 2})


def test_threads_of_linear_algebra_do_not_matter():
    code = (
        "import sys, climatebn as cb; from climatebn.provenance import array_hash; "
        "data = cb.to_nodes(cb.anomalies(cb.load_ncep())); "
        "ens = cb.ensemble(data, 'hill_climbing', cb.BIC(gamma=2), resamples=1, progress=False); "
        "sys.stdout.write(array_hash(*(m.weights for m in ens.members)))"
    )
    found = set()
    for threads in ("1", "2"):
        environment = os.environ | dict.fromkeys(THREADS, threads)
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1


def test_a_script_without_a_main_guard_works(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np, climatebn as cb\n"
        "x = np.random.default_rng(1).normal(size=(60, 3))\n"
        "ens = cb.ensemble(x, 'hill_climbing', cb.BIC(), block=12, resamples=2, workers=2, progress=False)\n"
        "print(len(ens))\n"
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert run.stdout == "2\n", run.stderr
