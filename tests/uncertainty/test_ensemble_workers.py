"""Who computes the members does not matter, and what is finished is not lost."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from made_data import chain, node_data

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.jobs.executors import InProcess, Processes
from climatebn.jobs.lock import locked

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


def cut_short(number):
    """A stand-in for `learn`: Ctrl-C comes in the midst of its call of that number."""
    calls = iter(range(1, 100))

    def learn(*arguments, **options):
        result = cb.learn(*arguments, **options)
        return replace(result, stopped="interrupted") if next(calls) == number else result

    return learn


def test_a_member_that_ctrl_c_cut_short_is_not_stored(data, ens, tmp_path, monkeypatch):
    arguments = {**ASKED, "workers": 1, "folder": tmp_path / "members"}
    with monkeypatch.context() as patch:
        patch.setattr("climatebn.uncertainty.relearning.learn", cut_short(4))
        with pytest.raises(KeyboardInterrupt, match="stopped with 3 of 7 cells stored in "):
            cb.ensemble(data, *CLIMB, **arguments)
    assert len(list((tmp_path / "members" / "cells").iterdir())) == 3
    assert same(ens, cb.ensemble(data, *CLIMB, **arguments))


def test_ctrl_c_is_not_lost_in_a_null_a_skill_or_a_choice_of_gamma(data, monkeypatch):
    far = node_data(chain(240, 6, 3))
    calls = {
        "shift_null": lambda: cb.distant_null(far, *CLIMB, draws=2, regions=3, workers=1, min_km=0, progress=False),
        "skill": lambda: cb.held_out_skill(far, {"one": CLIMB}, [1], folds=2, sets=2, workers=1, progress=False),
        "gamma_choice": lambda: cb.choose_gamma(far, gammas=[1.0], folds=2, workers=1, progress=False),
    }
    for module, call in calls.items():
        monkeypatch.setattr(f"climatebn.uncertainty.{module}.learn", cut_short(2))
        with pytest.raises(KeyboardInterrupt):
            call()


def test_two_ensembles_in_one_folder(data, tmp_path):
    (tmp_path / "members").mkdir()
    with locked(tmp_path / "members", "somebody"), pytest.raises(ClimateBNError, match="is running in"):
        cb.ensemble(data, *CLIMB, folder=tmp_path / "members", **ASKED)


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
